"""What can be found out by reading: each room of pass/, analysis/ and transform/ includes headers of its own and of the floors below it alone;
no file's name stands twice, and no folder holds more than twenty. Every row of why.def is used by the analysis and explained in README.md; every
option and action is in README.md."""
import collections
import pathlib
import re
import sys

FLOORS = ["pass/base", "pass/bridge", "analysis/address", "analysis/access", "analysis/facts", "analysis/rings", "analysis/tally",
          "analysis/records", "analysis/plan", "analysis/walks", "analysis/turn", "analysis/explain", "transform", "transform/emit",
          "transform/records", "transform/rings", "transform/walks", "transform/tally", "transform/turn", "pass/report", "pass/driver"]
MOST_FILES = 20

root = pathlib.Path(sys.argv[1])
sources = {path: path.read_text() for folder in ("pass", "analysis", "transform") for path in (root / folder).rglob("*.*") if path.is_file()}
code = "\n".join(sources.values())
readme = (root / "README.md").read_text()
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
for why, name in re.findall(r'WHY\((WHY_\w+), "(\w+)"', defs["why.def"]):
    if len(re.findall(rf"\b{why}\b", code)) < 2:
        wrong.append(f"{why} is never given")
    if f"`{name}`" not in readme:
        wrong.append(f"README.md does not explain the verdict {name}")
for name in re.findall(r'OPTION\("(\w+)"', defs["options.def"]):
    if f"`{name}" not in readme:
        wrong.append(f"README.md does not explain the option {name}")
for key in re.findall(r"^FIELD\((\w+)", defs["row.def"], re.M):
    if f"`{key}`" not in readme:
        wrong.append(f"README.md does not explain the key {key}")
action_row = re.search(r"^\| `action` .*$", readme, re.M)[0]
for action in re.findall(r'X\(ACTION_\w+, "(\w+)"\)', defs["records.h"]):
    if f"*{action}*" not in action_row:
        wrong.append(f"README.md does not explain the action {action}")
print("\n".join(wrong))
sys.exit(bool(wrong))
