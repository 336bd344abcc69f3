#!/usr/bin/env python3
"""exit.py CODE COMMAND...: passes when the command exits with exactly CODE; its words go to stdout."""
import subprocess
import sys

done = subprocess.run(sys.argv[2:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
sys.stdout.buffer.write(done.stdout)
sys.stdout.flush()
if done.returncode != int(sys.argv[1]):
    sys.exit(f"exit.py: exit code {done.returncode}, wanted {sys.argv[1]}: {' '.join(sys.argv[2:])}")
