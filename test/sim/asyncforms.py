"""asyncforms.py FILE.ll IN OUT: a row of OUT is that of IN as the lines "COPY n at offset: so many" of FILE.ll say, else zero."""
import re
import sys

LINE = re.compile(r"; COPY (\d+) at (\d+): (\d+)$", re.M)
ROW = 96

text, given, got = open(sys.argv[1]).read(), open(sys.argv[2], "rb").read(), open(sys.argv[3], "rb").read()
copies = [tuple(map(int, m)) for m in LINE.findall(text)]
assert sum(n for n, _, _ in copies) == ROW and len(given) == len(got) == 32 * ROW
for row in range(0, len(given), ROW):
    for n, offset, kept in copies:
        at = row + offset
        assert got[at:at + n] == given[at:at + kept] + bytes(n - kept), (row // ROW, n, offset)
