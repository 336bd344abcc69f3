"""Gives coalda-sim garbled command lines by --each; fails where it dies or does not answer."""
import argparse
import pathlib
import random
import re
import subprocess
import sys

MODULE = """target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@room = external addrspace(3) global [0 x float], align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @_Z5scalePfS_fi(ptr addrspace(1) %q, ptr addrspace(1) %p, float %f, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp slt i32 %t, %n
  br i1 %in, label %work, label %end
work:
  %a = getelementptr float, ptr addrspace(1) %p, i32 %t
  %b = getelementptr float, ptr addrspace(1) %q, i32 %t
  %x = load float, ptr addrspace(1) %a
  %y = fmul float %x, %f
  store float %y, ptr addrspace(1) %b
  br label %end
end:
  ret void
}
define ptx_kernel void @by_value(ptr byval({ ptr, i32 }) %s) {
  %p = load ptr, ptr %s
  %n = getelementptr { ptr, i32 }, ptr %s, i32 0, i32 1
  %v = load i32, ptr %n
  store i32 %v, ptr %p
  ret void
}
"""
LINES = (
    "M --kernel scale --grid 2 --block 64 --seeds 2 --compare M -- zero:256 frand:256:3 f32:2 i32:64",
    "M --kernel _Z5scalePfS_fi --grid 1,2,1 --block 7,5,3 --seed 3 --shared 1024 --check=strict -- buf:420 drand:420 f32:1e9 i32:105",
    "M --kernel scale --grid 1 --block 32 --stats=S --dump=0:D --arch sm_90 --limit 100000 --verbose -- ref:1+4 iota:32 f32:nan i32:31",
    "M --kernel scale --grid 1 --block 32 --check=none -- rand:128:9 bits:32:1 f32:-0 i32:-1",
    "M --kernel by_value --grid 1 --block 1 -- struct:ref:1+0,i32:7 zero:4",
    "M --kernel scale --grid 3 --block 96 -- perm:96:2 file:M f32:0x1p-3 i64:32",
)
PIECES = ("", "0", "-1", "1", "32", "4294967296", "18446744073709551616", "99999999999999999999", "1e9", "nan", "inf", ",", ":", "+", "=", "--", "null",
          "i32:", "i64:", "f32:", "f64:", "buf:", "zero:", "rand:", "frand:", "drand:", "iota:", "bits:", "perm:", "file:", "ref:", "struct:", "M", "--seeds",
          "--grid", "--block", "--shared", "--check=", "--dump=", "--stats=", "--compare", "--limit", "--kernel", "--help", "--each", "\x01", "\xff")
MOST_BYTES = 1 << 22   # a buffer that is asked for is made: larger ones are the machine's question, not the program's


def garbled(chance):
    words = chance.choice(LINES).split(" ")
    for _ in range(chance.randrange(4)):
        at, piece, way = chance.randrange(len(words)), chance.choice(PIECES), chance.randrange(6)
        word = words[at]
        place = chance.randrange(len(word) + 1)
        if way == 0:
            words[at] = piece
        elif way == 1:
            words[at] = word[:place] + piece + word[place:]
        elif way == 2:
            words[at] = word[:place] + word[place + chance.randrange(1, 4):]
        elif way == 3:
            words.insert(at, piece)
        elif way == 4 and len(words) > 1:
            del words[at]
        else:
            words.insert(at, chance.choice(words))
    return words


def asks_for_much(words):
    numbers = (part for word in words for part in word.replace("+", ":").replace(",", ":").replace("=", ":").split(":"))
    return any(part.strip().isdigit() and MOST_BYTES < int(part) < 1 << 50 for part in numbers)


def lines_of(args):
    names = {"M": str(args.out / "module.ll"), "S": str(args.out / "stats.json"), "D": str(args.out / "dump")}
    for seed in range(args.first, args.first + args.runs):
        words = garbled(random.Random(seed))
        if not asks_for_much(words):
            yield "\t".join(names.get(w, w) for w in words)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sim", required=True, help="coalda-sim")
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0, help="seed of the first line")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    args.out = args.out.resolve()
    (args.out / "module.ll").write_text(MODULE)
    lines = list(lines_of(args))
    done = subprocess.run([args.sim, "--each"], input="\n".join(lines) + "\n", capture_output=True, text=True, errors="replace",
                          check=False, cwd=args.out)
    exits = re.findall(r"^coalda-sim: exit (\d)$", done.stdout, re.MULTILINE)
    answers, clean = len(exits), exits.count("0")
    print(f"{len(lines)} command lines, {answers} answers, {clean} of them clean")
    if done.returncode < 0 or answers != len(lines) or not clean:
        print(f"exit {done.returncode} after: {lines[min(answers, len(lines) - 1)]!r}\n{done.stdout[-500:]}{done.stderr[-2000:]}")
        sys.exit(1)


if __name__ == "__main__":
    main()
