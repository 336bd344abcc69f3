"""Profiles in Python: what libcoalda-trace.so writes is read, and what was decided is written as coalda-profile would (docs/profiles.md)."""
import collections
import re

VERSION = "coalda-profile 1"
DECISIONS = ("off", "always", "block", "stages", "batch", "without", "straight")    # as pass/profile/decision.c has them
LAUNCH = re.compile(r"launch grid (\S+) block (\S+) shared (\d+) count (\d+) median (\d+\.\d+)")


class Failure(Exception):
    """What the user is told, in a sentence."""


Shape = collections.namedtuple("Shape", "grid block shared")       # extents are tuples
Launch = collections.namedtuple("Launch", "count median")          # microseconds


def extents(text):
    numbers = tuple(int(part) for part in text.split("x"))
    return numbers + (1,) * (3 - len(numbers))


def read(path):
    """({kernel: {Shape: Launch}}, comments) of a trace, which knows of no bodies."""
    kernels, comments, kernel = {}, [], None
    with open(path, encoding="utf-8", errors="surrogateescape") as f:
        lines = f.read().split("\n")
    if lines[0] != VERSION:
        raise Failure(f"{path}:1: this is no profile, or one of another version: its first line is to be '{VERSION}'")
    for number, line in enumerate(lines[1:], 2):
        words = line.split()
        if line.startswith("#"):
            comments.append(line)
        elif words[:1] == ["kernel"]:
            kernel = kernels.setdefault(words[1], {})
        elif words:
            found = LAUNCH.fullmatch(line)
            if not found or kernel is None:
                raise Failure(f"{path}:{number}: this is no line of a trace: {line}")
            grid, block, shared, count, median = found.groups()
            kernel[Shape(extents(grid), extents(block), int(shared))] = Launch(int(count), float(median))
    return kernels, comments


def merged(traces):
    """Of several processes: counts are added up, medians weighed by them."""
    kernels = {}
    for trace in traces:
        for name, launches in trace.items():
            into = kernels.setdefault(name, {})
            for shape, (count, median) in launches.items():
                had = into.get(shape, Launch(0, 0.0))
                total = had.count + count
                into[shape] = Launch(total, (had.median * had.count + median * count) / total)
    return kernels


def write(path, comments, entries):
    """entries: (name, body, decision, {Shape: Launch})"""
    lines = [VERSION, *comments]
    for name, body, decision, launches in sorted(entries, key=lambda entry: (entry[0].encode(), entry[1])):
        lines += ["", f"kernel {name} {body}", f"decide {decision}"]
        for shape, (count, median) in sorted(launches.items()):
            grid, block = ("x".join(map(str, part)) for part in (shape.grid, shape.block))
            lines.append(f"launch grid {grid} block {block} shared {shape.shared} count {count} median {median:.3f}")
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as f:
        f.write("\n".join(lines) + "\n")
