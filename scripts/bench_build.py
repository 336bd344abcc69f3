"""Builds the benchmark programs: one for each family and build variant, with what the compilers say of every kernel."""
import collections
import concurrent.futures
import datetime
import glob
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
RECORDS = ["copy", "compute", "sides", "random", "shapes"]
SUITE = ["particles", "blocks", "rows", "dense", "sparse", "staged", "images", "controls", "slight"]
# Folder of the sources and name of the results: programs.
GROUPS = {"records": RECORDS, "walks": ["walks"], "tiles": ["tiles"], "suite": SUITE}
FAMILIES = [family for group in GROUPS.values() for family in group]
VARIANTS = ["plain", "coalda", "nvcc", "expert"]
NO_EXPERT = ["shapes", "walks", "controls", "slight"]
EXACT = {"clang": ["-ffp-contract=off"], "nvcc": ["-fmad=false"]}   # walks are held against a plain loop, bit by bit
ERROR_TEXT = 2000        # characters of a compiler's complaint that are shown: the first error says most
SIZE_LIMIT = 45 << 20   # bytes of all programs together: they are carried to the machine with the GPU


class Failure(Exception):
    """Something the user must hear of."""


def group_of(family):
    return next(name for name, families in GROUPS.items() if family in families)


def folder_of(family):
    return os.path.join(ROOT, "benchmarks", group_of(family))


def source_of(family):
    return os.path.join(folder_of(family), family + ".cu")


def flags_of(family, variant):
    return EXACT["clang" if variant in ("plain", "coalda") else "nvcc"] if group_of(family) == "walks" else []


def families_of(text):
    """The programs that --families names, by themselves or by their group; records are what runs where nothing is asked for."""
    named = [name for name in text.split(",") if name] or ["records"]
    for name in named:
        if name not in FAMILIES and name not in GROUPS:
            raise Failure(f"unknown: {name}; known are {', '.join([*GROUPS, *FAMILIES])}")
    return [f for f in FAMILIES if f in named or group_of(f) in named]


def result_name(families):
    """Each group has a file of results."""
    groups = {group_of(family) for family in families_of(families)}
    if len(groups) > 1:
        raise Failure(f"{', '.join(sorted(groups))} are measured apart")
    return groups.pop()


def say(text):
    print(text, file=sys.stderr, flush=True)


def can_build():
    return bool(shutil.which("clang++-22") or os.path.exists("/usr/lib/llvm-22/bin/clang++"))


def programs(families="", variants=""):
    """The (family, variant) pairs asked for: families outer, so that the variants of one run back to back."""
    for name in filter(None, variants.split(",")):
        if name not in VARIANTS:
            raise Failure(f"unknown: {name}; known are {', '.join(VARIANTS)}")
    return [(f, v) for f in families_of(families) for v in VARIANTS
            if (not variants or v in variants.split(",")) and not (v == "expert" and f in NO_EXPERT)]


def toolchain(arch, options):
    """Paths and commands, found as the other scripts find them."""
    script = f'. "{HERE}/lib.sh" && echo "$LLVM_BIN" && cuda_path'
    done = subprocess.run(["bash", "-c", script, os.path.join(HERE, "bench")], capture_output=True, text=True)
    if done.returncode:
        raise Failure(done.stderr.strip())
    llvm, cuda = done.stdout.split()
    plugin = os.environ.get("COALDA_PLUGIN", os.path.join(ROOT, "build", "coalda.so"))
    if not os.path.exists(plugin):
        raise Failure(f"no plugin at {plugin}: cmake -B build -G Ninja && cmake --build build")
    load = ["-Xarch_device", f"-fpass-plugin={plugin}"]
    for option in options:
        load += ["-Xarch_device", f"-mllvm=-coalda-{option}"]
    clang = [f"{llvm}/clang++", "-x", "cuda", f"--cuda-gpu-arch={arch}", f"--cuda-path={cuda}", "-Wno-unknown-cuda-version",
             "-O3", "-std=c++17"]
    whole = ["-Xcuda-ptxas", "-v", "--no-cuda-include-ptx=all", "-s"]
    number = arch.split("_")[1]
    nvcc = [f"{cuda}/bin/nvcc", "-gencode", f"arch=compute_{number},code={arch}", "-O3", "-std=c++17", "-Xptxas", "-v", "-Xlinker", "-s"]
    ir = ["--cuda-device-only", "-gline-tables-only", "-c", "-emit-llvm"]
    return {
        "plugin": plugin, "arch": arch, "llc": f"{llvm}/llc",
        "clang": first_line([f"{llvm}/clang++", "--version"]), "nvcc": version_line([f"{cuda}/bin/nvcc", "--version"]),
        "programs": {"plain": clang + whole, "coalda": clang + load + whole, "nvcc": nvcc,
                     "expert": nvcc + ["-DBENCH_EXPERT", f"-I{cuda}/include/cccl"]},
        "ir": {"plain": clang + ir, "coalda": clang + load + ir},
        # After the source: the linker takes from a library only what it misses by then.
        "libraries": [f"-L{cuda}/lib64", "-lcudart_static", "-ldl", "-lrt", "-lpthread"],
    }


def first_line(command):
    return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[0]


def version_line(command):
    text = subprocess.run(command, capture_output=True, text=True).stdout
    match = re.search(r"release .*", text)
    return match.group(0) if match else text.strip()


def call(command):
    """Runs a compiler; its standard error, or Failure with the end of it."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Failure(f"exit {done.returncode}: {shlex.join(command)}\n" + (done.stderr + done.stdout)[:ERROR_TEXT])
    return done.stderr + done.stdout


def resources(log):
    """Registers, stack and spills of every kernel, from ptxas -v."""
    kernels, name = {}, None
    for line in log.splitlines():
        entry = re.search(r"Compiling entry function '(\w+)'", line)
        if entry:
            name = entry.group(1)
        frame = re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", line)
        if frame and name and name not in kernels:
            kernels[name] = dict(zip(("stack", "spill_stores", "spill_loads"), map(int, frame.groups())))
        used = re.search(r"Used (\d+) registers", line)
        if used and name in kernels:
            shared = re.search(r"(\d+) bytes smem", line)
            kernels[name].update(registers=int(used.group(1)), shared=int(shared.group(1)) if shared else 0)
    return {k: v for k, v in kernels.items() if "harness_" not in k}


def device_figures(tools, family, variant):
    """What the device module tells of each kernel: its accesses by coalda-report, and a digest of its code."""
    with tempfile.TemporaryDirectory() as work:
        module = os.path.join(work, "module.bc")
        try:
            call(tools["ir"][variant] + flags_of(family, variant) + [source_of(family), "-o", module])
            ptx = subprocess.run([tools["llc"], f"-mcpu={tools['arch']}", module, "-o", "-"], capture_output=True, text=True).stdout
            return {"static": static_figures(module, f"{family}, {variant}"), "code": code_digests(ptx)}
        except OSError as error:
            say(f"no static figures: {error}")
            return {}


def static_figures(module, name):
    """Requests and sectors of each kernel's global loads and stores, or nothing where the report fails."""
    report = os.path.join(ROOT, "build", "coalda-report")
    done = subprocess.run([report, module, "--format=json"], capture_output=True, text=True)
    if done.returncode:
        say(f"no static figures for {name}: {done.stderr.strip()[:300]}")
        return {}
    return sum_rows(json.loads(done.stdout)["accesses"])


def code_digests(ptx):
    """A kernel with the digest of another build is the same code: where their times differ, the times are noise."""
    lines = [line for line in ptx.splitlines() if not re.match(r"\s*(\.loc|//|\$L__(tmp|func_))", line)]
    bodies = re.findall(r"\.entry (\w+)\((.*?)^}", "\n".join(lines), re.S | re.M)
    return {name: hashlib.sha256(re.sub(r"//.*", "", body).encode()).hexdigest()[:16] for name, body in bodies if "harness_" not in name}


def sum_rows(rows):
    kernels = {}
    for row in rows:
        if row["space"] not in ("global", "generic") or "harness_" in row["kernel"] or row["op"] not in ("load", "store"):
            continue
        sums = kernels.setdefault(row["kernel"], {}).setdefault(row["op"], {"requests": 0, "sectors": 0, "ideal": 0, "unknown": 0})
        if row["sectors"] is None:
            sums["unknown"] += 1
            continue
        for key in ("requests", "sectors", "ideal"):
            sums[key] += row[key]
    return kernels


def inputs(tools, family, variant):
    files = [source_of(family), os.path.join(ROOT, "benchmarks", "bench.h")]
    files += glob.glob(os.path.join(folder_of(family), "*.h")) + (glob.glob(os.path.join(folder_of(family), "*.cuh")) if variant == "expert" else [])
    report = os.path.join(ROOT, "build", "coalda-report")
    files += [report] if variant in tools["ir"] and os.path.exists(report) else []
    return files + ([tools["plugin"]] if variant == "coalda" else [])


def command_of(tools, family, variant):
    return tools["programs"][variant] + flags_of(family, variant)


def key_of(tools, family, variant):
    """Changes whenever the program must be built again."""
    digest = hashlib.sha256(json.dumps([command_of(tools, family, variant), tools["clang"], tools["nvcc"]]).encode())
    for path in sorted(inputs(tools, family, variant)):
        with open(path, "rb") as f:
            digest.update(f.read())
    return digest.hexdigest()


def build_one(tools, where, family, variant):
    """Builds a program; what is known of it then."""
    key, program = key_of(tools, family, variant), os.path.join(where, f"{family}.{variant}")
    command = command_of(tools, family, variant) + [source_of(family), "-o", program] + tools["libraries"]
    made = {"key": key, "resources": resources(call(command))}
    if variant in tools["ir"]:
        made.update(device_figures(tools, family, variant))
    return made


def fresh(tools, where, known, family, variant):
    name = f"{family}.{variant}"
    return os.path.exists(os.path.join(where, name)) and known.get(name, {}).get("key") == key_of(tools, family, variant)


def read_known(path, arch):
    try:
        with open(path) as f:
            known = json.load(f)
    except (OSError, ValueError):
        return {}
    return known["programs"] if known.get("arch") == arch else {}


def describe(tools, a):
    with open(tools["plugin"], "rb") as f:
        plugin = hashlib.sha256(f.read()).hexdigest()[:16]
    git = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return {"arch": tools["arch"], "clang": tools["clang"], "nvcc": tools["nvcc"], "plugin_sha256": plugin,
            "plugin_options": a.coalda, "commit": git.stdout.strip(), "built": datetime.datetime.now(datetime.timezone.utc).isoformat("T", "seconds")}


def build(where, a):
    tools = toolchain(a.arch, a.coalda)
    os.makedirs(where, exist_ok=True)
    path = os.path.join(where, "build.json")
    known = read_known(path, a.arch)
    wanted = programs(a.families, a.variants)
    todo = [pair for pair in wanted if not fresh(tools, where, known, *pair)]
    say(f"{len(todo)} of {len(wanted)} programs to build in {where}")
    failures = build_all(tools, where, known, todo, a.jobs)
    with open(path, "w") as f:
        json.dump({**describe(tools, a), "programs": known}, f, indent=1)
    if failures:
        raise Failure("\n".join(failures))
    total = sum(os.path.getsize(os.path.join(where, f"{f}.{v}")) for f, v in wanted)
    say(f"{total / 2**20:.1f} MiB in {where}")
    if total > SIZE_LIMIT:
        raise Failure(f"the programs take over {SIZE_LIMIT >> 20} MiB")
    return 0


def build_all(tools, where, known, todo, jobs):
    failures, done = [], 0
    with concurrent.futures.ThreadPoolExecutor(max(1, jobs)) as pool:
        running = {pool.submit(build_one, tools, where, *pair): "{}.{}".format(*pair) for pair in todo}
        for future in concurrent.futures.as_completed(running):
            name, done = running[future], done + 1
            try:
                known[name] = future.result()
                say(f"[{done}/{len(todo)}] {name}")
            except Failure as failure:
                known.pop(name, None)
                failures.append(f"{name}: {failure}")
                say(f"[{done}/{len(todo)}] {name} FAILED")
    return failures


def by_variant(known, what, families=None):
    """{variant: {kernel: what}} over the programs of build.json, those of the families given or all."""
    out = collections.defaultdict(dict)
    for name, made in known["programs"].items():
        family, variant = name.rsplit(".", 1)
        if families is None or family in families:
            out[variant].update(made.get(what, {}))
    return out
