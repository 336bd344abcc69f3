"""Holds kernels that promise what would be asked against plain ones: no branch more, and no second copy of the code."""
import re
import sys

MOST = 52   # instructions more: what the exchange of eight words takes
KERNELS = ["stored", "guarded", "strided", "in_planes", "changed", "loaded", "by_rows"]


def kernels(path):
    """Name -> instructions, branches."""
    rows, name = {}, None
    for line in open(path):
        entry = re.search(r"\.entry (\w+)", line)
        name = entry[1] if entry else name
        text = line.strip()
        if name and line.startswith("\t") and text and text[0] not in ".{}/)":
            count, branches = rows.get(name, (0, 0))
            rows[name] = (count + 1, branches + bool(re.search(r"\bbra\b", text)))
    return rows


def main():
    plain, made = kernels(sys.argv[1]), kernels(sys.argv[2])
    wrong = [f"{k}: {plain[k]} became {made[k]}" for k in KERNELS if made[k][1] > plain[k][1] or made[k][0] > plain[k][0] + MOST]
    print("\n".join(wrong))
    return bool(wrong)


sys.exit(main())
