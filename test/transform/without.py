"""Switches each feature off for a kernel that has it, and looks whether the kernel's code differs; two at once are two."""
import argparse
import os
import re
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# feature: file, kernel
KERNELS = {
    "exchanges": ("edge.cu", "inner5"), "widening": ("fill.cu", "wide"), "chains": ("chain.cu", "six"),
    "barriers": ("hazard03-between.cu", "last_among_loads"), "forwarding": ("walk15-follow.cu", "sweep"), "edges": ("edge.cu", "plane"),
    "walks": ("walk18-tally.cu", "sums"), "hoisting": ("walk07-ways.cu", "counted"), "parts": ("walk35-parts.cu", "lower"), "sectors": ("walk37-sought.cu", "first_above"), "masks": ("walk39-masked.cu", "masked"), "reuse": ("walk14-again.cu", "nearest"),
    "shelves": ("walk18-tally.cu", "sums"), "rows-ahead": ("walk24-ahead.cu", "sums"), "ways-out": ("walk18-tally.cu", "sums"), "tallies": ("walk18-tally.cu", "sums"),
    "rings": ("tile-rows.cu", "plain"), "register-rings": ("fill.cu", "stepwise"), "wide-copies": ("tile-rows.cu", "plain"),
    "fills": ("fill.cu", "segment"), "banks": ("pad.cu", "words"), "turns": ("turn.cu", "scaled"),
    "reductions": ("added.cu", "listed"),
    "lookahead": ("ahead-warps.cu", "of_warp"), "batches": ("batch.cu", "march"), "latches": ("latch.cu", "planes"),
    "abreast": ("abreast.cu", "ints"), "switches": ("switches.cu", "kinds"), "pins": ("abreast.cu", "pins"), "counts": ("counts.cu", "below"), "clamps": ("clamps.cu", "three"), "whole": ("whole.cu", "four"), "chosen": ("array-chosen.cu", "eight"),
    "jams": ("jam.cu", "weights"), "arrays": ("array.cu", "ints"), "handed": ("array-handed.cu", "pointer"), "reordered": ("array-reordered.cu", "schedule"), "straight": ("array-straight.cu", "longs"), "relaxed": ("relaxed-bitcode.cu", "_ZL12__iAtomicCASPiii"),
}
# What is done before LLVM unrolls loops, where no module of clang's shows it, or beside the kernel: feature -> the file whose own lines switch it off.
EARLY = {"searches": "searches.cu", "coarse": "../driver/coarse.cu"}


def options():
    p = argparse.ArgumentParser()
    for name in ("opt", "clang", "source", "temp"):
        p.add_argument("--" + name, required=True)
    return p.parse_args()


class Kernels:
    """The kernels' code by file and option; each is made once."""

    def __init__(self, a):
        self.a, self.known = a, {}
        os.makedirs(a.temp, exist_ok=True)

    def module(self, name):
        path = os.path.join(self.a.temp, name + ".ll")
        if not os.path.exists(path):
            subprocess.run([*shlex.split(self.a.clang), "-O3", "-nocudainc", "-nocudalib", f"-I{HERE}/../gen", os.path.join(HERE, name), "-o", path],
                           check=True)
        return path

    def code(self, name, option):
        if (name, option) not in self.known:
            done = subprocess.run([*shlex.split(self.a.opt), "-mattr=+ptx88", f"-passes=coalda{option}", self.module(name), "-S"],
                                  capture_output=True, text=True, check=True)
            says = dict(re.findall(r"^attributes (#\d+) = (.*)$", done.stdout, re.M))
            self.known[name, option] = {kernel: re.sub(r"!\d+", "", re.sub(r"#\d+", lambda m: says.get(m[0], ""), body)) for kernel, body in
                                        re.findall(r"^define [^@]*@(\w+)\((.*?)^}", done.stdout, re.S | re.M)}
        return self.known[name, option]


def main():
    a = options()
    kernels = Kernels(a)
    with open(os.path.join(a.source, "pass", "base", "features.def")) as f:
        features = re.findall(r'^FEATURE\(\w+, "([a-z-]+)"', f.read(), re.M)
    wrong = [f"{name}: has no kernel here" for name in features if name not in KERNELS and name not in EARLY]
    wrong += [f"{name}: is no feature" for name in (*KERNELS, *EARLY) if name not in features]
    for name, (file, kernel) in KERNELS.items():
        if kernels.code(file, "")[kernel] == kernels.code(file, f"<without={name}>")[kernel]:
            wrong.append(f"{name}: {kernel} of {file} is the same without")
    for name, file in EARLY.items():
        with open(os.path.join(HERE, file)) as f:
            if f"-coalda-without={name}" not in f.read():
                wrong.append(f"{name}: {file} does not switch it off")
    both = kernels.code("edge.cu", "<without=edges+exchanges>")["plane"]
    if both == kernels.code("edge.cu", "<without=edges>")["plane"]:
        wrong.append("edges+exchanges: the second name is not heard")
    print("\n".join(wrong) or f"{len(KERNELS) + len(EARLY)} features")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
