"""One HTML page of a folder of results: what a user gains, by how much, and how well the plugin knew. It needs nothing else."""
import html
import math
import os
import re

import bench_build as build
import bench_model as model
import bench_plot as plot
from bench_build import Failure, say
from bench_table import bandwidth, ratio_to, speedup

# Colours of the plots, which are made for white paper, as the page's own: those follow the reader's light or dark.
THEME = {"white": "none", "#222": "var(--ink)", "#000": "var(--ink)", "#ddd": "var(--faint)", "#888": "var(--dim)", "#555": "var(--dim)",
         "#7f7f7f": "var(--plain)", "#76b900": "var(--nvcc)", "#1f77b4": "var(--expert)", "#d62728": "var(--coalda)",
         "#8c2d04": "var(--bad)", "#2ca02c": "var(--third)", "#9467bd": "var(--fourth)", "#ff7f0e": "var(--fifth)"}

STYLE = """
:root{--paper:#fff;--ink:#1b1f24;--dim:#667;--faint:#e3e6ea;--plain:#8a929c;--nvcc:#5b8c00;--expert:#9a6700;--coalda:#1f5fbf;--bad:#b42318;
--third:#0f766e;--fourth:#7c3aed;--fifth:#b45309}
@media(prefers-color-scheme:dark){:root{--paper:#14171b;--ink:#e4e7eb;--dim:#98a2ad;--faint:#2b3138;--plain:#8a929c;--nvcc:#8fc31f;
--expert:#d9a441;--coalda:#6aa5ff;--bad:#ff8a7a;--third:#4fd1c5;--fourth:#b79cff;--fifth:#f0a35e}}
*{box-sizing:border-box}body{margin:0 auto;max-width:1080px;padding:2.2rem 1.2rem 5rem;background:var(--paper);color:var(--ink);
font:16px/1.55 system-ui,sans-serif}h1{font-size:1.7rem;margin:0 0 .3rem}h2{font-size:1.15rem;margin:3rem 0 .3rem}p{margin:.3rem 0 1rem;max-width:46rem}
.dim{color:var(--dim);font-size:.92rem}.heads{display:flex;flex-wrap:wrap;gap:1rem 3rem;margin:1.8rem 0}.heads b{display:block;
font-size:2.3rem;line-height:1.15;font-weight:650;color:var(--coalda)}.heads div{max-width:13rem}.pair{display:grid;gap:.5rem 1.5rem;
grid-template-columns:repeat(auto-fit,minmax(430px,1fr))}svg{display:block;width:100%;height:auto}figure{margin:.8rem 0}
.keys span{margin-right:1.2rem;white-space:nowrap}.keys i{display:inline-block;width:.8em;height:.8em;border-radius:2px;margin-right:.4em}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:.88rem}
th,td{padding:.22rem .6rem;text-align:right;border-bottom:1px solid var(--faint);white-space:nowrap}th{cursor:pointer;user-select:none;position:sticky;top:0;
background:var(--paper)}th[aria-sort=ascending]::after{content:" \\2191"}th[aria-sort=descending]::after{content:" \\2193"}
td:nth-child(-n+2),th:nth-child(-n+2){text-align:left}.bad{color:var(--bad)}td.best{font-weight:650}
input{font:inherit;padding:.3rem .6rem;width:18rem;max-width:100%;color:inherit;background:none;border:1px solid var(--dim);border-radius:4px;margin:.4rem 0}
"""

SCRIPT = """
const body=document.querySelector('tbody'),rows=[...body.rows],heads=[...document.querySelectorAll('th')];
const value=(row,k)=>{const text=row.cells[k].textContent,number=parseFloat(text);return text===''?null:isNaN(number)||k<2?text:number};
heads.forEach((head,k)=>head.onclick=()=>{const up=head.getAttribute('aria-sort')==='descending'||(k<2&&!head.hasAttribute('aria-sort'));
heads.forEach(other=>other.removeAttribute('aria-sort'));head.setAttribute('aria-sort',up?'ascending':'descending');
rows.sort((a,b)=>{const x=value(a,k),y=value(b,k);if(x===null||y===null)return(x===null)-(y===null);return(x<y?-1:x>y?1:0)*(up?1:-1)});body.append(...rows)});
document.querySelector('input').oninput=event=>{let pattern;try{pattern=new RegExp(event.target.value,'i')}catch{return}
rows.forEach(row=>row.hidden=!pattern.test(row.cells[0].textContent+' '+row.cells[1].textContent))};
"""


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
            found[int(match.group(1))] = {k["name"]: k["variants"]["coalda"]["ms"] for k in data["kernels"] if "ms" in k["variants"].get("coalda", {})}
    return dict(sorted(found.items()))


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


def skyline(results):
    """A bar a kernel, the fastest first, on a logarithmic axis around 1."""
    bars = sorted(((speedup(k), k["name"], group) for group, k in results.kernels if speedup(k)), reverse=True)
    width, height, left, top, bottom = 1040, 300, 44, 16, 20
    low, high = min(0.9, bars[-1][0]) * 0.95, max(2, bars[0][0]) * 1.1
    y_of = lambda s: top + (height - top - bottom) * math.log(high / s) / math.log(high / low)   # noqa: E731
    step, colors = (width - left) / len(bars), color_of_groups(results)
    parts = []
    for tick in (t for t in (0.5, 1, 2, 4, 8, 16, 32, 64) if low <= t <= high):
        parts += [plot.line(left, y_of(tick), width, y_of(tick), "#000" if tick == 1 else "#ddd"), plot.text(left - 6, y_of(tick) + 4, f"{tick:g}x", 11, "end")]
    for k, (value, name, group) in enumerate(bars):
        a, b = sorted((y_of(1), y_of(value)))
        parts.append(f'<rect x="{left + k * step:.1f}" y="{a:.1f}" width="{max(1, step - 1.5):.1f}" height="{max(1.5, b - a):.1f}" '
                     f'fill="{"#8c2d04" if value < 1 - model.WRONG else colors[group]}"><title>{name}: {value:.2f}x</title></rect>')
    return plot.picture(width, height, parts)


def color_of_groups(results):
    colors = model.COLORS["points"]
    return {group: colors[k % len(colors)] for k, group in enumerate(results.groups)}


def keys(results):
    spans = [f'<span><i style="background:{THEME[color]}"></i>{group}</span>' for group, color in color_of_groups(results).items()]
    return '<div class="keys dim">' + "".join(spans) + "</div>"


def record_plots(results):
    data = results.groups.get("records")
    if not data:
        return ""
    plots = [plot.curves([k for k in data["kernels"] if k["kind"] == kind], title, data["limits"].get(limit, {}).get("gbs"), name)
             for kind, title, limit, name in plot.CURVES]
    return '<div class="pair">' + "".join(figure(p, 1.25) for p in plots) + "</div>"


def stages_plot(results):
    """The ring's gain over plain clang by its number of stages, 0 being no ring."""
    plain = {k["name"]: k["variants"]["plain"].get("ms") for group, k in results.kernels if group == "tiles" and "plain" in k["variants"]}
    series = {name: [(n, plain[name] / ms[name]) for n, ms in results.stages.items() if name in ms] for name in plain if plain[name]}
    series = {name: points for name, points in series.items() if len(points) > 2 and max(g for _, g in points) > 1.1}
    if not series:
        return ""
    width, height, left, right, top, bottom = 760, 400, 50, 160, 30, 44
    counts, high, low = list(results.stages), max(g for p in series.values() for _, g in p) * 1.1, 0.8
    x_of = lambda n: left + (width - left - right) * counts.index(n) / (len(counts) - 1)                              # noqa: E731
    y_of = lambda g: top + (height - top - bottom) * math.log(high / max(g, low)) / math.log(high / low)               # noqa: E731
    parts = [plot.text(x_of(n), height - bottom + 18, n or "no ring", 11, "middle") for n in counts]
    parts.append(plot.text((left + width - right) / 2, height - 6, "stages", 12, "middle"))
    for tick in (t for t in (1, 2, 4, 8, 16) if t <= high):
        parts += [plot.line(left, y_of(tick), width - right, y_of(tick), "#000" if tick == 1 else "#ddd"), plot.text(left - 6, y_of(tick) + 4, f"{tick}x", 11, "end")]
    at = -100
    for k, (name, points) in enumerate(sorted(series.items(), key=lambda item: -item[1][-1][1])):
        color = model.COLORS["points"][k % len(model.COLORS["points"])]
        at = max(at + 13, y_of(points[-1][1]) + 4)
        parts += plot.curve([(x_of(n), y_of(g)) for n, g in points], color) + [plot.text(width - right + 10, at, name, 11, color=color)]
    return section("Tile loops by the stages of their ring", "Plain clang is 1x; the ring of 0 stages is the loop as it was.", figure(plot.picture(width, height, parts)))


# ---- sections -------------------------------------------------------------------------------------------------------------

def section(title, words, *parts):
    return f"<h2>{title}</h2>\n<p class=\"dim\">{words}</p>\n" + "\n".join(p for p in parts if p)


def head(value, words):
    return f"<div><b>{value}</b>{words}</div>"


def headline(results):
    gaining = [k for _, k in results.kernels if results.gains(k)]
    slowest, name = min((speedup(k), k["name"]) for _, k in results.kernels if speedup(k))
    wrong = sum(f["check"] != "ok" for _, k in results.kernels for f in k["variants"].values())
    heads = [head(f"{mean(map(speedup, gaining)):.2f}x", f"plain clang: geometric mean of the {len(gaining)} kernels that were rewritten")]
    over_nvcc = mean(ratio_to(k, "nvcc") for k in gaining)
    if over_nvcc:
        heads.append(head(f"{over_nvcc:.2f}x", "nvcc, the same kernels"))
    heads.append(head(f"{slowest:.2f}x", f"plain clang: the slowest of all {len(results.kernels)} kernels, {html.escape(name)}"))
    heads.append(head(wrong, "wrong outputs, in any build"))
    return '<div class="heads">' + "".join(heads) + "</div>"


def means(results):
    """Over plain clang, group by group."""
    of = {group: mean(speedup(k) for g, k in results.kernels if g == group and results.gains(k)) for group in results.groups}
    return '<p class="dim">Those rewritten, by group: ' + ", ".join(f"{group} {value:.2f}x" for group, value in of.items() if value) + "</p>"


def model_section(results):
    rows = list(results.model.values())
    if not rows:
        return ""
    count, ratio, near = model.spread(rows)
    bad = [f"<li><b>{html.escape(r['name'])}</b>: {html.escape(model.wrong(r))}</li>" for r in rows if model.wrong(r)]
    words = (f"Whether a rewrite pays is decided before the program runs. {near} of {count} promises are within a factor of 1.5 of what was "
             f"measured; measured over promised is {ratio:.2f} in the geometric mean. What matters is the side of 1x.")
    known = any(r["always"] for r in rows)
    what = "Decisions that cost more than 3%" + ("" if known else ", as far as is known without the runs that make every legal rewrite")
    return section("Promised and measured", words, figure(model.scatter(rows)), f"<p>{what}:</p><ul>{''.join(bad) or '<li>none</li>'}</ul>")


COLUMNS = ["kernel", "of", "bytes", "unit", "clang", "COALDA", "nvcc", "by hand", "over clang", "over nvcc", "promised", "registers", "with COALDA"]


def cells(results, group, kernel):
    key, form = ("tflops", "{:.1f}") if kernel.get("operations") else ("gbs", "{:.0f}")
    of = lambda variant, what: kernel["variants"].get(variant, {}).get(what)   # noqa: E731
    show = lambda value, form: "" if value is None else form.format(value)     # noqa: E731
    row = results.model.get(kernel["name"])
    promised = row["gain"] if row and model.is_promised(row) else None
    return [kernel["name"], group, kernel["record"], "TFLOP/s" if key == "tflops" else "GB/s",
            *(show(of(v, key), form) for v in ("plain", "coalda", "nvcc", "expert")), show(speedup(kernel), "{:.2f}"),
            show(ratio_to(kernel, "nvcc"), "{:.2f}"), show(promised, "{:.2f}"), of("plain", "registers") or "", of("coalda", "registers") or ""]


def table(results):
    lines = []
    for group, kernel in sorted(results.kernels, key=lambda item: -(speedup(item[1]) or 0)):
        values = [html.escape(str(c)) for c in cells(results, group, kernel)]
        best = max((bandwidth(kernel, v) or 0, at) for at, v in enumerate(("plain", "coalda", "nvcc", "expert")))[1] + COLUMNS.index("clang")
        marks = {best: "best", COLUMNS.index("over clang"): "bad" if (speedup(kernel) or 1) < 1 - model.WRONG else ""}
        lines.append("<tr>" + "".join(f'<td class="{marks[k]}">{v}</td>' if marks.get(k) else f"<td>{v}</td>" for k, v in enumerate(values)) + "</tr>")
    heads = "".join(f'<th scope="col"{" aria-sort=descending" if c == "over clang" else ""}>{c}</th>' for c in COLUMNS)
    return ('<input placeholder="filter by name" aria-label="filter">\n<div class="scroll"><table><thead><tr>' + heads +
            "</tr></thead>\n<tbody>\n" + "\n".join(lines) + "\n</tbody></table></div>")


def conditions(results):
    data = results.newest
    gpu, made = data["gpu"], data["build"]
    limits = ", ".join(f"{name} {value['gbs']:.0f}" for name, value in data["limits"].items())
    return (f"{gpu['name']}, driver {gpu.get('driver_version', '')}; {made['clang']}; nvcc {made['nvcc']}; {made['arch']}; {data['date'][:10]}. "
            f"Medians of {data['repeat']} event-timed runs in each of {data['rounds']} rounds, programs taking turns; arrays of "
            f"{data['array_bytes'] / 2**30:g} GiB; GB/s count bytes read plus bytes written. Limits, GB/s: {limits}.")


def page(results):
    gpu = html.escape(results.newest["gpu"]["name"])
    body = [
        f"<h1>COALDA on {gpu}</h1>",
        "<p>A compiler pass that makes CUDA kernels read and write memory in whole sectors. Below: the same sources, built by clang -O3, "
        "by clang with the pass, and by nvcc -O3. Every output was compared byte by byte.</p>", headline(results), means(results),
        section("Every kernel, fastest first", "clang with COALDA over plain clang; the line is 1x. Hover for names.", keys(results), figure(skyline(results))),
        section("Records", "Bandwidth by the size of the record that each thread moves.", record_plots(results)) if "records" in results.groups else "",
        stages_plot(results), model_section(results),
        section("All figures", "Click a heading to sort. Bytes: of a record, or of a row.", table(results)),
        section("How it was measured", html.escape(conditions(results)))]
    return ('<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
            f'<meta name="color-scheme" content="light dark"><title>COALDA on {gpu}</title><style>{STYLE}</style></head><body>\n'
            + "\n".join(b for b in body if b) + f"\n<script>{SCRIPT}</script></body></html>\n")


def write(folder, out):
    text = page(Results(folder))
    with open(out, "w") as f:
        f.write(text)
    say(f"wrote {out}, {len(text) >> 10} KiB")
    return 0
