"""Totals before and after, in the JSON of coalda-report."""
import json
import sys

totals = {t["kernel"]: t for t in json.load(open(sys.argv[1]))["totals"]}
for kernel, before in (("_Z7recordsPK3TenPS_", 8), ("_Z4rowsPKfPfi", 4.5)):
    total = totals[kernel]
    assert total["rewritten"] > 0 and abs(total["ratio"] - before) < 0.01 and 1 <= total["ratio_after"] < 1.5, total
left = totals["_Z7stridedPKfPf"]
assert (left["rewritten"], left["sectors_after"], left["ratio_after"]) == (0, left["sectors"], left["ratio"]), left
