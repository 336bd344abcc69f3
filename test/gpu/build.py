"""What build.sh runs: compiles, makes inputs, records expected bytes. See README.md for the folder's layout."""
import argparse
import concurrent.futures
import json
import os
import random
import re
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "gen"))
import kernels   # noqa: E402
import runline   # noqa: E402

BATCH = 40
EXAMPLES = os.path.join(HERE, "..", "..", "examples")
FILLS = 2   # inputs of an example: each launch once a fill

# Launches of the examples: every kernel, sizes that are no multiple of the block, more threads than elements.
EXAMPLE_RUNS = """
// RUN-KERNEL: grey --grid 3 --block 96 -- rand:753 zero:260 i32:251
// RUN-KERNEL: grey --grid 9 --block 33 -- rand:891 zero:297 i32:297
// RUN-KERNEL: grey --grid 2 --block 16,16 -- rand:96 zero:33 i32:32
// RUN-KERNEL: gather --grid 4 --block 64 -- frand:1000 perm:250 zero:1004 i32:250
// RUN-KERNEL: gather --grid 5 --block 50 -- frand:1000 perm:250 zero:1004 i32:201
// RUN-KERNEL: particles_wasteful --grid 5 --block 128 -- frand:14424 f32:0.3 i32:600
// RUN-KERNEL: particles_wasteful --grid 7 --block 45 -- frand:7560 f32:-1.7 i32:301
// RUN-KERNEL: particles_mended --grid 5 --block 128 -- frand:2404 frand:2404 frand:2404 frand:2404 frand:2404 frand:2404 f32:0.3 i32:600
// RUN-KERNEL: sums_wasteful --grid 2 --block 32 -- frand:204800 zero:204 i32:50
// RUN-KERNEL: sums_wasteful --grid 2 --block 20 -- frand:151552 zero:152 i32:37
// RUN-KERNEL: sums_mended --grid 2 --block 20 -- frand:151552 zero:152 i32:37
// RUN-KERNEL: scale_wasteful --grid 2,3 --block 16,16 -- frand:131072 f32:1.7
// RUN-KERNEL: scale_wasteful --grid 3,2 --block 20,12 -- frand:245760 f32:-0.3
// RUN-KERNEL: scale_mended --grid 2,3 --block 16,16 -- frand:196608 f32:1.7
// RUN-KERNEL: scale_mended --grid 3,2 --block 20,12 -- frand:98304 f32:-0.3
"""


def fill(arg, stream):
    """The bytes of a buffer argument, made here and not by coalda-sim; None: uninitialized."""
    kind, rest = arg.split(":", 1)
    n = int(rest.split(":")[0])
    if kind == "zero":
        return bytes(n)
    if kind == "buf":
        return None
    if kind == "rand":
        return stream.randbytes(n)
    if kind == "frand":
        return b"".join(struct.pack("<f", stream.randrange(-1 << 23, 1 << 23) / (1 << 23)) for _ in range(n // 4))
    if kind == "drand":
        return b"".join(struct.pack("<d", stream.uniform(-1, 1)) for _ in range(n // 8))
    if kind == "iota":
        return struct.pack(f"<{n}I", *range(n))
    if kind == "bits":
        return struct.pack(f"<{n}I", *(stream.getrandbits(1) for _ in range(n)))
    if kind == "perm":
        order = list(range(n))
        stream.shuffle(order)
        return struct.pack(f"<{n}I", *order)
    raise ValueError(arg)


# Leaves a pattern in the shared memory of every multiprocessor.
STALE = """
.version 7.8
.target sm_90
.address_size 64
.extern .shared .align 4 .b8 all[];
.visible .entry stale(.param .u32 value, .param .u32 words) {
  .reg .pred %p;
  .reg .b32 %r<6>;
  ld.param.b32 %r0, [value];
  ld.param.b32 %r1, [words];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r5, all;
fill:
  setp.ge.u32 %p, %r2, %r1;
  @%p ret;
  mad.lo.s32 %r4, %r2, 4, %r5;
  st.volatile.shared.b32 [%r4], %r0;
  add.s32 %r2, %r2, %r3;
  bra fill;
}
"""


def stale(a):
    path = os.path.join(a.out, "stale.ptx")
    with open(path, "w") as f:
        f.write(STALE)
    subprocess.run([a.ptxas, f"-arch={a.arch}", path, "-o", os.path.join(a.out, "stale.cubin")], check=True)
    os.remove(path)


def one(a, run, name, module, level):
    """A case of the list that run.py reads, or a string that says why there is none. `name` is that of its files."""
    tag = f"{name}.{level}"
    args, sim_args, dumps = [], [], []
    for i, arg in enumerate(run.args):
        kind = arg.split(":")[0]
        if kind in ("i32", "i64", "f32", "f64", "null", "ref"):
            args.append(arg)
            sim_args.append(arg)
            continue
        data = fill(arg, random.Random(f"{name}:{i}"))
        out = os.path.join(a.out, f"{tag}.{i}.want")
        dumps.append(f"--dump={i}:{out}")
        if data is None:
            args.append({"bytes": int(arg.split(":")[1]), "want": f"{tag}.{i}.want"})
            sim_args.append(arg)
        else:
            path = os.path.join(a.out, f"{name}.{i}.in")
            with open(path, "wb") as f:
                f.write(data)
            args.append({"bytes": len(data), "in": f"{name}.{i}.in", "want": f"{tag}.{i}.want"})
            sim_args.append(f"file:{path}")
    cmd = [a.sim, module, "--kernel", run.name, *run.options, *dumps, "--", *sim_args]
    done = subprocess.run(cmd, capture_output=True, text=True, timeout=120)
    if done.returncode:
        return f"{tag}: coalda-sim exits {done.returncode}: {(done.stdout + done.stderr)[:300]}"
    return {"kernel": run.name, "cubin": os.path.basename(module)[:-3] + ".cubin", "grid": run.shape("--grid"),
            "block": run.shape("--block"), "shared": int(run.option("--shared", "0")), "args": args, "level": level}


def unit(a, name, text, named_runs):
    """The cases of one source file at both levels. named_runs: (name of the files, launch)."""
    base = os.path.join(a.out, name)
    with open(f"{base}.cu", "w") as f:
        f.write(text)
    cases = []
    for level in ("O3", "O0"):
        module = f"{base}.{level}.bc"
        runline.device_compile(f"{base}.cu", module, f"-{level}")
        # The back end must not contract either: clang passes that to it in a compilation, llc needs to be told.
        subprocess.run([os.path.join(runline.LLVM, "llc"), f"-mcpu={a.arch}", "-fp-contract=off", module, "-o", f"{base}.{level}.ptx"], check=True)
        subprocess.run([a.ptxas, f"-arch={a.arch}", "-fmad=false", f"{base}.{level}.ptx", "-o", f"{base}.{level}.cubin"], check=True)
        os.remove(f"{base}.{level}.ptx")
        cases += [one(a, run, files, module, level) for files, run in named_runs]
        os.remove(module)
    return cases


def generated(a, first, last):
    text = kernels.write(first, last - first + 1, "any")
    return unit(a, f"g{first}", text, [(run.name, run) for run in runline.runs(text)])


def examples(a):
    launches, cases = runline.runs(EXAMPLE_RUNS), []
    for source in sorted(os.listdir(EXAMPLES)):
        path = os.path.abspath(os.path.join(EXAMPLES, source))
        here = re.findall(r"__global__ void (\w+)", open(path).read())
        left = set(here) - {run.name for run in launches}
        if left:
            sys.exit(f"{source}: no launch in build.py for {', '.join(sorted(left))}")
        named = [(f"{run.name}-{i}-{fill}", run) for i, run in enumerate(launches) if run.name in here for fill in range(FILLS)]
        text = f'#include "prelude.cuh"\nextern "C" {{\n#include "{path}"\n}}\n'
        cases += unit(a, source.removesuffix(".cu"), text, named)
    return cases


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--sim", required=True)
    p.add_argument("--ptxas", required=True)
    p.add_argument("--arch", default="sm_90")
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("out")
    p.add_argument("first", type=int)
    p.add_argument("last", type=int)
    a = p.parse_args()
    os.makedirs(a.out, exist_ok=True)
    stale(a)
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        fixed = pool.submit(examples, a)
        parts = list(pool.map(lambda s: generated(a, s, min(s + BATCH - 1, a.last)), range(a.first, a.last + 1, BATCH)))
        cases = fixed.result() + [c for part in parts for c in part]
    failed = [c for c in cases if isinstance(c, str)]
    good = [c for c in cases if not isinstance(c, str)]
    with open(os.path.join(a.out, "cases.json"), "w") as f:
        json.dump(good, f)
    print("\n".join(failed[:20]))
    print(f"{len(good)} cases, {len(failed)} that coalda-sim does not run")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
