"""join.py SIM MODULE REPORT.json LAUNCHES TAG: what the report says of every access, held against the machine's count.

LAUNCHES is a file with lines

    LAUNCH: TAG kernel... [breaks=aligned,wide] OPTION... -- ARG...

each kernel of which runs so under coalda-sim --stats; every kernel of the report must have a launch.
Rows are joined by kernel, file, line, column, op and space (a generic access of the report takes the space it turns out to
have). Every access that the report names must have been executed and every executed one named. Where the report gives a
figure, the count per request must be that figure; where it gives bounds alone, or the launch breaks what the figure
assumes, it must lie within the bounds. breaks=guards: a branch on data splits the warps, of which the report says nothing.
"""
import collections
import json
import re
import subprocess
import sys
import tempfile

LINE = re.compile(r"LAUNCH: (\S+) (.*?) (--.*)$")
COUNTS = {"sectors": "sectors", "ideal": "ideal_sectors", "lines": "lines", "lanes": "lanes"}
SHARED_COUNTS = {"wavefronts": "bank_wavefronts", "lanes": "lanes"}
BOUNDED_BREAKS = {"aligned", "wide"}    # sectors_min and sectors_max hold without these
SPACES = {"global", "shared", "generic"}
TOLERANCE = 1e-5                        # the report prints six digits


def launches(path, tag):
    """(kernel, what is broken, command-line words) of each run for this tag."""
    for line in open(path):
        match = LINE.search(line)
        if not match or match.group(1) != tag:
            continue
        names = match.group(2).split()
        breaks = {b for n in names if n.startswith("breaks=") for b in n[len("breaks="):].split(",")}
        for name in names:
            if not name.startswith("breaks="):
                yield name, breaks, match.group(3).split()


def plain_name(linked):
    match = re.match(r"_Z(\d+)", linked)
    return linked[match.end():match.end() + int(match.group(1))] if match else linked


def place(row):
    return row["file"] or "", row["line"] or 0, row["column"] or 0, row["op"]


def grouped(rows):
    """The rows of one place and space together: a loop and its remainder, or the pieces of a struct."""
    groups = collections.defaultdict(list)
    for row in rows:
        if row["space"] in SPACES:
            groups[place(row), row["space"]].append(row)
    return groups


def within(value, low, high):
    return low * (1 - TOLERANCE) <= value <= high * (1 + TOLERANCE)


def figures(rows, key):
    """The rows' figures for one request, least first; None where one of them has none."""
    if any(r[key] is None for r in rows):
        return None
    return sorted(r[key] if key == "lanes" else r[key] / r["requests"] for r in rows)


def claims(rows, key, broken, count):
    """For each of `count` accesses, least first, the range that the report allows for one request; None: it claims nothing.

    Accesses and rows of one place are matched in order where there are as many of one as of the other."""
    known = figures(rows, "sectors") or figures(rows, "wavefronts")
    if not broken and known:
        exact = figures(rows, key)
        return exact and (list(zip(exact, exact)) if len(exact) == count else [(exact[0], exact[-1])] * count)
    if key != "sectors" or not broken <= BOUNDED_BREAKS:
        return None
    least, most = figures(rows, "sectors_min"), figures(rows, "sectors_max")
    return least and most and [(least[0], most[-1])] * count


def instructions(rows, counted):
    """One sentence when the accesses are wider, or moved in more pieces, than the report says."""
    reported, found = {(r["bytes"], r["requests"]) for r in rows}, {(c["bytes"], c["requests"] / c["executions"]) for c in counted}
    if not found <= reported:
        yield f"bytes and requests: {sorted(found)} by the machine, {sorted(reported)} by the report"


def disagreements(rows, counted, breaks):
    """One sentence for each figure that the machine does not find."""
    broken = breaks & {"guards", *(a for r in rows for a in (r["assumes"] or "").split())}
    counts = SHARED_COUNTS if rows[0]["space"] == "shared" else COUNTS
    for key, count_key in counts.items():
        values = sorted(c[count_key] / c["requests"] for c in counted)
        for value, (low, high) in zip(values, claims(rows, key, broken, len(values)) or []):
            if not within(value, low, high):
                yield f"{key} a request: {value:g} by the machine, {low:g} to {high:g} by the report"


def run(sim, module, kernel, words):
    with tempfile.NamedTemporaryFile(suffix=".json") as stats:
        command = [sim, module, "--kernel", kernel, f"--stats={stats.name}", *words]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr}")
        return json.load(open(stats.name))["accesses"]


def check(reported, counted, breaks):
    """Joins one kernel's rows with one run's counts. Gives (figures compared, list of sentences)."""
    rows, counts, wrong, joined = grouped(reported), grouped(counted), [], 0
    for (where, space), group in rows.items():
        found = [c for (w, s), cs in counts.items() for c in cs if w == where and space in (s, "generic")]
        text = "{}:{}:{} {} {}".format(*where, space)
        if not found:
            wrong.append(f"{text}: reported and never executed")
            continue
        joined += 1
        wrong += [f"{text}: {d}" for d in (*instructions(group, found), *disagreements(group, found, breaks))]
    for where, space in counts:
        if (where, space) not in rows and (where, "generic") not in rows:
            wrong.append("{}:{}:{} {} {}: executed and not reported".format(*where, space))
    return joined, wrong


def main(sim, module, report, path, tag):
    by_kernel = collections.defaultdict(list)
    for row in json.load(open(report))["accesses"]:
        by_kernel[row["kernel"]].append(row)
    linked = {plain_name(k): k for k in by_kernel}
    left, failures, joined, runs = set(linked), 0, 0, 0
    for kernel, breaks, words in launches(path, tag):
        if kernel not in linked:
            print(f"{kernel}: the report has no such kernel")
            failures += 1
            continue
        left.discard(kernel)
        good, wrong = check(by_kernel[linked[kernel]], run(sim, module, linked[kernel], words), breaks)
        joined, failures, runs = joined + good, failures + len(wrong), runs + 1
        for sentence in wrong:
            print(f"{kernel}: {sentence}")
    for kernel in sorted(left):
        print(f"{kernel}: no launch in {path}")
    print(f"{tag}: {joined} places joined in {runs} runs, {failures + len(left)} disagree")
    return 1 if failures or left or not joined else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
