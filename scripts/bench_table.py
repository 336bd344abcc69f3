"""What the results say: the Markdown table with its bars, regressions, the static figures, the counters."""
import json
import math
import os
import re

import bench_plot
import bench_suite
from bench_build import Failure, by_variant
from bench_run import read_build, say

NEVER_UNDER = 0.98      # of plain clang: the bar of everything that has no other
REGRESSION = 0.03
COUNTER_TOLERANCE = 0.10
TITLES = {
    "copy": "Copy: `out[i] = in[i]`", "vector": "Copy of vector types", "compute": "Compute: every field anew from two of the old ones",
    "load": "Load only: a record in, one word out", "store": "Store only: a record made from its index",
    "gather": "Gather: `out[i] = in[index[i]]`", "scatter": "Scatter: `out[index[i]] = in[i]`",
    "pick": "Random load: one word out", "drop": "Random store", "shape": "Other shapes of records",
    "walk": "Walks: one thread a row", "tile": "Tiles: global memory staged in shared memory between barriers",
}


# Walks: what is reached, and what it is held against.
WALK_BARS = {
    "float_2048": ("GB/s", 3900), "float_256": ("GB/s", 3900), "float_16384": ("GB/s", 1350),
    "double_1024": ("read", 0.80), "half_4096": ("read", 0.80), "int8_8192": ("read", 0.80),
    "softmax_2048": ("plain", 3.0), "norm_2048": ("plain", 3.0), "forward_2048": ("plain", 3.0), "backward_2048": ("plain", 3.0),
    "csr_48": ("plain", 1.3),
}
# Tiles: the same. The others are held against plain clang, and their geometric mean against TILE_MEAN.
TILE_BARS = {
    "product_64": [("TFLOP/s", 28.5), ("nvcc", 1.2)],
    "product_128_k8": [("better", 1.15)], "product_128_k16": [("better", 1.15)],
    "textbook_16": [("plain", 1.0)], "textbook_32": [("plain", 1.0)],
    "textbook_walked_16": [("plain", 1.0)], "textbook_walked_32": [("plain", 1.0)],
    "stream_132": [("GB/s", 4000)], "stream_264": [("GB/s", 4400)], "stream_1056": [("GB/s", 4300)],
}
TILE_MEAN = 1.15
ABSOLUTE = {"GB/s": "gbs", "TFLOP/s": "tflops"}   # bars that are no ratio


def bars_of(kernel):
    """[(what the plugin's figure is held against, least ratio)]"""
    if kernel["kind"] == "tile":
        return TILE_BARS.get(kernel["name"], [("plain", NEVER_UNDER)])
    return [bar_of(kernel["kind"], kernel["name"], kernel["record"])]


def bar_of(kind, name, record):
    """The one bar of records and walks."""
    if kind == "walk":
        return WALK_BARS.get(name, ("plain", NEVER_UNDER))
    if kind in ("copy", "compute") and record >= 24:
        return "memcpy", 0.95
    if name in ("copy_int4", "copy_float4", "copy_double2"):
        return "nvcc", 0.99
    if kind == "load" and record >= 64:
        return "read", 0.93
    if kind == "store" and record >= 24:
        return "memset", 0.82
    if kind in ("gather", "scatter") and record in (64, 128):
        return "plain", {64: 4.0, 128: 6.0}[record]
    return "plain", NEVER_UNDER


def bandwidth(kernel, variant):
    return kernel["variants"].get(variant, {}).get("gbs")


def speedup(kernel):
    return bench_suite.faster(kernel, "plain")


def ratio_to(kernel, reference):
    """The plugin's bandwidth over a limit (as its own process measured it) or over another variant's."""
    if reference in ("memcpy", "read", "memset"):
        return kernel["variants"].get("coalda", {}).get("of_" + reference)
    if reference in ABSOLUTE:
        return kernel["variants"].get("coalda", {}).get(ABSOLUTE[reference])
    if reference == "better":
        ratios = [ratio_to(kernel, variant) for variant in ("plain", "nvcc")]
        return None if None in ratios else min(ratios)
    return bench_suite.faster(kernel, reference)


def judged(kernel):
    """[(reference, least, figure)], and whether every bar is met: nothing where a number is missing."""
    bars = [(reference, least, ratio_to(kernel, reference)) for reference, least in bars_of(kernel)]
    return bars, None if any(figure is None for _, _, figure in bars) else all(figure >= least for _, least, figure in bars)


def number(value, form="{:.0f}"):
    return "" if value is None else form.format(value)


def spill_note(kernel):
    v = kernel["variants"].get("coalda", {})
    spills = v.get("spill_stores", 0) + v.get("spill_loads", 0)
    return f"{v.get('registers', '')}" + (f" ({spills} B spilled)" if spills else "")


def bar_cells(kernel):
    """Bar, what is reached, met or not."""
    bars, met = judged(kernel)
    names = {"better": "the better of clang and nvcc"}
    held = "; ".join(f"{least:g} {reference}" if reference in ABSOLUTE else f"{least:g} of {names.get(reference, reference)}"
                     for reference, least, _ in bars)
    reached = "; ".join(number(figure, {"GB/s": "{:.0f}", "TFLOP/s": "{:.1f}"}.get(reference, "{:.3f}")) for reference, _, figure in bars)
    wrong = [v for v, f in kernel["variants"].items() if f["check"] != "ok"]
    mark = "**WRONG: " + ", ".join(wrong) + "**" if wrong else {True: "yes", False: "**no**", None: ""}[met]
    return [held, reached, mark]


def tile_row(kernel):
    figure, form = ("tflops", "{:.1f}") if kernel.get("operations") else ("gbs", "{:.0f}")
    of = kernel["variants"].get
    plain, ours = of("plain", {}), of("coalda", {})
    cells = [kernel["name"], "TFLOP/s" if figure == "tflops" else "GB/s",
             *(number(of(v, {}).get(figure), form) for v in ("plain", "coalda", "nvcc", "expert")),
             number(speedup(kernel), "{:.2f}x"), number(ratio_to(kernel, "nvcc"), "{:.2f}x"), plain.get("registers", ""), spill_note(kernel),
             plain.get("shared", ""), ours.get("shared", ""), *bar_cells(kernel)]
    return "| " + " | ".join(map(str, cells)) + " |"


def row(kernel):
    if kernel["kind"] == "tile":
        return tile_row(kernel)
    walk = kernel["kind"] == "walk"
    variants = ("plain", "coalda", "nvcc") if walk else ("plain", "coalda", "nvcc", "expert")
    cells = [kernel["name"], kernel["record"], *(number(bandwidth(kernel, v)) for v in variants),
             number(ratio_to(kernel, "read" if walk else "memcpy"), "{:.3f}"), number(speedup(kernel), "{:.2f}x"),
             kernel["variants"].get("plain", {}).get("registers", ""), spill_note(kernel),
             *bar_cells(kernel)]
    return "| " + " | ".join(map(str, cells)) + " |"


HEAD = ("| kernel | record, bytes | clang | clang + COALDA | nvcc | expert | of memcpy | over clang | registers, clang | with COALDA | bar | is | met |\n"
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|---:|---|")
WALK_HEAD = (HEAD.replace(" record, bytes |", " row, bytes |").replace(" expert |", "").replace("of memcpy", "of read limit")
             .replace("|---|---:", "|---", 1))

TILE_HEAD = ("| kernel | unit | clang | clang + COALDA | nvcc | expert | over clang | over nvcc | registers, clang | with COALDA | "
             "shared bytes, clang | with COALDA | bar | is | met |\n|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|---:|---|")
HEADS = {"walk": WALK_HEAD, "tile": TILE_HEAD}


def subject(kernels):
    return {"walk": "Walks", "tile": "Tiles", "suite": "The suite"}.get(kernels[0]["kind"], "Records")


def is_suite(kernels):
    return kernels[0]["kind"] == "suite"


def how_measured(data):
    if is_suite(data["kernels"]):
        return ("GB/s count the bytes that the kernel is asked to read and write, TFLOP/s its floating-point operations; medians of "
                f"{data['repeat']} event-timed runs in each of {data['rounds']} rounds, programs taking turns. A sample of every output was "
                "computed anew on the CPU; every byte of every array must be what plain clang's program leaves.")
    return (f"GB/s count bytes read plus bytes written; arrays of {data['array_bytes'] / 2**30:g} GiB; medians of "
            f"{data['repeat']} event-timed runs in each of {data['rounds']} rounds, programs taking turns. Every output was compared "
            "byte by byte, guards and padding included. The limits are measured in every program between its kernels.")


def intro(data):
    gpu, build = data["gpu"], data["build"]
    driver = gpu.get("driver_version", "")
    runtime = f"{gpu['cuda_runtime'] // 1000}.{gpu['cuda_runtime'] % 1000 // 10}"
    clocks = f", SM clock {gpu['clocks.sm']} of {gpu['clocks.max.sm']}, memory {gpu['clocks.mem']}" if "clocks.sm" in gpu else ""
    lines = [f"# {subject(data['kernels'])} on {gpu['name']}", "",
             f"{data['date'][:10]}; driver {driver}, CUDA {runtime}{clocks}; {build['clang']}; nvcc {build['nvcc']}; {build['arch']}.",
             how_measured(data), ""]
    if build.get("plugin_options"):
        lines += ["Options of the plugin: " + ", ".join(build["plugin_options"]) + ".", ""]
    lines += ["| limit | GB/s, median of the programs | lowest | highest |", "|---|---:|---:|---:|"]
    names = {"memcpy": "cudaMemcpy, device to device", "read": "16-byte reads", "memset": "cudaMemset"}
    lines += [f"| {names[k]} | {v['gbs']:.0f} | {v['gbs_low']:.0f} | {v['gbs_high']:.0f} |" for k, v in data["limits"].items()]
    return lines + [""]


def mean_line(kernels):
    """The geometric mean of the tiles that have no bar of their own, or nothing."""
    logs = [math.log(speedup(k)) for k in kernels if k["kind"] == "tile" and k["name"] not in TILE_BARS and speedup(k)]
    if not logs:
        return []
    mean = math.exp(sum(logs) / len(logs))
    return [f"Geometric mean over plain clang of the {len(logs)} kernels without a bar of their own: {mean:.3f}, "
            f"bar {TILE_MEAN}: {'met' if mean >= TILE_MEAN else '**not met**'}.", ""]


def other_bits(kernels):
    """Builds whose output differs in bits from plain clang's: sums that nvcc fuses in another way."""
    found = [f"{k['name']} ({v})" for k in kernels for v, f in k["variants"].items()
             if f.get("digest") != k["variants"].get("plain", f).get("digest")]
    return [f"Other bits than plain clang's: {', '.join(found)}.", ""] if found else []


def verdict_lines(kernels):
    marks = [judged(k)[1] for k in kernels]
    wrong = sum(f["check"] != "ok" for k in kernels for f in k["variants"].values())
    slower = [f"{k['name']} ({speedup(k):.3f})" for k in kernels if (speedup(k) or 1) < NEVER_UNDER]
    return [f"{marks.count(True)} bars met, {marks.count(False)} missed, {marks.count(None)} without a figure; {wrong} wrong outputs. "
            f"Under {NEVER_UNDER} of plain clang: {', '.join(slower) if slower else 'none'}.", "", *mean_line(kernels), *other_bits(kernels)]


def table_lines(kernels):
    lines = []
    for kind, title in TITLES.items():
        rows = [row(k) for k in (kernels if kind in HEADS else sorted(kernels, key=lambda k: k["record"])) if k["kind"] == kind]
        if rows:
            lines += [f"## {title}", "", HEADS.get(kind, HEAD), *rows, ""]
    return lines


def per_request(sums):
    return sums["sectors"] / sums["requests"] if sums and sums.get("requests") and not sums.get("unknown") else None


def counter_lines(data):
    """The report's sectors per request of plain code against the counters, and what the plugin's code asks for."""
    measured, static = data.get("ncu", {}), data.get("static", {})
    rows, close, held = [], 0, 0
    for kernel in measured.get("plain", {}):
        for op in ("load", "store"):
            real = per_request(measured["plain"][kernel].get(op))
            guess = per_request(static.get("plain", {}).get(kernel, {}).get(op))
            ours = measured.get("coalda", {}).get(kernel, {}).get(op)
            if real is None:
                continue
            difference = guess / real - 1 if guess else None
            held += guess is not None
            close += guess is not None and abs(difference) <= COUNTER_TOLERANCE
            rows.append(f"| {kernel} | {op} | {number(guess, '{:.2f}')} | {real:.2f} | {number(difference, '{:+.1%}')} | "
                        f"{number(per_request(ours), '{:.2f}')} | {sector_ratio(measured['plain'][kernel].get(op), ours)} |")
    if not rows:
        return []
    return ["## Sectors per request", "",
            f"Nsight Compute's counters: the report is within {COUNTER_TOLERANCE:.0%} on {close} of {held} loads and stores whose addresses it knows.", "",
            "| kernel | op | clang, report | clang, GPU | difference | with COALDA, GPU | sectors, with COALDA / clang |",
            "|---|---|---:|---:|---:|---:|---:|", *rows, ""]


def sector_ratio(plain, ours):
    return f"{ours['sectors'] / plain['sectors']:.2f}" if ours and plain and plain["sectors"] else ""


def read(path):
    try:
        with open(path) as f:
            data = json.load(f)
    except (OSError, ValueError) as error:
        raise Failure(f"{path}: {error}")
    if data.get("version") != 1:
        raise Failure(f"{path}: not a result of this version")
    return data


def write(path):
    """FILE.md and the plots beside FILE.json; the summary on standard output. 1 when an output was wrong."""
    data, base = read(path), os.path.splitext(path)[0]
    kernels = data["kernels"]
    if not kernels:
        raise Failure(f"{path}: holds no timings, only counters: scripts/bench run first")
    if is_suite(kernels):
        plots = bench_suite.write_plots(base, kernels, bench_plot.speedups)
        verdicts, tables = [], bench_suite.lines_of(kernels) + other_bits(kernels)
    else:
        plots = bench_plot.write(base, kernels, data["limits"], speedup)
        verdicts, tables = verdict_lines(kernels), table_lines(kernels)
    pictures = [f"![{title}]({os.path.basename(file)})" for title, file in plots]
    with open(base + ".md", "w") as f:
        f.write("\n".join(intro(data) + verdicts + pictures + [""] + tables + counter_lines(data)))
    say(f"wrote {base}.md and {len(plots)} plots")
    print("\n".join(tables + verdicts))
    return 1 if any(f["check"] != "ok" for k in kernels for f in k["variants"].values()) else 0


def compared(kernel):
    """What must not fall: ratios, because clocks differ from day to day."""
    return speedup(kernel) if kernel["kind"] == "suite" else ratio_to(kernel, "memcpy")


def is_regression(old, new):
    """The ratio fell; in the suite the plugin's own time must have grown too, for plain clang's is as noisy."""
    fell = compared(new) / compared(old) < 1 - REGRESSION
    if new["kind"] != "suite" or not fell:
        return fell
    was, now = (k["variants"]["coalda"]["ms"] for k in (old, new))
    return now / was > 1 + REGRESSION and not bench_suite.same_code(new)


def compare(old_path, new_path):
    """1 where the plugin's part of the memcpy limit fell; of the suite, how much faster than plain clang it is."""
    old, new = ({k["name"]: k for k in read(path)["kernels"] if compared(k)} for path in (old_path, new_path))
    common = [n for n in new if n in old]
    worse = [n for n in common if is_regression(old[n], new[n])]
    for name in worse:
        unit = "of plain clang" if new[name]["kind"] == "suite" else "of memcpy"
        before, now = compared(old[name]), compared(new[name])
        print(f"regression: {name}: {before:.3f} {unit} before, {now:.3f} now ({now / before - 1:+.1%})")
    lost = [n for n in old if n not in new]
    if lost:
        print(f"not in {new_path}: {', '.join(lost)}")
    if not common:
        raise Failure("the two files have no kernel in common")
    print(f"{len(common)} kernels compared, {len(worse)} slower by over {REGRESSION:.0%}")
    return 1 if worse else 0


# ---- without a GPU ------------------------------------------------------------------------------------------------------

def static(where, filter_=""):
    """The report's sectors over ideal, and the registers, of plain clang's code and of the plugin's."""
    known = read_build(where)
    figures, used = by_variant(known, "static"), by_variant(known, "resources")
    print("| kernel | load, clang | load, COALDA | store, clang | store, COALDA | registers, clang | COALDA | spilled bytes, clang | COALDA |\n"
          "|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for name in sorted({**used["plain"], **used["coalda"]}, key=natural):
        if re.search(filter_, name):
            cells = [over_ideal(figures[v].get(name, {}).get(op)) for op in ("load", "store") for v in ("plain", "coalda")]
            cells += [str(used[v].get(name, {}).get("registers", "")) for v in ("plain", "coalda")]
            cells += [str(spilled(used[v].get(name, {}))) for v in ("plain", "coalda")]
            print(f"| {name} | " + " | ".join(cells) + " |")
    print("\nload, store: sectors over the fewest that could hold the bytes, by coalda-report; + n: n accesses that only run time can tell.")
    return 0


def natural(name):
    """copy_8 before copy_12."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


def over_ideal(sums):
    if not sums:
        return ""
    known = f"{sums['sectors'] / sums['ideal']:.2f}" if sums["ideal"] else ""
    return known + (f" + {sums['unknown']}" if sums["unknown"] else "")


def spilled(used):
    return used.get("spill_stores", 0) + used.get("spill_loads", 0) if used else ""


def spills(where):
    """1 when the plugin's build spills, or keeps a stack, where the plain one does not."""
    used = by_variant(read_build(where), "resources")
    if not used["plain"] or not used["coalda"]:
        raise Failure(f"{where} lacks the plain or the coalda build")
    bad = 0
    for name, plain in sorted(used["plain"].items(), key=lambda item: natural(item[0])):
        ours = used["coalda"].get(name)
        if ours is None:
            continue
        new = {k: (plain[k], ours[k]) for k in ("stack", "spill_stores", "spill_loads") if ours[k] > plain[k]}
        bad += bool(new)
        if new or ours["registers"] != plain["registers"]:
            text = ", ".join(f"{k} {a} -> {b} bytes" for k, (a, b) in new.items())
            print(f"{name}: {plain['registers']} -> {ours['registers']} registers" + (f"; NEW: {text}" if new else ""))
    print(f"{len(used['plain'])} kernels, {bad} with spills or stack that plain clang's code has not")
    return 1 if bad else 0
