#!/usr/bin/env python3
"""Compares the kernels of one file with what the plugin makes of them.

    check.py FILE.cu --temp DIR --opt 'opt -load-pass-plugin=...' --sim coalda-sim --clang clang++ --llc llc --ptxas ptxas

The file says what to run, in comments. {} hold Python expressions over n (the bound that a kernel guards with), T (threads
of the grid), B (threads of a block) and whatever `with` names:

    // CASE: kernel [word...] -- ARG...           arguments of coalda-sim
    // TEXT: levels=O3,O1                         optimization levels, if not all three
    // TEXT: archs=sm_75,sm_90                    architectures to compile for, if not sm_75 alone
    // TEXT: ptx=88                               the version of PTX that opt and llc are asked for
    // TEXT: pipeline=yes                         rewritten by the plugin in clang's own pipeline, not by opt behind it
    // TEXT: stages=2,5                           stages of rings that tile loops are also made into

Words of a CASE
    dims               blocks of one, two and three dimensions: the kernel numbers its threads itself
    full               n = T alone: the kernel has no guard
    few                three launches instead of some twenty
    block=X[,Y[,Z]]    this block alone; grid=N: this many
    shared=BYTES       dynamic shared memory
    with=K=A,B,...     runs the case for each value of K
    strict             the reference machine asks whether there is memory where a prefetch is from
    fewer              rewritten, a full grid touches fewer sectors
    unverified         not with coalda<verify>, whose own reads the reference machine takes for a race
    same               rewritten, it touches as many
    wide               its asynchronous copies, from sm_80 on, are fewer requests of a full grid, by a quarter
    load=ACTION store=ACTION refuse=NAME           what some access of the kernel is told with coalda<always>;
                       `none`: accesses are told of, and none is rewritten; `untold`: none is told of
    tile=pipelined     with so many stages, some tile loop of the kernel gets a ring of asynchronous copies, from sm_80 on;
    tile=held          some tile loop has its next tile in registers; tile=none: one is told of, and none is rewritten
    fill=async         some loop that fills shared memory gets asynchronous copies, from sm_80 on; fill=none: none does
    fill=REFUSAL       some loop that fills it is refused so
    held=yes           part of a row that is met again is held in registers, with coalda and with coalda<always>; held=no: none is
    tally=yes          what a loop adds up in memory is held in a register while it runs; tally=no: nothing is
    ahead=yes          with coalda<always>, a loop makes loads one iteration ahead; ahead=no: none does
    added=yes          atomic additions to neighbouring words are made at once, from sm_90 on; added=no: none are
    across=yes         atomic operations are there twice: where a test holds, another version makes them; across=no: none are
    jam=yes            iterations of a loop around others stand side by side; jam=no: of none do
    batch=yes          with coalda<always>, loads of several iterations come first in a loop; batch=no: in none do
    shelf=yes          from sm_80 on, blocks of rows arrive in shared memory of the warp; shelf=no: they do not
    padded=yes         the rows of a shared array are longer; padded=no: of none are
    once=yes           the copies of some tile loop are made once, in front of it; once=no: none are
    runs=yes           the copies of some ring go on into the next run of its loop; runs=no: of none do
    aside=yes          with plain coalda, some loop is there as the slow path of another; aside=no: none is
    versions=yes       with plain coalda, some tile loop has another version: the original; versions=no: none has
    named=yes          with plain coalda, threads of some loop read a list for themselves, not through a tile; named=no: of none do
    plain:WORD         load, store, refuse, none, untold, tile and fill: the same with plain `coalda`, tiles with as many stages as pay
Any other word is an error. A case of which nothing is expected has something to rewrite: its kernel's code changes.

A file is compiled at -O3, -O1 and -O0, rewritten with coalda<always>, at the first of its levels also with coalda and
coalda<always;verify>, and what is expected is asked there; every case runs at each of them under several schedules, unless its kernel has become what it was at another, and ptxas must
accept the code for sm_75, sm_80 and sm_90, or those of them that are not older than what it was compiled for.
"""
import argparse
import collections
import concurrent.futures
import itertools
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "gen"))

import machine  # noqa: E402
import texts  # noqa: E402

CASE = re.compile(r"^// CASE: (\S+) ?(.*?) ?--(?: (.*))?$", re.M)
TEXT = re.compile(r"^// TEXT: (.*)$", re.M)
LEVELS = {"O3": ["-O3"], "O1": ["-O1"], "O0": ["-O0", "-Xclang", "-disable-O0-optnone"]}
ARCHS = ("sm_75", "sm_80", "sm_90")
FIRST_ASYNC = 80   # the first architecture with asynchronous copies
BLOCK = 64
BOUNDS = (0, 1, 31, 32, 33, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK)
ROWS = ("1", "31", "32", "33", "48", "128", "1024")
BRICKS = ("16,4", "31,2", "8,4,4", "33,3", "5,5,5", "1,1,64", "2,16,2")
HOWS = (("coalda<always>", "always"), ("coalda", "plain"), ("coalda<always;verify>", "verify"))
TRAFFIC = {"fewer": ("sectors", lambda old, new: new < old), "same": ("sectors", lambda old, new: new == old),
           "wide": ("requests", lambda old, new: 4 * new < 3 * old)}
TOLD = ("load", "store", "refuse", "none", "untold", "tile", "fill")   # by remarks
MARKED = ("once", "runs", "held", "shelf", "tally", "padded", "ahead", "versions", "batch", "added", "across", "jam", "aside", "named")   # told by what stands in the code
VALUES = ("block", "grid", "shared", "with")
FLAGS = ("dims", "full", "few", "unverified", "strict", *TRAFFIC)
EXITS = {1: "cannot run", 2: "fault", 3: "different bytes"}


class Wrong(Exception):
    pass


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=300, **more)


def must(command):
    done = run(command)
    if done.returncode:
        words = [line for line in (done.stdout + done.stderr).splitlines() if not line.startswith((" #", "PLEASE"))]
        raise Wrong(f"{shlex.join(command)}\n" + "\n".join(words[:12]))
    return done.stdout


def threads(shape):
    product = 1
    for size in shape.split(","):
        product *= int(size)
    return product


class Case:
    """One line: a kernel, how it is launched and with what."""

    def __init__(self, kernel, words, args):
        self.kernel = kernel
        self.args = args or ""
        self.flags = set()
        self.value = {}
        self.told = []
        self.over = [{}]
        for word in words.split():
            self.take(word)

    def take(self, word):
        key, has_value, value = word.partition("=")
        name = key.removeprefix("plain:")
        if key == "with" and value:
            name, _, values = value.partition("=")
            self.over = [dict(o, **{name: int(v)}) for o in self.over for v in span(values)]
        elif (name in TOLD or key in MARKED) and bool(has_value) == (name not in ("none", "untold")):
            self.told.append((key, value))
        elif key in VALUES and value:
            self.value[key] = value
        elif word in FLAGS:
            self.flags.add(word)
        else:
            sys.exit(f"{self.kernel}: a CASE has no word '{word}'")

    def wanted(self, key):
        return [value for known, value in self.told if known == key]

    def expects(self):
        """Anything that a kernel that is left as it is would not meet."""
        idle = [("untold", ""), ("fill", "none"), *((key, "no") for key in MARKED)]
        return any(word not in idle for word in self.told) or bool({"fewer", "wide"} & self.flags)

    def launches(self):
        """(block, grid, n)"""
        if "block" in self.value:
            block = self.value["block"]
            grid = int(self.value.get("grid", 2))
            all_threads = grid * threads(block)
            return [(block, grid, n) for n in ((all_threads,) if "full" in self.flags else (all_threads, all_threads - 1))]
        if "few" in self.flags:
            return [("64", 2, 128), ("64", 2, 127), ("48", 2, 95)]
        shapes = ROWS + (BRICKS if "dims" in self.flags else ())
        out = [(str(BLOCK), 2, 2 * BLOCK)]
        if "full" not in self.flags:
            out = [(str(BLOCK), 2, n) for n in BOUNDS]
        for i, block in enumerate(shapes):
            grid = 1 if threads(block) > 512 else 1 + i % 2
            all_threads = grid * threads(block)
            out.append((block, grid, all_threads))
            if "full" not in self.flags and i % 3 == 0:
                out.append((block, grid, max(0, all_threads - 1)))
        return out

    def commands(self, sim, module, quick=False):
        launches = self.launches()
        if quick:
            launches = [(str(BLOCK), 2, 2 * BLOCK)] if "block" not in self.value else launches[:1]
        for over, (block, grid, n) in itertools.product(self.over, launches):
            known = dict(over, n=n, T=grid * threads(block), B=threads(block), G=grid, max=max, min=min)
            args = [re.sub(r"\{([^}]*)\}", lambda m: str(eval(m[1], known)), a) for a in self.args.split()]
            room = ["--shared", self.value["shared"]] if "shared" in self.value else []
            room += ["--check=strict"] if "strict" in self.flags else []
            yield [sim, module, "--kernel", self.kernel, "--grid", str(grid), "--block", block, *room], args


def span(values):
    for part in values.split(","):
        first, _, last = part.partition("..")
        yield from range(int(first), int(last or first) + 1)


def told(remarks):
    """{(op, action), ...}, {refusal, ...} of a kernel's accesses."""
    accesses = [remark.field for remark in remarks if "Op" in remark.field]
    return {(field["Op"], field.get("Action", "none")) for field in accesses}, {field.get("Refusal", "") for field in accesses}


def told_of_tiles(remarks):
    """What is told of a kernel's tile loops: `pipelined`, `held`, `none`."""
    return {("held" if "held in registers" in remark.words else "pipelined") if remark.passed else "none"
            for remark in remarks if "Copies" in remark.field}


def told_of_fills(remarks):
    """What is told of loops that fill shared memory: `async`, or why not."""
    return {"async" if remark.passed else remark.field["Refusal"] for remark in remarks if remark.name == "Filling"}


def expect_fill(case, remarks, prefix):
    words = told_of_fills(remarks)
    for value in case.wanted(f"{prefix}fill"):
        if "async" in words if value == "none" else value not in words:
            raise Wrong(f"{case.kernel}: wanted {prefix}fill={value}, got {sorted(words)}")


def expect_mark(case, module, word, mark):
    made = mark in module.body(case.kernel)
    for value in case.wanted(word):
        if made != (value == "yes"):
            raise Wrong(f"{case.kernel}: wanted {word}={value}")


def copies(module, kernel):
    """Asynchronous copies of the kernel."""
    return len(re.findall(r"call void @llvm\.nvvm\.cp\.async\.c[ag]\.", module.body(kernel)))


def expect_tile(case, remarks, before, after, arch, prefix):
    tiles = told_of_tiles(remarks)
    if copies(after, case.kernel) > copies(before, case.kernel):
        tiles.add("pipelined")
    for value in case.wanted(f"{prefix}tile"):
        if value == "pipelined" and int(arch[3:]) < FIRST_ASYNC:
            continue
        if tiles != {"none"} if value == "none" else value not in tiles:
            raise Wrong(f"{case.kernel}: wanted {prefix}tile={value}, got {sorted(tiles)}")


def is_told(key, value, actions, refusals):
    if key == "refuse":
        return value in refusals
    if key == "untold":
        return not actions
    some = [action for op, action in actions if key in ("none", op)]
    return bool(some) and set(some) == {"none"} if "none" in (key, value) else value in some


def expect_told(case, remarks, prefix):
    actions, refusals = told(remarks)
    for key in ("load", "store", "refuse", "none", "untold"):
        for value in case.wanted(prefix + key):
            if not is_told(key, value, actions, refusals):
                raise Wrong(f"{case.kernel}: wanted {prefix}{key}{'=' + value if value else ''}, got {sorted(actions)}, "
                            f"refusals {sorted(refusals)}")


Code = collections.namedtuple("Code", "level arch name asked module rewritten yaml tiles last")


class Suite:
    def __init__(self, a):
        self.a = a
        self.text = open(a.file).read()
        self.cases = [Case(*m) for m in CASE.findall(self.text)]
        if a.only:
            self.cases = [c for c in self.cases if c.kernel in a.only.split(",")]
            if {c.kernel for c in self.cases} != set(a.only.split(",")):
                sys.exit(f"{a.file}: not all of {a.only} have a case")
        self.setting = dict(w.split("=", 1) for line in TEXT.findall(self.text) for w in line.split() if "=" in w)
        self.texts = texts.Texts()
        self.machines = machine.Machines(a.sim)
        os.makedirs(a.temp, exist_ok=True)

    def path(self, name):
        return os.path.join(self.a.temp, name)

    def compile(self, level, arch, name="", flags=()):
        source, output = self.a.file, self.path(f"{level}.{arch}{name}.ll")
        if source.endswith(".ll"):
            return source
        must([self.a.clang, "-x", "cuda", "--cuda-device-only", f"--cuda-gpu-arch={arch}", "-nocudainc", "-nocudalib", "-w",
              "-Wno-unknown-cuda-version", "-std=c++17", "-ffp-contract=off", f"-I{HERE}/../gen", f"-I{HERE}", f"-I{HERE}/../../include", "-S", "-emit-llvm",
              *LEVELS[level], *flags, source, "-o", output])
        return output

    def rewrite_in_pipeline(self, level, arch, name):
        yaml = self.path(f"{level}.{arch}.{name}.yaml")
        words = shlex.split(self.a.opt)[1:] + (["-coalda-always"] if name == "always" else [])
        plugin = [word.replace("-load-pass-plugin", "-fpass-plugin") for word in words if word.startswith("-load")]
        flags = [part for word in words if word.startswith("-coalda") for part in ("-mllvm", word)]
        record = ["-fsave-optimization-record", f"-foptimization-record-file={yaml}", "-foptimization-record-passes=coalda"]
        return self.compile(level, arch, f".{name}", [*plugin, *flags, *record]), yaml

    def ptx_wanted(self):
        return [f"-mattr=+ptx{self.setting['ptx']}"] if "ptx" in self.setting else []

    def rewrite(self, module, how, name):
        output, yaml = self.path(f"{name}.ll"), self.path(f"{name}.yaml")
        must(shlex.split(self.a.opt) + [*self.ptx_wanted(), f"-passes={how}", "-verify-each", f"-pass-remarks-output={yaml}",
                                        "-pass-remarks-filter=coalda", "-S", module, "-o", output])
        return output, yaml

    def assemble(self, module, arch):
        ptx = f"{module}.{arch}.ptx"
        must([self.a.llc, f"-mcpu={arch}", *self.ptx_wanted(), module, "-o", ptx])
        must([self.a.ptxas, f"-arch={arch}", ptx, "-o", f"{ptx}.cubin"])

    def simulate(self, command):
        status, words = self.machines.run(command[1:])
        if status:
            raise Wrong(f"{EXITS.get(status, status)}: {shlex.join(command)}\n{words[:1500]}")

    def compare(self, command, args, other):
        self.simulate([*command, "--seeds", str(self.a.schedules), "--compare", other, "--", *args])

    def count(self, what, command, args):
        with tempfile.NamedTemporaryFile("r", dir=self.a.temp, suffix=".json") as stats:   # checks run side by side
            self.simulate([*command, f"--stats={stats.name}", "--", *args])
            return sum(t[what] for t in json.load(stats)["totals"] if t["space"] == "global")

    def traffic(self, case, before, after, what, is_right):
        old, new = (self.count(what, *next(iter(case.commands(self.a.sim, m, quick=True)))) for m in (before, after))
        if not is_right(old, new):
            raise Wrong(f"{case.kernel}: {old} {what} before, {new} after")

    def jobs(self):
        """Every check of the file, as calls that raise Wrong."""
        for code in self.codes():
            yield from self.expectations(code)
            yield from self.runs(code)

    def codes(self):
        """What is made of the file at each level, for each architecture, in each way."""
        rings = [(f"coalda<always;stages={n}>", f"stages{n}") for n in self.setting.get("stages", "").split(",") if n]
        levels, archs = (self.setting.get(*w).split(",") for w in (("levels", "O3,O1,O0"), ("archs", "sm_75")))
        hows = HOWS
        if self.a.quick:
            levels, archs, rings, hows = levels[:1], archs[-1:], rings[:1], HOWS[:1]
        for level, arch in itertools.product(levels, archs):
            module = self.compile(level, arch)
            rings_here = rings if int(arch[3:]) >= FIRST_ASYNC else rings[:1]
            asked = level == levels[0]
            for how, name in (*hows, *rings_here) if asked else (*hows[:1], *rings_here[:1]):
                if "pipeline" in self.setting and name in ("always", "plain"):
                    rewritten, yaml = self.rewrite_in_pipeline(level, arch, name)
                else:
                    rewritten, yaml = self.rewrite(module, how, f"{level}.{arch}.{name}")
                yield Code(level, arch, name, asked, module, rewritten, yaml, tiles=name.startswith("stages") or not rings,
                           last=arch == archs[-1])

    def expectations(self, code):
        for case in self.cases if code.asked else ():
            for check in self.expectations_of(case, code):
                yield check

    def expectations_of(self, case, code):
        """What is said of the case, in the file and by the plugin."""
        ring, is_async = code.name.startswith("stages"), int(code.arch[3:]) >= FIRST_ASYNC
        prefix = "plain:" if code.name == "plain" else ""
        before, after = self.texts.module(code.module), self.texts.module(code.rewritten)
        remarks = self.texts.told(code.yaml, case.kernel)
        if code.name == "plain" or (code.name == "always" or ring) and code.tiles:
            yield lambda: expect_tile(case, remarks, before, after, code.arch, prefix)
        for flag, (what, is_right) in TRAFFIC.items():
            wanted = ring and is_async if flag == "wide" else code.name == "always"
            if flag in case.flags and wanted:
                yield lambda w=what, r=is_right: self.traffic(case, code.module, code.rewritten, w, r)
        if code.name not in ("always", "plain"):
            return
        yield lambda: expect_told(case, remarks, prefix)
        if code.name == "always" and code.last and not case.told and not case.expects():
            yield lambda: self.expect_change(case, code)
        if is_async:
            yield lambda: expect_fill(case, remarks, prefix)
            yield lambda: expect_mark(case, after, "once", "!coalda.once")
            yield lambda: expect_mark(case, after, "runs", "%around")
            yield lambda: expect_mark(case, after, "shelf", f"@{case.kernel}.shelf")
        yield lambda: expect_mark(case, after, "held", "!coalda.again")
        yield lambda: expect_mark(case, after, "padded", ".padded")
        yield lambda: expect_mark(case, after, "added", "red.relaxed.")
        yield lambda: expect_mark(case, after, "across", "!coalda.added")
        yield lambda: expect_mark(case, after, "tally", "!coalda.tally")
        yield lambda: expect_mark(case, after, "jam", "!coalda.jam")
        if code.name == "always":
            yield lambda: expect_mark(case, after, "ahead", "!coalda.ahead")
            yield lambda: expect_mark(case, after, "batch", "!coalda.batch")
        else:
            yield lambda: expect_mark(case, after, "versions", "!coalda.twin")
            yield lambda: expect_mark(case, after, "aside", "!coalda.aside")
            yield lambda: expect_mark(case, after, "named", "!coalda.named")

    def expect_change(self, case, code):
        if not self.texts.is_changed(case, code.module, code.rewritten):
            raise Wrong(f"{case.kernel}: wanted a rewrite of any kind, and its code is what it was")

    def runs(self, code):
        """The assembler takes it, and it does what the code before did."""
        ring = code.name.startswith("stages")
        archs = [code.arch] if self.a.oldest else [arch for arch in ARCHS if int(arch[3:]) >= int(code.arch[3:])]
        for newer in archs if code.asked and (code.name == "always" or ring) and not self.a.quick else ():
            if self.texts.is_new_module(code.rewritten, newer):
                yield lambda r=newer: self.assemble(code.rewritten, r)
        quick = code.level == "O1" or not ring and code.name != "always"
        for case in [] if quick and self.a.quick else self.cases:
            if code.name == "verify" and "unverified" in case.flags or not self.texts.is_new(case, code.module, code.rewritten, quick):
                continue
            commands = list(case.commands(self.a.sim, code.module, quick or self.a.quick))[:1 if self.a.quick else None]
            for command, args in commands:
                yield lambda c=command, a=args: self.compare(c, a, code.rewritten)

    def holds(self, case, codes):
        """Does all that is said of the case hold?"""
        try:
            for code in codes:
                for check in self.expectations_of(case, code):
                    check()
        except Wrong:
            return False
        return True

    def cannot_fail(self):
        """Cases that say something, all of which holds of code that nothing was rewritten of."""
        codes = [code for code in self.codes() if code.asked]
        says = [case for case in self.cases if case.expects() or not case.told]
        return [case.kernel for case in says if self.holds(case, codes)]


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("file")
    p.add_argument("--temp", required=True)
    for tool in ("opt", "sim", "clang", "llc", "ptxas"):
        p.add_argument(f"--{tool}", required=True)
    p.add_argument("--schedules", type=int, default=2)
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--enough", type=int, default=8, help="failures to print; the rest is not run")
    p.add_argument("--only", help="the cases of these kernels, by commas")
    p.add_argument("--quick", action="store_true", help="one level, the newest architecture, one launch a case, one schedule")
    p.add_argument("--oldest", action="store_true", help="ptxas is asked for the architecture that a file was compiled for alone")
    p.add_argument("--off", action="store_true", help="with the plugin switched off: exit 1 if every case that says anything fails")
    a = p.parse_args()
    a.schedules = 1 if a.quick else a.schedules
    suite, wrong, count = Suite(a), [], 0
    if a.off:
        sound = suite.cannot_fail()
        print(f"{os.path.basename(a.file)}: with the plugin switched off, these hold: {' '.join(sound) or 'none'}")
        sys.exit(0 if sound else 1)

    def attempt(job):
        try:
            if len(wrong) < a.enough:
                job()
        except Wrong as e:
            wrong.append(str(e))

    try:
        with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
            jobs = itertools.takewhile(lambda _: len(wrong) < a.enough, suite.jobs())
            under_way = [pool.submit(attempt, job) for job in jobs]
            count = len([job.result() for job in under_way])
    except Wrong as e:
        wrong.append(str(e))
    for words in wrong[:a.enough]:
        print(words, file=sys.stderr)
    print(f"{os.path.basename(a.file)}: {count - len(wrong)} of {count} checks hold")
    sys.exit(1 if wrong or not count else 0)


if __name__ == "__main__":
    main()
