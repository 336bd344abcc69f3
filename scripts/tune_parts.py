"""The parts of a tuning whose compiler and GPU are on two machines, and what they hand on in a folder."""
import glob
import os
import shutil
import statistics

import tune_choose as choose
import tune_steps as steps
from tune_profile import Failure

# As options; what each does by itself is steps.KINDS.
PARTS = {"build-only": "build the variants into DIR, for a machine that has the GPU",
         "measure": "run what is in DIR; needs a GPU, and no compiler",
         "choose": "of a DIR that was measured: choose, write the profile, build with it"}
NAMES = {"build_only": "build", "measure": "measure", "choose": "choose"}
DEFAULTS = {"variants": "default,launches,always", "rounds": 3, "keep": None, "launches": None}
WITHOUT_LAUNCHES = "default,always"     # nothing has been run before all is built
SETTINGS = ("build", "run", "out", *DEFAULTS)
LIBRARY = "libcoalda-trace.so"
TOOL = "tool"


def library(here):
    """Beside the tool in a folder that was carried here, else in the build."""
    carried = os.path.join(here, LIBRARY)
    return carried if os.path.exists(carried) else os.path.join(os.path.dirname(here), "build", LIBRARY)


def settle(a, parser):
    """What is not said is as it was when the folder was built, or usual."""
    said = [(name, getattr(a, option)) for option, name in NAMES.items() if getattr(a, option)]
    if len(said) > 1:
        parser.error("one of --build-only, --measure and --choose at a time")
    a.part, a.dir = said[0] if said else (None, None)
    if a.part in ("measure", "choose"):
        state = steps.state_of(a.dir)
        if "settings" not in state.get("command", {}):
            raise Failure(f"{a.dir} holds nothing to {a.part}: coalda-tune --build-only {a.dir} ... comes first")
        if a.anew:
            raise Failure("--anew is for the beginning: --build-only, or all at once")
        for name, value in state["command"]["settings"].items():
            if name != "out" and getattr(a, name) not in (None, value):
                raise Failure(f"{a.dir} was built with other --{name}; it is said with --build-only")
            if getattr(a, name) is None:
                setattr(a, name, value)
    if a.part == "build" and a.variants is None and not a.launches:
        a.variants = WITHOUT_LAUNCHES
    for name, value in DEFAULTS.items():
        if getattr(a, name) is None:
            setattr(a, name, value)
    missing = [name for name in ("build", "run", "out") if getattr(a, name) is None]
    if missing:
        parser.error(f"the following arguments are required: {', '.join('--' + name for name in missing)}")
    if a.rounds < 1:
        raise Failure("--rounds takes a number of at least 1")
    if not os.path.exists(a.library):
        raise Failure(f"there is no {a.library}: build COALDA, or say where it is by --library")
    a.library = os.path.abspath(a.library)


def folder(a):
    return a.dir or a.out + ".work"


def command(a):
    """What a folder is of: with another it begins anew."""
    if a.part in ("measure", "choose"):
        return steps.state_of(a.dir)["command"]
    made = {"build": a.build, "run": a.run, "keep": a.keep, "launches": a.launches, "folder": os.getcwd()}
    return {**made, "settings": {name: getattr(a, name) for name in SETTINGS}} if a.part else made


def carry(a, work, here):
    """The tool and the library go along."""
    to = work.place(TOOL)
    for path in [os.path.join(here, "coalda-tune"), *glob.glob(os.path.join(here, "tune_*.py"))]:
        shutil.copy2(path, to)
    shutil.copy2(a.library, os.path.join(to, LIBRARY))
    print(f"built; where the GPU is: python3 {os.path.join(a.dir, TOOL, 'coalda-tune')} --measure {a.dir}")


def measured(work):
    print(f"measured; where the compiler is: coalda-tune --choose {work.folder}")


def unmeasured(work):
    return f"the build with the profile is not measured yet: coalda-tune --measure {work.folder}, and --choose once more"


def beside(variants):
    """Variants that the build with the profile is held against."""
    return [variant for variant in variants if variant in (choose.OFF, "default")]


def kernels(outcome):
    return choose.total(steps.kernels_of(outcome))


def seconds(outcome):
    return outcome["seconds"]


def whole(before, after, variant):
    """Lines of the table."""
    than = "" if variant == choose.OFF else f", beside {variant}"
    return [(what + than, statistics.median(map(of, before)), statistics.median(map(of, after)), unit)
            for what, of, unit in (("all kernels", kernels, "ms"), ("the program", seconds, "s"))]
