"""Compares, function by function, what clang makes of the files with the plugin and without: where no remark says that anything of a
function was rewritten, its PTX must be plain clang's, byte for byte.

    plain.py --clang 'clang++ ... -fpass-plugin=PLUGIN' --plain 'clang++ ...' --temp DIR FILE.cu...
"""
import argparse
import concurrent.futures
import os
import re
import shlex
import subprocess
import sys

FUNCTION = re.compile(r"^(?:\.visible |\.weak |\.extern )*\.(?:entry|func)[^\n]*?([\w$]+)\($", re.M)
REWRITTEN = re.compile(r"rewritten: |; rewritten|in a register while|once, in front of")


def functions(ptx):
    """Name -> text; labels without the numbers that tell where in the module a function stands."""
    starts = [(m.start(), m[1]) for m in FUNCTION.finditer(ptx)] + [(len(ptx), None)]
    found = {}
    for (begin, name), (end, _) in zip(starts, starts[1:]):
        text = ptx[begin:end]
        if "{" in text:
            found[name] = re.sub(r"\$L__(BB|tmp|info_string)\d+", r"$L__\1", text[:text.index("\n}")])
    return found


def rewritten(record):
    """Functions of which a remark says so."""
    names = set()
    for remark in record.split("--- !")[1:]:
        name = re.search(r"^Function: +(\S+)$", remark, re.M)
        if remark.startswith("Passed") or REWRITTEN.search(remark):
            names.add(name[1].strip("'\"") if name else "")
    return names


def compile_to(command, source, out, *more):
    done = subprocess.run(shlex.split(command) + [source, "-o", out, *more], capture_output=True, text=True, timeout=600)
    if done.returncode:
        raise SystemExit(f"{source}: {done.stderr[-2000:]}")
    with open(out) as file:
        return file.read()


def compare(a, source):
    base = os.path.join(a.temp, re.sub(r"\W", "_", os.path.relpath(source, a.root)))
    record = ["-fsave-optimization-record", "-foptimization-record-passes=coalda"]   # lines of the source are in both
    plain = functions(compile_to(a.plain, source, base + ".plain.ptx", *record, f"-foptimization-record-file={base}.plain.yaml"))
    ours = functions(compile_to(a.clang, source, base + ".ptx", *record, f"-foptimization-record-file={base}.yaml"))
    with open(base + ".yaml") as file:
        changed = rewritten(file.read())
    same = [name for name in plain if plain[name] == ours.get(name)]
    differ = [name for name in plain if name not in changed and plain[name] != ours.get(name)]
    print(f"{os.path.basename(source)}: {len(same)} functions as plain clang makes them, {len(changed)} rewritten")
    return [f"{source}: {name} is not said to be rewritten and differs" for name in differ], len(same)


def main():
    parser = argparse.ArgumentParser()
    for name in ("clang", "plain", "temp", "root"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--least", type=int, default=1)
    parser.add_argument("files", nargs="+")
    a = parser.parse_args()
    os.makedirs(a.temp, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda source: compare(a, source), a.files))
    wrong = [line for lines, _ in found for line in lines]
    same = sum(count for _, count in found)
    print("\n".join(wrong))
    if same < a.least:
        wrong.append(f"only {same} functions are as plain clang makes them")
        print(wrong[-1])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
