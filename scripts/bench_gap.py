"""Holds plain clang, clang with the plugin and nvcc against each other over benchmarks/gap: what ptxas says, which instructions there are, and,
on a GPU, times and outputs. A table of all kernels, and of those where nvcc is ahead by more than 3%."""
import glob
import os
import re
import shutil
import subprocess

import bench_build as build

SOURCES = os.path.join(build.ROOT, "benchmarks", "gap")
VARIANTS = ["plain", "coalda", "nvcc"]
AHEAD = 1.03        # of nvcc: from there on a kernel is listed
MIX = ["LDG", "STG", "LDL", "STL", "LDS", "STS", "FFMA", "DFMA", "IMAD", "MUFU", "BRA"]


def sources():
    return sorted(glob.glob(os.path.join(SOURCES, "*.cu")))


class Tools:
    """Compilers as scripts/bench has them, and what else of the CUDA toolkit is there."""

    def __init__(self, arch, options):
        self.arch, self.known = arch, build.toolchain(arch, options)
        self.bin = os.path.dirname(self.known["programs"]["nvcc"][0])
        self.dump = shutil.which("cuobjdump") or shutil.which(os.path.join(self.bin, "cuobjdump"))


def compile_all(where, tools):
    """PTX and a program of each source and variant, in the folder."""
    os.makedirs(where, exist_ok=True)
    for source in sources():
        for variant in VARIANTS:
            stem = stem_of(where, source, variant)
            command = [*tools.known["programs"][variant], "-w", source]
            nvcc = variant == "nvcc"
            run([*command, *(["-cudart", "static"] if nvcc else tools.known["libraries"]), "-o", stem])
            run([*command, *(["-ptx"] if nvcc else ["--cuda-device-only", "-S"]), "-o", stem + ".ptx"])


def stem_of(where, source, variant):
    return os.path.join(where, f"{os.path.basename(source)[:-3]}.{variant}")


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise build.Failure(f"{' '.join(command)}\n{done.stderr[:build.ERROR_TEXT]}")
    return done.stdout + done.stderr


def plain_name(mangled):
    """Of a kernel, as the programs call it: bitonic16 for bitonic<16>."""
    text = subprocess.run(["c++filt", mangled], capture_output=True, text=True).stdout.strip()
    known = re.match(r"(?:void )?(\w+)(?:<([^<>]*)>)?\(", text)
    if not known:
        return mangled
    one = known[2] and re.fullmatch(r"\w+", known[2])
    return known[1] + (known[2] if one else "")


def resources(stem, tools):
    """Kernel -> registers, bytes of stack, bytes spilled; and the cubin beside the PTX."""
    text = run([os.path.join(tools.bin, "ptxas"), "-v", f"-arch={tools.arch}", stem + ".ptx", "-o", stem + ".cubin"])
    rows = {}
    for name, stack, stores, registers in re.findall(
            r"entry function '(\w+)'.*?(\d+) bytes stack frame, (\d+) bytes spill stores.*?Used (\d+) registers", text, re.S):
        rows[name] = {"registers": int(registers), "stack": int(stack), "spilled": int(stores)}
    return rows


def in_flight(lines):
    """The most global loads that stand one behind the other before the first of them is used, in straight code."""
    most, open_ = 0, set()
    for line in lines:
        words = re.findall(r"\bR\d+\b", line)
        load = re.search(r"\bLDG\S*\s+(R\d+)", line)
        if open_ & set(words[1:] if load else words) or re.search(r"\bBRA\b|^\s*\.L", line):
            open_ = set()
        if load:
            open_.add(load[1])
            most = max(most, len(open_))
    return most


def mix(stem, kernel, tools):
    """What the kernel's code is made of, where there is a disassembler."""
    if not tools.dump:
        return {}
    lines = [line for line in run([tools.dump, "-sass", "-fun", kernel, stem + ".cubin"]).splitlines() if re.match(r"\s*(/\*[0-9a-f]{4}|\.L)", line)]
    row = {name: sum(bool(re.search(rf"\b{name}\b", line)) for line in lines) for name in MIX}
    return {**row, "instructions": len(lines), "in flight": in_flight(lines)}


def local(stem, kernel):
    """Accesses to local memory in PTX."""
    with open(stem + ".ptx") as f:
        body = re.search(rf"\.entry {kernel}\(.*?\n}}", f.read(), re.S)
    return {"local": len(re.findall(r"\b(?:ld|st)(?:\.volatile)?\.local", body[0]))} if body else {}


def static(where, tools):
    """Name of a kernel -> variant -> row."""
    rows = {}
    for source in sources():
        for variant in VARIANTS:
            stem = stem_of(where, source, variant)
            for kernel, row in resources(stem, tools).items():
                if kernel.startswith(("_Z4fill", "_Z6digest")):
                    continue
                rows.setdefault(plain_name(kernel), {})[variant] = {**row, **mix(stem, kernel, tools), **local(stem, kernel)}
    return rows


def times(where):
    """Name of a kernel -> variant -> microseconds and digest; nothing without a GPU."""
    rows = {}
    for source in sources():
        for variant in VARIANTS:
            done = subprocess.run([stem_of(where, source, variant)], capture_output=True, text=True)
            for name, us, digest in re.findall(r"^(\S+) ([\d.]+) ([0-9a-f]{16}) no error$", done.stdout, re.M):
                rows.setdefault(name, {})[variant] = {"us": float(us), "digest": digest}
    return rows


def cell(rows, variant, key):
    return str(rows.get(variant, {}).get(key, "-"))


def three(rows, key):
    return " / ".join(cell(rows, variant, key) for variant in VARIANTS)


def print_static(rows):
    keys = ["registers", "stack", "spilled", "local", "LDG", "in flight", "instructions"]
    print("plain / COALDA / nvcc\n\n| kernel | " + " | ".join(keys) + " |\n|---|" + "---|" * len(keys))
    for name, row in sorted(rows.items()):
        print(f"| {name} | " + " | ".join(three(row, key) for key in keys) + " |")


def more(row):
    """Of which instructions nvcc has others than COALDA."""
    ours, theirs = row.get("coalda", {}), row.get("nvcc", {})
    return ", ".join(f"{key} {ours[key]} : {theirs[key]}" for key in [*MIX, "in flight"]
                     if key in ours and key in theirs and abs(ours[key] - theirs[key]) > max(2, theirs[key] // 4))


def print_times(rows, known):
    wrong = []
    print("\n| kernel | plain, us | COALDA | nvcc | plain / COALDA | nvcc / COALDA | bits | where nvcc is ahead, COALDA : nvcc |\n|---|---:|---:|---:|---:|---:|---|---|")
    for name, row in sorted(rows.items()):
        if len(row) < len(VARIANTS):
            wrong.append(f"{name}: was not run by every build")
            continue
        plain, ours, theirs = (row[variant]["us"] for variant in VARIANTS)
        same = row["plain"]["digest"] == row["coalda"]["digest"]
        wrong += [] if same else [f"{name}: COALDA's output is another one than plain clang's"]
        ahead = more(known.get(name, {})) if theirs * AHEAD < ours else ""
        print(f"| {name} | {plain:.1f} | {ours:.1f} | {theirs:.1f} | {plain / ours:.2f} | {theirs / ours:.2f} | {'same' if same else 'others'} | {ahead} |")
    print("\n".join(["", *wrong]))
    return bool(wrong)


def gap(where, arch, options, gpu):
    tools = Tools(arch, options)
    compile_all(where, tools)
    known = static(where, tools)
    print_static(known)
    return print_times(times(where), known) if gpu else 0
