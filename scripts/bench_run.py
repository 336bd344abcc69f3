"""Runs the programs that bench_build.py made, on a machine that may have neither a compiler nor LLVM."""
import collections
import csv
import ctypes
import datetime
import json
import os
import re
import shutil
import statistics
import subprocess

from bench_build import Failure, GROUPS, ROOT, by_variant, programs, result_name, say

TIMEOUT = 300   # seconds of one program; one takes a few
COUNTERS = {f"l1tex__t_{what}_pipe_lsu_mem_global_op_{op}.sum": (full, what)
            for op, full in (("ld", "load"), ("st", "store")) for what in ("sectors", "requests")}


def gpu_name():
    """Name of the first GPU, or nothing."""
    name, device = ctypes.create_string_buffer(256), ctypes.c_int()
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return None
    if cuda.cuInit(0) or cuda.cuDeviceGet(ctypes.byref(device), 0) or cuda.cuDeviceGetName(name, len(name), device):
        return None
    return name.value.decode()


def gpu_present():
    return gpu_name() is not None


def read_build(where):
    try:
        with open(os.path.join(where, "build.json")) as f:
            return json.load(f)
    except OSError:
        raise Failure(f"no programs in {where}: run scripts/bench build {where} where clang 22 is")


def smi():
    """What nvidia-smi says of driver and clocks; nothing where it does not work. No names of machines."""
    keys = ["driver_version", "clocks.max.sm", "clocks.max.mem", "clocks.sm", "clocks.mem", "power.limit", "ecc.mode.current"]
    try:
        done = subprocess.run(["nvidia-smi", "-i", "0", "--query-gpu=" + ",".join(keys), "--format=csv,noheader"],
                              capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return {}
    values = [v.strip() for v in done.stdout.split(",")]
    return dict(zip(keys, values)) if done.returncode == 0 and len(values) == len(keys) else {}


def program_lines(where, name, arguments):
    """The JSON lines that a program printed, and what went wrong: nothing, or why it stopped before its end.
    A failed check is no such thing: it stands in its line."""
    path = os.path.join(where, name)
    if not os.path.exists(path):
        raise Failure(f"no program {path}")
    try:
        done = subprocess.run([path, *arguments], capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return [], f"did not end within {TIMEOUT} s"
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{") and line.endswith("}")]
    if done.returncode in (0, 1):
        return lines, None
    last = lines[-1].get("name", "nothing") if lines else "nothing"
    return lines, f"exits {done.returncode} after {last}: {done.stderr.strip()[-500:]}"


class Collected:
    """All times of all rounds."""
    def __init__(self):
        self.device, self.kernels = {}, {}
        self.times = collections.defaultdict(list)    # (kernel, variant): milliseconds
        self.checks = {}                              # (kernel, variant): ok, or the first complaint
        self.digests = {}                             # (kernel, variant): of the output
        self.limits = collections.defaultdict(list)   # (family, variant, limit): milliseconds
        self.broken = []                              # programs that did not run
        self.limit_bytes = 0

    def add(self, family, variant, lines):
        for line in lines:
            kind = line.pop("line")
            if kind == "device":
                self.device = line
            elif kind == "limits":
                self.limit_bytes = line.pop("bytes")
                for limit, ms in line.items():
                    self.limits[family, variant, limit] += ms
            else:
                self.add_kernel(family, variant, line)

    def add_kernel(self, family, variant, line):
        name, ms, check = line["name"], line.pop("ms"), line.pop("check")
        self.digests[name, variant] = line.pop("digest")
        self.kernels.setdefault(name, {**line, "family": family})
        self.times[name, variant] += ms
        if self.checks.get((name, variant), "ok") == "ok":
            self.checks[name, variant] = check

    def compare_builds(self):
        """The plugin must leave the bits that plain clang leaves; nvcc may round elsewhere, and says so by its digest."""
        for (name, variant), digest in self.digests.items():
            if variant == "coalda" and digest != self.digests.get((name, "plain"), digest) and self.checks[name, variant] == "ok":
                self.checks[name, variant] = "not the bits of plain clang's output"


def gbs(size, ms):
    return size / (ms * 1e6)


def limit_factor(limit):
    return 2 if limit == "memcpy_ms" else 1   # a copy reads and writes


def figures(c, name, variant, used, code):
    """One variant of one kernel: bandwidth, and its parts of the limits that the same processes measured."""
    ms, kernel = c.times[name, variant], c.kernels[name]
    function = kernel.get("kernel", name)
    out = {"check": c.checks[name, variant], "digest": c.digests[name, variant], **used.get(function, {})}
    if function in code:
        out["code"] = code[function]
    if not ms:
        return out
    out.update(ms=statistics.median(ms), ms_low=min(ms), ms_high=max(ms), runs=len(ms))
    if kernel.get("operations"):
        out["tflops"] = gbs(kernel.get("operations"), out["ms"]) / 1000
    if not kernel["bytes"]:
        return out
    out["gbs"] = gbs(kernel["bytes"], out["ms"])
    for limit in ("memcpy_ms", "read_ms", "memset_ms"):
        samples = c.limits[kernel["family"], variant, limit]
        if samples:
            out["of_" + limit[:-3]] = out["gbs"] / gbs(limit_factor(limit) * c.limit_bytes, statistics.median(samples))
    return out


def summary(c, known, families):
    used, code, kernels = by_variant(known, "resources", families), by_variant(known, "code", families), []
    for name, kernel in c.kernels.items():
        variants = [v for k, v in c.checks if k == name]
        kernels.append({**kernel, "variants": {v: figures(c, name, v, used[v], code[v]) for v in variants}})
    return kernels


def pooled_limits(c):
    out = {}
    for limit in ("memcpy_ms", "read_ms", "memset_ms"):
        by_process = [statistics.median(v) for k, v in c.limits.items() if k[2] == limit and v]
        if by_process:
            size = limit_factor(limit) * c.limit_bytes
            out[limit[:-3]] = {"gbs": gbs(size, statistics.median(by_process)), "gbs_low": gbs(size, max(by_process)),
                               "gbs_high": gbs(size, min(by_process))}
    return out


def result_path(a, gpu):
    slug = re.sub(r"[^a-z0-9]+", "-", gpu.lower()).strip("-")
    return a.out or os.path.join(ROOT, "benchmarks", "results", slug, result_name(a.families) + ".json")


def kin(a):
    """All families whose results share a file."""
    return GROUPS[result_name(a.families)]


def save(path, data):
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, "w") as f:
        json.dump(data, f, indent=1)
        f.write("\n")
    say(f"wrote {path}")


def arguments_of(a):
    arguments = ["--repeat", str(a.repeat)]
    if a.filter:
        arguments += ["--filter", a.filter]
    return arguments + (["--bytes", a.bytes] if a.bytes else [])


def collect(where, a):
    c = Collected()
    todo = [(r, f, v) for r in range(a.rounds) for f, v in programs(a.families, a.variants)]
    for k, (r, family, variant) in enumerate(todo):
        name = f"{family}.{variant}"
        say(f"[{k + 1}/{len(todo)}] round {r + 1}: {name}")
        lines, broken = program_lines(where, name, arguments_of(a))
        c.add(family, variant, lines)
        if broken:
            say(f"  {name} {broken}")
            c.broken.append(f"{name} {broken}")
    if not c.kernels:
        raise Failure("no kernel ran")
    c.compare_builds()
    return c


def run(where, a):
    """Path of the JSON, and whether anything failed."""
    known = read_build(where)
    result_name(a.families)  # before minutes of measuring, not after
    if not gpu_present():
        raise Failure("no GPU here; scripts/bench static prints what is known without one")
    c = collect(where, a)
    path = result_path(a, c.device["name"])
    about = {key: value for key, value in known.items() if key != "programs"}
    # nvidia-smi is asked last: the clocks it names are those of a GPU at work.
    save(path, {"version": 1, "gpu": {**c.device, **smi()}, "build": about,
                "date": datetime.datetime.now(datetime.timezone.utc).isoformat("T", "seconds"),
                "rounds": a.rounds, "repeat": a.repeat, "array_bytes": c.limit_bytes, "limits": pooled_limits(c),
                "kernels": summary(c, known, kin(a)), "static": by_variant(known, "static", kin(a)), "broken": c.broken})
    wrong = [f"{k} ({v}): {check}" for (k, v), check in c.checks.items() if check != "ok"]
    for line in wrong:
        say(f"WRONG {line}")
    return path, 1 if wrong or c.broken else 0


# ---- Nsight Compute ----------------------------------------------------------------------------------------------------

def counters(where, name, filter_):
    """{kernel: {load: {sectors, requests}, store: {...}}} of a program's kernels, each launched once."""
    kernels = subprocess.run([os.path.join(where, name), "--list", "--filter", filter_], capture_output=True, text=True).stdout.split()
    if not kernels:
        return {}
    # Metrics in base units, or ncu writes sector counts of large kernels in thousands.
    command = ["ncu", "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base", "--metrics", ",".join(COUNTERS),
               "--kernel-name", f"regex:^({'|'.join(kernels)})$", os.path.join(where, name), "--once", filter_]
    done = subprocess.run(command, capture_output=True, text=True, timeout=2 * TIMEOUT)
    if done.returncode:
        raise Failure(f"ncu exits {done.returncode} for {name}: {(done.stdout + done.stderr)[-800:]}")
    return parse_counters(done.stdout)


def parse_counters(text):
    out = {}
    for row in csv.DictReader(line for line in text.splitlines() if line.startswith('"')):
        if not row["ID"]:   # the line of units
            continue
        kernel = out.setdefault(row["Kernel Name"].split("(")[0], {})
        for metric, (op, what) in COUNTERS.items():
            kernel.setdefault(op, {})[what] = float(row[metric].replace(",", ""))
    return out


def ncu(where, a):
    known = read_build(where)
    if not shutil.which("ncu"):
        raise Failure("no ncu in PATH")
    gpu = gpu_name()
    if not gpu:
        raise Failure("no GPU here")
    path = result_path(a, gpu)
    data = {"version": 1, "kernels": []}
    if os.path.exists(path):
        with open(path) as f:
            data = json.load(f)
    data["static"] = by_variant(known, "static", kin(a))
    measured = data.setdefault("ncu", {})
    todo = programs(a.families, a.variants)
    for k, (family, variant) in enumerate(todo):
        say(f"[{k + 1}/{len(todo)}] ncu {family}.{variant}")
        measured.setdefault(variant, {}).update(counters(where, f"{family}.{variant}", a.filter))
    save(path, data)
    import bench_table
    print("\n".join(bench_table.counter_lines(data)))
    return 0
