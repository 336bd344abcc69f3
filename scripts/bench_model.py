"""The cost model against the GPU: what the plugin's remarks promise of each kernel beside what was measured."""
import collections
import functools
import json
import math
import os
import re
import subprocess
import tempfile

import bench_build as build
import bench_plot as plot
from bench_build import Failure, say

TRIPS = 64          # iterations that a loop is taken to have
WRONG = 0.03        # a decision that cost more than this was wrong
WARP, SECTOR = 32, 32
LABELLED = 2        # points that are off by more than this factor carry their name


# ---- what the remarks promise --------------------------------------------------------------------------------------------

@functools.lru_cache
def costs():
    """The numbers of pass/base/cost.def."""
    with open(os.path.join(build.ROOT, "pass", "base", "cost.def")) as f:
        return {name: float(value) for name, value in re.findall(r"^COST\((\w+), ([\d.]+),", f.read(), re.M)}


def remarks(tools, family, folder):
    """The YAML file of the family's device code, compiled with the plugin."""
    path = os.path.join(folder, family + ".yaml")
    build.call(tools["ir"]["coalda"] + build.flags_of(family, "coalda") +
               [f"-foptimization-record-file={path}", build.source_of(family), "-o", os.path.join(folder, family + ".bc")])
    return path


def rows_of(yaml):
    report = os.path.join(build.ROOT, "build", "coalda-report")
    done = subprocess.run([report, yaml, "--format=json"], capture_output=True, text=True)
    if done.returncode:
        raise Failure(done.stderr.strip())
    return json.loads(done.stdout)["accesses"]


def tiles_of(yaml):
    """{kernel: [None where the tile loop became a ring, else why not]}; coalda-report tells accesses only."""
    found = collections.defaultdict(list)
    with open(yaml) as f:
        for document in f.read().split("\n--- "):
            if re.search(r"^Name: +TileLoop$", document, re.M):
                kernel, why = (re.search(rf"^  - {key}: +'?(\w+)'?$", document, re.M).group(1) for key in ("Kernel", "Refusal"))
                found[kernel].append(None if why == "None" else why)
    return found


def cost_alone(row, cost):
    """Of an access that is no member of a record, as analysis/records/exchange_cost.c reckons those that are."""
    if row["class"] == "uniform":
        return 0
    known = row["sectors"] is not None
    touched = (row["lines"] if row["op"] == "load" else row["sectors"]) if known else row["requests"] * WARP
    if known and row["sectors"] <= 2 * row["ideal"]:
        return row["sectors"] * SECTOR
    return max(touched * cost["LINE" if row["op"] == "load" else "WRITE"], row["ideal"] * SECTOR)


def places_rewritten(rows):
    return {(r["file"], r["line"], r["op"]) for r in rows if r["action"] != "none"}


def promise(rows, tiles, cost):
    """Cost of a warp as the kernel is and rewritten, and what was decided.
    What is left as it is of a line that is also rewritten is what remains of its longer loop: it hardly runs."""
    done, plain, after, refused = set(), 0, 0, set()
    rewritten = places_rewritten(rows)
    for row in rows:
        remains = row["action"] == "none" and (row["file"], row["line"], row["op"]) in rewritten
        if row["op"] not in ("load", "store") or remains or row["group"] in done:
            continue
        weight = TRIPS ** row["depth"]
        if row["group"] is None or row["cost"] is None:
            plain += weight * cost_alone(row, cost)
            after += weight * cost_alone(row, cost)
            continue
        done.add(row["group"])
        plain += weight * row["cost"]
        after += weight * (row["cost_rewritten"] if row["action"] != "none" else row["cost"])
        if row["action"] == "none":
            refused.add(row["refusal"])
    return {"plain": plain, "rewritten": after, "gain": plain / after if after else 1, "rewrites": len(rewritten) > 0,
            "rings": tiles.count(None), "refusals": sorted(refused | {why for why in tiles if why})}


def promises_of(yaml, cost):
    by_kernel = collections.defaultdict(list)
    for row in rows_of(yaml):
        if row["space"] in ("global", "generic") and "harness_" not in row["kernel"]:
            by_kernel[row["kernel"]].append(row)
    tiles = tiles_of(yaml)
    return {kernel: promise(rows, tiles[kernel], cost) for kernel, rows in by_kernel.items()}


def predict(folder, a):
    """Compiles all that has results in the folder; writes predicted.json there."""
    tools, cost, found = build.toolchain(a.arch, a.coalda), costs(), {}
    families = [f for name, group in build.GROUPS.items() if os.path.exists(os.path.join(folder, name + ".json")) for f in group]
    with tempfile.TemporaryDirectory() as work:
        for k, family in enumerate(families):
            say(f"[{k + 1}/{len(families)}] remarks of {family}")
            found.update(promises_of(remarks(tools, family, work), cost))
    with open(os.path.join(folder, "predicted.json"), "w") as f:
        json.dump({"version": 1, "arch": tools["arch"], "clang": tools["clang"], "kernels": found}, f, indent=1)
        f.write("\n")
    return 0


# ---- what was measured ----------------------------------------------------------------------------------------------------

def read_json(path):
    try:
        with open(path) as f:
            return json.load(f)
    except OSError:
        return None
    except ValueError as error:
        raise Failure(f"{path}: {error}")


def linked_name(kernel):
    """Of several sizes of one kernel each is measured under a name of its own."""
    return kernel.get("kernel", kernel["name"])


def kernels_of(path):
    return (read_json(path) or {"kernels": []})["kernels"]


def gains(kernels):
    """{name: plain clang's time over the plugin's}"""
    times = {k["name"]: [k["variants"].get(v, {}).get("ms") for v in ("plain", "coalda")] for k in kernels}
    return {name: plain / ours for name, (plain, ours) in times.items() if plain and ours}


def same_code(kernel):
    plain, ours = (kernel["variants"].get(v, {}).get("code") for v in ("plain", "coalda"))
    return bool(plain) and plain == ours


def noise(kernels):
    """{size: most that the two builds of a kernel were apart whose code is the same in both}"""
    found, gained = collections.defaultdict(float), gains(kernels)
    for k in kernels:
        if same_code(k) and k["name"] in gained:
            found[k.get("size")] = max(found[k.get("size")], abs(1 - gained[k["name"]]))
    return found


def join(folder):
    """One row a kernel, by how far the promise is off."""
    predicted = read_json(os.path.join(folder, "predicted.json"))
    if not predicted:
        raise Failure(f"{folder} has no predicted.json: scripts/bench predict {folder}, where clang 22 is")
    rows = []
    for group in build.GROUPS:
        kernels = kernels_of(os.path.join(folder, group + ".json"))
        always = gains(kernels_of(os.path.join(folder, "always", group + ".json")))
        measured, apart = gains(kernels), noise(kernels)
        for k in kernels:
            name, promised = k["name"], predicted["kernels"].get(linked_name(k))
            if promised and name in measured:
                rows.append({"name": name, "group": group, "size": k.get("size", ""), "noise": apart[k.get("size")],
                             "same": same_code(k),
                             "measured": measured[name], "always": always.get(name), **promised})
    if not rows:
        raise Failure(f"{folder}: none of its kernels has a prediction")
    return rows


def decision(row):
    """What was decided, in words."""
    done = (["rewritten"] if row["rewrites"] else []) + (["ring"] if row["rings"] else [])
    return ", ".join(done) if done else "refused" if row["refusals"] else "nothing to do"


def least(row):
    """Less is no decision, but noise."""
    return max(WRONG, row["noise"])


def missed(row):
    """What all legal rewrites would have gained over what was done; nothing where that is not known, or noise."""
    done = 1 if row["same"] else row["measured"]
    gain = row["always"] / done if row["refusals"] and row["always"] else 1
    return gain if gain > 1 + least(row) else None


def lost(row):
    return not row["same"] and (row["rewrites"] or row["rings"]) and row["measured"] < 1 - least(row)


def wrong(row):
    """Why the decision was wrong, or nothing."""
    if lost(row):
        return f"rewritten, and lost: {row['measured']:.3f} of plain clang"
    if missed(row) and missed(row) >= 1 + costs()["MARGIN"] / 100:
        return f"refused ({', '.join(row['refusals'])}), and would have won: {row['always']:.3f}, not {row['measured']:.3f}"
    return None


# ---- table and plot -------------------------------------------------------------------------------------------------------

POINTS = ["#d62728", "#1f77b4", "#2ca02c", "#9467bd", "#ff7f0e"]   # colours of the groups


def is_promised(row):
    """The model has no figure for rings, and promises nothing where nothing is done."""
    return row["rewrites"] and not row["rings"]


def labels(rows, x_of, y_of):
    """Names of the points that are furthest off, where they do not cover each other."""
    wide, tall, placed = 80, 11, []
    for r in sorted(rows, key=lambda r: -abs(math.log(r["gain"] / r["measured"]))):
        x, y = x_of(r["gain"]), y_of(r["measured"])
        is_off = not 1 / LABELLED < r["gain"] / r["measured"] < LABELLED
        if is_off and all(abs(x - a) >= wide or abs(y - b) >= tall for a, b, _ in placed):
            placed.append((x, y, r["name"]))
    return [plot.text(x + 6, y + 4, name, 10) for x, y, name in placed]


def point(row, x, y, color):
    return (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{color}" fill-opacity="0.7"><title>{row["name"]}: promised '
            f'{row["gain"]:.2f}x, measured {row["measured"]:.2f}x</title></circle>')


def grid(size, left, top, x_of, y_of, high):
    parts = []
    for tick in (t for t in (1, 2, 4, 8, 16, 32, 64) if t <= high):
        x, y = x_of(tick), y_of(tick)
        parts += [plot.line(x, top, x, top + size), plot.line(left, y, left + size, y),
                  plot.text(x, top + size + 16, f"{tick}x", 11, "middle"), plot.text(left - 6, y + 4, f"{tick}x", 11, "end")]
    return parts + [plot.text(left + size / 2, top + size + 36, "gain that the remarks promise", 12, "middle"),
                    plot.text(left, top - 14, "gain that was measured", 12)]


def scatter(rows):
    """Predicted gain against measured gain, both on logarithmic axes: on the line the model is right."""
    rows = [r for r in rows if is_promised(r)]
    if not rows:
        return None
    size, left, top = 460, 60, 40
    high = max(2, *(max(r["gain"], r["measured"]) for r in rows)) * 1.15
    low = min(0.9, *(min(r["gain"], r["measured"]) for r in rows))
    at = lambda g: size * math.log(g / low) / math.log(high / low)   # noqa: E731
    x_of, y_of = (lambda g: left + at(g)), (lambda g: top + size - at(g))
    parts = grid(size, left, top, x_of, y_of, high)
    parts.append(plot.line(x_of(low), y_of(low), x_of(high), y_of(high), "#000", ' stroke-dasharray="5 4"'))
    for k, group in enumerate(dict.fromkeys(r["group"] for r in rows)):
        parts.append(plot.text(left + size + 14, top + 16 + 18 * k, group, 12, color=POINTS[k % len(POINTS)]))
        parts += [point(r, x_of(r["gain"]), y_of(r["measured"]), POINTS[k % len(POINTS)]) for r in rows if r["group"] == group]
    return plot.picture(left + size + 110, top + size + 48, parts + labels(rows, x_of, y_of))


def spread(rows):
    """Geometric mean of measured over promised, and the part of them within a factor of 1.5."""
    ratios = [r["measured"] / r["gain"] for r in rows if is_promised(r)]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else 1
    return len(ratios), mean, sum(1 / 1.5 <= x <= 1.5 for x in ratios)


def number(value):
    return "" if value is None else f"{value:.2f}"


def wrong_lines(rows):
    found = [(r["name"], wrong(r)) for r in rows if wrong(r)]
    without = sum(r["always"] is None and bool(r["refusals"]) for r in rows)
    lines = [f"* {name}: {why}" for name, why in found] or ["None."]
    close = [f"{r['name']} ({missed(r):.3f})" for r in rows if missed(r) and not wrong(r)]
    if close:
        lines += ["", f"Left as they are for less than the margin of {costs()['MARGIN']:g}%, for which no code is made twice as long: "
                      f"{', '.join(close)}."]
    noisy = {(r["group"], r["size"], r["noise"]) for r in rows if r["noise"] > WRONG}
    lines += [f"\n{' '.join(filter(None, (group, size)))}: kernels whose code is the same in both builds were up to {part:.1%} apart, "
              "so that less is noise." for group, size, part in sorted(noisy)]
    unknown = f"\nOf {without} kernels with refusals it is not known what all legal rewrites would have brought."
    return lines + ([unknown] if without else [])


def markdown(rows):
    count, mean, near = spread(rows)
    table = [f"| {r['name']} | {r['group']} | {decision(r)} | {number(r['gain'] if is_promised(r) else None)} | "
             f"{number(r['measured'])} | {number(r['always'])} | {', '.join(r['refusals'])} |"
             for r in sorted(rows, key=lambda r: -r["measured"])]
    return "\n".join([
        "# The cost model against the GPU", "",
        "Promised is what the costs in the plugin's remarks add up to, a loop being taken to run "
        f"{TRIPS} times; measured is plain clang's time over the plugin's; always is the same where every legal rewrite is made. "
        "Rings have no estimate.", "",
        f"{count} kernels with a promise: measured over promised has the geometric mean {mean:.2f}, {near} are within a factor "
        "of 1.5.", "",
        f"## Wrong decisions (by more than {WRONG:.0%})", "", *wrong_lines(rows), "", "![promised and measured](model.svg)", "",
        "| kernel | of | decision | promised | measured | always | refusals |", "|---|---|---|---:|---:|---:|---|", *table, ""])


def write(folder):
    """model.md and model.svg of the folder's results; 1 where a decision was wrong."""
    rows = join(folder)
    svg = scatter(rows)
    if svg:
        with open(os.path.join(folder, "model.svg"), "w") as f:
            f.write(svg)
    with open(os.path.join(folder, "model.md"), "w") as f:
        f.write(markdown(rows))
    print("\n".join(wrong_lines(rows)))
    return 1 if any(wrong(r) for r in rows) else 0
