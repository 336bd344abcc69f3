"""The JSON of coalda-report --dma: `dma.py JSON [SOURCE]`. Each `// ROW kernel key=value ...` of the source speaks of the line below it."""
import json
import re
import sys

report = json.load(open(sys.argv[1]))
rows = report["transfers"]
KEYS = ("kernel file directory line column array class engine piece bytes aligned tested stages batch in_flight blocks in_flight_sm keeps "
        "because remedy").split()
NUMBERS = "line column piece bytes aligned tested stages batch in_flight blocks in_flight_sm".split()
assert rows and report["version"], report
for row in rows:
    assert list(row) == KEYS, row
    assert all(row[key] is None or isinstance(row[key], int) for key in NUMBERS), row
    assert row["keeps"] and (row["keeps"] == "None") == (row["because"] is None), row
    if row["in_flight"] and row["blocks"]:
        assert row["in_flight_sm"] == row["in_flight"] * row["blocks"], row
lines = open(sys.argv[2]).read().split("\n") if len(sys.argv) > 2 else []
for number, line in enumerate(lines, 1):
    found = re.match(r"\s*// ROW (\w+) (.*=.*)", line)
    if not found:
        continue
    there = [row for row in rows if row["kernel"] == found[1] and row["line"] == number + 1]
    assert len(there) == 1, (line, there, [(row["kernel"], row["line"]) for row in rows])
    for wanted in found[2].split():
        key, _, value = wanted.partition("=")
        assert str(there[0][key]).replace(" ", "_") == value, (line, key, there[0])
