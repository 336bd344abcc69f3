"""What can be found out by reading: each room of pass/, analysis/ and transform/ includes headers of its own and of the floors below it alone;
no file's name stands twice, and no folder holds more than twenty. Every row of why.def is given by something, every action is explained, every word
of the glossary is said, and every link of the documents leads somewhere. Every row of cost.def is read, and where profit is reckoned no other
number decides."""
import collections
import pathlib
import re
import sys

FLOORS = ["pass/base", "pass/bridge", "pass/host", "pass/profile", "pass/reshape", "pass/jam", "pass/choices", "analysis/address", "analysis/access", "analysis/registers", "analysis/facts", "analysis/reductions", "analysis/rings", "analysis/tally", "analysis/ahead",
          "analysis/records", "analysis/plan", "analysis/walks", "analysis/turn", "analysis/banks", "analysis/explain", "transform", "transform/emit",
          "transform/ahead", "transform/banks", "transform/records", "transform/reductions", "transform/rings", "transform/walks", "transform/tally", "transform/turn", "pass/report", "pass/obey", "pass/spares", "pass/driver"]
MOST_FILES = 20

# Where profit is reckoned, constants that have a name are facts, not choices: of percents, of the machine, of the code that is made.
RECKONS = ["depth.c", "profit.c", "register_ring.c", "overlap_cost.c", "exchange_cost.c", "kernel_cost.c", "strip_mine.c", "shelf.c", "turn.c"]
FACTS = {"PERCENT": "100", "PLAIN": "1", "RESERVED": "1024", "LEAST": "WARP_LANES", "MOST": "1024", "AXES": "3", "REGISTER_BYTES": "4",
         "ADDRESS": "2", "SELECTS_OF_A_SWAP": "3", "UNROLLED_BY": "4"}

root = pathlib.Path(sys.argv[1])
sources = {path: path.read_text() for folder in ("pass", "analysis", "transform") for path in (root / folder).rglob("[!.]*.*") if path.is_file()}
code = "\n".join(sources.values())
wrong = []

rooms = collections.Counter(str(path.parent.relative_to(root)) for path in sources)
wrong += [f"{room} is on no floor: say in house.py on which" for room in rooms if room not in FLOORS]
wrong += [f"{room} holds {count} files" for room, count in rooms.items() if count > MOST_FILES]
for path, text in sources.items():
    room = str(path.parent.relative_to(root))
    for header in re.findall(r'^#include "(.*)"', text, re.M):
        if header.startswith(("llvm", "clang")):
            continue
        below = str(pathlib.PurePath(header).parent)
        if room in FLOORS and (below not in FLOORS or FLOORS.index(below) > FLOORS.index(room)):
            wrong.append(f"{path.relative_to(root)} includes {header}, which is no floor below it")
names = collections.Counter(path.name for path in sources)
names += collections.Counter(path.stem for path in sources if path.suffix in (".c", ".cpp"))
wrong += [f"{name} stands {count} times" for name, count in names.items() if count > 1]

defs = {path.name: text for path, text in sources.items() if path.suffix in (".def", ".h")}
report = (root / "docs/report.md").read_text()
for why in re.findall(r'WHY\((WHY_\w+), "', defs["why.def"]):
    if len(re.findall(rf"\b{why}\b", code)) < 2:
        wrong.append(f"{why} is never given")
for cost in re.findall(r'^COST\((\w+), ', defs["cost.def"], re.M):
    if not re.search(rf"(?:\.|->){cost}\b", code):
        wrong.append(f"{cost} of cost.def is never read")
for path, text in sources.items():
    for constants in re.findall(r"\benum \{(.*?)\}", text, re.S) if path.name in RECKONS else []:
        wrong += [f"{path.name}: {name} = {value} is for cost.def, or a fact that house.py has to know"
                  for name, value in re.findall(r"(\w+) = ([^,}]*\w)", constants) if FACTS.get(name) != value]
for action in re.findall(r'X\(ACTION_\w+, "(\w+)"\)', defs["records.h"]):
    if f"*{action}*" not in report:
        wrong.append(f"docs/report.md does not explain the action {action}")
glossary = (root / "docs/glossary.md").read_text()
words = re.findall(r"^\*\*(.+?)\*\*", glossary, re.M)
wrong += [f"the glossary explains {word}, which no source says" for word in words if not re.search(rf"\b{word}", code, re.I)]
wrong += [f"{path.relative_to(root)} leads to {link}, which is not there"
          for path in [root / "README.md", root / "CONTRIBUTING.md", *(root / "docs").rglob("*.md")]
          for link in re.findall(r"\]\(([^)#:]+)[^):]*\)", path.read_text()) if not (path.parent / link).exists()]
print("\n".join(wrong))
sys.exit(bool(wrong))
