"""Compares the rows of coalda-report with the expectations written in a .cu file.

    x = p[3 * i];  // load: class=strided stride=12 sectors=12 ideal=4

Each comment names the accesses of its own line: an operation, then keys of the report with their exact values; `none`
stands for an empty cell, `a|b` for either. A line may hold several expectations, separated by ';'. Every row of that
line and operation must match, and there must be one. Prefixes such as O3: or O0: restrict an expectation to a level.
"""
import json
import re
import sys


def expectations(path, level):
    for number, line in enumerate(open(path), 1):
        match = re.search(r"//\s*((?:O\d:)?(?:load|store|atomic):.*)$", line)
        for part in match.group(1).split(";") if match else []:
            words = part.split()
            only = re.match(r"(O\d):(.*)", words[0])
            if only and only.group(1) != level:
                continue
            op = (only.group(2) if only else words[0]).rstrip(":")
            yield number, op, dict(word.split("=", 1) for word in words[1:])


def text(value):
    if value is None:
        return "none"
    return f"{value:g}" if isinstance(value, (int, float)) else str(value)


def main(source, report, level):
    rows = json.load(open(report))["accesses"]
    failures = checked = 0
    for line, op, wanted in expectations(source, level):
        space = wanted.pop("space", "global|generic|shared|constant")
        found = [r for r in rows if r["line"] == line and r["op"] == op and r["space"] in space.split("|")]
        checked += 1
        if not found:
            print(f"{source}:{line}: no {op} was reported at {level}")
            failures += 1
        for row in found:
            wrong = {k: text(row[k]) for k, v in wanted.items() if text(row[k]) not in v.split("|")}
            if wrong:
                print(f"{source}:{line}: {level} {op}: expected {wanted}, found {wrong}; address {row['address']}")
                failures += 1
    print(f"{checked} expectations at {level}, {failures} failures")
    return 1 if failures or not checked else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
