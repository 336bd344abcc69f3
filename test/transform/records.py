#!/usr/bin/env python3
"""Random kernels that touch records, compared with what the plugin makes of them.

    records.py FIRST LAST --temp DIR --opt 'opt -load-pass-plugin=...' --sim coalda-sim --clang clang++

Kernel r<S> depends on its seed alone: the layout of a struct (nested, packed, or padded; fields of one to sixteen bytes),
which of its fields it reads and writes, in which order and through which index, under which guards (one for all, or one for
each store), with which branches in between and in which loops, in place or from one array to another or both in turn without __restrict__. Prints how many
were rewritten and how.
Exit 1 where original and rewritten differ, or either does something wrong.
"""
import argparse
import collections
import concurrent.futures
import os
import random
import re
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "gen"))

import machine  # noqa: E402

SIZES = {"u8": 1, "u16": 2, "u32": 4, "float": 4, "u64": 8, "double": 8, "V2": 8, "V4": 16, "u32 *": 8}
INTEGERS = ("u8", "u16", "u32", "u64")
BLOCKS = ("32", "64", "64", "96", "33", "48", "31", "128", "16,4", "8,4,2", "33,3")


class Kernel:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.seed = seed
        self.make()

    def fields(self, count, prefix=""):
        """Declarations, and the access path and type of each leaf."""
        r, declared, leaves = self.rng, [], []
        mixed = r.random() < 0.6
        one = r.choice(("u32", "u32", "float", "u8", "u16", "u64"))
        for k in range(count):
            kind = r.choice(list(SIZES)) if mixed else one
            name = f"f{k}"
            if r.random() < 0.12:
                length = r.randrange(2, 5)
                declared.append(f"{kind} {name}[{length}];")
                leaves += [(f"{prefix}{name}[{j}]", kind) for j in range(length)]
            elif r.random() < 0.1 and not prefix:
                inner, inside = self.fields(r.randrange(1, 4), f"{prefix}{name}.")
                declared.append(f"struct {{ {inner} }} {name};")
                leaves += inside
            else:
                declared.append(f"{kind} {name};")
                leaves.append((prefix + name, kind))
        return " ".join(declared), leaves

    def read(self, place, kind):
        if kind in ("V2", "V4"):
            return " + ".join(f"{place}.{c} * {3 + k}" for k, c in enumerate("xyzw"[:2 if kind == "V2" else 4]))
        if kind in ("float", "double"):
            return f"(u32)__builtin_bit_cast({'u32' if kind == 'float' else 'u64'}, {place})"
        return f"(u32)(u64){place}"

    def written(self, kind, value):
        if kind in ("V2", "V4"):
            return f"{kind}{{{', '.join(f'{value} + {k}' for k in range(2 if kind == 'V2' else 4))}}}"
        if kind in ("float", "double"):
            return f"__builtin_bit_cast({kind}, {'(u32)' if kind == 'float' else '(u64)'}({value}))"
        return f"({kind})(u64)({value})"

    def segmented(self, lines):
        """One kernel in three: stores each under a condition of its own, now and then with a neighbour or something else."""
        r = random.Random(f"segmented {self.seed}")  # the rest of the kernel is as it was
        if r.random() < 0.67:
            return lines
        out, dense = [], r.random() < 0.7
        while lines:
            line, lines = lines[0], lines[1:]
            if re.match(r"[pq]\[k\]", line) and r.random() < 0.9:
                if lines and r.random() < 0.15:
                    line, lines = f"{line} {lines[0]}", lines[1:]
                if r.random() < 0.2:
                    line = f"{line} {r.choice(('s += 5;', 's ^= at[i] & 3;', 'o[k] = s;', 's += o[k];'))}"
                condition = r.choice((f"s >> {r.randrange(32)} & 1", f"(i + {r.randrange(9)}) % {r.randrange(2, 6)}"))
                line = f"if ({condition if dense else condition + f' && i % {r.randrange(5, 20)} == 3'}) {{ {line} }}"
            out.append(line)
        return out

    def detoured(self, lines):
        """One kernel in four: branches and loops between the members that all threads come out of."""
        r = random.Random(f"detoured {self.seed}")
        if r.random() < 0.75:
            return lines
        ways = ("for (u32 h = 0; h < (s & 3); h++) s = s * 5 + (s >> 3);", "if (s & 8) s /= 7; else s = s % 1000 * s;",
                "for (u32 h = 0; h < (s & 3); h++) s += at[(i + h) % n];", "while ((s & 7) == 5) s = s * 3 + (s >> 9);",
                "switch (s & 3) { case 0: s /= 3; break; case 1: s ^= at[i]; default: s = ~s * 9; }",
                "if (s % 5 == 1) { o[k] = s; s = s / 11 + 1; }")
        return [f"{line} {r.choice(ways)}" if r.random() < 0.7 else line for line in lines]

    def filled(self, lines, target, name):
        """One kernel in eight: a byte all over its record, or over the beginning of it."""
        r = random.Random(f"filled {self.seed}")
        if r.random() < 0.88 or not any(line.startswith(f"{target}[k]") for line in lines):
            return lines
        size = r.choice((f"sizeof({name})", f"sizeof({name}) / 2", f"sizeof({name}) - 1"))
        fill = f"__builtin_memset((void *)&{target}[k], {r.choice(('0', '255', '(u8)s'))}, {size});"
        at = r.randrange(len(lines) + 1)
        return lines[:at] + [fill] + lines[at:]

    def make(self):
        r = self.rng
        packed = "__attribute__((packed)) " if r.random() < 0.12 else ""
        body, leaves = self.fields(r.choice((1, 2, 3, 4, 5, 6, 7, 8, 8, 12, 16, 20)))
        if packed:  # no reference binds to a packed member: vectors would be copied through one
            leaves = [(p, k) for p, k in leaves if k not in ("V2", "V4")] or [("last", "u32")]
            body = body.replace("V2 ", "u64 ").replace("V4 ", "u64 ") + " u32 last;"
        name = f"S{self.seed}"
        style = r.choice(("apart", "apart", "aliasing", "place", "place", "copy", "load", "store"))
        index = r.choice(("row", "row", "all", "all", "reverse", "gather"))
        dims = index != "row"
        self.block = r.choice(BLOCKS if dims else BLOCKS[:8])
        self.grid = r.randrange(1, 4)
        threads = self.grid
        for x in self.block.split(","):
            threads *= int(x)
        loop = r.choice((None, None, None, "repeat", "stride", "uneven"))
        self.n = max(1, r.choice((threads, threads, threads - 1, threads // 2 + 5, threads)))
        rounds = r.randrange(2, 4) if loop else 1
        used = [leaf for leaf in leaves if r.random() < 0.9] or leaves
        reads, writes = r.sample(used, len(used)), r.sample(used, len(used))
        if r.random() < 0.15:
            writes += r.sample(writes, 1)
        restrict = "__restrict__ " if style in ("apart", "copy") else ""
        lines = [f"struct {packed}{name} {{ {body} }};",
                 f"KERNEL r{self.seed}(const u32 *at, {'const ' if style not in ('place',) else ''}{name} *{restrict}p, {name} *{restrict}q, u32 *o, u32 n) {{"]
        start = "ROW" if index == "row" else "ALL"
        lines.append(f"  u32 i = {start}, s = i * {r.randrange(1, 99)}u + 7;")
        step = "blockDim.x * gridDim.x" if index == "row" else "block_size() * gridDim.x"
        place = {"row": "j", "all": "j", "reverse": "n - 1 - j", "gather": "at[j]"}[index]
        inner = []
        if style == "copy":
            inner.append("q[k] = p[k];")
        else:
            read = [f"s = s * 31 + {self.read(f'p[k].{path}', kind)};" for path, kind in reads]
            target = "p" if style == "place" else "q"
            write = [f"{target}[k].{path} = {self.written(kind, f's + {n * 13}u')};" for n, (path, kind) in enumerate(writes)]
            if style == "load":
                write = ["o[k] = s;"]
            elif style == "store":
                read = []
            if style == "aliasing" or (style == "place" and r.random() < 0.5):
                both = []
                while read or write:
                    from_list = read if read and (not write or r.random() < 0.5) else write
                    both.append(from_list.pop(0))
                inner += both
            else:
                inner += read + write
        inner = self.filled(self.detoured(self.segmented(inner)), "p" if style == "place" else "q", name)
        if r.random() < 0.25:
            at = r.randrange(len(inner) + 1)
            inner.insert(at, r.choice(('asm volatile("" ::: "memory");', "__nvvm_membar_gl();", "o[k] = s;")))
        if r.random() < 0.25 and style != "load":
            inner = [f"if (({'i' if r.random() < 0.5 else 's'} + {r.randrange(5)}) % {r.randrange(2, 40)} != 1) {{", *inner, "}"]
        if loop == "repeat":
            head = f"for (u32 c = 0; c < {rounds}; c++) {{ u32 j = i;"
        elif loop == "stride":
            head = f"for (u32 j = i; j < n; j += {step}) {{"
            self.n *= rounds
        elif loop == "uneven":
            head = f"for (u32 c = 0; c < i % {rounds + 1}; c++) {{ u32 j = i;"
        else:
            head = "{ u32 j = i;"
        if loop != "stride":
            lines.append("  if (i >= n) return;")
        if loop and loop != "stride" and r.random() < 0.5:
            lines.append("  #pragma clang loop unroll(disable)")
        lines.append(f"  {head} u32 k = {place};")
        lines += ["    " + line for line in inner]
        lines += ["  }", "}"]
        self.text = "\n".join(lines)
        self.struct = name

    def args(self, size):
        return [f"perm:{self.n}", f"rand:{size * self.n}", f"rand:{size * self.n}:3", f"zero:{4 * self.n}", f"i32:{self.n}"]


def run(command):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=300)


def batch(a, seeds):
    """[(seed, what is wrong or '', actions)]"""
    base = os.path.join(a.temp, f"b{seeds[0]}")
    made = [Kernel(s) for s in seeds]
    with open(base + ".cu", "w") as f:
        f.write('#include "records.cuh"\n' + "\n".join(k.text for k in made) + "\n")
        f.writelines(f"__device__ u32 size{k.seed} = sizeof({k.struct});\n" for k in made)
    level = ["-O3"] if seeds[0] // len(seeds) % 4 else ["-O0", "-Xclang", "-disable-O0-optnone"]
    done = run([a.clang, "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90", "-nocudainc", "-nocudalib", "-w", "-S",
                "-emit-llvm", "-Wno-unknown-cuda-version", "-ffp-contract=off", f"-I{HERE}", f"-I{HERE}/../gen", *level,
                base + ".cu", "-o", base + ".ll"])
    if done.returncode:
        return [(seeds[0], f"does not compile: {done.stderr[:800]}", set())]
    with open(base + ".ll") as f:
        sizes = dict(re.findall(r"@size(\d+) = .*?global i32 (\d+)", f.read()))
    rewritten, yaml = base + ".new.ll", base + ".yaml"
    done = run(shlex.split(a.opt) + [f"-passes={a.passes}", f"-pass-remarks-output={yaml}", "-pass-remarks-filter=coalda",
                                     "-S", base + ".ll", "-o", rewritten])
    if done.returncode:
        if len(seeds) > 1:
            return [one for s in seeds for one in batch(a, [s])]
        return [(seeds[0], f"opt fails: {done.stderr[:600]}", set())]
    actions = collections.defaultdict(set)
    with open(yaml) as f:
        for kernel, op, action in re.findall(r"- Kernel: +r(\d+)\n(?:.*\n)*?  - Op: +(\w+)\n(?:(?!\.\.\.).*\n)*?  - Action: +(\w+)", f.read()):
            actions[int(kernel)].add(f"{op} {action}")
    out = []
    for k in made:
        command = [a.sim, base + ".ll", "--kernel", f"r{k.seed}", "--grid", str(k.grid), "--block", k.block, "--seed", str(k.seed % 5),
                   "--seeds", "2", "--compare", rewritten, "--", *k.args(int(sizes[str(k.seed)]))]
        status, words = a.machines.run(command[1:])
        wrong = f"exit {status}: {shlex.join(command)}\n{words[:700]}" if status else ""
        out.append((k.seed, wrong, actions[k.seed]))
    return out


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("first", type=int)
    p.add_argument("last", type=int)
    p.add_argument("--temp", required=True)
    p.add_argument("--passes", default="coalda<always>")
    p.add_argument("--jobs", type=int, default=2)
    for tool in ("opt", "sim", "clang"):
        p.add_argument(f"--{tool}", required=True)
    for tool in ("llc", "ptxas"):
        p.add_argument(f"--{tool}", help="accepted for the sake of one substitution in lit")
    p.add_argument("--quick", action="store_true", help="a tenth of them")
    p.add_argument("--oldest", action="store_true", help="accepted for the sake of the same substitution")
    a = p.parse_args()
    a.last = a.first + (a.last - a.first) // 10 if a.quick else a.last
    os.makedirs(a.temp, exist_ok=True)
    a.machines = machine.Machines(a.sim)
    groups = [list(range(s, min(s + 25, a.last + 1))) for s in range(a.first, a.last + 1, 25)]
    tally, wrong, rewritten, total = collections.Counter(), 0, 0, 0
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for results in pool.map(lambda g: batch(a, g), groups):
            for seed, words, actions in results:
                total += 1
                actions = {x for x in actions if not x.endswith("none")}
                rewritten += bool(actions)
                tally.update(actions)
                if words:
                    wrong += 1
                    if wrong <= 5:
                        print(f"seed {seed}: {words}")
    print(f"{total - wrong} of {total} kernels agree, {rewritten} are rewritten: " + ", ".join(f"{n} {x}" for x, n in sorted(tally.items())))
    sys.exit(1 if wrong or not rewritten else 0)


if __name__ == "__main__":
    main()
