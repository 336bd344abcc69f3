"""placed.py SIM STEM: every kernel of placed.cu leaves the bytes that its loops leave (STEM.loops.ll)."""
import sys

import beside_loops

TYPES = {"char": 1, "float": 4, "double": 8, "Three": 12, "Rgb": 3, "uint4": 16}


def runs():
    for n, block in ((64, "64"), (70, "33"), (1, "16"), (0, "32"), (37, "128")):
        yield "of_ints", block, f"frand:{4 * 128 * 16} perm:128 zero:512 i32:{n}"
        yield "of_longs", block, f"frand:{4 * 128 * 16} perm:128 zero:512 i32:{n}"
    for rows, cols in ((8, 16), (3, 5), (1, 1), (5, 33)):
        yield "sizes", "32", f"rand:4096 perm:8 zero:60 i32:{rows} i32:{cols}"
    for k in (2, 3, 6):
        yield "stages", "32", f"rand:{8 * 100 * k} zero:256 i32:{k}"
    for k in (0, 1, 5, 9):
        yield "ring", "256", f"frand:{max(16, 4 * 256 * k)} zero:1024 i32:{k}"
        yield "ahead", "64", f"frand:{max(16, 4 * 64 * k)} zero:256 i32:{k}"
        yield "thrifty", "64", f"frand:{max(16, 4 * 64 * k)} zero:256 i32:{k}"
    for name, size in TYPES.items():
        yield f"hints_{name}", "64", f"rand:{256 * size} perm:8 zero:{7 * 4 * 128 * size}"
        yield f"hints_{name}", "5,3,3", f"rand:{256 * size} perm:8 zero:{7 * 4 * 128 * size}"


if __name__ == "__main__":
    sys.exit(beside_loops.check(*sys.argv[1:], runs(), (("plain", 1), ("made", 2), ("slow", 5), ("80", 4), ("60", 5))))
