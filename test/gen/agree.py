#!/usr/bin/env python3
"""Do two compilations of the same random kernels leave the same bytes?

    agree.py --sim build/coalda-sim 0 1999                     -O0 against -O3
    agree.py --sim ... 0 199 --rewrite 'opt ... {in} -o {out}' original against rewritten

Compiles the kernels of every seed in the range (40 to a file: clang's start
costs more than a kernel), runs each under coalda-sim with --compare, and
reports what failed with the command that repeats it. Exit 1 if anything did.
"""
import argparse
import collections
import concurrent.futures
import os
import shlex
import subprocess
import sys
import tempfile
import time

import kernels
import machine
import runline

EXITS = {1: "cannot run", 2: "fault", 3: "different bytes"}


def parse():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("first", type=int)
    p.add_argument("last", type=int)
    p.add_argument("--sim", default="build/coalda-sim")
    p.add_argument("--family", choices=kernels.FAMILIES + kernels.ALONE + ("any",), default="any")
    p.add_argument("--rewrite", help="command with {in} and {out}: compare the -O3 module with what this makes of it")
    p.add_argument("--level", default="-O3", help="optimization level of the module that --rewrite gets (default -O3)")
    p.add_argument("--schedules", type=int, default=2, help="scheduler seeds for each kernel (default 2)")
    p.add_argument("--batch", type=int, default=40)
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("--every", type=int, default=1, help="4: a quarter of the kernels of each file")
    p.add_argument("--timeout", type=float, default=60, help="of the command of --rewrite, in seconds")
    p.add_argument("--show", type=int, default=10, help="failures to print in full")
    p.add_argument("--progress", action="store_true", help="say how far it is, every 200 kernels")
    p.add_argument("--keep", help="directory for sources and modules (default: a temporary one)")
    p.add_argument("--sim-flag", action="append", default=[], help="further option for coalda-sim")
    return p.parse_args()


def two_modules(a, first, source, folder):
    """Compiles the file twice. Gives (module, module to compare with)."""
    base = os.path.join(folder, f"g{first}")
    if a.rewrite:
        before, after = f"{base}.before.bc", f"{base}.after.bc"
        runline.device_compile(source, before, a.level)
        command = a.rewrite.replace("{in}", shlex.quote(before)).replace("{out}", shlex.quote(after))
        done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=a.timeout)
        if done.returncode:
            raise RuntimeError(f"{command}\n{done.stderr[:2000]}")
        return after, before
    runline.device_compile(source, f"{base}.O3.bc", "-O3")
    runline.device_compile(source, f"{base}.O0.bc", "-O0")
    return f"{base}.O3.bc", f"{base}.O0.bc"


def batch(a, first, last, folder):
    """Runs the kernels of one file. Gives a list of (seed, family, verdict, words)."""
    source = os.path.join(folder, f"g{first}.cu")
    text = kernels.write(first, last - first + 1, a.family)
    with open(source, "w") as f:
        f.write(text)
    try:
        module, other = two_modules(a, first, source, folder)
    except (RuntimeError, subprocess.TimeoutExpired) as e:
        return [(first, "-", "does not compile", str(e))]
    out = []
    for run in runline.runs(text):
        seed = int(run.name[1:])
        family = kernels.kernel(seed, a.family).family
        cmd = run.command(a.sim, module, "--seed", str(seed), "--seeds", str(a.schedules), "--compare", other, *a.sim_flag)
        code, words = a.machines.run(cmd[1:])
        if code:
            out.append((seed, family, EXITS.get(code, f"exit {code}"), f"{shlex.join(cmd)}\n{words[:1500]}"))
        else:
            out.append((seed, family, "agree", ""))
    return out


def main():
    a = parse()
    a.machines = machine.Machines(a.sim)
    start = time.time()
    tally = collections.Counter()
    shown = 0
    with tempfile.TemporaryDirectory() as temp:
        folder = a.keep or temp
        os.makedirs(folder, exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
            work = [pool.submit(batch, a, *files, folder) for files in kernels.batches(a.first, a.last, a.batch, a.every)]
            for job in concurrent.futures.as_completed(work):
                for seed, family, verdict, words in job.result():
                    tally[family, verdict] += 1
                    if verdict == "agree":
                        continue
                    shown += 1
                    if shown <= a.show:
                        family_flag = "" if a.family == "any" else f" --family={a.family}"
                        print(f"seed {seed} ({family}): {verdict}\n  repeat: agree.py {seed} {seed}{family_flag} --keep DIR"
                              f"{' --rewrite ' + shlex.quote(a.rewrite) if a.rewrite else ''}")
                        print("  " + words.strip().replace("\n", "\n  "), flush=True)
                done = sum(tally.values())
                if a.progress and done // 200 > (done - len(job.result())) // 200:
                    print(f"{done} kernels, {time.time() - start:.0f} s", flush=True)
    good = sum(n for (_, v), n in tally.items() if v == "agree")
    total = sum(tally.values())
    for (family, verdict), n in sorted(tally.items()):
        print(f"{family:8} {verdict:18} {n}")
    print(f"{good} of {total} kernels agree, {time.time() - start:.0f} s, {a.jobs} jobs")
    sys.exit(0 if good == total and total else 1)


if __name__ == "__main__":
    main()
