"""faults.py SIM MODULE PARTS.h [SOURCE]: every fault is planted once, is told by its name, and has a clean twin.

MODULE (or SOURCE, which MODULE was compiled from) holds lines
    ; FAULT KIND: kernel OPTION... -- ARG... | ARG...
with the arguments of the clean run before the bar and those of the faulty one behind it. KIND is the name of a finding in
PARTS.h, which has to be the only one that the faulty run tells. Without SOURCE every finding there must be planted; with
SOURCE it is enough that the fault is told first, before what follows from it.
"""
import re
import subprocess
import sys

LINE = re.compile(r"^(?:;|//) FAULT (\w+): (\S+) (.*?) -- (.*) \| (.*)$", re.M)
FINDING = re.compile(r'X\((\w+), "([^"]+)"\)')


def run(sim, module, kernel, options, args):
    done = subprocess.run([sim, module, "--kernel", kernel, *options.split(), "--", *args.split()], capture_output=True, text=True)
    return done.returncode, re.findall(r"^coalda-sim: ([^:]+): ", done.stderr, re.M), done.stderr


def main(sim, module, header, source=None):
    texts = dict(FINDING.findall(open(header).read()))
    faults = LINE.findall(open(source or module).read())
    wrong = 0
    for kind, kernel, options, good, bad in faults:
        clean = run(sim, module, kernel, options, good)
        fault = run(sim, module, kernel, options, bad)
        if clean[0] != 0:
            print(f"{kind}: the clean run of {kernel} ends with {clean[0]}\n{clean[2]}")
            wrong += 1
        told = fault[1][:1] if source else set(fault[1])
        if fault[0] != 2 or list(told) != [texts.get(kind)]:
            print(f"{kind}: the faulty run of {kernel} ends with {fault[0]} and tells {fault[1]}\n{fault[2]}")
            wrong += 1
    if source:
        print(f"{len(faults)} faults, {wrong} wrong")
        return 1 if wrong or not faults else 0
    left = set(texts) - {fault[0] for fault in faults}
    for kind in sorted(left):
        print(f"{kind} ('{texts[kind]}') is planted nowhere")
    print(f"{len(texts) - len(left)} of {len(texts)} kinds planted, {wrong} wrong")
    return 1 if left or wrong or not texts else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
