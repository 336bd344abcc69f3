"""Modules to fuzz with, made once and kept: random ones from llvm-stress, and kernels as clang compiles them."""
import concurrent.futures
import hashlib
import pathlib
import re
import subprocess

SIZES = (10, 50, 100, 300, 800)
LEVELS = ("-O0", "-O3")


def stress(tool, out, seed):
    """One module of llvm-stress as device code; every other one a kernel."""
    path = out / f"stress-{seed}.ll"
    if not path.exists():
        text = subprocess.run([tool, f"-size={SIZES[seed % len(SIZES)]}", f"-seed={seed}", "-o=-"],
                              check=True, capture_output=True, text=True).stdout
        text = re.sub(r"^target triple.*\n", "", text, flags=re.M)
        if seed % 2:
            text = text.replace("define void", "define ptx_kernel void")
        path.write_text('target triple = "nvptx64-nvidia-cuda"\n' + text)
    return path


def stress_modules(tool, out, count):
    out.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda seed: stress(tool, out, seed), range(count)))


def compiled(clang, cuda, out, includes, source, level):
    """The source's device IR; None where it is not device code that compiles alone. CUDA's headers, which take ten times as long as
    most sources, where it does not compile without."""
    key = hashlib.sha256(source.read_bytes() + level.encode()).hexdigest()[:12]
    path = out / f"{source.stem}{level}-{key}.bc"
    if path.exists():
        return path
    for headers in (["-nocudainc", "-nocudalib"], [f"--cuda-path={cuda}", "-isystem", f"{cuda}/include/cccl"]):
        done = subprocess.run([clang, "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_80", *headers,
                               "-Wno-unknown-cuda-version", "-w", "-std=c++17", "-gline-tables-only", level,
                               *(f"-I{folder}" for folder in includes), "-emit-llvm", "-c", str(source), "-o", str(path)], capture_output=True, text=True)
        if done.returncode == 0:
            return path
    print(f"left out {source}: {done.stderr.splitlines()[0] if done.stderr else 'clang failed'}")
    return None


def kernel_modules(clang, cuda, out, root, every_level):
    """Every .cu of the examples and tests, at both levels or at one by turns. Compiled anew only when the source has changed."""
    out.mkdir(parents=True, exist_ok=True)
    sources = sorted(root.glob("examples/**/*.cu")) + sorted(root.glob("test/**/*.cu"))
    includes = [root / "include", root / "include/coalda/cccl"] + sorted({header.parent for header in root.glob("test/**/*.cuh")})
    jobs = [(source, level) for i, source in enumerate(sources) for level in (LEVELS if every_level else LEVELS[i % 2:][:1])]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        made = pool.map(lambda job: compiled(clang, cuda, out, includes, *job), jobs)
        return [path for path in made if path]
