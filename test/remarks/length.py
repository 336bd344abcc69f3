"""length.py COMMAND FILE...: every sentence of the plugin has at most 200 characters, and says no linked name; many fit what they say."""
import re
import shlex
import subprocess
import sys

LONGEST, LEAST = 200, 100
command = shlex.split(sys.argv[1])
told = []
for path in sys.argv[2:]:
    remarks = [f"-Rpass{kind}=coalda" for kind in ("", "-missed", "-analysis")]
    run = subprocess.run([*command, *remarks, "-fno-caret-diagnostics", "-S", "-o", "-", path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert run.returncode == 0, run.stderr
    told += [(path, text) for text in re.findall(r": (?:remark|warning): (.*) \[-R\S+=coalda\]$", run.stderr, re.M)]
wrong = [f"{path}: {len(text)} characters: {text}" for path, text in told if len(text) > LONGEST]
wrong += [f"{path}: a linked name: {text}" for path, text in told if re.search(r"\b_Z\w", text)]
print("\n".join(wrong))
assert len(told) >= LEAST, f"{len(told)} sentences"
sys.exit(bool(wrong))
