#!/usr/bin/env python3
"""With the plugin switched off, every test of the rewrites fails: one that passes says nothing of them.

    off.py LIT FOLDER

LIT is the test runner, FOLDER the tests as they are configured. Exit 1 where a test passes."""
import json
import os
import subprocess
import sys
import tempfile


def main():
    program, folder = sys.argv[1:]
    with tempfile.TemporaryDirectory() as temp:
        told = os.path.join(temp, "told.json")
        subprocess.run([sys.executable, program, "-q", "-j2", folder, "--param", "off=1", "--filter", ":: transform/", "-o", told],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        with open(told) as f:
            tests = json.load(f)["tests"]
    deaf = [test["name"] for test in tests if test["code"] != "FAIL"]
    for name in deaf:
        print(f"{name}: passes with the plugin switched off")
    print(f"{len(tests) - len(deaf)} of {len(tests)} tests notice")
    sys.exit(1 if deaf or not tests else 0)


if __name__ == "__main__":
    main()
