"""tidy.py PROGRAM BUILD [FILE...]: reads every source of the compiler and its tools, or those named, with clang-tidy, as BUILD compiles it."""
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ROOMS = ("pass/", "analysis/", "transform/", "tools/")
FINDING = re.compile(r"^(\S+?):(\d+):\d+: (?:error|warning): (.*?) \[([\w.-]+)", re.M)


def sources(build):
    """C as BUILD compiles it, and C++, which it compiles together: clang-tidy takes its neighbours' flags."""
    with open(os.path.join(build, "compile_commands.json")) as f:
        paths = {os.path.relpath(os.path.join(one["directory"], one["file"]), ROOT) for one in json.load(f)}
    paths |= {os.path.relpath(path, ROOT) for room in ROOMS for path in glob.glob(os.path.join(ROOT, room, "**", "*.cpp"), recursive=True)}
    return sorted(path for path in paths if path.startswith(ROOMS))


def findings(program, build, path):
    done = subprocess.run([program, "-p", build, "--quiet", os.path.join(ROOT, path)], capture_output=True, text=True)
    found = [(os.path.relpath(file, ROOT), int(line), check, words) for file, line, words, check in FINDING.findall(done.stdout)]
    return found if found or not done.returncode else [(path, 0, "clang-tidy", done.stderr[-500:])]


def main():
    program, build, *named = sys.argv[1:]
    files, found = named or sources(build), set()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for path, some in zip(files, pool.map(lambda f: findings(program, build, f), files)):
            for finding in sorted(set(some) - found):
                print("{}:{}: {}: {}".format(*finding), flush=True)
            found |= set(some)
    print(f"{len(found)} findings in {len(files)} files")
    return bool(found) or not files


if __name__ == "__main__":
    sys.exit(main())
