#!/usr/bin/env python3
"""Are the bits of random arithmetic the same with the plugin as without, under clang's own choice of what is rounded once?

    rounds.py --plugin build/coalda.so 0 99
    rounds.py --plugin build/coalda.so --file FILE.cu --changes k1,k2    its kernels (RUN-KERNEL lines); these must be rewritten

Compiles the kernels of the family `reals` to PTX, without the plugin and with it, and runs both in ptx.py. What that does not know
is counted, and too much of it is an error.
"""
import argparse
import collections
import concurrent.futures
import os
import random
import struct
import subprocess
import sys
import tempfile

import kernels
import ptx
import runline

ODD = {4: [0x80000000, 0, 1, 0x80000001, 0x7fc00000, 0x7fc12345, 0xffc54321, 0x7f812345, 0xffa00001, 0x7f800000, 0xff800000,
           0x007fffff],
       8: [1 << 63, 0, 1, 0x7ff8000000000000, 0x7ff8000012345678, 0xfff8000000054321, 0x7ff0000000012345, 0x7ff << 52, 0xfff << 52]}


def fill(size, item, seed):
    r, out = random.Random(seed), b""
    for _ in range(size // item):
        if r.random() < 0.06:
            out += r.choice(ODD[item]).to_bytes(item, "little")
        else:
            out += struct.pack("<f" if item == 4 else "<d", r.uniform(-2, 2))
    return out


def arguments(run, text):
    item = 8 if f"{run.name}(const double" in text else 4
    for i, arg in enumerate(run.args):
        kind, value = arg.split(":")
        yield fill(int(value), item, i) if kind == "rand" else (int(value), 4)


def compiled(source, output, more):
    command = [os.path.join(runline.LLVM, "clang++"), "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90", "-nocudainc",
               "-nocudalib", "-Wno-unknown-cuda-version", "-w", "-std=c++20", "-O3", f"-I{runline.HERE}", "-S", *more, source,
               "-o", output]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{done.stderr[:2000]}")
    with open(output) as f:
        return f.read()


def result(text, run, source):
    try:
        return ptx.launch(text, run.name, run.shape("--grid"), run.shape("--block"), list(arguments(run, source)))
    except ptx.Unknown as e:
        return str(e)


def same(source, run, before, after):
    """A verdict, and words."""
    was, is_now = result(before, run, source), result(after, run, source)
    for answer in (was, is_now):
        if isinstance(answer, str):
            return "unknown", answer
    for number, (old, new) in enumerate(zip(was, is_now)):
        at = next((i for i in range(len(old)) if old[i] != new[i]), None)
        if at is not None:
            was_word, word = (data[at & ~3:][:4][::-1].hex() for data in (old, new))
            return "different bits", f"buffer {number} at +{at & ~3}: {was_word} is now {word}"
    return "agree", ""


def body_of(text, name):
    return text[text.index(f".entry {name}("):].split(".visible .entry", 2)[0]


def batch(a, first, last, folder):
    source = os.path.join(folder, f"g{first}.cu")
    with open(source, "w") as f:
        f.write(kernels.write(first, last - first + 1, a.family))
    return checked(a, source, source)


def checked(a, source, output):
    """Each kernel's name, verdict, words."""
    with open(source) as f:
        text = f.read()
    before = compiled(source, f"{output}.before.ptx", [])
    flags = ["-mllvm", "-coalda-settle"] if a.settle else ["-mllvm", "-coalda-always"] if a.always else []
    after = compiled(source, f"{output}.after.ptx", [f"-fpass-plugin={a.plugin}", *flags])
    out = []
    for run in runline.runs(text):
        changed = body_of(before, run.name) != body_of(after, run.name)
        verdict, words = same(text, run, before, after) if changed else ("unchanged", "")
        out.append((run.name, verdict, words))
    return out


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("first", type=int, nargs="?")
    p.add_argument("last", type=int, nargs="?")
    p.add_argument("--family", choices=("reals", "part-reals"), default="reals")
    p.add_argument("--file", help="kernels of one's own")
    p.add_argument("--changes", default="", help="those of them that must not come out unchanged")
    p.add_argument("--plugin", default="build/coalda.so")
    p.add_argument("--plain", dest="always", action="store_false", help="what pays alone")
    p.add_argument("--settle", action="store_true", help="nothing but what the backend rounds once, written down")
    p.add_argument("--batch", type=int, default=20)
    p.add_argument("--every", type=int, default=1, help="4: a quarter of the kernels of each file")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--keep", help="directory for sources and PTX (default: a temporary one)")
    a = p.parse_args()
    if a.file:
        os.makedirs(a.keep or ".", exist_ok=True)
        found = checked(a, a.file, os.path.join(a.keep or ".", os.path.basename(a.file)))
        changes = a.changes.split(",")
        wrong = [one for one in found if one[1] != "agree" and not (one[1] == "unchanged" and one[0] not in changes)]
        for name, verdict, words in wrong or found:
            print(f"{name}: {verdict} {words}")
        sys.exit(1 if wrong or not found else 0)
    tally = collections.Counter()
    with tempfile.TemporaryDirectory() as temp:
        folder = a.keep or temp
        os.makedirs(folder, exist_ok=True)
        with concurrent.futures.ProcessPoolExecutor(a.jobs) as pool:
            work = [pool.submit(batch, a, *files, folder) for files in kernels.batches(a.first, a.last, a.batch, a.every)]
            for job in concurrent.futures.as_completed(work):
                for name, verdict, words in job.result():
                    tally[verdict] += 1
                    if words:
                        print(f"{name}: {verdict}: {words}", flush=True)
    print(", ".join(f"{n} {verdict}" for verdict, n in sorted(tally.items())))
    sys.exit(1 if tally["different bits"] or tally["agree"] < 4 * tally["unknown"] or not tally["agree"] else 0)


if __name__ == "__main__":
    main()
