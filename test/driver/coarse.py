"""Runs kernels as they are, and the ones beside them whose blocks do the work of several, and compares what they leave.

    coarse.py --sim coalda-sim FILE.cu BEFORE.ll AFTER.ll

FILE.cu says what kernels are given, and how they are launched, beside bounds of the script's own:

    // CASE: kernel [block=X[,Y[,Z]]] [grid=X[,Y[,Z]]] -- ARG...      as coalda-sim takes them; {} hold Python expressions over g and b, the launch's blocks
                                                         and threads along x, t = g * b, all of them along x, and n, a bound near to that
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

CASE = re.compile(r"^(?://|;) CASE: (\S+) ?(.*?) ?--(?: (.*))?$", re.M)
NAME = re.compile(r'define [^@]*@"?([^"(]*?)\$coalda1\$blocks(\d+)_args(\d+)_from_(\d+)(?:_wide\d+)?"?\(')
MARK = "$coalda1$"
GRIDS = (1, 2, 3, 4, 5, 7, 8, 9, 13)


def options():
    p = argparse.ArgumentParser()
    p.add_argument("--sim", required=True)
    p.add_argument("--wild", action="store_true", help="random kernels: launches in which the program itself is wrong say nothing, and a few are made")
    p.add_argument("source"), p.add_argument("before"), p.add_argument("after")
    return p.parse_args()


def shape(text, first):
    return ",".join([str(first), *text.split(",")[1:]])


class Runs:
    """Runs of the simulator, all of them in one process."""

    def __init__(self, sim, folder):
        self.sim, self.folder, self.lines, self.paths = sim, folder, [], []

    def add(self, module, kernel, grid, block, args, dumped):
        paths = [os.path.join(self.folder, f"{len(self.lines)}.{n}") for n in dumped]
        self.lines.append("\t".join([module, "--kernel", kernel, "--grid", grid, "--block", block,
                                     *(f"--dump={n}:{p}" for n, p in zip(dumped, paths)), "--", *args]))
        self.paths.append(paths)

    def made(self):
        """Of each run what it left, or what it did wrong."""
        done = subprocess.run([self.sim, "--each"], input="\n".join(self.lines) + "\n", capture_output=True, text=True)
        said = re.split(r"^coalda-sim: exit (\d+)$", done.stdout, flags=re.M)
        exits = [int(code) for code in said[1::2]]
        if len(exits) != len(self.lines):
            return [f"{done.stdout[-500:]} {done.stderr[-500:]}"] * len(self.lines)
        return [[open(p, "rb").read() for p in paths] if code == 0 else f"{line}: {text[:300]} {done.stderr[:300]}"
                for code, text, line, paths in zip(exits, said[::2], self.lines, self.paths)]


def launches(words, wild):
    """Grids, blocks and the names that arguments know."""
    given = dict(w.split("=") for w in words.split())
    block, grid = given.get("block", "32"), given.get("grid", "1")
    b = int(block.split(",")[0])
    for g in (2, 5, 8) if wild else GRIDS:
        t = g * b
        for n in sorted({t - 1, t - b + 1, t + 5} if wild else {0, 1, t, t + 5, t - 1, t - b + 1, t - 3 * b - 1, t // 2}):
            if n >= 0:
                yield g, grid, block, {"g": g, "b": b, "t": t, "n": n}


def agree(a, kernel, spare, times, words, args, folder):
    runs = Runs(a.sim, folder)
    for g, grid, block, names in launches(words, a.wild):
        said = [eval("f" + repr(x), {}, names) for x in args.split()]
        dumped = [i for i, x in enumerate(said) if re.match(r"(zero|frand|rand|iota|bits):", x)]
        runs.add(a.before, kernel, shape(grid, g), block, said, dumped)
        runs.add(a.after, spare, shape(grid, -(-g // times)), block, [*said, f"i32:{g}"], dumped)
    made = runs.made()
    both = [(was, now, line) for was, now, line in zip(made[::2], made[1::2], runs.lines[::2]) if not (a.wild and isinstance(was, str))]
    wrong = [x for was, now, _ in both for x in (was, now) if isinstance(x, str)]
    other = [line for was, now, line in both if was != now]
    return len(both), wrong[0] if wrong else f"other bytes: {other[0]}" if other else ""


def main():
    a = options()
    spares = {}
    for kernel, times, count, _ in NAME.findall(open(a.after).read()):
        full = re.search(r'@"(' + re.escape(kernel) + r'\$coalda1\$[^"]*)"', open(a.after).read())
        spares[kernel] = full[1] if full else f"{kernel}{MARK}", int(times)
    wrong = 0
    for kernel, words, args in CASE.findall(open(a.source).read()):
        mangled = [k for k in spares if k == kernel or re.fullmatch(rf"_Z(?:N[KS_\d\w]*?)?{len(kernel)}{kernel}(?![a-z]).*", k)]
        if not mangled:
            print(f"{kernel}: stays alone")
            continue
        for name in mangled:
            spare, times = spares[name]
            with tempfile.TemporaryDirectory() as folder:
                ran, why = agree(a, name, spare, times, words, args, folder)
            print(f"{kernel}: {times} blocks by one, {why or ('alike in all launches' if ran else 'wrong by itself')}")
            wrong |= bool(why)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
