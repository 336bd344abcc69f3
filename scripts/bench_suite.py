"""The table of the suite: kernels with something to gain and controls, small and large, and their geometric means."""
import math

NEVER_UNDER = 0.98                         # of plain clang: controls, and whatever the plugin refuses
MEANS = {"plain": 2.0, "nvcc": 1.8}        # least geometric means over plain clang and nvcc, where there is something to gain
UNCHANGED = 0.02                           # a kernel this close to plain clang was not made faster
NAMES = {"plain": "clang", "nvcc": "nvcc", "expert": "by hand"}
SIZES = ("large", "small")

HEAD = ("| kernel | class | size | unit | clang | clang + COALDA | nvcc | by hand | over clang | over nvcc | over by hand | "
        "registers, clang | with COALDA | |\n"
        "|---|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|")


def faster(kernel, variant):
    """How many times faster than another build the plugin's is."""
    ours, other = (kernel["variants"].get(v, {}).get("ms") for v in ("coalda", variant))
    return other / ours if ours and other else None


def mean(values):
    values = [v for v in values if v]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def of_size(kernels, size):
    return [k for k in kernels if k["size"] == size]


def with_gain(kernels, gain=True):
    return [k for k in kernels if k["gain"] == gain]


def number(value, form):
    return "" if value is None else form.format(value)


def same_code(kernel):
    """The plugin left the kernel alone: its time differs from plain clang's by noise only."""
    codes = [kernel["variants"].get(v, {}).get("code") for v in ("plain", "coalda")]
    return codes[0] is not None and codes[0] == codes[1]


def is_slower(kernel):
    return (faster(kernel, "plain") or 1) < NEVER_UNDER and not same_code(kernel)


def marks(kernel):
    """What is to be said of a row, in few words."""
    wrong = [v for v, f in kernel["variants"].items() if f["check"] != "ok"]
    ours, plain = kernel["variants"].get("coalda", {}), kernel["variants"].get("plain", {})
    spilled = [sum(f.get(k, 0) for k in ("spill_stores", "spill_loads")) for f in (ours, plain)]
    found = ["WRONG: " + ", ".join(wrong)] if wrong else []
    found += ["slower"] if is_slower(kernel) else []
    found += [f"spills {spilled[0]} B"] if spilled[0] > spilled[1] else []
    return f"**{'; '.join(found)}**" if found else "same code" if same_code(kernel) else ""


def row(kernel):
    figure, unit, form = ("tflops", "TFLOP/s", "{:.2f}") if kernel["operations"] else ("gbs", "GB/s", "{:.0f}")
    variants = kernel["variants"]
    cells = [kernel["kernel"], kernel["class"], kernel["size"], unit,
             *(number(variants.get(v, {}).get(figure), form) for v in ("plain", "coalda", "nvcc", "expert")),
             *(number(faster(kernel, v), "{:.2f}x") for v in NAMES),
             *(str(variants.get(v, {}).get("registers", "")) for v in ("plain", "coalda")), marks(kernel)]
    return "| " + " | ".join(cells) + " |"


def sorted_rows(kernels):
    """Most gained first, judged by the large size; a kernel's sizes stay together."""
    gained = {k["kernel"]: faster(k, "plain") or 0 for k in reversed(sorted(kernels, key=lambda k: SIZES.index(k["size"])))}
    return [row(k) for k in sorted(kernels, key=lambda k: (-gained[k["kernel"]], k["kernel"], SIZES.index(k["size"])))]


def mean_lines(kernels):
    lines = ["| geometric mean, something to gain | kernels | over clang | over nvcc | over by hand |",
             "|---|---:|---:|---:|---:|"]
    for size in SIZES:
        some = with_gain(of_size(kernels, size))
        means = (number(mean(faster(k, v) for k in some), "{:.2f}x") for v in NAMES)
        lines.append(f"| {size} | {len(some)} | {' | '.join(means)} |")
    held = [f"{number(mean(faster(k, v) for k in with_gain(of_size(kernels, 'large'))), '{:.2f}')} over {NAMES[v]}, bar {least:g}"
            for v, least in MEANS.items()]
    return [*lines, "", f"Large: {'; '.join(held)}.", ""]


def names(kernels):
    found = [f"{k['name']} ({faster(k, 'plain'):.3f})" for k in sorted(kernels, key=lambda k: faster(k, "plain"))]
    return ", ".join(found) if found else "none"


def verdict_lines(kernels):
    timed = [k for k in kernels if faster(k, "plain")]
    wrong = [f"{k['name']} ({v}: {f['check']})" for k in kernels for v, f in k["variants"].items() if f["check"] != "ok"]
    slower = [k for k in timed if is_slower(k)]
    same = [k for k in with_gain(timed) if abs(faster(k, "plain") - 1) <= UNCHANGED]
    return [f"Wrong outputs: {', '.join(wrong) if wrong else 'none'}.", "",
            f"Under {NEVER_UNDER} of plain clang, where the code is another: {names(slower)}.", "",
            f"Something to gain, nothing gained: {names(same)}.", ""]


def lines_of(kernels):
    """Means, verdicts, and the two tables."""
    return [*mean_lines(kernels), *verdict_lines(kernels),
            "## Something to gain", "", HEAD, *sorted_rows(with_gain(kernels)), "",
            "## Controls", "", HEAD, *sorted_rows(with_gain(kernels, False)), ""]


def write_plots(base, kernels, speedups):
    """One bar a kernel, for each size; speedups draws them. [(title, file)]."""
    made = []
    for size in SIZES:
        bars = [{**k, "name": k["kernel"]} for k in of_size(kernels, size)]
        svg = speedups(bars, lambda k: faster(k, "plain"), f"clang + COALDA over plain clang, {size}; controls grey")
        if svg:
            made.append((f"Speedups, {size}", f"{base}-speedup-{size}.svg"))
            with open(made[-1][1], "w") as f:
                f.write(svg)
    return made
