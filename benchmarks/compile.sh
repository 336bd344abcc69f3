#!/usr/bin/env bash
# What COALDA costs at compile time: its share of clang's device compile, and its growth with module size.
# Prints two Markdown tables. Build first (cmake --build build). RUNS=N sets the runs per median (default 11),
# SIZES="1000 10000" the module sizes in IR instructions.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"

for file in coalda.so coalda-report; do
  [ -e "$ROOT/build/$file" ] || die "no build/$file: run cmake -B build -G Ninja && cmake --build build"
done
CUDA=$(cuda_path)
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
export ROOT LLVM_BIN CUDA WORK

python3 - "${RUNS:-11}" "${SIZES:-1000 10000 100000 1000000}" <<'END'
import glob, os, random, re, statistics, subprocess, sys

RUNS, SIZES = int(sys.argv[1]), [int(s) for s in sys.argv[2].split()]
ROOT, BIN, CUDA, WORK = (os.environ[k] for k in ("ROOT", "LLVM_BIN", "CUDA", "WORK"))
PLUGIN, REPORT = f"{ROOT}/build/coalda.so", f"{ROOT}/build/coalda-report"

def seconds(command):
    """User time of a command and its children; wall time would also count the machine's other work."""
    pid = os.posix_spawn(command[0], command, os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, f"{WORK}/stderr", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)])
    _, status, usage = os.wait4(pid, 0)
    if status:
        sys.exit(f"failed: {' '.join(command)}\n{open(f'{WORK}/stderr').read()[-2000:]}")
    return usage.ru_utime

def medians(variants, runs):
    """Median of each command; the runs are interleaved, so that a slow minute hits all alike."""
    times = [[] for _ in variants]
    for _ in range(runs):
        for slot, command in zip(times, variants):
            slot.append(seconds(command))
    return [statistics.median(t) for t in times]

def pass_seconds(command):
    """What clang's own clock gives the pass: differences of whole runs drown in noise of 5 percent."""
    text = subprocess.run(command + ["-ftime-report"], capture_output=True, text=True).stderr
    lines = [line for line in text.splitlines() if "CoaldaPass" in line]
    numbers = re.findall(r"(\d+\.\d+) \(", lines[0]) if lines else ["0"]
    return float(numbers[-2] if len(numbers) > 1 else numbers[0])  # user + system

def middle_seconds(base):
    """Without the front end, which reads CUDA's headers for most of the time, and without ptxas."""
    raw, optimized = f"{WORK}/raw.bc", f"{WORK}/optimized.bc"
    subprocess.run(base + ["-Xclang", "-disable-llvm-passes", "-emit-llvm", "-o", raw], check=True)
    return sum(medians([[f"{BIN}/opt", "-passes=default<O3>", raw, "-o", optimized],
                        [f"{BIN}/llc", "-O3", "-mcpu=sm_90", optimized, "-o", f"{WORK}/out"]], RUNS))

def share():
    print("| source | clang, s | of which LLVM's passes and llc, s | the pass with every remark, s | share | of passes and llc |")
    print("|---|---:|---:|---:|---:|---:|")
    sums = [0, 0, 0]
    sources = sorted(glob.glob(f"{ROOT}/examples/*.cu") + glob.glob(f"{ROOT}/test/analysis/*.cu")
                     + glob.glob(f"{ROOT}/test/driver/*.cu") + glob.glob(f"{ROOT}/benchmarks/suite/*.cu"))
    for source in sources:
        base = [f"{BIN}/clang++", "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90", f"--cuda-path={CUDA}",
                "-Wno-unknown-cuda-version", "-w", "-O3", "-std=c++17", "-c", source, "-o", f"{WORK}/out"]
        # A source that clang alone refuses (a test of errors) says nothing about the plugin.
        if subprocess.run(base, capture_output=True).returncode:
            continue
        loaded = base + [f"-fpass-plugin={PLUGIN}", "-fsave-optimization-record",
                         f"-foptimization-record-file={WORK}/remarks.yaml"]
        t = [medians([base], RUNS)[0], middle_seconds(base), statistics.median(pass_seconds(loaded) for _ in range(RUNS))]
        sums = [a + b for a, b in zip(sums, t)]
        row(os.path.relpath(source, ROOT), t)
    row("all", sums)

def row(name, t):
    print(f"| {name} | {t[0]:.3f} | {t[1]:.3f} | {t[2]:.4f} | {100 * t[2] / t[0]:.1f}% | {100 * t[2] / t[1]:.1f}% |", flush=True)

PIECE = 16  # instructions in one piece of body(), its loop included

def body(i, rng):
    """A loop that reads and writes a[stride*tid + step*j + k]; labels and values carry the number i."""
    stride, step, k = rng.choice([1, 2, 3, 8, 1024]), rng.choice([1, 4, 32]), rng.randrange(64)
    return f"""  br label %l{i}
l{i}:
  %j{i} = phi i64 [ 0, %b{i} ], [ %jn{i}, %l{i} ]
  %s{i} = mul nsw i64 %tid, {stride}
  %t{i} = mul nsw i64 %j{i}, {step}
  %u{i} = add nsw i64 %s{i}, %t{i}
  %v{i} = add nsw i64 %u{i}, {k}
  %p{i} = getelementptr inbounds float, ptr addrspace(1) %a, i64 %v{i}
  %x{i} = load float, ptr addrspace(1) %p{i}, align 4
  %q{i} = getelementptr inbounds float, ptr addrspace(1) %b, i64 %u{i}
  %y{i} = load float, ptr addrspace(1) %q{i}, align 4
  %z{i} = fadd float %x{i}, %y{i}
  store float %z{i}, ptr addrspace(1) %q{i}, align 4
  %jn{i} = add nuw nsw i64 %j{i}, 1
  %c{i} = icmp ult i64 %jn{i}, 100
  br i1 %c{i}, label %l{i}, label %b{i + 1}
b{i + 1}:
"""

def module(path, size, pieces_per_kernel):
    rng, left, kernel = random.Random(1), max(1, size // PIECE), 0
    with open(path, "w") as out:
        out.write('target triple = "nvptx64-nvidia-cuda"\ndeclare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n')
        while left:
            count = min(left, pieces_per_kernel or left)
            out.write(f"define ptx_kernel void @k{kernel}(ptr addrspace(1) %a, ptr addrspace(1) %b) {{\n"
                      "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  %tid = zext i32 %t to i64\n"
                      "  br label %b0\nb0:\n")
            for i in range(count):
                out.write(body(i, rng))
            out.write("  ret void\n}\n")
            left, kernel = left - count, kernel + 1

def growth():
    print("| instructions | shape | opt reads it, s | print&lt;coalda&gt; | us/instruction | coalda-report | us/instruction |")
    print("|---:|---|---:|---:|---:|---:|---:|")
    for size in SIZES:
        for shape, pieces in (("many kernels", 8), ("one kernel", 0)):
            path = f"{WORK}/m.ll"
            module(path, size, pieces)
            opt = [f"{BIN}/opt", f"-load-pass-plugin={PLUGIN}", "-disable-output", path]
            parse, plugin, report = medians(
                [opt + ["-passes=no-op-module"], opt + ["-passes=print<coalda>"], [REPORT, "--format=csv", path]],
                RUNS if size <= 10000 else 3)
            print(f"| {size} | {shape} | {parse:.3f} | {plugin - parse:.3f} | {1e6 * (plugin - parse) / size:.2f} "
                  f"| {report - parse:.3f} | {1e6 * (report - parse) / size:.2f} |", flush=True)

print(f"Share of clang's device compile (user time, median of {RUNS} interleaved runs)\n")
share()
print("\nGrowth with module size (user time; opt's parsing and verifying is taken off the figures)\n")
growth()
END
