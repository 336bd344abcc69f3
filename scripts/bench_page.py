"""One HTML page of a folder of results: what a user gains, by how much, and how well the plugin knew. It needs nothing else."""
import html
import math
import os
import re

import bench_build as build
import bench_model as model
import bench_plot as plot
from bench_build import Failure, say
from bench_table import ratio_to, speedup

# Colours of the plots, which are made for white paper, as the page's own: those follow the reader's light or dark.
THEME = {"white": "none", "#222": "var(--ink)", "#000": "var(--ink)", "#ddd": "var(--faint)", "#888": "var(--dim)",
         "#555": "var(--dim)", "#7f7f7f": "var(--plain)", "#76b900": "var(--nvcc)", "#1f77b4": "var(--expert)",
         "#d62728": "var(--coalda)",
         "#8c2d04": "var(--bad)", "#2ca02c": "var(--third)", "#9467bd": "var(--fourth)", "#ff7f0e": "var(--fifth)"}

# ---- what there is --------------------------------------------------------------------------------------------------------

class Results:
    """All of a folder: kernels by group, the model's rows, the runs with other numbers of stages."""
    def __init__(self, folder):
        self.groups = {}
        for group in build.GROUPS:
            data = model.read_json(os.path.join(folder, group + ".json"))
            if data and data.get("kernels"):
                self.groups[group] = data
        if not self.groups:
            raise Failure(f"{folder}: no results there: scripts/bench run first")
        self.newest = max(self.groups.values(), key=lambda data: data["date"])
        self.kernels = [(group, kernel) for group, data in self.groups.items() for kernel in data["kernels"]]
        has_model = os.path.exists(os.path.join(folder, "predicted.json"))
        self.model = {row["name"]: row for row in model.join(folder)} if has_model else {}
        self.stages = stages_of(folder)

    def gains(self, kernel):
        """Was it rewritten? Without the remarks: is it faster by more than noise?"""
        row = self.model.get(kernel["name"])
        return row["rewrites"] or row["rings"] > 0 if row else (speedup(kernel) or 1) > 1 + model.WRONG


def stages_of(folder):
    """{number of stages: {kernel: milliseconds}}, from folders called stages-N."""
    found = {}
    for name in os.listdir(folder):
        match = re.fullmatch(r"stages-(\d+)", name)
        data = model.read_json(os.path.join(folder, name, "tiles.json")) if match else None
        if data:
            found[int(match.group(1))] = times(data["kernels"], "coalda")
    return dict(sorted(found.items()))


def times(kernels, variant):
    """{kernel: milliseconds} of those that ran."""
    return {k["name"]: k["variants"][variant]["ms"] for k in kernels if "ms" in k["variants"].get(variant, {})}


def mean(values):
    values = [v for v in values if v]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


# ---- plots ----------------------------------------------------------------------------------------------------------------

def themed(svg, letters=1):
    """The plot in the page's colours, as wide as the page lets it be; its letters so many times larger."""
    svg = re.sub(r'font-size="(\d+)"', lambda m: f'font-size="{letters * int(m.group(1)):g}"', svg)
    svg = re.sub(r'(fill|stroke)="([^"]+)"', lambda m: f'{m.group(1)}="{THEME.get(m.group(2), m.group(2))}"', svg)
    return re.sub(r'<svg xmlns="[^"]+" width="(\d+)" height="\d+"', r'<svg role="img" style="max-width:\1px"', svg, count=1)


def figure(svg, letters=1):
    return f"<figure>{themed(svg, letters)}</figure>" if svg else ""


def gain_axis(left, right, y_of, low, high):
    """Lines and names of the gains between low and high; the one at 1 stands out."""
    parts = []
    for tick in (t for t in (0.5, 1, 2, 4, 8, 16, 32, 64) if low <= t <= high):
        parts += [plot.line(left, y_of(tick), right, y_of(tick), "#000" if tick == 1 else "#ddd"),
                  plot.text(left - 6, y_of(tick) + 4, f"{tick:g}x", 11, "end")]
    return parts


def bar(x, width, y_of, gain, name, color):
    high, low = sorted((y_of(1), y_of(gain)))
    return (f'<rect x="{x:.1f}" y="{high:.1f}" width="{max(1, width):.1f}" height="{max(1.5, low - high):.1f}" fill="{color}">'
            f"<title>{name}: {gain:.2f}x</title></rect>")


def skyline(results):
    """A bar a kernel, the fastest first, on a logarithmic axis around 1."""
    bars = sorted(((speedup(k), k["name"], group) for group, k in results.kernels if speedup(k)), reverse=True)
    width, height, left, top, bottom = 1040, 300, 44, 16, 20
    low, high = min(0.9, bars[-1][0]) * 0.95, max(2, bars[0][0]) * 1.1
    y_of = lambda s: top + (height - top - bottom) * math.log(high / s) / math.log(high / low)   # noqa: E731
    step, colors = (width - left) / len(bars), color_of_groups(results)
    parts = gain_axis(left, width, y_of, low, high)
    for k, (gain, name, group) in enumerate(bars):
        color = "#8c2d04" if gain < 1 - model.WRONG else colors[group]
        parts.append(bar(left + k * step, step - 1.5, y_of, gain, name, color))
    return plot.picture(width, height, parts)


def color_of_groups(results):
    colors = model.POINTS
    return {group: colors[k % len(colors)] for k, group in enumerate(results.groups)}


def keys(results):
    colors = color_of_groups(results).items()
    spans = [f'<span><i style="background:{THEME[color]}"></i>{group}</span>' for group, color in colors]
    return '<div class="keys dim">' + "".join(spans) + "</div>"


def record_plots(results):
    data = results.groups.get("records")
    if not data:
        return ""
    plots = [plot.curves([k for k in data["kernels"] if k["kind"] == kind], title, data["limits"].get(limit, {}).get("gbs"), name)
             for kind, title, limit, name in plot.CURVES]
    return '<div class="pair">' + "".join(figure(p, 1.25) for p in plots) + "</div>"


def stages_series(results):
    """{kernel: [(stages, gain over plain clang)]}, of the kernels that some number of stages makes faster."""
    plain = times([k for group, k in results.kernels if group == "tiles"], "plain")
    series = {name: [(n, ms / runs[name]) for n, runs in results.stages.items() if name in runs] for name, ms in plain.items()}
    return {name: points for name, points in series.items() if len(points) > 2 and max(g for _, g in points) > 1.1}


def stages_plot(results):
    series = stages_series(results)
    if not series:
        return ""
    width, height, left, right, top, bottom = 760, 420, 50, 160, 20, 44
    counts, low, high = list(results.stages), 0.8, max(g for points in series.values() for _, g in points) * 1.1
    x_of = lambda n: left + 10 + (width - left - right - 20) * counts.index(n) / (len(counts) - 1)            # noqa: E731
    y_of = lambda g: top + (height - top - bottom) * math.log(high / max(g, low)) / math.log(high / low)       # noqa: E731
    parts = gain_axis(left, width - right, y_of, low, high)
    parts += [plot.text(x_of(n), height - bottom + 18, n or "no ring", 11, "middle") for n in counts]
    parts.append(plot.text((left + width - right) / 2, height - 6, "stages", 12, "middle"))
    below = top
    for k, (name, points) in enumerate(sorted(series.items(), key=lambda item: -item[1][-1][1])):
        color = model.POINTS[k % len(model.POINTS)]
        below = max(below + 13, y_of(points[-1][1]) + 4)
        parts += plot.curve([(x_of(n), y_of(g)) for n, g in points], color)
        parts.append(plot.text(width - right + 10, below, name, 11, color=color))
    return section("Tile loops by the stages of their ring", "Plain clang is 1x; without a ring the loop is as it was.",
                   figure(plot.picture(width, height, parts)))


# ---- sections -------------------------------------------------------------------------------------------------------------

def section(title, words, *parts):
    return f"<h2>{title}</h2>\n<p class=\"dim\">{words}</p>\n" + "\n".join(p for p in parts if p)


def head(value, words):
    return f"<div><b>{value}</b>{words}</div>"


def main_kernels(results):
    """What the first figures are about, in words: whole kernels that have something to gain, where the suite was run."""
    whole = [k for group, k in results.kernels if group == "suite" and k["gain"] and k["size"] == "large"]
    rewritten = [k for _, k in results.kernels if results.gains(k)]
    return (whole, "whole kernels that have something to gain") if whole else (rewritten, "kernels that were rewritten")


def headline(results):
    gaining, which = main_kernels(results)
    slowest, name = min((speedup(k), k["name"]) for _, k in results.kernels if speedup(k))
    wrong = sum(f["check"] != "ok" for _, k in results.kernels for f in k["variants"].values())
    heads = [head(f"{mean(map(speedup, gaining)):.2f}x", f"plain clang: geometric mean of the {len(gaining)} {which}")]
    over_nvcc = mean(ratio_to(k, "nvcc") for k in gaining)
    if over_nvcc:
        heads.append(head(f"{over_nvcc:.2f}x", "nvcc, the same kernels"))
    heads.append(head(f"{slowest:.2f}x", f"plain clang: the slowest of all {len(results.kernels)} kernels, {html.escape(name)}"))
    heads.append(head(wrong, "wrong outputs, in any build"))
    return '<div class="heads">' + "".join(heads) + "</div>"


def means(results):
    """Over plain clang, group by group."""
    of = {group: mean(speedup(k) for g, k in results.kernels if g == group and results.gains(k)) for group in results.groups}
    words = ", ".join(f"{group} {value:.2f}x" for group, value in of.items() if value)
    return f'<p class="dim">Those rewritten, by group: {words}</p>'


def model_section(results):
    rows = list(results.model.values())
    if not rows:
        return ""
    count, ratio, near = model.spread(rows)
    bad = [f"<li><b>{html.escape(r['name'])}</b>: {html.escape(model.wrong(r))}</li>" for r in rows if model.wrong(r)]
    words = (f"Whether a rewrite pays is decided before the program runs. {near} of {count} promises are within a factor of 1.5 "
             f"of what was measured; measured over promised is {ratio:.2f} in the geometric mean. What matters is the side "
             "of 1x.")
    known = any(r["always"] for r in rows)
    doubt = "" if known else ", as far as is known without the runs that make every legal rewrite"
    return section("Promised and measured", words, figure(model.scatter(rows)),
                   f"<p>Decisions that cost more than 3%{doubt}:</p><ul>{''.join(bad) or '<li>none</li>'}</ul>")


VARIANTS = ["plain", "coalda", "nvcc", "expert"]
COLUMNS = ["kernel", "of", "bytes", "unit", "clang", "COALDA", "nvcc", "by hand", "over clang", "over nvcc", "promised",
           "registers", "with COALDA"]


def cells(results, group, kernel):
    key, form = ("tflops", "{:.1f}") if kernel.get("operations") else ("gbs", "{:.0f}")
    of = lambda variant, what: kernel["variants"].get(variant, {}).get(what)   # noqa: E731
    show = lambda value, form: "" if value is None else form.format(value)     # noqa: E731
    row = results.model.get(kernel["name"])
    promised = row["gain"] if row and model.is_promised(row) else None
    return [kernel["name"], group, kernel.get("record", ""), "TFLOP/s" if key == "tflops" else "GB/s",
            *(show(of(v, key), form) for v in VARIANTS), show(speedup(kernel), "{:.2f}"),
            show(ratio_to(kernel, "nvcc"), "{:.2f}"), show(promised, "{:.2f}"),
            of("plain", "registers") or "", of("coalda", "registers") or ""]


def table_row(results, group, kernel):
    first = COLUMNS.index("clang")
    took = [kernel["variants"].get(v, {}).get("ms", math.inf) for v in VARIANTS]
    marks = {first + took.index(min(took)): ' class="best"'}
    if (speedup(kernel) or 1) < 1 - model.WRONG:
        marks[COLUMNS.index("over clang")] = ' class="bad"'
    values = map(html.escape, map(str, cells(results, group, kernel)))
    return "<tr>" + "".join(f"<td{marks.get(k, '')}>{value}</td>" for k, value in enumerate(values)) + "</tr>"


def table(results):
    rows = [table_row(results, group, k) for group, k in sorted(results.kernels, key=lambda item: -(speedup(item[1]) or 0))]
    heads = "".join(f'<th scope="col"{" aria-sort=descending" if c == "over clang" else ""}>{c}</th>' for c in COLUMNS)
    return ('<input placeholder="filter by name" aria-label="filter">\n<div class="scroll"><table><thead><tr>' + heads +
            "</tr></thead>\n<tbody>\n" + "\n".join(rows) + "\n</tbody></table></div>")


def conditions(results):
    data = results.newest
    gpu, made = data["gpu"], data["build"]
    limits = ", ".join(f"{name} {value['gbs']:.0f}" for name, value in data["limits"].items())
    return (f"{gpu['name']}, driver {gpu.get('driver_version', '')}; {made['clang']}; nvcc {made['nvcc']}; {made['arch']}; "
            f"{data['date'][:10]}. Medians of {data['repeat']} event-timed runs in each of {data['rounds']} rounds, programs "
            f"taking turns; arrays of {data['array_bytes'] / 2**30:g} GiB; GB/s count bytes read plus bytes written. "
            f"Limits, GB/s: {limits}.")


def records_section(results):
    words = "Bandwidth by the size of the record that each thread moves."
    return section("Records", words, record_plots(results)) if "records" in results.groups else ""


def body_of(results, gpu):
    return [
        f"<h1>COALDA on {gpu}</h1>",
        "<p>A compiler pass that makes CUDA kernels read and write memory in whole sectors. Below: the same sources, built by "
        "clang -O3, by clang with the pass, and by nvcc -O3. Every output was compared byte by byte.</p>",
        headline(results), means(results),
        section("Every kernel, fastest first", "clang with COALDA over plain clang; the line is 1x. Hover for names.",
                keys(results), figure(skyline(results))),
        records_section(results), stages_plot(results), model_section(results),
        section("All figures", "Click a heading to sort. Bytes: of a record, or of a row; bold: the fastest.", table(results)),
        section("How it was measured", html.escape(conditions(results)))]


def part(name):
    with open(os.path.join(build.HERE, "page", name)) as f:
        return f.read()


def page(results):
    gpu = html.escape(results.newest["gpu"]["name"])
    head_of_page = ('<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
                    f'<meta name="color-scheme" content="light dark"><title>COALDA on {gpu}</title>')
    return (f'<!doctype html>\n<html lang="en"><head>{head_of_page}<style>\n{part("style.css")}</style></head><body>\n' +
            "\n".join(b for b in body_of(results, gpu) if b) + f'\n<script>\n{part("table.js")}</script></body></html>\n')


def write(folder, out):
    text = page(Results(folder))
    with open(out, "w") as f:
        f.write(text)
    say(f"wrote {out}, {len(text) >> 10} KiB")
    return 0
