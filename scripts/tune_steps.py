"""The steps of coalda-tune: builds and runs, each done once, its outcome kept, so that what was broken off goes on."""
import glob
import hashlib
import json
import os
import re
import shlex
import shutil
import statistics
import subprocess
import time

import tune_choose as choose
import tune_profile as profile
from tune_profile import Failure

TUNED = "tuned"     # the build that obeys the profile
OUTPUT_LINES = 15


def slug(variant):
    return re.sub(r"[^A-Za-z0-9]+", "-", variant).strip("-") + "-" + hashlib.sha256(variant.encode()).hexdigest()[:6]


def options_of(variant, hashes):
    by_profile = variant in ("default", TUNED) or profile.needs_launches(variant)
    return ";".join(([] if by_profile else [variant]) + [f"hashes={hashes}"])


STATE = "state.json"


def state_of(folder):
    """What is done in a folder already, or nothing."""
    path = os.path.join(folder, STATE)
    if not os.path.exists(path):
        return {}
    with open(path) as f:
        try:
            return json.load(f)
        except ValueError as e:
            raise Failure(f"{path} is not what --build-only wrote: {e}")


class Work:
    """A folder with what is done already: state.json, and what each variant's build made."""

    def __init__(self, folder, command, anew):
        self.folder, self.path = folder, os.path.join(folder, STATE)
        state = {} if anew else state_of(folder)
        if state.get("command") != command:
            if os.path.isdir(folder) and os.listdir(folder) and not os.path.exists(self.path):
                raise Failure(f"{folder} is there and holds something else: name a folder that is coalda-tune's alone")
            shutil.rmtree(folder, ignore_errors=True)
            state = {"command": command, "done": {}}
        self.state, self.done = state, state["done"]
        os.makedirs(folder, exist_ok=True)
        self.save()     # the folder is ours from now on

    def keep(self, step, outcome):
        self.done[step] = outcome
        self.save()

    def save(self):
        part = self.path + ".part"
        with open(part, "w") as f:
            json.dump(self.state, f)
        os.replace(part, self.path)

    def keep_profile(self, path):
        """The next build obeys it: what was measured of another is not of this one."""
        with open(path, "rb") as f:
            self.state["profile"] = hashlib.sha256(f.read()).hexdigest()
        self.save()

    def profile(self):
        """Its digest, or nothing."""
        return self.state.get("profile", "")

    def place(self, *parts):
        path = os.path.join(self.folder, *parts)
        os.makedirs(path, exist_ok=True)
        return path


class Progress:
    """A line for each step, with what is left by the mean of what steps of its kind took."""

    def __init__(self, out, tells_done=True):
        self.out, self.steps, self.took, self.ended, self.tells_done = out, [], {}, 0, tells_done

    def plan(self, kinds):
        self.steps += kinds

    def left(self):
        kinds = self.steps[self.ended:]
        known = [seconds for took in self.took.values() for seconds in took]
        if not known or not kinds:
            return ""
        seconds = sum(statistics.mean(self.took.get(kind) or known) for kind in kinds)
        return f", about {f'{seconds / 60:.0f} min' if seconds >= 90 else f'{seconds:.0f} s'} left"

    def end(self, kind, what, seconds):
        """seconds: None where it was done before."""
        self.ended += 1
        if seconds is not None:
            self.took.setdefault(kind, []).append(seconds)
        if seconds is None and not self.tells_done:
            return
        took = "done before" if seconds is None else f"{seconds:.1f} s"
        print(f"[{self.ended:3}/{len(self.steps)}] {what}: {took}{self.left()}", file=self.out, flush=True)

    def skip(self, kinds):
        """Steps that will not be done."""
        for kind in kinds:
            del self.steps[self.steps.index(kind, self.ended)]


class Undone(Failure):
    """A step that this machine is not to do."""


# What each command of a tuning that is done on two machines does by itself; all else has to be done already.
KINDS = {None: ("build", "hash", "run"), "build": ("build",), "measure": ("hash", "run"), "choose": ("build",)}
NEXT = {"build": "it is built by --build-only or --choose, where the compiler is", "hash": "it is measured by --measure, where a GPU is",
        "run": "it is measured by --measure, where a GPU is"}


class Tuner:
    def __init__(self, a, work, progress, part=None):
        self.a, self.work, self.progress, self.kinds = a, work, progress, KINDS[part]
        self.profile = ""       # of the build that obeys one: a digest

    def name(self, variant):
        return f"{variant} {self.profile}" if variant == TUNED else variant

    def step(self, kind, name, what, do):
        """The outcome of a step, which is done unless it was."""
        if name in self.work.done:
            outcome = self.work.done[name]
            if isinstance(outcome, dict) and "failed" in outcome:
                raise Failure(outcome["failed"])
            self.progress.end(kind, what, None)
            return outcome
        if kind not in self.kinds:
            raise Undone(f"{self.work.folder} has no '{what}': {NEXT[kind]}")
        begin = time.monotonic()
        outcome = do()
        self.work.keep(name, outcome)
        self.progress.end(kind, what, time.monotonic() - begin)
        return outcome

    def give_up(self, name, failure):
        """A step that failed is known to have failed, on the other machine too."""
        if not isinstance(failure, Undone):
            self.work.keep(name, {"failed": str(failure)})

    def shell(self, command, what, env):
        """Its last lines are told where it fails."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith("COALDA_")}
        keep = {name: value for name, value in os.environ.items() if name in ("COALDA_CUPTI", "COALDA_PLUGIN", "COALDA_NO_SYSTEM_CUDA")}
        done = subprocess.run(command, shell=True, env={**clean, **keep, **env}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, errors="replace")
        if done.returncode:
            last = "\n".join(done.stdout.split("\n")[-OUTPUT_LINES:])
            raise Failure(f"{what} ended with status {done.returncode}: {command}\n{last}")
        return done.stdout

    # ---- builds ----

    def build(self, variant):
        return self.step("build", f"build {self.name(variant)}", f"build {variant}", lambda: self.do_build(variant))

    def do_build(self, variant):
        folder = self.work.place(slug(variant))
        hashes = os.path.abspath(os.path.join(folder, "hashes"))
        if os.path.exists(hashes):
            os.remove(hashes)
        env = {"COALDA_OPTIONS": options_of(variant, hashes), "CCACHE_DISABLE": "1"}
        if variant == TUNED:
            env["COALDA_PROFILE"] = os.path.abspath(self.a.out)
        elif profile.needs_launches(variant):
            env["COALDA_PROFILE"] = self.supposed(variant, os.path.abspath(os.path.join(folder, "launches.coalda")))
        self.shell(self.a.build, f"the build of {variant}", env)
        if not os.path.exists(hashes):
            raise Failure(f"no kernel was compiled with the plugin by: {self.a.build}\nIt has to compile everything anew, as make -B does, with "
                          "-fpass-plugin=coalda.so")
        for i, path in enumerate(self.kept()):
            shutil.copy2(path, os.path.join(folder, f"{i}-{os.path.basename(path)}"))
        with open(hashes) as f:
            return sorted({tuple(line.split()[1:]) for line in f})

    def supposed(self, variant, path):
        """A profile that decides so of every kernel: what rests on launches is given those of plain code."""
        kernels, ranges = self.launches()
        profile.write(path, [], [(name, None, variant, launches) for name, launches in kernels.items()], ranges)
        return path

    def launches(self):
        """(launches, ranges of arguments) of the trace that is given, or of the first round of plain code."""
        if self.a.launches:
            read = [(profile.read(path)[0], profile.arguments(path)) for path in self.a.launches]
            return profile.merged(kernels for kernels, _ in read), profile.united(ranges for _, ranges in read)
        outcome = self.work.done[f"run {choose.OFF} 1"]
        return kernels_of(outcome), ranges_of(outcome)

    def kept(self):
        """What a build makes and a run uses: it is put in place before each run."""
        paths = self.a.keep or [word for word in shlex.split(self.a.run)[:1] if "/" in word]
        if not paths:
            raise Failure(f"which file is it that '{self.a.build}' makes? Say --keep FILE, once for each")
        for path in paths:
            if not os.path.isfile(path):
                raise Failure(f"there is no {path} after the build; say --keep FILE for each file that the build makes and the run uses")
        return paths

    def put(self, variant):
        paths = self.a.keep or shlex.split(self.a.run)[:1]
        for i, path in enumerate(paths):
            part = path + ".coalda-part"
            os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
            shutil.copy2(os.path.join(self.work.folder, slug(variant), f"{i}-{os.path.basename(path)}"), part)
            os.replace(part, path)      # in one step, as the file may be in use

    # ---- runs ----

    def run(self, variant, number, hashes):
        kind = "hash" if hashes else "run"
        what = f"{variant}, {'its results' if hashes else f'round {number} of {self.a.rounds}'}"
        return self.step(kind, f"{kind} {self.name(variant)} {number}", what, lambda: self.do_run(variant, hashes))

    def do_run(self, variant, hashes):
        folder = self.work.place("run")
        for path in glob.glob(os.path.join(folder, "*")):
            os.remove(path)
        self.put(variant)
        env = {"CUDA_INJECTION64_PATH": self.a.library, "COALDA_TRACE": os.path.abspath(folder) + "/%p.coalda"}
        if hashes:
            env["COALDA_HASH"] = "1"
        begin = time.monotonic()
        said = self.shell(self.a.run, f"the run of {variant}", env)
        seconds = time.monotonic() - begin
        paths = sorted(glob.glob(os.path.join(folder, "*.coalda")))
        if not paths:
            heard = [line for line in said.split("\n") if line.startswith("coalda-trace:")]
            raise Failure(f"no kernel was traced: {heard[0] if heard else 'does the program use a GPU, and end by exit or return?'}")
        if hashes:
            return sorted(self.digests(path + ".copies") for path in paths)
        read = [profile.read(path) for path in paths]
        comments = list(dict.fromkeys(comment for _, some in read for comment in some))
        return {"seconds": seconds, "comments": comments, "kernels": [self.listed(kernels) for kernels, _ in read],
                "ranges": [[name, [[index, *both] for index, both in ranges.items()]]
                           for name, ranges in profile.united(profile.arguments(path) for path in paths).items()]}

    @staticmethod
    def digests(path):
        with open(path) as f:
            return [" ".join(line.split()[1:]) for line in f.read().split("\n")[1:] if line]

    @staticmethod
    def listed(kernels):
        """As JSON has it."""
        return [[name, [[*shape, *launch] for shape, launch in launches.items()]] for name, launches in kernels.items()]


def kernels_of(outcome):
    """{kernel: {Shape: Launch}} of a run's outcome."""
    return profile.merged({name: {profile.Shape(tuple(grid), tuple(block), shared): profile.Launch(count, median)
                                  for grid, block, shared, count, median in launches} for name, launches in process}
                          for process in outcome["kernels"])


def ranges_of(outcome):
    """{kernel: {index: (least, most)}} of a run's outcome."""
    return {name: {index: (least, most) for index, least, most in ranges} for name, ranges in outcome.get("ranges", [])}
