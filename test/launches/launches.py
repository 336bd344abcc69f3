#!/usr/bin/env python3
"""Does every block that launches without the plugin launch with it, and does nothing spill that did not?

    launches.py --clang clang++ --plugin coalda.so --cuda TOOLKIT [--archs sm_80,sm_90,sm_120] [--jobs N] FILE.cu...

Each file is compiled to a cubin by plain clang and by clang with the plugin. ptxas says of each kernel how many registers it takes
and how much it spills. A block launches where all of its warps get their registers: of 64 Ki on an SM, a quarter to each of four
schedulers, 256 at a time to a warp. Kernels with launch bounds launch in any case: ptxas keeps to them.

SPILLS beside this file lists what is known to spill: `arch folder/file kernel bytes`, a ceiling that may only come down; or to have more registers
than its launches allow: `arch file kernel registers registers`. A kernel that takes more fails, and so does a line that says too much.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
WARP, SCHEDULERS, REGISTERS, STEP, MOST_WARPS = 32, 4, 65536, 256, 32


def warps_of(registers):
    """Warps of the largest block that launches."""
    each = -(-registers * WARP // STEP) * STEP
    return min(MOST_WARPS, REGISTERS // SCHEDULERS // each * SCHEDULERS)


def compile_to_cubin(a, source, arch, output, plugin):
    tests = os.path.join(ROOT, "test")
    include = ["-nocudainc", "-nocudalib", f"-I{tests}/gen", f"-I{tests}/transform"] if source.startswith(tests) else []
    command = [a.clang, "-x", "cuda", "--cuda-device-only", f"--cuda-gpu-arch={arch}", f"--cuda-path={a.cuda}", "-w", "-O3",
               "-Wno-unknown-cuda-version", "-std=c++17", "-isystem", f"{a.cuda}/include/cccl", *include,
               "-Xcuda-ptxas", "-v", "-c", source, "-o", output]
    done = subprocess.run(command + ([f"-fpass-plugin={a.plugin}"] if plugin else []), capture_output=True, text=True)
    return None if done.returncode else done.stderr


def kernels_of(log):
    """{kernel: (registers, bytes spilled)}"""
    found, name, spill = {}, None, 0
    for line in log.splitlines():
        entry = re.search(r"Compiling entry function '(\S+)'", line)
        stores = re.search(r"(\d+) bytes spill stores", line)
        used = re.search(r"Used (\d+) registers", line)
        name, spill = (entry[1], 0) if entry else (name, spill)
        spill += int(stores[1]) if stores else 0
        if used and name:
            found[name] = int(used[1]), spill
    return found


def bounded(a, source):
    """Kernels whose launch bounds, or number of registers, the source names."""
    with open(source) as f:
        text = f.read()
    return set(re.findall(r"__launch_bounds__\([^)]*\)\s*(?:void\s+)?(\w+)", text)) | set(
        re.findall(r"void\s+__launch_bounds__\([^)]*\)\s*(\w+)", text))


def written(kernel):
    """The name as the source has it."""
    mangled = re.match(r"_Z(\d+)(.*)", kernel)
    return mangled[2][:int(mangled[1])] if mangled else kernel


def compare(a, source, arch):
    """[(kernel, before, after)], bytes of both cubins; nothing where clang refuses the file."""
    with tempfile.TemporaryDirectory() as where:
        paths = [os.path.join(where, name) for name in ("plain", "coalda")]
        logs = [compile_to_cubin(a, source, arch, path, plugin) for path, plugin in zip(paths, (False, True))]
        if logs[0] is None:
            return [], (0, 0)
        if logs[1] is None:
            raise SystemExit(f"{source}: does not compile with the plugin")
        before, after = map(kernels_of, logs)
        return [(k, before[k], after[k]) for k in before if k in after], tuple(map(os.path.getsize, paths))


def known_ceilings():
    with open(os.path.join(HERE, "SPILLS")) as f:
        rows = [row for row in (line.split("#")[0].split() for line in f) if row]
    return [{tuple(row[:3]): int(row[3]) for row in rows if len(row) == length} for length in (4, 5)]


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("clang", "plugin", "cuda"):
        p.add_argument(f"--{name}", required=True)
    p.add_argument("--archs", default="sm_80,sm_90,sm_120")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--growth", type=float, help="fail where all cubins together grow by more")
    p.add_argument("files", nargs="+")
    a = p.parse_args()
    (known, allowed), wrong, sizes, count = known_ceilings(), [], [0, 0], 0
    work = [(os.path.abspath(f), arch) for f in a.files for arch in a.archs.split(",")]
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for (source, arch), (kernels, bytes_) in zip(work, pool.map(lambda w: compare(a, *w), work)):
            sizes = [x + y for x, y in zip(sizes, bytes_)]
            free = bounded(a, source)
            for kernel, (registers, spill), (now, spills) in kernels:
                count += 1
                key = arch, "/".join(os.path.abspath(source).split(os.sep)[-2:]), kernel
                ceiling = known.get(key, spill)
                if warps_of(now) < warps_of(registers) and written(kernel) not in free and now > allowed.get(key, 0):
                    wrong.append(f"{' '.join(key)}: {registers} registers became {now}: blocks of {warps_of(now) * WARP} threads at "
                                 f"most, {warps_of(registers) * WARP} before")
                if spills > max(ceiling, spill):
                    wrong.append(f"{' '.join(key)}: spills {spills} bytes, {spill} before, {ceiling} known")
                if spills < ceiling and key in known:
                    wrong.append(f"{' '.join(key)}: spills {spills} bytes; SPILLS still says {ceiling}")
    growth = sizes[1] / sizes[0] if sizes[0] else 0
    print(f"{count} kernels in {len(work)} compilations; cubins {growth:.2f} times as large")
    if a.growth and growth > a.growth:
        wrong.append(f"cubins are {growth:.2f} times as large, {a.growth} at most")
    print("\n".join(wrong))
    return bool(wrong) or not count


if __name__ == "__main__":
    sys.exit(main())
