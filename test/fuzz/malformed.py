"""Gives coalda-report files that are not what they say: status 2 and one clear line, never a crash."""
import argparse
import os
import pathlib
import random
import subprocess
import sys

REMARK = """--- !Analysis
Pass:            coalda
Name:            Access
DebugLoc:        { File: k.cu, Line: 3, Column: 7 }
Function:        k
Args:
  - String:      'load of 4 bytes'
  - Op:          load
  - Sectors:     '4'
  - Ideal:       '4'
...
"""
KERNEL = """target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %p) {
  %v = load float, ptr %p
  store float %v, ptr %p
  ret void
}
"""
REPORT = """{
  "version": "0",
  "accesses": [
    {"kernel": "k", "op": "load", "address": "arg0 + \\u00e9", "line": 3, "column": null, "sectors": 4, "ideal": 4}
  ],
  "totals": [{"kernel": "k", "ratio": 1.5e0, "any": [true, {}, []]}]
}
"""


COMMANDS = ("", "--nope", "--format=pdf x.ll", "--shape=0 x.ll", "--shape=1x2x3x4 x.ll", "--arch=sm_ x.ll", "--fail-above=nan x.ll", "--diff x.ll", "--diff x.ll y.ll",
            "--diff --format=csv x.ll y.ll")


def assembled(args, text):
    return subprocess.run([args.llvm / "llvm-as", "-o", "-"], input=text.encode(), check=True, capture_output=True).stdout


def cut(data, parts):
    return [data[:len(data) * i // parts] for i in range(1, parts)]


def garbled(data, count, rng):
    """Copies with a few bytes replaced."""
    for _ in range(count):
        copy = bytearray(data)
        for _ in range(rng.randint(1, 6)):
            copy[rng.randrange(len(copy))] = rng.randrange(256)
        yield bytes(copy)


def refused(args):
    """Files that must be refused: name, content."""
    rng = random.Random(1)
    yield "empty.ll", b""
    yield "empty.bc", b""
    yield "zeros.bc", bytes(4096)
    yield "host.ll", KERNEL.replace("nvptx64-nvidia-cuda", "x86_64-pc-linux-gnu").encode()
    yield "none.ll", KERNEL.replace("nvptx64-nvidia-cuda", "").encode()
    yield "strange.ll", KERNEL.replace("nvptx64-nvidia-cuda", "no-such-thing").encode()
    yield "syntax.ll", KERNEL.replace("load float,", "load float").encode()
    yield "undefined.ll", KERNEL.replace("float %v", "float %w").encode()
    yield "wrong-type.ll", KERNEL.replace("store float", "store i32").encode()
    yield "layout.ll", b'target datalayout = "e-q9"\n' + KERNEL.encode()
    yield "no-terminator.ll", KERNEL.replace("  ret void\n", "").encode()
    yield "empty-document.yaml", b"---\n...\n"
    yield "list.yaml", b"--- !Analysis\n- 1\n- 2\n...\n"
    yield "kind.yaml", REMARK.replace("!Analysis", "!Nothing").encode()
    yield "quote.yaml", REMARK.replace("'4'", "'4").encode()
    yield "bytes.yaml", b"---\n" + rng.randbytes(500)
    yield "deep.yaml", b"--- " + b"[" * 2000
    yield "empty.json", b""
    yield "list.json", b"[]"
    yield "deep.json", b'{"a": ' + b"[" * 100000
    yield "escape.json", REPORT.replace("u00e9", "u00").encode()
    yield "zero.json", REPORT.replace("arg0", "a\0").encode()
    for i, data in enumerate(cut(REPORT.strip().encode(), 24)):
        yield f"cut-{i}.json", data
    for i in range(40):
        yield f"random-{i}{('.ll', '.bc', '')[i % 3]}", rng.randbytes(rng.randint(1, 2000))
    for i, data in enumerate(cut(assembled(args, KERNEL), 24)):
        yield f"cut-{i}.bc", data


def unsure(args):
    """Files of which some may still be read: those must not crash, and say one line where they are refused."""
    rng = random.Random(2)
    for name, data in (("ir.ll", KERNEL.encode()), ("remark.yaml", REMARK.encode()), ("report.json", REPORT.encode()), ("bitcode.bc", assembled(args, KERNEL))):
        for i, copy in enumerate(garbled(data, 60 if name != "bitcode.bc" else args.garbled_bitcode, rng)):
            yield f"garbled-{i}-{name}", copy
    yield "empty.yaml", b""   # what a module without accesses leaves
    yield "other-pass.yaml", REMARK.replace("coalda", "inline").encode()
    yield "no-args.yaml", REMARK[:REMARK.index("Args")].encode()
    for i, data in enumerate(cut(REMARK.encode(), 24)):
        yield f"cut-{i}.yaml", data
    for i, data in enumerate(cut(KERNEL.encode(), 24)):
        yield f"cut-{i}.ll", data


def wrong(args, arguments, must_refuse):
    """None, or what is wrong with the program's answer to these arguments."""
    done = subprocess.run([args.report, *arguments], capture_output=True, text=True, errors="replace", timeout=60)
    lines = done.stderr.splitlines()
    if done.returncode == 0 and not must_refuse:
        return None
    if done.returncode != 2:
        return f"status {done.returncode}: {done.stderr[-2000:]}"
    if len(lines) != 1 or not lines[0].startswith("coalda-report: ") or len(lines[0]) < 25:
        return f"not one clear line: {done.stderr[-2000:]!r}"
    return None


def places(out):
    """Paths that are no files."""
    (out / "directory.ll").mkdir(exist_ok=True)
    yield out / "directory.ll"
    yield out / "missing.bc"
    yield out / "missing.yaml"
    if os.getuid() != 0:
        (out / "locked.ll").touch(0)
        yield out / "locked.ll"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--report", required=True, help="coalda-report")
    parser.add_argument("--llvm", required=True, type=pathlib.Path, help="directory of LLVM's tools")
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--garbled-bitcode", type=int, default=0,
                        help="damaged bitcode files to try as well: LLVM's own reader may abort on one")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    cases = [([str(path)], True) for path in places(args.out)]
    cases += [(words.split(), True) for words in COMMANDS]
    for files, must_refuse in ((refused(args), True), (unsure(args), False)):
        for name, data in files:
            (args.out / name).write_bytes(data)
            cases.append(([str(args.out / name)], must_refuse))
    failures = [(path, what) for path, must_refuse in cases if (what := wrong(args, path, must_refuse))]
    for path, what in failures:
        print(*path, what, sep=": ")
    print(f"{len(cases)} malformed inputs, {len(failures)} answered wrongly")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
