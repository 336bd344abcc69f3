#!/usr/bin/env python3
"""Writes random CUDA kernels that are free of races and of undefined behaviour.

    kernels.py SEED [--count=N] [--family=record|walk|ways|elements|tile|mixed|tiles|fills|owned|recurrences|again|products|reals|jams|parts|part-reals|atomics] [-o FILE]

Kernel k<S> depends on its seed S and the family alone, so the kernel that a
file of many shows wrong comes back alone with `kernels.py S`. Above each
stands how coalda-sim runs it:

    // RUN-KERNEL: k7 --grid 2 --block 33 [--shared 128] -- buf:400 i32:50

Buffers end at the last byte that the kernel touches, so one element too many
is out of bounds. Arithmetic is unsigned, or floating point that IEEE fixes
(no contraction, no NaN, no overflow): -O0 and -O3 must agree on every bit.
"""
import argparse
import random
import sys

import again
import atomics
import products
import fills
import jams
import owned
import parts
import reals
import recurrences
import tiles

FAMILIES = ("record", "walk", "tile", "mixed")   # what "any" chooses from: what a seed gives must not change
ALONE = ("tiles", "fills", "ways", "elements", "owned", "recurrences", "again", "products", "reals", "jams", "parts", "part-reals", "atomics")   # asked for by name
SIZE = {"u8": 1, "u16": 2, "u32": 4, "float": 4, "u64": 8, "double": 8, "V2": 8, "V4": 16}


class Source:
    """Lines of C++ at an indentation, and the names that an expression may use."""

    def __init__(self, rng):
        self.rng = rng
        self.lines = []
        self.depth = 1
        self.serial = 0
        self.ints = []      # u32 variables in scope
        self.floats = []    # float variables in scope, each within [-4, 4]
        self.helpers = []   # device functions and globals that precede the kernel

    def put(self, line):
        self.lines.append("  " * self.depth + line)

    def open(self, line):
        self.put(line + " {")
        self.depth += 1

    def close(self, tail=""):
        self.depth -= 1
        self.put("}" + tail)

    def name(self, stem):
        self.serial += 1
        return f"{stem}{self.serial}"

    def scope(self):
        return len(self.ints), len(self.floats)

    def leave(self, mark):
        del self.ints[mark[0]:]
        del self.floats[mark[1]:]

    # ---- expressions -----------------------------------------------------
    def const(self):
        r = self.rng
        return f"{r.choice([r.randrange(8), r.randrange(256), r.getrandbits(32)])}u"

    def u(self, depth=2):
        """A u32 expression without undefined behaviour."""
        r = self.rng
        if depth == 0 or r.random() < 0.1:
            return r.choice(self.ints) if self.ints and r.random() < 0.8 else self.const()
        a, b = self.u(depth - 1), self.u(depth - 1)
        return r.choice([
            f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} ^ {b})", f"({a} & {b})",
            f"({a} | {b})", f"({a} << {r.randrange(32)})", f"({a} >> {r.randrange(32)})",
            f"({a} << ({b} & 31u))", f"(u32)((int){a} >> {r.randrange(32)})",
            f"rot({a}, {b})", f"minu({a}, {b})", f"maxu({a}, {b})",
            f"({a} < {b} ? {self.u(depth - 1)} : {self.u(depth - 1)})",
            f"((int){a} < (int){b} ? {self.u(depth - 1)} : {a})",
            f"({a} / ({b} | 1u))", f"({a} % {r.randrange(1, 1000)}u)",
            f"(u32)((int)({a} >> 1) / {r.randrange(1, 99)})", f"(u32)(u8){a}",
            f"(u32)(int)(signed char){a}", f"(u32)(int)(short){a}",
            f"(u32)__builtin_popcount({a})", f"(u32)__builtin_clz({a} | 1u)",
            f"(u32)__builtin_ctz({a} | 0x80000000u)", f"__builtin_bitreverse32({a})",
            f"__builtin_bswap32({a})", f"(u32)(((u64){a} * {b}) >> 32)",
            f"(u32)((((u64){a} << 20) + {b}) / ({r.randrange(1, 1 << 20)}ull | 1ull))",
            f"(u32)(({a} == {b}) + ({a} > {self.const()}))",
        ])

    def f(self, depth=2):
        """A float expression within [-4, 4]."""
        r = self.rng
        if depth == 0 or r.random() < 0.1:
            if self.floats and r.random() < 0.8:
                return r.choice(self.floats)
            return f"({r.randrange(-64, 65) / 32.0!r}f)"
        a, b = self.f(depth - 1), self.f(depth - 1)
        return r.choice([
            f"clampf({a} + {b})", f"clampf({a} - {b})", f"clampf({a} * {b})",
            f"clampf({a} / ({b} * {b} + 1.0f))", f"(-{a})", f"({a} < {b} ? {a} : {b})",
            f"__builtin_fabsf({a})", f"__builtin_sqrtf(__builtin_fabsf({a}))",
            f"clampf(__builtin_fmaf({a}, {b}, {self.f(depth - 1)}))",
            f"((float)(int)({a} * 16.0f) * 0.0625f)", f"__builtin_floorf({a})",
            f"((float)({self.u(1)} & 1023u) * 0.00390625f)",
            f"(float)clampd((double){a} * (double){b})",
            f"(float)(_Float16){a}", f"({a} > {b} ? {self.f(depth - 1)} : {a})",
        ])

    def cond(self):
        r = self.rng
        if self.floats and r.random() < 0.3:
            return f"{self.f(1)} < {self.f(1)}"
        return r.choice([f"{self.u(1)} < {self.u(1)}", f"({self.u(1)} & {1 << r.randrange(4)}u)",
                         f"{self.u(1)} % 3u == {r.randrange(3)}u"])

    def of(self, kind, depth=2):
        """An expression of the element type `kind`."""
        if kind == "float":
            return self.f(depth)
        if kind == "double":
            return f"clampd((double){self.f(1)} + (double){self.f(1)} * 0.37)"
        if kind == "u64":
            return f"(((u64){self.u(1)} << 32) ^ {self.u(1)})"
        if kind in ("V2", "V4"):
            return kind + "{" + ", ".join(f"(u32){self.u(1)}" for _ in range(SIZE[kind] // 4)) + "}"
        return f"({kind}){self.u(depth)}" if kind != "u32" else self.u(depth)

    def take(self, kind, value):
        """Declares a variable that holds `value` (of element type `kind`) and may be used from here on."""
        v = self.name("v")
        if kind == "float":
            self.put(f"float {v} = {value};")
            self.floats.append(v)
        elif kind == "double":
            self.put(f"float {v} = (float)clampd({value});")
            self.floats.append(v)
        elif kind == "u64":
            self.put(f"u64 {v}w = {value};")
            self.put(f"u32 {v} = (u32){v}w ^ (u32)({v}w >> 32);")
            self.ints.append(v)
        elif kind in ("V2", "V4"):
            names = ["x", "y"] if kind == "V2" else ["x", "y", "z", "w"]
            self.put(f"{kind} {v}w = {value};")
            self.put(f"u32 {v} = " + " ^ ".join(f"rot({v}w.{n}, {i})" for i, n in enumerate(names)) + ";")
            self.ints.append(v)
        else:
            self.put(f"u32 {v} = {value};")
            self.ints.append(v)
        return v

    def noise(self, count=None):
        """A few computations, branches and loops on the names in scope; no memory is touched."""
        r = self.rng
        for _ in range(r.randrange(1, 4) if count is None else count):
            what = r.randrange(6)
            if what == 0:
                self.take("float", self.f())
            elif what == 1:
                v = self.take("u32", self.u())
                self.open(f"if ({self.cond()})")
                self.put(f"{v} = {self.u()};")
                if r.random() < 0.5:
                    self.close(" else {")
                    self.depth += 1
                    self.put(f"{v} ^= {self.u()};")
                self.close()
            elif what == 2:
                v = self.take("u32", self.u())
                j = self.name("j")
                trips = r.choice([str(r.randrange(6)), f"({r.choice(self.ints)} & 7u)"])
                self.open(f"for (u32 {j} = 0; {j} < {trips}; {j}++)")
                self.put(f"{v} = {v} * {self.const()} + {j};")
                if r.random() < 0.3:
                    self.put(f"if ({v} % 7u == 3u) {r.choice(['break', 'continue'])};")
                self.put(f"{v} ^= {self.u(1)};")
                self.close()
            elif what == 3:
                v = self.take("u32", self.u())
                self.open(f"switch ({v} % {r.randrange(2, 6)}u)")
                for case in range(r.randrange(1, 4)):
                    self.put(f"case {case}: {v} += {self.u(1)}; {r.choice(['break;', ''])}")
                self.put(f"default: {v} = ~{v};")
                self.close()
            else:
                self.take("u32", self.u())


class Recursion:
    """A recursive function of (depth up to 7, value); in a kernel with block barriers, a chain of functions that computes the
    same: ptxas does not bring a warp together behind divergent recursion (test/gpu/README.md)."""

    def __init__(self, name):
        self.name = name

    def text(self, chained):
        link = self.name + ("_link<N - 1>" if chained else "")
        body = f"d == 0 ? z : {link}(d - 1, z * 5u + d) ^ (d > 2 ? {link}(d / 3, z) : 0u)"
        if not chained:
            return f"__device__ __noinline__ static u32 {self.name}(u32 d, u32 z) {{ return {body}; }}"
        return (f"template <u32 N> __device__ __noinline__ static u32 {self.name}_link(u32 d, u32 z) "
                f"{{ if constexpr (N == 0) return z; else return {body}; }}\n"
                f"__device__ static u32 {self.name}(u32 d, u32 z) {{ return {self.name}_link<7>(d, z); }}")


class Kernel:
    """One kernel under construction: source, parameters, launch."""

    def __init__(self, seed, family):
        self.rng = random.Random(f"{family}:{seed}")
        self.seed = seed
        self.family = family if family != "any" else self.rng.choice(FAMILIES)
        self.s = Source(self.rng)
        self.params = []    # (C declaration, ARG)
        self.shared = 0     # dynamic shared memory, bytes
        self.bounds = ""

    def param(self, decl, arg):
        self.params.append((decl, arg))
        return len(self.params) - 1

    def shape(self, limit=700, cap=1024):
        """Picks grid and block; about `limit` threads in all."""
        r = self.rng
        while True:
            block = r.choice([
                (1,), (31,), (32,), (33,), (48,), (64,), (96,), (100,), (128,), (7,), (256,), (1024,),
                (8, 4), (16, 16), (5, 7), (33, 2), (3, 4, 5), (32, 1, 2), (2, 2, 8), (1, 64), (64, 3), (16, 8, 2)])
            size = product(block)
            if size <= cap and (size <= limit or r.random() < 0.2):
                break
        most = max(1, limit // size)
        grid = r.choice([(1,), (r.randrange(1, most + 1),), (min(3, most),), (min(2, most), 1, min(2, max(1, most // 2)))])
        self.grid, self.block = grid, block
        self.block_size, self.blocks = size, product(grid)
        self.threads = size * self.blocks
        if r.random() < 0.2:
            self.bounds = f"__launch_bounds__({size}) "

    def count(self):
        """How many items the kernel handles: all threads' worth, or not quite, or hardly any."""
        r, t = self.rng, self.threads
        return max(0, r.choice([t, t, t - 1, t - r.randrange(0, min(t, 40)), t + 1, t + 13, r.randrange(0, t + 1), 0, 1, 31, 32, 33]))

    def index(self, name="i"):
        """Defines the thread's number in the grid, in one of the ways that people write."""
        s, r = self.s, self.rng
        if len(self.block) == 1 and len(self.grid) == 1:
            s.put(r.choice([f"u32 {name} = blockIdx.x * blockDim.x + threadIdx.x;",
                            f"int {name}s = threadIdx.x + blockIdx.x * blockDim.x; u32 {name} = {name}s;"]))
        else:
            s.put(f"u32 {name} = block_rank() * block_size() + rank_in_block();")
        s.ints.append(name)

    def rows(self):
        """How many rows the kernel has, one thread each; few threads in all."""
        self.shape(limit=260)
        return max(1, min(self.threads, self.count()))

    def open_rows(self, rows, m, pitch):
        """After the arrays: rows of m elements, one behind the other by the pitch; threads without one return."""
        for name, value in (("rows", rows), ("m", m), ("pitch", pitch)):
            self.param(f"int {name}", f"i32:{value}")
        self.index()
        self.s.put("if (i >= rows) return;")

    def text(self):
        decls = ", ".join(d for d, _ in self.params)
        run = f"// RUN-KERNEL: k{self.seed} --grid {','.join(map(str, self.grid))} --block {','.join(map(str, self.block))}"
        if self.shared:
            run += f" --shared {self.shared}"
        run += " -- " + " ".join(a for _, a in self.params)
        meets = any("__syncthreads" in line or "_bar0_" in line for line in self.s.lines)
        helpers = [h.text(meets) if isinstance(h, Recursion) else h for h in self.s.helpers]
        return "\n".join([f"// {self.family}", *helpers, run,
                          f'extern "C" __global__ void {self.bounds}k{self.seed}({decls}) {{', *self.s.lines, "}", ""])


def product(xs):
    p = 1
    for x in xs:
        p *= x
    return p


# ---- records ---------------------------------------------------------------

class Layout:
    """A record: fields (offset, element type, C text that names it from pointer p and record number)."""

    def __init__(self, k, tag):
        r = k.rng
        self.tag = tag
        style = r.choice(["hand", "hand", "hand", "struct", "struct", "bytes"])
        if style == "hand":
            self.kind = r.choice(["u32", "u32", "float", "float", "u16", "u8", "u64", "double", "V2", "V4"])
            self.words = r.choice([1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17, 24, 32, 33])
            if SIZE[self.kind] == 16:
                self.words = min(self.words, 9)
            self.size = self.words * SIZE[self.kind]
            self.fields = [(j * SIZE[self.kind], self.kind, f"[{{i}} * {self.words} + {j}]") for j in range(self.words)]
            self.pointer = self.kind
        elif style == "bytes":
            self.kind = "u8"
            self.words = r.randrange(1, 17)
            self.size = self.words
            self.fields = [(j, "u8", f"[{{i}} * {self.words} + {j}]") for j in range(self.words)]
            self.pointer = "u8"
        else:
            kinds = [r.choice(["u32", "float", "u16", "u8", "u64", "u32", "float", "V2", "double"]) for _ in range(r.randrange(1, 10))]
            at, align, body, self.fields = 0, 1, [], []
            for j, kind in enumerate(kinds):
                step = 8 if kind == "V2" else SIZE[kind]
                at = (at + step - 1) // step * step
                align = max(align, step)
                self.fields.append((at, kind, f"[{{i}}].m{j}"))
                body.append(f"{kind} m{j};")
                at += SIZE[kind]
            self.size = (at + align - 1) // align * align
            self.pointer = f"R{k.seed}{tag}"
            k.s.helpers.append(f"struct {self.pointer} {{ {' '.join(body)} }};")
        self.style = style

    def some(self, rng):
        """The fields that a kernel touches: all of them half the time."""
        if rng.random() < 0.5:
            return list(self.fields)
        return sorted(rng.sample(self.fields, rng.randrange(1, len(self.fields) + 1)), key=lambda f: f[0])


def extent(count, layout, fields):
    """Bytes from the base to the last byte that `count` records touch."""
    if count == 0:
        return 0
    return (count - 1) * layout.size + max(off + SIZE[kind] for off, kind, _ in fields)


def family_record(k):
    r, s = k.rng, k.s
    k.shape()
    n = k.count()
    step = r.random() < 0.25            # grid-stride loop
    items = n if step else min(n, k.threads)
    if step:
        n = items = r.choice([n, n + k.threads, 2 * k.threads + 5]) if k.threads < 400 else n
    inl, outl = Layout(k, "a"), Layout(k, "b")
    place = r.choice(["apart", "apart", "apart", "inplace", "halves"])
    if place != "apart":
        outl = inl
    reads, writes = inl.some(r), outl.some(r)
    in_bytes, out_bytes = extent(items, inl, reads), extent(items, outl, writes)
    restrict = r.choice(["", "", "__restrict__ "])
    shift = r.choice([0, 0, 1, 3]) * (1 if inl.style == "bytes" else max(SIZE[f[1]] for f in inl.fields))
    fill = "frand" if inl.pointer == "float" else "drand" if inl.pointer == "double" else "rand"
    mixed_float = inl.style == "struct" and any(f[1] in ("float", "double") for f in inl.fields)

    def whole(b):
        return max({"frand": 4, "drand": 8}.get(fill, 1), b)

    const = r.choice(["", "const "])
    if place == "apart":
        if shift and r.random() < 0.5 and inl.style != "struct":
            k.param(f"{const}{inl.pointer} *whole", f"{fill}:{whole(in_bytes + shift)}")
            k.param(f"const {inl.pointer} *{restrict}a", f"ref:0+{shift}")
        else:
            k.param(f"const {inl.pointer} *{restrict}a", f"{fill}:{whole(in_bytes)}")
        k.param(f"{outl.pointer} *{restrict}b", f"{r.choice(['rand', 'zero', 'rand'])}:{max(1, out_bytes)}")
    elif place == "inplace":
        k.param(f"{inl.pointer} *a", f"{fill}:{whole(max(in_bytes, out_bytes))}")
        k.param(f"{outl.pointer} *b", "ref:0+0")
    else:                               # two halves of one buffer: apart, and only the machine knows
        gap = items * inl.size
        k.param(f"{inl.pointer} *a", f"{fill}:{whole(gap + max(in_bytes, out_bytes))}")
        k.param(f"{outl.pointer} *b", f"ref:0+{gap}")
    order = r.choice(["straight", "straight", "straight", "perm", "back"])
    if order == "back":
        n = items
    if order == "perm":
        k.param("const u32 *order", f"perm:{max(1, items)}")
    k.param("u32 n", f"i32:{n}")
    # A struct of floats filled at random holds NaNs, whose bits no optimization need keep: read such fields as bits.
    k.index()

    def load(field):
        off, kind, path = field
        text = "a" + path.format(i="q")
        if mixed_float and kind == "float":
            s.take("u32", f"__builtin_bit_cast(u32, {text})")
        elif mixed_float and kind == "double":
            s.take("u64", f"__builtin_bit_cast(u64, {text})")
        elif kind == "float":
            s.take("float", f"clampf({text})")
        else:
            s.take(kind, text)

    def store(field):
        off, kind, path = field
        text = "b" + path.format(i="q")
        value = s.of(kind, r.randrange(3))
        if r.random() < 0.15:
            s.put(f"if ({s.cond()}) {text} = {value};")
        else:
            s.put(f"{text} = {value};")
            if r.random() < 0.05:
                s.put(f"{text} = {s.of(kind, 1)};")

    if step:
        s.open("for (u32 t = i; t < n; t += gridDim.x * gridDim.y * gridDim.z * block_size())")
        s.ints.append("t")
        base = "t"
    else:
        base = "i"
        if r.random() < 0.4:
            s.put("if (i >= n) return;")
        else:
            s.open("if (i < n)")
    s.put("u32 q = " + {"straight": base, "perm": f"order[{base}]", "back": f"n - 1 - {base}"}[order] + ";")
    s.ints.append("q")
    copy = inl.pointer == outl.pointer and len(reads) == len(inl.fields) and r.random() < 0.3 and reads == writes
    if copy and inl.style == "struct" and place == "apart" and in_bytes == items * inl.size:
        s.put(f"{inl.pointer} whole_record = a[q];")
        s.put("b[q] = whole_record;")
        for f in writes[:2]:
            if f[1] in ("u32", "u16", "u8"):
                s.put(f"b[q]{f[2].split(']')[1]} = ({f[1]}){s.u(1)};")
    elif copy:
        for fi, fo in zip(reads, writes):
            s.put(f"b{fo[2].format(i='q')} = a{fi[2].format(i='q')};")
    elif r.random() < 0.35:             # loads and stores interleaved; in place each field may change later loads
        turns = [("l", f) for f in reads] + [("s", f) for f in writes]
        r.shuffle(turns)
        for what, f in turns:
            (load if what == "l" else store)(f)
    else:
        for f in (reads if r.random() < 0.7 else r.sample(reads, len(reads))):
            load(f)
        if r.random() < 0.4:
            s.noise(1)
        if r.random() < 0.15:
            s.put(f"if ({s.cond()}) {'continue' if step else 'return'};")
        for f in (writes if r.random() < 0.7 else r.sample(writes, len(writes))):
            store(f)
    while s.depth > 1:
        s.close()


# ---- walks -----------------------------------------------------------------

def family_walk(k):
    r, s = k.rng, k.s
    rows = k.rows()
    kind = r.choice(["u32", "float", "float", "u64", "u8", "u16", "double"])
    size = SIZE[kind]
    m = r.choice([0, 1, 3, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 40])
    step = r.choice([1, 1, 1, 1, 2, 3])
    pitch = m * step + r.choice([0, 0, 1, 3, 8])
    pitch = max(pitch, 1)
    shape = r.choice(["row", "row", "row", "back", "csr", "nest", "store", "both", "break", "column"])
    symbolic = r.random() < 0.6
    touched = 0 if m == 0 else ((rows - 1) * pitch + (m - 1) * step + 1) if shape != "column" else ((m - 1) * rows + rows)
    fill = {"float": "frand", "double": "drand"}.get(kind, "rand")
    restrict = r.choice(["", "__restrict__ "])
    unroll = r.choice(["", "", "", "_Pragma(\"unroll 4\")", "_Pragma(\"unroll 1\")", "_Pragma(\"unroll\")"])
    wide = {"u8": "u32", "u16": "u32"}.get(kind, kind)
    zero = {"float": "0.0f", "double": "0.0"}.get(kind, "0")

    def mix(acc, value):
        if kind == "float":
            return f"{acc} = clampf({acc} * 0.5f + {value});"
        if kind == "double":
            return f"{acc} = clampd({acc} * 0.5 + {value});"
        return r.choice([f"{acc} += {value};", f"{acc} = {acc} * 3u + {value};", f"{acc} ^= {value} + j;"])

    nbytes = max(1, touched) * size
    if shape == "csr":
        nbytes = rows * max(1, m) * size
    writable = shape == "both"
    k.param(f"{'' if writable else 'const '}{kind} *{restrict}a", f"{fill}:{nbytes}")
    k.param(f"{wide} *{restrict}out", f"buf:{rows * SIZE[wide]}")
    k.param("u32 rows", f"i32:{rows}")
    k.param("u32 m", f"i32:{m}")
    pt = str(pitch)
    if symbolic:
        k.param("u32 pitch", f"i32:{pitch}")
        pt = "pitch"
    ty = r.choice(["u32", "int", "u64"])
    trips = "m" if r.random() < 0.6 else str(m)
    if ty == "int":
        trips = f"(int){trips}"
    k.index()
    if shape == "csr":
        k.param("const u32 *len", f"perm:{rows}")
        k.param("const u32 *col", f"perm:{rows * max(1, m)}")
    if shape == "store":
        k.param(f"{kind} *{restrict}b", f"rand:{nbytes}")
    weights = shape in ("row", "back") and r.random() < 0.5
    if weights:
        k.param(f"const {kind} *{restrict}x", f"{fill}:{max(1, m) * size}")
    guard = r.choice(["return", "if"])
    if guard == "return":
        s.put("if (i >= rows) return;")
    else:
        s.open("if (i < rows)")
    s.put(f"{wide} acc = {zero};")
    loop = f"for ({ty} j = 0; j < {trips}; j{'++' if r.random() < 0.8 else ' += 1'})"
    kindly = "1u * " if kind in ("u8", "u16") else ""      # u16 * u16 could overflow an int
    at = f"a[({r.choice(['u64', 'u32'])})i * {pt} + j * {step}]"

    def pragma():
        if unroll:
            s.put(unroll)

    if shape == "row":
        pragma()
        s.open(loop)
        if weights:
            s.put(mix("acc", f"{kindly}{at} * x[j]"))
        elif r.random() < 0.3:
            s.open(f"if ((i + (u32)j) % {r.randrange(2, 5)}u)")
            s.put(mix("acc", at))
            s.close()
        else:
            s.put(mix("acc", at))
        s.close()
    elif shape == "back":
        s.open(f"for (int j = (int)m - 1; j >= 0; j--)")
        s.put(mix("acc", kindly + at + (" * x[j]" if weights else "")))
        s.close()
    elif shape == "csr":                # row i holds len[i] % (m+1) entries from i*m; col gathers
        s.put("u32 begin = i * m, end = begin + len[i] % (m + 1);")
        s.open("for (u32 j = begin; j < end; j++)")
        s.put(mix("acc", r.choice(["a[j]", "a[col[j]]", f"{kindly}a[j] * a[col[j]]"])))
        s.close()
    elif shape == "nest":
        inner = r.randrange(1, 5)
        s.open(loop)
        s.open(f"for (u32 h = 0; h < {inner}; h++)")
        s.put(mix("acc", f"{at}"))
        s.put("if (h >= (i & 3u)) break;")
        s.close()
        s.close()
    elif shape == "store":              # what the row of b holds between the strides stays
        pragma()
        s.open(loop)
        at_b = at.replace("a[", "b[", 1)
        if kind in ("float", "double"):
            s.put(mix("acc", at))
            s.put(f"{at_b} = {'acc' if r.random() < .5 else at + ' * 0.5' + ('f' if kind == 'float' else '')};")
        else:
            s.put(f"{at_b} = ({kind})({at} * 5u + (u32)j);")
        s.close()
    elif shape == "both":               # prefix sums in place
        s.open(loop)
        s.put(mix("acc", at))
        if kind in ("float", "double"):
            s.put(f"{at} = acc;")
        else:
            s.put(f"{at} = ({kind})acc;")
        s.close()
    elif shape == "break":
        s.open(loop)
        s.put(f"{kind} e = {at};")
        s.put(mix("acc", "e"))
        s.put({"float": "if (e > 0.9f) break;", "double": "if (e > 0.9) break;"}.get(kind, "if (e % 11u == 4u) break;"))
        s.close()
    else:
        s.open(loop)
        s.put(mix("acc", "a[j * rows + i]" if ty != "int" else "a[(u32)j * rows + i]"))
        s.close()
    s.put("out[i] = acc;")
    while s.depth > 1:
        s.close()


# ---- ways: walks whose iterations do not all do the same -------------------------------------------------------------

def family_ways(k):
    r, s = k.rng, k.s
    rows = k.rows()
    kind = r.choice(["u32", "u32", "float", "u64", "u8", "u16"])
    m = r.choice([0, 1, 5, 8, 16, 17, 31, 32, 33, 40, 64, 71])
    pitch = max(1, m + r.choice([0, 0, 1, 3]))
    zero, fill = ("0.0f", "frand") if kind == "float" else ("0", "rand")
    k.param(f"const {kind} *{r.choice(['', '__restrict__ '])}a", f"{fill}:{rows * pitch * SIZE[kind]}")
    k.param(f"const {kind} *b", f"{fill}:{rows * pitch * SIZE[kind]}")
    k.param("u32 *__restrict__ bins", f"zero:{rows * 16}")
    k.param("u32 *__restrict__ out", f"buf:{rows * 4}")
    k.open_rows(rows, m, pitch)
    s.put(f"u32 s = 0, seen = 0; {kind} most = {zero};")
    backward = r.random() < 0.3
    s.open("for (int j = m - 1; j >= 0; j--)" if backward else "for (int j = 0; j < m; j++)")
    s.put(f"{kind} v = a[i * pitch + j];")
    bits = "__builtin_bit_cast(u32, v)" if kind == "float" else "(u32)v"
    for _ in range(r.randrange(1, 4)):
        condition = r.choice(["v > most", "v < most", f"({bits} & {r.choice([1, 3, 4])}u)", "seen % 3u"])
        s.open(f"if ({condition})")
        s.put(r.choice(["most = v; seen = seen + 1u;", f"s = s * 31u + {bits};", f"bins[i * 4 + ({bits} & 3u)] += seen;",
                        f"s ^= b[i * pitch + j] > v ? {bits} : 7u;", "seen++; continue;", f"bins[i * 4] = {bits};"]))
        s.close()
    s.put(f"s += {bits} / 3u;")
    s.close()
    s.put(f"out[i] = s + seen + (most > {zero} ? 1u : 0u);")


# ---- elements: rows of structs of any size -----------------------------------------------------------------------------

def family_elements(k):
    r, s = k.rng, k.s
    rows = k.rows()
    kind = r.choice(["u32", "u32", "u32", "u8", "u16", "u64"])
    words = r.choice([1, 2, 3, 3, 5, 6, 7, 9, 10, 12, 15, 17])
    m = r.choice([0, 1, 3, 7, 8, 9, 16, 17, 33])
    pitch = max(1, m + r.choice([0, 0, 1]))
    nbytes = rows * pitch * words * SIZE[kind]
    writes = r.choice(["", "place", "other"])
    restrict = r.choice(["", "__restrict__ "])
    k.param(f"{'' if writes == 'place' else 'const '}{kind} *{restrict}a", f"rand:{nbytes}")
    k.param(f"{kind} *{restrict}b", f"rand:{nbytes}" if writes == "other" else "zero:8")
    k.param("u32 *__restrict__ out", f"buf:{rows * 4}")
    k.open_rows(rows, m, pitch)
    s.put("u32 s = 0;")
    s.open(r.choice(["for (int j = 0; j < m; j++)", "for (int j = m - 1; j >= 0; j--)", f"for (int j = 0; j < {m}; j++)"]))
    s.put(f"u32 at = ((u32)i * pitch + {r.choice(['j', 'j', 'm - 1 - j'])}) * {words}u;")
    for word in r.sample(range(words), r.choice([words, words, max(1, words - 1), r.randrange(1, words + 1)])):
        s.put(f"s = s * 31u + (u32)a[at + {word}];")
        if writes and r.random() < 0.7:
            s.put(f"{'a' if writes == 'place' else 'b'}[at + {r.choice([word, r.randrange(words)])}] = ({kind})s;")
    s.close()
    s.put("out[i] = s;")


# ---- tiles -----------------------------------------------------------------

def family_tile(k):
    r, s = k.rng, k.s
    kind = r.choice(["u32", "float", "float", "u32", "u64", "u8", "double"])
    size = SIZE[kind]
    shape = r.choice(["line", "line", "square", "square", "transpose", "wide", "halo", "two", "async"])
    if shape == "async" and kind not in ("u32", "float", "u64", "double"):
        kind, size = "u32", 4
    trips = r.randrange(0, 6)
    if shape in ("square", "transpose"):
        edge = r.choice([4, 8, 16])
        k.block, k.grid = (edge, edge), (r.randrange(1, 3),)
    else:
        k.block = (r.choice([32, 64, 128, 33, 48, 1, 96]),)
        k.grid = (r.randrange(1, 4),)
    k.block_size, k.blocks = product(k.block), product(k.grid)
    k.threads = k.block_size * k.blocks
    if r.random() < 0.3:
        k.bounds = f"__launch_bounds__({k.block_size}) "
    fill = {"float": "frand", "double": "drand"}.get(kind, "rand")
    zero = {"float": "0.0f", "double": "0.0"}.get(kind, "0")
    wide = {"u8": "u32"}.get(kind, kind)
    clamp = {"float": "clampf", "double": "clampd"}.get(kind)
    T = k.block_size
    per = r.choice([1, 1, 2, 3]) if shape in ("line", "wide") else 1      # elements a thread copies
    tile = T * per
    total = trips * tile
    n = max(0, total - r.choice([0, 0, 1, T // 2, T + 3])) if r.random() < 0.6 else total
    guarded = n != total or r.random() < 0.2
    dynamic = r.random() < 0.2
    restrict = r.choice(["", "__restrict__ "])
    share = r.random() < 0.5             # every block reads the same data; else its own part
    whole = (n if share else n + (k.blocks - 1) * total) if n else 0
    limit = "n" if share else "origin + n"
    trip = "trips" if r.random() < 0.6 else str(trips)

    def add(value):
        if clamp:
            half = "0.5f" if kind == "float" else "0.5"
            return f"acc = {clamp}(acc * {half} + {value});"
        return f"acc = acc * 3 + {value};"

    k.param(f"const {kind} *{restrict}g", f"{fill}:{max(1, whole) * size}")
    if shape == "two":
        k.param(f"const {kind} *{restrict}h", f"{fill}:{max(1, whole) * size}")
    k.param(f"{wide} *{restrict}out", f"buf:{k.threads * SIZE[wide]}")
    k.param("u32 n", f"i32:{n}")
    k.param("u32 trips", f"i32:{trips}")
    s.put("u32 r = rank_in_block(), b = block_rank();")
    s.ints += ["r", "b"]
    pad = r.choice([0, 1])
    if shape in ("square", "transpose"):
        edge = k.block[0]
        s.put(f"__shared__ {kind} tile[{edge}][{edge + pad}];")
    elif shape == "halo":
        s.put(f"__shared__ {kind} tile[{T + 2}];")
    elif shape == "async":
        s.put(f"__shared__ __attribute__((aligned(16))) {kind} tile[2][{T}];")
    elif dynamic:
        k.shared = tile * size
        s.helpers.append(f"extern __shared__ __attribute__((aligned(16))) {kind} pool{k.seed}[];")
        s.put(f"{kind} *tile = pool{k.seed};")
    else:
        s.put(f"__shared__ {kind} tile[{tile}];")
    if shape == "two":
        s.put(f"__shared__ {kind} other[{T}];")
    s.put(f"u32 origin = {'0' if share else f'b * {total}'};")
    s.put(f"{wide} acc = {zero};")
    fallback = r.choice(["zero", "zero", "keep"])

    def fetch(dst, index, source="g"):
        """dst = source[index] with what the guard leaves instead"""
        if not guarded:
            s.put(f"{dst} = {source}[{index}];")
        elif fallback == "zero":
            s.put(r.choice([f"{dst} = {index} < {limit} ? {source}[{index}] : ({kind})0;",
                            f"if ({index} < {limit}) {dst} = {source}[{index}]; else {dst} = 0;"]))
        else:
            s.put(f"if ({index} < {limit}) {dst} = {source}[{index}];")

    if guarded and fallback == "keep":
        if shape in ("square", "transpose"):
            s.put("tile[threadIdx.y][threadIdx.x] = 1;" if shape == "square" else "tile[threadIdx.x][threadIdx.y] = 1;")
        elif shape in ("line", "wide", "two"):
            s.put(f"for (u32 c = r; c < {tile}; c += {T}) tile[c] = 1;")
            if shape == "two":
                s.put("other[r] = 2;")
        else:
            fallback = "zero"
        s.put("__syncthreads();")
    inner = r.choice([1, 3, 8])
    unroll = r.choice(["", "_Pragma(\"unroll 1\")", "_Pragma(\"unroll\")"])
    if shape == "async":
        body_async(k, kind, size, limit, trip, add, inner)
        s.put("out[b * block_size() + r] = acc;")
        return
    if unroll:
        s.put(unroll)
    s.open(f"for (u32 t = 0; t < {trip}; t++)")
    if shape == "line":
        for p in range(per):
            fetch(f"tile[r + {p * T}]", f"(origin + t * {tile} + {p * T} + r)")
    elif shape == "wide":
        s.open(f"for (u32 c = r; c < {tile}; c += blockDim.x)")
        fetch("tile[c]", f"(origin + t * {tile} + c)")
        s.close()
    elif shape == "square":
        fetch("tile[threadIdx.y][threadIdx.x]", f"(origin + t * {T} + threadIdx.y * {k.block[0]} + threadIdx.x)")
    elif shape == "transpose":
        fetch("tile[threadIdx.x][threadIdx.y]", f"(origin + t * {T} + threadIdx.y * {k.block[0]} + threadIdx.x)")
    elif shape == "two":
        fetch("tile[r]", f"(origin + t * {T} + r)")
        fetch("other[r]", f"(origin + t * {T} + ({T} - 1 - r))", "h")
    else:
        fetch("tile[r + 1]", f"(origin + t * {T} + r)")
        s.put("u32 left = t * %d, right = (t + 1) * %d;" % (T, T))
        s.put(f"if (r == 0) tile[0] = left > 0 && left - 1 < n ? g[origin + left - 1] : ({kind})0;")
        s.put(f"if (r == {T - 1}) tile[{T + 1}] = right < n ? g[origin + right] : ({kind})0;")
    s.put("__syncthreads();")
    if shape in ("square", "transpose"):
        e = k.block[0]
        s.open(f"for (u32 c = 0; c < {e}; c++)")
        s.put(add(r.choice(["tile[threadIdx.y][c]", "tile[c][threadIdx.x]", "tile[c][threadIdx.y] * tile[threadIdx.x][c]"])))
        s.close()
    elif shape == "halo":
        s.put(add("tile[r]"))
        s.put(add("tile[r + 1]"))
        s.put(add("tile[r + 2]"))
    elif shape == "two":
        s.open(f"for (u32 c = 0; c < {inner}; c++)")
        s.put(add(f"tile[(r + c * 7) % {T}] * other[(r * 3 + c) % {T}]"))
        s.close()
    else:
        s.open(f"for (u32 c = 0; c < {inner}; c++)")
        s.put(add(f"tile[(r * {r.choice([1, 2, 5])} + c * {r.choice([1, 3, 32])}) % {tile}]"))
        s.close()
    s.put("__syncthreads();")
    s.close()
    if r.random() < 0.3 and trips and shape in ("line", "wide", "two", "halo") and n >= total:
        s.put(f"if ({trip} > 0) " + add("tile[0]"))      # a slot used after the loop
    s.put("out[b * block_size() + r] = acc;")


def body_async(k, kind, size, limit, trip, add, inner):
    """A ring of two slots that the kernel fills with cp.async itself."""
    s, T = k.s, k.block_size
    # cp.async of 8 bytes has no form with a source size that differs here: one builtin per size.
    name = {4: "__nvvm_cp_async_ca_shared_global_4", 8: "__nvvm_cp_async_ca_shared_global_8"}[size]
    to = "(void __attribute__((address_space(3))) *)"
    of = "(const void __attribute__((address_space(1))) *)"
    s.open("auto issue = [&](u32 t)")
    s.put(f"u32 at = origin + t * {T} + r;")
    s.put(f"bool in = at < {limit};")
    s.put(f"{name}({to}&tile[t & 1][r], {of}&g[in ? at : 0], in ? {size} : 0);")
    s.close(";")
    s.put(f"if ({trip} > 0 && n > 0) issue(0);")
    s.put(f"else tile[0][r] = 0;")
    s.put("__nvvm_cp_async_commit_group();")
    s.open(f"for (u32 t = 0; t < {trip}; t++)")
    s.put(f"if (t + 1 < {trip} && n > 0) issue(t + 1);")
    s.put(f"else tile[(t + 1) & 1][r] = 0;")
    s.put("__nvvm_cp_async_commit_group();")
    s.put("__nvvm_cp_async_wait_group(1);")
    s.put("__syncthreads();")
    s.open(f"for (u32 c = 0; c < {inner}; c++)")
    s.put(add(f"tile[t & 1][(r + c * 5) % {T}]"))
    s.close()
    s.put("__syncthreads();")
    s.close()
    s.put("__nvvm_cp_async_wait_all();")


# ---- everything else ---------------------------------------------------------

def family_mixed(k):
    r, s = k.rng, k.s
    k.shape(limit=300)
    T, N = k.block_size, k.threads
    sid = k.seed
    k.param("const u32 *a", f"rand:{N * 4}")
    k.param("u32 *out", f"buf:{N * 4}")
    k.param("const float *x", f"frand:{N * 4}")
    k.param("float *y", f"buf:{N * 4}")
    k.param("u32 *sum", f"zero:{8 * 4}")
    k.index()
    s.put("u32 r = rank_in_block(), lane = r & 31u, width = warp_width(), mask = warp_mask();")
    s.ints += ["r", "lane"]
    s.take("u32", "a[i]")
    s.take("float", "x[i]")
    tools = ["noise", "noise", "shared", "shuffle", "vote", "atomic", "call", "local", "count", "warpshared", "double", "recursive", "pointer", "branchy"]
    for _ in range(r.randrange(3, 8)):
        tool = r.choice(tools)
        if tool == "noise":
            s.noise()
        elif tool == "branchy":
            v = s.take("u32", s.u())
            mark = s.scope()
            s.open(f"if ({s.cond()})")
            s.noise()
            s.put(f"{v} += {s.u()};")
            s.close(" else {")
            s.leave(mark)
            s.depth += 1
            s.noise()
            s.put(f"{v} ^= {s.u()};")
            s.close()
            s.leave(mark)
        elif tool == "shared":
            buf = s.name("sh")
            s.put(f"__shared__ u32 {buf}[{T}];")
            s.put(f"{buf}[r] = {s.u()};")
            s.put("__syncthreads();")
            s.take("u32", f"{buf}[({s.u(1)}) % {T}u]")
            if r.random() < 0.5:
                s.take("u32", f"{buf}[{T - 1} - r]")
            s.put("__syncthreads();")
        elif tool == "warpshared":      # each warp keeps to its own part: warp barriers suffice
            buf = s.name("wsh")
            s.put(f"__shared__ u32 {buf}[{T}];")
            s.put(f"{buf}[r] = {s.u()};")
            s.put("__nvvm_bar_warp_sync(mask);")
            s.take("u32", f"{buf}[(r & ~31u) + (lane + {r.randrange(1, 32)}) % width]")
            s.put("__nvvm_bar_warp_sync(mask);")
        elif tool == "shuffle":
            v = r.choice(s.ints)
            form = r.randrange(4) if T % 32 == 0 else 0
            if form == 0:
                s.take("u32", f"(u32)__nvvm_shfl_sync_idx_i32(mask, {v}, ({s.u(1)}) % width, 31)")
            elif form == 1:
                s.take("u32", f"(u32)__nvvm_shfl_sync_bfly_i32(mask, {v}, {r.randrange(1, 32)}, 31)")
            elif form == 2:
                w = r.choice([8, 16, 32])
                s.take("u32", f"(u32)__nvvm_shfl_sync_down_i32(mask, {v}, {r.randrange(1, 32)}, {(32 - w) << 8 | 31})")
            else:
                w = r.choice([4, 16, 32])
                s.take("u32", f"(u32)__nvvm_shfl_sync_up_i32(mask, {v}, {r.randrange(1, 9)}, {(32 - w) << 8})")
            if r.random() < 0.3:
                s.take("float", f"__nvvm_shfl_sync_idx_f32(mask, {r.choice(s.floats)}, (lane * 3u + 1u) % width, 31)")
        elif tool == "vote":
            s.take("u32", r.choice([
                f"__nvvm_vote_ballot_sync(mask, {s.cond()})", f"(u32)__nvvm_vote_any_sync(mask, {s.cond()})",
                f"(u32)__nvvm_vote_all_sync(mask, {s.cond()})",
                f"__nvvm_match_any_sync_i32(mask, ({s.u(1)}) & 3u)",
                f"(u32)__nvvm_redux_sync_add({r.choice(s.ints)}, mask)",
                f"(u32)__nvvm_redux_sync_umax({r.choice(s.ints)}, mask)",
                f"(u32)__nvvm_redux_sync_xor({r.choice(s.ints)}, mask)"]))
        elif tool == "count":
            s.take("u32", r.choice(["(u32)__nvvm_bar0_popc", "(u32)!!__nvvm_bar0_and", "(u32)!!__nvvm_bar0_or"]) + f"({s.cond()} ? 1 : 0)")
        elif tool == "atomic":          # commutative, and the result is not used
            slot = r.randrange(8)       # one operation for each slot, or the order would show
            op = ["add", "max_gen_ui", "min_gen_ui", "xor", "or", "add", "xor", "max_gen_ui"][slot]
            op = {"add": "add_gen_i", "xor": "xor_gen_i", "or": "or_gen_i"}.get(op, op)
            kind = "unsigned" if op.endswith("ui") else "int"
            call = f"__nvvm_atom_{op}(({kind} *)&sum[{slot}], {s.u(1)});"
            s.put(call if r.random() < 0.6 else f"if ({s.cond()}) {call}")
        elif tool == "call":
            fn = f"fn{sid}_{s.name('c')}"
            s.helpers.append(f"__device__ {'__noinline__ ' if r.random() < .7 else ''}static u32 {fn}(u32 p, u32 q) {{"
                             f" u32 z = p; for (u32 j = 0; j < (q & 7u); j++) z = z * {r.randrange(3, 999) | 1}u + (z >> {r.randrange(1, 31)}); return z ^ q; }}")
            s.take("u32", f"{fn}({s.u(1)}, {s.u(1)})")
        elif tool == "recursive":
            fn = f"fn{sid}_{s.name('c')}"
            s.helpers.append(Recursion(fn))
            s.take("u32", f"{fn}({s.u(1)} & 7u, {s.u(1)})")
        elif tool == "pointer":
            a, b = f"fn{sid}_{s.name('c')}", f"fn{sid}_{s.name('c')}"
            s.helpers.append(f"__device__ __noinline__ static u32 {a}(u32 z) {{ return z * 7u + 1u; }}")
            s.helpers.append(f"__device__ __noinline__ static u32 {b}(u32 z) {{ return z ^ (z >> 5); }}")
            f = s.name("fp")
            s.put(f"u32 (*{f})(u32) = {s.cond()} ? {a} : {b};")
            s.take("u32", f"{f}({s.u(1)})")
        elif tool == "local":
            arr, m = s.name("loc"), r.choice([3, 4, 8, 17])
            s.put(f"u32 {arr}[{m}];")
            s.put(f"for (u32 j = 0; j < {m}; j++) {arr}[j] = j * {r.choice(s.ints)} + {s.const()};")
            s.put(f"{arr}[({s.u(1)}) % {m}u] ^= {s.u(1)};")
            s.take("u32", f"{arr}[({s.u(1)}) % {m}u]")
        else:
            d = s.name("d")
            s.put(f"double {d} = (double){s.f(1)};")
            s.put(f"for (u32 j = 0; j < ({r.choice(s.ints)} & 3u); j++) {d} = clampd({d} * 1.25 + 0.125 / (1.0 + {d} * {d}));")
            s.take("float", f"(float)__builtin_sqrt(__builtin_fabs({d}))")
    last = s.name("z")
    s.put(f"u32 {last} = {' + '.join(f'rot({v}, {j})' for j, v in enumerate(s.ints))};")
    s.put(f"out[i] = {last};")
    s.put(f"y[i] = clampf({' + '.join(s.floats)});")


def kernel(seed, family):
    k = Kernel(seed, family)
    {"record": family_record, "walk": family_walk, "ways": family_ways, "elements": family_elements, "tile": family_tile,
     "mixed": family_mixed, "tiles": tiles.family_tiles, "fills": fills.family_fills, "owned": owned.family_owned, "atomics": atomics.family_atomics,
     "recurrences": recurrences.family_recurrences, "again": again.family_again,
     "products": products.family_products, "reals": reals.family_reals, "jams": jams.family_jams,
     "parts": parts.family_parts, "part-reals": parts.family_part_reals}[k.family](k)
    return k


def write(seed, count, family):
    head = [f"// kernels.py {seed} --count={count} --family={family}: written by a program", '#include "prelude.cuh"', ""]
    return "\n".join(head + [kernel(s, family).text() for s in range(seed, seed + count)])



def batches(first, last, size, every):
    """The seeds of each file of `size`, of which the first one in `every` is tried: pairs of the first and the last."""
    for s in range(first, last + 1, size):
        yield s, min(s + -(-size // every) - 1, last)


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("seed", type=int)
    p.add_argument("--family", choices=FAMILIES + ALONE + ("any",), default="any")
    p.add_argument("--count", type=int, default=1)
    p.add_argument("-o", dest="out", default="-")
    a = p.parse_args()
    text = write(a.seed, a.count, a.family)
    if a.out == "-":
        sys.stdout.write(text)
    else:
        with open(a.out, "w") as f:
            f.write(text)


if __name__ == "__main__":
    main()
