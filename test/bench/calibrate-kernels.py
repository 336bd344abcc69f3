"""Of coalda-calibrate: the kernels that it times as rewritten hold what rewrites make, all others do not."""
import sys

sys.path.insert(0, sys.argv[1])
import tune_dry as dry      # noqa: E402

# By name, what is made: words that threads hand on, copies that nobody waits for.
MADE = {"rewritten_": "shfl", "row_by_": "shfl", "ring_by_": "cp.async"}
# Records of four words are moved as one.
WIDENED = {"rewritten_loadILi4E": "ld.global.v4", "rewritten_storeILi4E": "st.global.v4"}
with open(sys.argv[2]) as f:
    kernels = dry.entries(f.read())
wrong = []
for name, code in kernels.items():
    made = next((what for word, what in {**WIDENED, **MADE}.items() if word in name), None)
    if (made not in code) if made else ("shfl" in code or "cp.async" in code):
        wrong.append(name)
wrong += [word for word in {**MADE, **WIDENED} if not any(word in name for name in kernels)]
print("\n".join(wrong))
sys.exit(bool(wrong))
