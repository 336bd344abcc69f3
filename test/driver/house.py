"""Every row of why.def is used by the analysis and explained in README.md; every option and action is in README.md."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
code = "\n".join(p.read_text() for folder in ("analysis", "transform", "pass") for p in (root / folder).glob("*.[ch]"))
code += (root / "analysis/intrinsics.def").read_text()
readme = (root / "README.md").read_text()
wrong = []
for why, name in re.findall(r'WHY\((WHY_\w+), "(\w+)"', (root / "analysis/why.def").read_text()):
    if not re.search(rf"\b{why}\b", code):
        wrong.append(f"{why} is never given")
    if f"`{name}`" not in readme:
        wrong.append(f"README.md does not explain the verdict {name}")
for name in re.findall(r'OPTION\("(\w+)"', (root / "pass/options.def").read_text()):
    if f"`{name}" not in readme:
        wrong.append(f"README.md does not explain the option {name}")
for key in re.findall(r"^FIELD\((\w+)", (root / "pass/row.def").read_text(), re.M):
    if f"`{key}`" not in readme:
        wrong.append(f"README.md does not explain the key {key}")
action_row = re.search(r"^\| `action` .*$", readme, re.M)[0]
for action in re.findall(r'X\(ACTION_\w+, "(\w+)"\)', (root / "pass/coalda.h").read_text()):
    if f"*{action}*" not in action_row:
        wrong.append(f"README.md does not explain the action {action}")
print("\n".join(wrong))
sys.exit(bool(wrong))
