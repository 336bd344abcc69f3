"""Each kernel of cached-types.cu, made in several ways, against the one that caches nothing: `cached-types.py SIM PREFIX`."""
import subprocess
import sys

sim, prefix = sys.argv[1:]
SIZES = {"char": 1, "half": 2, "bfloat16": 2, "half2": 4, "bfloat162": 4, "rgb": 3, "float": 4, "double": 8, "three": 12, "float4": 16}
CELLS, STEPS, WALKS = 5 * 8, 13, 2 * 3 * 4  # a third fewer where words are not walked by a long pitch: those stay zeros
RUNS = [("plain", "64", 3), ("plain", "1024", 1), ("slow", "8,3,2", 1), ("70", "96", 1)]
for name, size in SIZES.items():
    for made, block, seeds in RUNS:
        command = [sim, f"{prefix}.direct.ll", "--kernel", f"of_{name}", "--grid", "1", "--block", block, "--seeds", str(seeds), "--compare",
                   f"{prefix}.{made}.ll", "--", f"rand:{13 * 24 * size}", f"zero:{CELLS * STEPS * WALKS * size}"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, (command, done.stdout[-2000:], done.stderr[-2000:])
