#!/usr/bin/env python3
"""Is every check of the rewrites there for a reason that a test knows?

    mutate.py --build DIR [--results FILE] [NAME...]

DIR is a configured build whose coalda-sim is up to date; NAMEs pick mutations by a part of their name. The tree (what git
knows, and what it would not ignore) is copied to a temporary folder; each mutation replaces one stretch of text there,
builds the plugin and coalda-report and runs the tests that must notice, until one does. Exit 1 where a mutation
survives, where its text is gone (the source has moved on: the table has to follow), or where the tests fail without any.
Some twenty minutes.
"""
import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from mutations import MUTATIONS

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


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
        made = quiet(["cmake", "-S", self.source, "-B", self.build, "-G", "Ninja", f"-DLLVM_DIR={setting(build, 'LLVM_DIR')}"])
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

    def wrong_as_it_is(self, tests):
        """Those of the tests that fail without a mutation."""
        kernels = {}
        for name, _, kernel in (test.partition(":") for test in sorted(tests)):
            kernels.setdefault(name, []).append(kernel)
        red = []
        for name, only in kernels.items():
            red += self.lit(name, f"--only {','.join(only)}" if all(only) else "", 900)
        return red

    def mutate(self, mutation):
        """One row of the table: what became of the mutation, and the tests that noticed."""
        path = os.path.join(self.source, mutation.file)
        with open(path) as f:
            text = f.read()
        if text.count(mutation.old) != 1:
            return "TEXT GONE", []
        try:
            with open(path, "w") as f:
                f.write(text.replace(mutation.old, mutation.new))
            words = self.compile()
            if words:
                return "DOES NOT BUILD", [words]
            red = self.noticed(mutation.tests)
        finally:
            with open(path, "w") as f:
                f.write(text)
        return ("killed" if red else "SURVIVES"), red


ROW = re.compile(r"^\| (\d+) \| (\S+) \| (.*?) \| (.*) \|$", re.M)


def write_results(path, rows):
    """Of mutations that were not tried the file says what it said."""
    told = {}
    if os.path.exists(path):
        with open(path) as f:
            told = {name: (verdict, red) for _, name, verdict, red in ROW.findall(f.read())}
    told.update({mutation.name: (verdict, ", ".join(red)) for mutation, verdict, red in rows})
    with open(path, "w") as f:
        f.write("# Checks taken out, one at a time, and the tests that noticed\n\n"
                "Written by `python3 test/mutate/mutate.py --build build --results test/mutate/RESULTS.md`; the mutations are in\n"
                "[mutations.py](mutations.py).\n\n| hazard | check | taken out | first test of test/transform that fails |\n|---:|---|---|---|\n")
        for mutation in MUTATIONS:
            if mutation.name in told:
                f.write(f"| {mutation.hazard} | {mutation.name} | {' | '.join(told[mutation.name])} |\n")


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("names", nargs="*")
    p.add_argument("--build", required=True)
    p.add_argument("--results", help="file for a table of what became of each")
    p.add_argument("--jobs", type=int, default=2, help="of the test runner")
    p.add_argument("--no-baseline", action="store_true", help="do not run the tests on the tree as it is first")
    a = p.parse_args()
    chosen = [m for m in MUTATIONS if not a.names or any(n in m.name for n in a.names)]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        copy = Copy(a.build, folder, a.jobs)
        words = copy.compile()
        if words:
            sys.exit(words)
        if not a.no_baseline:
            red = copy.wrong_as_it_is({t for m in chosen for t in m.tests})
            if red:
                sys.exit(f"without any mutation, these fail: {' '.join(red)}")
        for mutation in chosen:
            start = time.time()
            verdict, red = copy.mutate(mutation)
            rows.append((mutation, verdict, red))
            print(f"{mutation.hazard:>3}  {mutation.name:28} {verdict:10} {time.time() - start:4.0f} s  {' '.join(red)}", flush=True)
            if a.results:
                write_results(a.results, rows)
    killed = sum(verdict == "killed" for _, verdict, _ in rows)
    print(f"{killed} of {len(rows)} mutations killed")
    sys.exit(0 if killed == len(rows) else 1)


if __name__ == "__main__":
    main()
