"""wrappers.py FILE.json: the rows of global memory by line and column."""
import json
import sys

rows = [r for r in json.load(open(sys.argv[1]))["accesses"] if r["space"] == "global"]
for r in sorted(rows, key=lambda r: (r["line"], r["column"])):
    name = r["file"].rsplit("/", 1)[-1]
    assert name == "wrappers.cu", r
    print(f"{r['line']}:{r['column']} {r['op']} {r['requests']} requests {r['sectors']} sectors")
