"""sectors.py REPORT.json COUNTERS.csv: the report's sectors per request beside Nsight Compute's, kernel by kernel.

The counters come from
    ncu --csv --page raw --metrics METRICS ./sectors
with METRICS the two l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_{ld,st}.ratio.
Exit status 1 when a kernel differs by more than 10 percent.
"""
import csv
import json
import subprocess
import sys

METRIC = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_{}.ratio"


def predicted(path):
    """Sectors and requests of each kernel's loads and stores, by the report. Loops weigh nothing: one kind each."""
    sums = {}
    for row in json.load(open(path))["accesses"]:
        if row["space"] != "global" or row["sectors"] is None:
            continue
        key = row["kernel"], row["op"]
        sectors, requests = sums.get(key, (0, 0))
        sums[key] = sectors + row["sectors"], requests + row["requests"]
    return {key: sectors / requests for key, (sectors, requests) in sums.items()}


def measured(path):
    lines = [line for line in open(path) if line.startswith('"')]
    for row in csv.DictReader(lines):
        if not row["ID"]:
            continue
        name = row["Kernel Name"].split("(")[0]
        for op, short in (("load", "ld"), ("store", "st")):
            yield name, op, float(row[METRIC.format(short)].replace(",", ""))


def main(report, counters):
    by_kernel = predicted(report)
    wrong = 0
    print("| kernel | op | report | GPU | difference |\n|---|---|---:|---:|---:|")
    for name, op, value in measured(counters):
        guess = next((v for (k, o), v in by_kernel.items() if o == op and k.startswith(f"_Z{len(name)}{name}")), None)
        if guess is None:
            print(f"| {name} | {op} | ? | {value:g} | |")
            wrong += 1
            continue
        difference = guess / value - 1 if value else 0
        wrong += abs(difference) > 0.1
        print(f"| {name} | {op} | {guess:g} | {value:g} | {100 * difference:+.1f}% |")
    print(f"\n{wrong} differ by more than 10 percent")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
