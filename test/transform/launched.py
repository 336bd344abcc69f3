"""Gives kernels one profile and another, and looks whether what they become differs as it should; and whether it is right in launches that neither
has seen."""
import argparse
import os
import re
import shlex
import subprocess
import sys

SMALL, LARGE = "launch grid 8 block 256 shared 0 count 10 median 3", "launch grid 4096 block 256 shared 0 count 1 median 90"
ROWS = "rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}"


class Launches:
    """How a kernel is run: its arguments by a number that the profiles speak of, and the numbers."""

    def __init__(self, arguments, numbers, grid=2, block=(64,)):
        self.arguments, self.numbers, self.grid, self.block = arguments, numbers, grid, block

    def all(self):
        for number in self.numbers:
            for block in self.block:
                # blocks in the plane have their extents parted by ','
                threads = self.grid * eval(str(block).replace(",", "*"))
                yield block, re.sub(r"\{([^}]*)\}", lambda part: str(eval(part[1], {"m": number, "n": threads})), self.arguments)


# kernel: how it is run, then profiles and what must be there, or, behind '!', must not, in the trace or in the code
CASES = [
    ("rows", Launches(ROWS, [0, 1, 3, 8, 31, 64, 100, 200]), [
        ("", ["made: walk, .* 4 times"]),
        ("argument 2 3 8", ["!made", "SeenFew"]),
        ("argument 2 0 15", ["!made"]),
        ("argument 2 16 16", ["made: walk, .* 2 times"]),  # of four iterations each
        ("argument 2 64 8000", ["made: walk, .* 4 times"]),
        ("argument 2 -5 8000", ["made: walk, .* 4 times"]),
        ("argument 2 3 8\nargument 9 1 1\nargument 0 1 1", ["!made"]),  # of no such argument, and of a pointer
        ("argument 3 3 8", ["made: walk, .* 4 times"]),  # another one
        (SMALL, [r"prefetch\.global"]),
        (LARGE, [r"!prefetch\.global"]),
        (SMALL + "\n" + LARGE, [r"!prefetch\.global"]),
        (SMALL.replace("10", "100") + "\n" + LARGE, [r"prefetch\.global"]),
        ("decide default\n" + LARGE, [r"prefetch\.global"]),  # as without a profile
        ("decide launches\n" + LARGE, [r"!prefetch\.global"]),
        ("decide bounds\n" + LARGE, [r"!prefetch\.global", r'"nvvm.maxntid"="256"', "!made: limit"]),
        ("decide without=exchanges\n" + LARGE, ["!made: exchange"]),
        (SMALL + "\n" + LARGE, [r'!"nvvm.maxntid"="256"']),  # never by itself, but for the 1024 of any block
        ("part arg0 without=walks", ["!made"]),
        ("part arg0:store without=walks", ["made: walk"]),
        ("part arg1 without=walks+exchanges", ["made: walk", "made: exchange"]),
        ("part arg0:load without=rows-ahead", ["made: walk", r"!prefetch\.global"]),
    ]),
    ("shelf", Launches("rand:{4*n*m+4} rand:{4*m+4} zero:{4*n} i32:{m} i32:{n}", [1, 100, 128], 1, (64, 256)), [
        ("", [r"shelf = .*\[19456 x i8\]"]),
        (SMALL, [r"shelf = .*\[38912 x i8\]"]),
        (SMALL.replace("256", "64"), [r"shelf = .*\[9728 x i8\]"]),
        (SMALL.replace("256", "1024"), ["!shelf = "]),  # a block has no room for so many
        ("part arg0 without=shelves", ["!shelf = ", "made: exchange"]),
    ]),
    ("swapped", Launches("rand:{4*32*n} zero:{4*32*n} i32:{32}", [0], 1, ("16,16", "8,32", "256")), [
        ("", ["made: turn"]),
        (SMALL, ["!made: turn"]),
        (SMALL.replace("256", "16x16"), ["made: turn"]),
        (SMALL.replace("256", "8x8x4"), ["made: turn"]),
    ]),
    ("columns", Launches("rand:4096 zero:4096", [0], 1, ("32,32", "1,32")), [
        ("", ["made: rows of 128 bytes, 4 longer"]),
        (SMALL.replace("256", "1x32"), ["PadNoGain"]),
        (SMALL.replace("256", "32x8"), ["made: rows of 128 bytes, 4 longer"]),
        ("part _ZZ7columnsE1s without=banks", ["!made: rows"]),
    ]),
    ("keeps", Launches("rand:{4*n*m+4} zero:{4*n} i32:{m} i32:181", [0, 1, 5, 30], 2, (256,)), [
        ("", ["found: ring in registers"]),
        (LARGE, ["found: ring in registers"]),
        (SMALL, ["found: ring of asynchronous copies"]),
        (LARGE + "\nargument 2 16 16", ["found: ring in registers"]),
        (LARGE + "\nargument 2 2 7", ["!made: ring", "!made: loads"]),
    ]),
    ("tiles", Launches("rand:{4*n*m+4} zero:{4*n} i32:{m}", [0, 1, 3, 24, 50], 2, (256,)), [
        ("", ["made: ring", "5 stages"]),
        (LARGE + "\nargument 2 1 3", ["!made: ring", "!made: loads", "SeenFew"]),
        (LARGE + "\nargument 2 1 100", ["made: ring"]),
        (LARGE + "\nargument 2 9 9", ["found: ring of asynchronous copies"]),
        (SMALL + "\nargument 2 1 8", ["!made: ring", "!made: loads", "SeenFew"]),
        (SMALL + "\nargument 2 9 9", ["found: ring of asynchronous copies"]),
        ("argument 2 1 3", ["!made: ring", "!made: loads", "SeenFew"]),
        ("part arg0 without=rings", ["found: ring in registers"]),
        ("part arg0:load without=rings+register-rings", ["!made: ring"]),
        ("part _ZZ5tilesE1s without=rings+register-rings", ["!made: ring"]),
        ("part arg1 without=rings", ["found: ring of asynchronous copies"]),
    ]),
    ("longer", Launches("rand:{4*n*m+4} zero:{4*n} i32:{m}", [0, 1, 7, 9], 2, (256,)), [
        ("", ["made: ring"]),
        ("argument 2 1 8", ["!made: ring", "!made: loads one iteration ahead", "SeenFew"]),
        ("argument 2 1 9", ["made: ring"]),
    ]),
    ("nested", Launches("rand:{12*n*m+4} zero:{12*n} i32:{m} i32:3", [0, 1, 3, 9], 2, (256,)), [
        ("", ["made: ring"]),
        (LARGE + "\nargument 2 3 3", ["!made: ring", "SeenFew"]),
        (SMALL + "\nargument 2 3 3", ["made: ring"]),
        (LARGE + "\nargument 2 3 30", ["made: ring"]),
    ]),
    ("stars", Launches("rand:{32*n} rand:{4*m+4} zero:{32*n} i32:{m}", [0, 1, 2, 70]), [
        ("", ["!made: exchange", "Slight"]),
        ("argument 3 1 1", ["made: exchange"]),
        ("argument 3 1000 1000", ["!made: exchange", "Slight"]),
        ("argument 3 1 1\npart arg2 without=exchanges", ["!made: exchange"]),
        ("argument 3 1 1\npart arg2:load without=exchanges", ["made: exchange"]),
    ]),
    ("weights", Launches("rand:{4*5*m+4} rand:{4*5*n+4} zero:{4*n*m+4} i32:{n} i32:{m} i32:5", [0, 1, 3, 7, 8, 17]), [
        ("", ["made: 8 iterations"]),
        ("argument 4 1 3", ["!made"]),
        ("argument 4 1 5", ["made: 4 iterations"]),
        ("argument 4 1 8", ["made: 8 iterations"]),
    ]),
    ("march", Launches("rand:{4*n*(m+3)+8} zero:{4*n*(m+3)} i32:{n} i32:{m}", [0, 1, 2, 3, 4, 9, 16]), [
        ("", ["made: loads come first", "made: 2 iterations"]),
        ("argument 3 3 3", ["made: loads come first"]),
    ]),
    ("apart", Launches("rand:{4*n*(m+3)+8} zero:{4*n*(m+3)} i32:{n} i32:{m}", [0, 1, 4, 16, 17, 33]), [
        ("", ["made: loads come first"]),
        ("argument 3 1 15", ["!made: loads"]),
        ("argument 3 1 40", ["made: loads come first"]),
    ]),
    ("box", Launches("rand:{4*n*m+4} zero:{4*n*m} i32:2 i32:{m} i32:{n}", [3, 8, 40, 130]), [
        ("argument 2 5 5", ["made: exchange"]),
        (SMALL + "\nargument 2 5 5", ["made: exchange"]),
        (SMALL.replace("grid 8", "grid 7") + "\nargument 2 5 5", ["!made: exchange", "SeenSmall"]),
        (LARGE + "\nargument 2 5 5", ["made: exchange"]),
    ]),
    ("planes", Launches("rand:{256*(m+2)} zero:{256*(m+2)} i32:{m}", [2, 3, 4, 9, 40], 1), [
        ("", ["made: the end of a loop"]),
        ("argument 2 3 5", ["!made: the end of a loop", "!made: loads"]),
        ("argument 2 3 6", ["made: the end of a loop"]),
    ]),
]


def options():
    p = argparse.ArgumentParser()
    for name in ("opt", "clang", "sim", "source", "temp"):
        p.add_argument("--" + name, required=True)
    p.add_argument("--only")
    return p.parse_args()


def rewrite(a, module, kernel, lines, number):
    profile, out = os.path.join(a.temp, f"{kernel}.{number}.coalda"), os.path.join(a.temp, f"{kernel}.{number}.ll")
    with open(profile, "w") as f:
        f.write(f"coalda-profile 2\nkernel {kernel}\n{lines}\n")
    done = subprocess.run([*shlex.split(a.opt), "-mattr=+ptx88", f"-passes=coalda<trace={kernel};profile={profile}>", "-verify-each", module, "-S", "-o", out],
                          capture_output=True, text=True)
    if done.returncode:
        return None, done.stderr
    with open(out) as f:
        code = f.read()
    body = re.search(rf"^define [^@]*@{kernel}\(.*?^\}}", code, re.S | re.M)[0]
    # of the module what is the kernel's
    head = "\n".join(line for line in code.splitlines() if line.startswith(f"@{kernel}.") or (line.startswith("attributes") and "maxntid" in line))
    trace = "\n".join(line for line in done.stderr.splitlines() if f"trace: {kernel}:" in line)
    return out, "\n".join([trace, body, head])


def differs(text, wanted):
    return [each for each in wanted if bool(re.search(each.lstrip("!"), text)) == each.startswith("!")]


def simulate(a, module, out, kernel, launches):
    wrong = []
    for block, arguments in launches.all():
        done = subprocess.run([a.sim, module, "--kernel", kernel, "--grid", str(launches.grid), "--block", str(block), "--seeds", "2", "--compare", out, "--",
                               *arguments.split()], capture_output=True, text=True)
        if done.returncode:
            wrong.append(f"blocks of {block}, {arguments}: {done.stdout[-300:]}{done.stderr[-300:]}")
    return wrong


def main():
    a = options()
    os.makedirs(a.temp, exist_ok=True)
    module, settled, wrong = os.path.join(a.temp, "plain.ll"), os.path.join(a.temp, "settled.ll"), []
    subprocess.run([*shlex.split(a.clang), "-O3", "-nocudainc", "-nocudalib", f"-I{os.path.dirname(a.source)}/../gen", a.source, "-o", module], check=True)
    subprocess.run([*shlex.split(a.opt), "-passes=coalda<settle>", module, "-S", "-o", settled], check=True)
    for kernel, launches, profiles in CASES:
        if a.only and a.only != kernel:
            continue
        seen = {}
        for number, (lines, wanted) in enumerate(profiles):
            out, text = rewrite(a, module, kernel, lines, number)
            missed = differs(text, wanted) if out else [text]
            wrong += [f"{kernel}: with {lines!r}: {each}" for each in missed]
            body = text.split("define ")[-1]
            if out and body not in seen:  # each form once
                seen[body] = lines
                wrong += [f"{kernel}: with {lines!r}: {each}" for each in simulate(a, settled, out, kernel, launches)]
    print("\n".join(wrong))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
