"""Where decisions change with prices: kernels whose code is another with a cost table, or an architecture's prices, than with what is built in."""
import collections
import concurrent.futures
import glob
import os
import re
import subprocess
import tempfile

import bench_build as build
from bench_gap import plain_name

OTHERS = ["banks", "engines", "forms", "gap", "loops", "products", "registers", "sweeps"]   # folders of programs that stand by themselves
# Of another place in the file, and of debug information: no decisions.
BESIDE_CODE = re.compile(r"^\s*(\.loc|//|\$L__tmp|\$L__func).*$", re.M)
REMARK = re.compile(r"([^/\s:]+:\d+):\d+: remark: (.*?) \[-Rpass")


def sources(families):
    """(group, source, flags): those that are named, or all."""
    named = [(build.group_of(f), build.source_of(f), build.flags_of(f, "coalda")) for f in build.families_of(families or ",".join(build.GROUPS))]
    others = [] if families else [(folder, path, []) for folder in OTHERS
                                  for path in sorted(glob.glob(os.path.join(build.ROOT, "benchmarks", folder, "*.cu")))]
    return named + others


def compile_one(tools, source, flags, cost):
    """PTX of each kernel, and what was rewritten, by lines."""
    device = [*tools["ir"]["coalda"][:-2], tools["programs"]["expert"][-1]]          # without -c -emit-llvm, and with libcu++
    prices = ["-Xarch_device", f"-mllvm=-coalda-cost={cost}"] if cost else []
    with tempfile.TemporaryDirectory() as work:
        out = os.path.join(work, "out.ptx")
        done = subprocess.run([*device, *flags, *prices, "-w", "-Rpass=coalda", "-S", source, "-o", out], capture_output=True, text=True)
        if done.returncode:
            raise build.Failure(f"{source}: {done.stderr[:build.ERROR_TEXT]}")
        with open(out) as f:
            text = BESIDE_CODE.sub("", f.read())
    kernels = {name: body for name, body in re.findall(r"^\.visible \.entry (\w+)\((.*?)^\}", text, re.M | re.S) if "harness" not in name}
    return kernels, collections.Counter(REMARK.findall(done.stderr))


def changes(before, after):
    """Lines where something else is rewritten, and how."""
    gone, new = before[1] - after[1], after[1] - before[1]
    return [f"    {sign} {line}: {what.split(';')[0]}" for sign, found in (("-", gone), ("+", new)) for line, what in sorted(found)]


def compare(found, cost):
    """Prints what differs; how many kernels do, and of how many, by group."""
    count, differ = collections.Counter(), collections.Counter()
    for (group, source), (before, after) in found.items():
        others = [name for name in before[0] if before[0][name] != after[0].get(name)]
        count[group] += len(before[0])
        differ[group] += len(others)
        if others:
            print(f"{cost}: {os.path.relpath(source, build.ROOT)}: {' '.join(map(plain_name, others))}")
            print("\n".join(changes(before, after)))
    print(f"{cost}: {sum(differ.values())} of {sum(count.values())} kernels are rewritten otherwise than by what is built in: "
          + ", ".join(f"{group} {differ[group]} of {count[group]}" for group in count), flush=True)
    return sum(differ.values())


def run(tables, a):
    """Exit 1 where any kernel differs."""
    if not tables:
        raise build.Failure("decisions needs a cost table, or an architecture of pass/base/gpu.def")
    tools, programs = build.toolchain(a.arch, a.coalda), sources(a.families)
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        def all_with(cost):
            return list(pool.map(lambda program: compile_one(tools, program[1], program[2], cost), programs))
        built, differ = all_with(None), 0
        for table in tables:
            cost = os.path.abspath(table) if os.path.exists(table) else table
            pairs = zip(built, all_with(cost))
            differ += compare({program[:2]: pair for program, pair in zip(programs, pairs)}, table)
    return 1 if differ else 0
