"""The JSON of coalda-report holds what the README promises."""
import json
import sys

report = json.load(open(sys.argv[1]))
keys = "kernel file line column op space bytes class stride sectors ideal action reason".split()
rows = report["accesses"]
assert len(rows) == 4, rows
assert all(key in row for row in rows for key in keys), rows
worst = rows[0]
assert (worst["kernel"], worst["sectors"], worst["ideal"], worst["stride"]) == ("_Z3badPKfPf", 32, 4, 128), worst
assert worst["arch"] == "sm_90", worst
totals = {t["kernel"]: t["ratio"] for t in report["totals"]}
assert totals == {"_Z3badPKfPf": 8, "_Z4goodPKfPf": 1}, totals
