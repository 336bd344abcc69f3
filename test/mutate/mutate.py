#!/usr/bin/env python3
"""Is every check of the rewrites there for a reason that a test knows?

    mutate.py --build DIR                  goes on where the last run stopped; NAME... mutations with that in their name, in any case
    mutate.py --build DIR --results        writes RESULTS.md beside this file as well
    mutate.py --build DIR --again          as if nothing had been tried
    mutate.py --gone                       only says whose text the source no longer has

DIR is a configured build whose coalda-sim is up to date. The tree (what git knows, and what it would not ignore) is copied to
a temporary folder; each mutation replaces one stretch of text there, builds the plugin and coalda-report and runs the tests
that must notice, until one does. What became of it is written to DIR/mutations.json at once, and holds until the mutation, its
source or its tests change. Exit 1 where a mutation survives, where its text is gone (the source has moved on: the table has to
follow), or where the tests fail without any.
"""
import argparse
import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import state
from mutations import MUTATIONS

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def quiet(command, patience=None):
    """Runs it with all that it starts, which ends with it; raises TimeoutExpired."""
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                             start_new_session=True)
    try:
        output = child.communicate(timeout=patience)[0]
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
        raise
    return subprocess.CompletedProcess(command, child.returncode, output)


def setting(build, name):
    with open(os.path.join(build, "CMakeCache.txt")) as f:
        return re.search(rf"^{name}:\w+=(.*)$", f.read(), re.M)[1]


class Copy:
    """The tree of its own, with a build of the plugin."""

    def __init__(self, build, folder, jobs):
        self.jobs = jobs
        self.source = os.path.join(folder, "source")
        self.build = os.path.join(folder, "build")
        self.lit_program = setting(build, "COALDA_LIT")
        names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                               capture_output=True, text=True, check=True).stdout.split("\0")
        for name in filter(None, names):
            if os.path.isfile(os.path.join(ROOT, name)):
                os.makedirs(os.path.dirname(os.path.join(self.source, name)), exist_ok=True)
                shutil.copy2(os.path.join(ROOT, name), os.path.join(self.source, name))
        made = quiet(["cmake", "-S", self.source, "-B", self.build, "-G", "Ninja", "-DBUILD_TESTING=ON", f"-DLLVM_DIR={setting(build, 'LLVM_DIR')}"])
        if made.returncode:
            sys.exit(made.stdout[-2000:])
        shutil.copy2(os.path.join(build, "coalda-sim"), self.build)

    def compile(self):
        made = quiet(["ninja", "-C", self.build, "coalda", "coalda-report"])
        return "" if made.returncode == 0 else made.stdout[-1500:]

    def lit(self, name, check, patience):
        """Names of the tests that fail, each with the kernel whose case is the first to; what does not end has failed."""
        command = [sys.executable, self.lit_program, "-v", f"-j{self.jobs}", os.path.join(self.build, "test"),
                   "--param", f"check={check}", "--filter", f":: {name if '/' in name else 'transform/' + name}"]
        try:
            done = quiet(command, patience)
        except subprocess.TimeoutExpired:
            return ["(does not end)"]
        if "Total Discovered Tests" not in done.stdout:
            sys.exit(f"{name}: {done.stdout[-500:]}")
        red = []
        for words in re.split(r"^\*+ TEST ", done.stdout, flags=re.M)[1:]:
            test = re.match(r"'coalda :: (?:transform/)?([\w./-]+)' FAILED", words)
            case = re.search(r"--kernel (\w+)|^(?:# \| )?(\w+): (?:wanted|\d+ sectors)", words, re.M)
            if test:
                red.append(test[1] + (f": {case[1] or case[2]}" if case else ""))
        return red

    def noticed(self, tests):
        """The first of the tests that fails, if any: `name`, or `name:kernel` for this kernel's cases alone."""
        for test in tests:
            name, _, kernel = test.partition(":")
            red = self.lit(name, "--enough 1" + (f" --only {kernel}" if kernel else ""), 240)
            if red:
                return red
        return []

    def wrong_as_it_is(self, tests, results, again):
        """Those of the tests that fail without a mutation; what passed before with the same sources passes."""
        kernels, red = {}, []
        sources = sorted(path for room in ("pass/*", "analysis/*", "transform/*", "test/*") for path in glob.glob(f"{ROOT}/{room}/*.*")
                         if not path.endswith((".cu", ".ll", ".test", ".md", ".pyc")))
        for name, _, kernel in (test.partition(":") for test in sorted(tests)):
            kernels.setdefault(name, []).append(kernel)
        for name, only in kernels.items():
            check = f"--only {','.join(only)}" if all(only) else ""
            key = state.digest(ROOT, [name, check], sources + state.paths_of(ROOT, name))
            if results.sound.get(name) == key and not again:
                continue
            wrong = self.lit(name, check, 900)
            red += wrong
            if not wrong:
                results.sound[name] = key
                results.save()
        return red

    def mutate(self, mutation):
        """One row of the table: what became of the mutation, and the tests that noticed."""
        path = os.path.join(self.source, mutation.file)
        with open(path) as f:
            text = f.read()
        changed = mutated(text, mutation)
        if not changed:
            return "TEXT GONE", []
        try:
            with open(path, "w") as f:
                f.write(changed)
            words = self.compile()
            if words:
                return "DOES NOT BUILD", [words]
            red = self.noticed(mutation.tests)
        finally:
            with open(path, "w") as f:
                f.write(text)
        return ("killed" if red else "SURVIVES"), red


def mutated(text, mutation):
    """The source with the mutation, whose text is found however its lines are broken; None where it does not stand there once."""
    found = list(re.finditer(r"\s*".join(map(re.escape, re.findall(r"\w+|[^\w\s]", mutation.old))), text))
    if len(found) != 1:
        return None
    start, end = found[0].span()
    before, behind = re.match(r"\s*", mutation.old)[0], re.search(r"\s*$", mutation.old)[0]
    new = mutation.new[len(before):] if before and mutation.new.startswith(before) else mutation.new
    new = new[:-len(behind)] if behind and new.endswith(behind) else new
    return text[:start] + new + text[end:]


def gone():
    """Mutations whose text the source no longer has, or has twice."""
    found = []
    for mutation in MUTATIONS:
        with open(os.path.join(ROOT, mutation.file)) as f:
            if not mutated(f.read(), mutation):
                found.append(mutation)
    return found


def left(seconds):
    return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"


def say(mutation, verdict, red, more):
    print(f"{mutation.hazard:>3}  {mutation.name:28} {verdict:10} {more}  {' '.join(red)}", flush=True)


def try_all(chosen, results, attempt, prepare=lambda to_do: None):
    """Tries those of which nothing is known; the verdicts of all. What is edited meanwhile is not what was tried."""
    keys = {mutation.name: results.key(mutation) for mutation in chosen}
    verdicts = {mutation.name: results.known(mutation, keys[mutation.name]) for mutation in chosen}
    to_do = [mutation for mutation in chosen if not verdicts[mutation.name]]
    if len(to_do) < len(chosen):
        print(f"{len(chosen) - len(to_do)} of {len(chosen)} are known from {results.path}")
    if to_do:
        print(f"{len(to_do)} to try, some {left(results.seconds(to_do))}", flush=True)
        prepare(to_do)
    for i, mutation in enumerate(to_do):
        start = time.time()
        verdict, red = attempt(mutation)
        took = time.time() - start
        results.add(mutation, keys[mutation.name], verdict, red, took)
        verdicts[mutation.name] = verdict
        say(mutation, verdict, red, f"{took:4.0f} s, {i + 1} of {len(to_do)}, {left(results.seconds(to_do[i + 1:]))} left")
    return verdicts


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("names", nargs="*")
    p.add_argument("--build")
    p.add_argument("--gone", action="store_true", help="only say which mutations have lost their text, and exit 1 if any have")
    p.add_argument("--results", nargs="?", const=os.path.join(HERE, "RESULTS.md"), help="file for a table of what became of each")
    p.add_argument("--again", action="store_true", help="forget what became of them")
    p.add_argument("--jobs", type=int, default=2, help="of the test runner")
    p.add_argument("--no-baseline", action="store_true", help="do not run the tests on the tree as it is first")
    a = p.parse_args()
    if not a.build and not a.gone:
        p.error("--build is missing")
    return a


def main():
    a = options()
    if a.gone:
        lost = gone()
        print("".join(f"{m.name}: {m.file} has its text no more, or twice\n" for m in lost), end="")
        sys.exit(1 if lost else 0)
    chosen = [m for m in MUTATIONS if not a.names or any(n in m.name for n in a.names)]
    results = state.State(os.path.join(a.build, "mutations.json"), ROOT)
    if a.again or a.names:
        results.forget(chosen)
    with tempfile.TemporaryDirectory() as folder:
        copies = []

        def prepare(to_do):
            copies.append(Copy(a.build, folder, a.jobs))
            words = copies[0].compile()
            if words:
                sys.exit(words)
            red = [] if a.no_baseline else copies[0].wrong_as_it_is({t for m in to_do for t in m.tests}, results, a.again)
            if red:
                sys.exit(f"without any mutation, these fail: {' '.join(red)}")

        try:
            verdicts = try_all(chosen, results, lambda mutation: copies[0].mutate(mutation), prepare)
        finally:
            if a.results:
                results.write_results(a.results, MUTATIONS)
    alive = [f"{name}: {verdict}" for name, verdict in verdicts.items() if verdict != "killed"]
    print("\n".join([*alive, f"{len(chosen) - len(alive)} of {len(chosen)} mutations killed"]))
    sys.exit(1 if alive else 0)


if __name__ == "__main__":
    main()
