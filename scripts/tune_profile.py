"""Profiles in Python: what libcoalda-trace.so writes is read, and what was decided is written as coalda-profile would (docs/profiles.md)."""
import collections
import re

# The first version knows neither arguments, nor parts, nor what is in LATER.
VERSIONS = ("coalda-profile 1", "coalda-profile 2")
LATER = ("launches", "bounds")      # decisions that rest on the kernel's launches
DECISIONS = ("off", "always", "block", "stages", "batch", "without", "straight", *LATER)    # as pass/profile/decision.c has them
LAUNCH = re.compile(r"launch grid (\S+) block (\S+) shared (\d+) count (\d+) median (\d+\.\d+)")


class Failure(Exception):
    """What the user is told, in a sentence."""


Shape = collections.namedtuple("Shape", "grid block shared")       # extents are tuples
Launch = collections.namedtuple("Launch", "count median")          # microseconds


def needs_launches(decision):
    return any(word in LATER for word in decision.split(";"))


def extents(text):
    numbers = tuple(int(part) for part in text.split("x"))
    return numbers + (1,) * (3 - len(numbers))


def lines_of(path):
    """[(number, line)] behind the first."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as f:
            lines = f.read().split("\n")
    except OSError as e:
        raise Failure(f"{path}: {e.strerror}")
    if lines[0] not in VERSIONS:
        raise Failure(f"{path}:1: this is no profile, or one of another version: its first line is to be '{VERSIONS[-1]}'")
    return enumerate(lines[1:], 2)


def decisions(path):
    """{(kernel, its body or nothing): what was decided of it}"""
    found, kernel = {}, None
    for _, line in lines_of(path):
        words = line.split()
        if words[:1] == ["kernel"]:
            kernel = (words[1], words[2] if len(words) > 2 else None)
        elif words[:1] == ["decide"]:
            found[kernel] = words[1]
    return found


def read(path):
    """({kernel: {Shape: Launch}}, comments) of a trace; of what is of several bodies, all launches."""
    kernels, comments, kernel = {}, [], None
    for number, line in lines_of(path):
        words = line.split()
        if words and words[0].startswith("#"):
            comments.append(line)
        elif words[:1] == ["kernel"] and len(words) in (2, 3):
            kernel = kernels.setdefault(words[1], {})
        elif words[:1] in (["decide"], ["argument"], ["part"]) and kernel is not None:
            pass
        elif words:
            found = LAUNCH.fullmatch(line)
            if not found or kernel is None:
                raise Failure(f"{path}:{number}: this is no line of a trace: {line}")
            grid, block, shared, count, median = found.groups()
            one = {"": {Shape(extents(grid), extents(block), int(shared)): Launch(int(count), float(median))}}
            kernel.update(merged([{"": kernel}, one])[""])
    return kernels, comments


def arguments(path):
    """{kernel: {index: (least, most)}} of a trace; of what is of several bodies, what holds all ranges."""
    kernels, ranges = {}, None
    for _, line in lines_of(path):
        words = line.split()
        if words[:1] == ["kernel"]:
            ranges = kernels.setdefault(words[1], {})
        elif words[:1] == ["argument"]:
            ranges.update(united([{"": ranges}, {"": {int(words[1]): (int(words[2]), int(words[3]))}}])[""])
    return kernels


def united(found):
    """Of several processes: ranges that hold all of theirs."""
    kernels = {}
    for one in found:
        for name, ranges in one.items():
            into = kernels.setdefault(name, {})
            for index, (least, most) in ranges.items():
                had = into.get(index, (least, most))
                into[index] = (min(had[0], least), max(had[1], most))
    return kernels


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


def write(path, comments, entries, ranges=None):
    """entries: (name, body, decision, {Shape: Launch}); ranges: what arguments() gives"""
    ranges = ranges or {}
    later = any(ranges.get(name) or needs_launches(decision or "") for name, _, decision, _ in entries)
    lines = [VERSIONS[1 if later else 0], *comments]
    for name, body, decision, launches in sorted(entries, key=lambda entry: (entry[0].encode(errors="surrogateescape"), entry[1] or "")):
        lines += ["", f"kernel {name} {body}" if body else f"kernel {name}"] + ([f"decide {decision}"] if decision else [])
        lines += [f"argument {index} {least} {most}" for index, (least, most) in sorted(ranges.get(name, {}).items())]
        for shape, (count, median) in sorted(launches.items()):
            grid, block = ("x".join(map(str, part)) for part in (shape.grid, shape.block))
            lines.append(f"launch grid {grid} block {block} shared {shape.shared} count {count} median {median:.3f}")
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as f:
        f.write("\n".join(lines) + "\n")
