"""SVG plots of the results: bandwidth by record size, and speedups, most first. Nothing but the standard library."""
import math

VARIANTS = [("plain", "clang", "#7f7f7f"), ("nvcc", "nvcc", "#76b900"), ("expert", "expert", "#1f77b4"), ("coalda", "clang + COALDA", "#d62728")]
CURVES = [("copy", "Copy of records", "memcpy", "cudaMemcpy"), ("compute", "Compute on records", "memcpy", "cudaMemcpy"),
          ("load", "Loads of records", "read", "16-byte reads"), ("store", "Stores of records", "memset", "cudaMemset")]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 400, 64, 150, 40, 48


def text(x, y, words, size=12, anchor="start", color="#222", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{color}"{more}>{words}</text>'


def line(x1, y1, x2, y2, color="#ddd", more=""):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{color}"{more}/>'


def picture(width, height, parts):
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
                      'font-family="sans-serif">', f'<rect width="{width}" height="{height}" fill="white"/>', *parts, "</svg>", ""])


def axes(sizes, top, x_of, y_of, title):
    parts = [text(LEFT, 24, title, 15), text(LEFT + (WIDTH - LEFT - RIGHT) / 2, HEIGHT - 10, "bytes of a record", anchor="middle"),
             text(16, TOP - 10, "GB/s", 11)]
    for y in range(0, int(top) + 1, 1000):
        parts += [line(LEFT, y_of(y), WIDTH - RIGHT, y_of(y)), text(LEFT - 6, y_of(y) + 4, y, 11, "end")]
    last = -100
    for size in sizes:
        parts.append(line(x_of(size), HEIGHT - BOTTOM, x_of(size), HEIGHT - BOTTOM + 4, "#888"))
        if x_of(size) - last >= 22:
            parts.append(text(x_of(size), HEIGHT - BOTTOM + 18, size, 11, "middle"))
            last = x_of(size)
    return parts


def curve(points, color):
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>' for x, y in points]
    return [f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>', *dots]


def curves(kernels, title, limit, limit_name):
    """Bandwidth of each variant over the record's size; sizes on a logarithmic axis."""
    sizes = sorted({k["record"] for k in kernels})
    if len(sizes) < 2:
        return None
    best = max([f["gbs"] for k in kernels for f in k["variants"].values() if "gbs" in f] + [limit or 0], default=0)
    top = max(1000, math.ceil(best / 500) * 500)
    span = math.log(sizes[-1] / sizes[0])
    x_of = lambda size: LEFT + 10 + (WIDTH - LEFT - RIGHT - 20) * math.log(size / sizes[0]) / span   # noqa: E731
    y_of = lambda value: HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / top                      # noqa: E731
    parts, legend = axes(sizes, top, x_of, y_of, title), TOP + 12
    if limit:
        parts += [line(LEFT, y_of(limit), WIDTH - RIGHT, y_of(limit), "#000", ' stroke-dasharray="5 4"'),
                  text(WIDTH - RIGHT + 12, y_of(limit) + 4, limit_name, 12)]
        legend = y_of(limit) + 26
    for variant, name, color in VARIANTS:
        points = [(x_of(k["record"]), y_of(k["variants"][variant]["gbs"])) for k in sorted(kernels, key=lambda k: k["record"])
                  if "gbs" in k["variants"].get(variant, {})]
        if points:
            parts += curve(points, color) + [text(WIDTH - RIGHT + 12, legend, name, 12, color=color)]
            legend += 18
    return picture(WIDTH, HEIGHT, parts)


def speedups(kernels, speedup, title="clang + COALDA over plain clang"):
    """One bar a kernel, on a logarithmic axis: right of the line at 1 the plugin is faster. Controls are grey."""
    rows = sorted(((speedup(k), k["name"], k.get("gain", True)) for k in kernels if speedup(k)), reverse=True)
    if not rows:
        return None
    step, left, right, top = 15, 130, 60, 54
    low = min(0.9, *(s for s, *_ in rows)) * 0.98
    high = max(2.0, *(s for s, *_ in rows)) * 1.02
    x_of = lambda s: left + (WIDTH - left - right) * math.log(s / low) / math.log(high / low)   # noqa: E731
    bottom = top + step * len(rows)
    parts = [text(left, 24, title, 15)]
    for tick in (0.25, 0.5, 1, 2, 4, 8, 16):
        if low <= tick <= high:
            parts += [line(x_of(tick), top - 6, x_of(tick), bottom, "#000" if tick == 1 else "#ddd"),
                      text(x_of(tick), top - 10, f"{tick:g}x", 11, "middle")]
    for k, (value, name, gain) in enumerate(rows):
        y, a, b = top + step * k, min(x_of(1), x_of(value)), max(x_of(1), x_of(value))
        color = "#8c2d04" if value < 0.98 else "#d62728" if gain else "#7f7f7f"
        parts += [text(left - 8, y + 10, name, 11, "end"), text(b + 5, y + 10, f"{value:.2f}", 10, color="#555"),
                  f'<rect x="{a:.1f}" y="{y + 2}" width="{max(b - a, 1):.1f}" height="{step - 4}" fill="{color}"/>']
    return picture(WIDTH, bottom + 16, parts)


def write(base, kernels, limits, speedup):
    """Writes BASE-KIND.svg and BASE-speedup.svg; (title, file) of each that there was data for."""
    made = []
    for kind, title, limit, limit_name in CURVES:
        svg = curves([k for k in kernels if k["kind"] == kind], title, limits.get(limit, {}).get("gbs"), limit_name)
        made.append((title, f"{base}-{kind}.svg", svg))
    made.append(("Speedups", f"{base}-speedup.svg", speedups(kernels, speedup)))
    for _, file, svg in made:
        if svg:
            with open(file, "w") as f:
                f.write(svg)
    return [(title, file) for title, file, svg in made if svg]
