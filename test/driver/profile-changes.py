"""Every change of what a kernel computes, or of what is asked of the compiler, is another hash: profile-changes.py COALDA-PROFILE FILE.ll"""
import os
import subprocess
import sys

CHANGES = [
    ("type { float, float, float }", "type { float, float, float, float }"),
    ("[i32 1, i32 2]", "[i32 1, i32 3]"),
    ("fadd contract", "fadd"),
    ("fadd contract float %x, %x", "fmul contract float %x, %x"),
    ("float %x, %x", "float %x, 1.0"),
    ("ptr noalias %p", "ptr %p"),
    ("load i32, ptr @table, align 4", "load i32, ptr @table, align 2"),
    ("load float, ptr %at", "load volatile float, ptr %at"),
    ("i32 %i, i32 1", "i32 %i, i32 2"),
    ("[ 0, %entry ]", "[ 1, %entry ]"),
    ("add nsw", "add"),
    ("icmp slt", "icmp ult"),
    ("%next, %n", "%i, %n"),
    ("label %loop, label %end", "label %end, label %loop"),
    ('"nvvm.maxntid"="256"', '"nvvm.maxntid"="128"'),
    ("i32 4}", "i32 8}"),
    ("unroll.count", "vectorize.width"),
    ("store float %w", "store float %v"),
    ("%q, i32 %i", "%p, i32 %i"),
]

program, path = sys.argv[1:]
source = open(path).read()


def hash_of(text):
    changed = path + ".changed.ll"
    with open(changed, "w") as f:
        f.write(text)
    lines = subprocess.run([program, "hash", changed], check=True, capture_output=True, text=True).stdout.split("\n")
    os.remove(changed)
    return [line for line in lines if line.startswith("kernel")][0].split()[2]


seen = {hash_of(source): "nothing"}
for old, new in CHANGES:
    assert old in source, old
    hash = hash_of(source.replace(old, new, 1))
    if hash in seen:
        sys.exit(f"'{old}' has become '{new}', and the hash is that of {seen[hash]}")
    seen[hash] = f"'{new}'"
