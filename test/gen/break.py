"""break.py OPT barrier|arithmetic IN OUT: a wrong rewrite, to see that agree.py catches it."""
import re
import subprocess
import sys

opt, how, source, target = sys.argv[1:]
text = subprocess.run([opt, "-S", source, "-o", "-"], check=True, capture_output=True, text=True).stdout
if how == "barrier":
    text = re.sub(r"^  (tail )?call void @llvm\.nvvm\.barrier\.cta\.sync.*\n", "", text, flags=re.M)
else:
    text = re.sub(r"= xor i32 (%\S+), (%\S+)\n", r"= or i32 \1, \2\n", text)
subprocess.run([opt, "-", "-o", target], input=text, check=True, text=True)
