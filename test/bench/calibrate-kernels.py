"""Of coalda-calibrate: the kernels that it times as rewritten hold what rewrites make, all others do not."""
import sys

sys.path.insert(0, sys.argv[1])
import tune_dry as dry      # noqa: E402

REWRITTEN = ("rewritten_", "row_by_")
WIDENED = "rewritten_loadILi4E"     # a record of a piece is loaded as one
with open(sys.argv[2]) as f:
    kernels = dry.entries(f.read())
wrong = [name for name, code in kernels.items()
         if any(word in name for word in REWRITTEN) != ("shfl" in code or WIDENED in name and "ld.global.v4" in code)]
wrong += [word for word in REWRITTEN if not any(word in name for name in kernels)]
print("\n".join(wrong))
sys.exit(bool(wrong))
