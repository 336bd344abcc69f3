"""faults.py SIM FILE.ll PARTS.h: every kind of fault is planted once, is told by its name, and has a clean twin.

FILE.ll holds lines   ; FAULT KIND: kernel OPTION... -- ARG... | ARG...
with the arguments of the clean run before the bar and those of the faulty one behind it. KIND is the name of a finding in
PARTS.h, which has to be the only one that the faulty run tells; every finding there must be planted.
"""
import re
import subprocess
import sys

LINE = re.compile(r"^; FAULT (\w+): (\S+) (.*?) -- (.*) \| (.*)$", re.M)
FINDING = re.compile(r'X\((\w+), "([^"]+)"\)')


def run(sim, module, kernel, options, args):
    done = subprocess.run([sim, module, "--kernel", kernel, *options.split(), "--", *args.split()], capture_output=True, text=True)
    return done.returncode, re.findall(r"^coalda-sim: ([^:]+): ", done.stderr, re.M), done.stderr


def main(sim, module, header):
    texts = dict(FINDING.findall(open(header).read()))
    left, wrong = set(texts), 0
    for kind, kernel, options, good, bad in LINE.findall(open(module).read()):
        left.discard(kind)
        clean = run(sim, module, kernel, options, good)
        fault = run(sim, module, kernel, options, bad)
        if clean[0] != 0:
            print(f"{kind}: the clean run of {kernel} ends with {clean[0]}\n{clean[2]}")
            wrong += 1
        if fault[0] != 2 or set(fault[1]) != {texts.get(kind)}:
            print(f"{kind}: the faulty run of {kernel} ends with {fault[0]} and tells {fault[1]}\n{fault[2]}")
            wrong += 1
    for kind in sorted(left):
        print(f"{kind} ('{texts[kind]}') is planted nowhere")
    print(f"{len(texts) - len(left)} of {len(texts)} kinds planted, {wrong} wrong")
    return 1 if left or wrong or not texts else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
