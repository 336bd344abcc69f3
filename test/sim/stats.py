"""stats.py FILE.json KERNEL key=value...: the global accesses of a kernel add up to these figures."""
import json
import sys

found = json.load(open(sys.argv[1]))
accesses = [r for r in found["accesses"] if r.get("space") == "global" and r.get("kernel", sys.argv[2]) == sys.argv[2]]
assert accesses, found
for want in sys.argv[3:]:
    key, value = want.split("=")
    got = sum(r[key] for r in accesses)
    assert got == int(value), f"{key} is {got}, wanted {value}: {accesses}"
for r in accesses:
    assert {"file", "line", "column", "op"} <= r.keys() and r["line"] > 0, r
