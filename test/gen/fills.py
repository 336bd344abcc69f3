"""Random loops that fill shared memory outside of tile loops, for kernels.py: copies, and what stands between them and a barrier.

Each array has places that one thread fills alone, whatever the loop's shape, and so may read and write without a barrier; the
part of memory that a block copies from is its own, and thread r writes there only what r alone copies.
"""

KINDS = {"u32": 4, "float": 4, "V2": 8, "V4": 16, "u16": 2, "u64": 8}
FILL = {"float": "frand"}


def number(kind, text):
    if kind == "V2":
        return f"({text}.x ^ rot({text}.y, 3u))"
    if kind == "V4":
        return f"({text}.x ^ rot({text}.y, 3u) ^ rot({text}.z, 7u) ^ rot({text}.w, 11u))"
    return f"__builtin_bit_cast(u32, {text})" if kind == "float" else f"(u32){text}"


def value(kind, text):
    """An element made of a number."""
    if kind in ("V2", "V4"):
        return kind + "{" + ", ".join(f"{text} + {i}u" for i in range(KINDS[kind] // 4)) + "}"
    return f"(float)(({text}) & 1023u)" if kind == "float" else f"({kind})({text})"


class Array:
    """One shared array, where it is copied from, and by which loop."""

    def __init__(self, k, i):
        r = k.rng
        self.k, self.name, self.kind = k, f"s{i}", r.choice(["u32", "float", "u32", "float", "V2", "V4", "u16", "u64"])
        self.size = KINDS[self.kind]
        self.most = r.choice([1, 2, 3, 5]) * k.block_size
        self.most = min(self.most, 2048 // self.size)
        self.row = r.choice([0, 0, 8, 16, 20])
        self.pad = r.choice([0, 1])
        self.other = r.random() < 0.3
        self.source, self.count = f"g{i}", f"n{i}"
        count = r.choice([self.most, self.most, max(0, self.most - 3), self.most // 2, 0, 1])
        const = "" if r.random() < 0.5 else "const "
        self.writes = not const
        self.guard = r.choice([None, None, "zero", "else", "keep"])
        self.limit = r.randrange(0, self.most + 1)
        k.param(f"{const}{self.kind} *{self.source}", f"{FILL.get(self.kind, 'rand')}:{self.most * k.blocks * self.size}")
        k.param(f"u32 {self.count}", f"i32:{count}")
        k.param(f"u32 l{i}", f"i32:{self.limit}")
        self.bound = f"l{i}"
        self.gather = not self.writes and r.random() < 0.25
        if self.gather:
            k.param(f"const u32 *at{i}", f"perm:{self.most}")
        self.index = f"at{i}"

    def declare(self):
        rows = (self.most + self.row - 1) // self.row if self.row else 0
        dims = f"[{rows}][{self.row + self.pad}]" if self.row else f"[{self.most}]"
        self.k.s.put(f"__shared__ {self.kind} {self.name}{dims};")

    def at(self, c):
        return f"{self.name}[({c}) / {self.row}u][({c}) % {self.row}u]" if self.row else f"{self.name}[{c}]"

    def clear(self):
        self.k.s.put(f"for (u32 c = r; c < {self.most}u; c += block_size()) {self.at('c')} = {value(self.kind, 'c * 3u')};")

    def fetch(self, c):
        place = f"{self.index}[{c}]" if self.gather else c
        where, to = f"{self.source}[b * {self.most}u + {place}]", self.at(c)
        none = {"V2": "V2{0, 0}", "V4": "V4{0, 0, 0, 0}"}.get(self.kind, f"({self.kind})0")
        if self.guard == "zero":
            self.k.s.put(f"{to} = {c} < {self.bound} ? {where} : {none};")
        elif self.guard == "else":
            self.k.s.put(f"if ({c} < {self.bound}) {to} = {where}; else {to} = {none};")
        else:
            self.k.s.put((f"if ({c} < {self.bound}) " if self.guard else "") + f"{to} = {where};")

    def fill(self):
        """The loop; the places of thread r are r, r + block_size(), ..."""
        s, r = self.k.s, self.k.rng
        step = r.choice(["block_size()", "block_size()", f"{self.k.block_size}u"])
        shape = r.choice(["for", "for", "int", "while", "down", "rows"])
        pragma = r.choice(["", '_Pragma("unroll 1")', '_Pragma("unroll 2")'])
        if pragma and shape in ("for", "int"):
            s.put(pragma)
        if shape in ("for", "int"):
            s.open(f"for ({'u32' if shape == 'for' else 'int'} c = r; c < {self.count}; c += {step})")
        elif shape == "while":
            at = s.name("c")
            s.put(f"u32 {at} = r;")
            s.open(f"while ({at} < {self.count})")
            s.put(f"u32 c = {at};")
            s.put(f"{at} += {step};")
        elif shape == "down":
            last = f"(int){self.count} - 1 - (int)(({self.count} + {step} - 1u - r) % {step})"
            s.open(f"for (int d = {last}; d >= 0; d -= (int){step})")
            s.put("u32 c = d;")
        else:
            s.open(f"for (u32 e = 0; e < {self.count}; e += 2u * {step})")
            s.open(f"for (u32 c = e + r; c < {self.count} && c < e + 2u * {step}; c += {step})")
        self.fetch("c")
        self.inside()
        s.close()
        if shape == "rows":
            s.close()

    def inside(self):
        """What else the loop does, now and then."""
        s, r = self.k.s, self.k.rng
        what = r.choice([None] * 6 + ["sum", "read", "source"])
        if what == "sum":
            s.put("sum = sum * 3u + c;")
        elif what == "read":
            s.put(f"sum = sum * 3u + {number(self.kind, self.at('c'))};")
        elif what == "source" and self.writes:
            s.put(f"{self.source}[b * {self.most}u + c] = {value(self.kind, 'sum + c')};")

    def between(self):
        """A statement behind the loop that the copies may have to be waited for."""
        s, r = self.k.s, self.k.rng
        mine = f"if (r < {self.count} && r < {self.most}u) "
        what = r.choice(["none", "none", "none", "read", "write", "source", "source", "out"])
        if what == "read":
            s.put(mine + f"sum = sum * 5u + {number(self.kind, self.at('r'))};")
        elif what == "write":
            s.put(mine + f"{self.at('r')} = {value(self.kind, 'sum + r')};")
        elif what == "source" and self.writes:
            s.put(mine + f"{self.source}[b * {self.most}u + r] = {value(self.kind, 'sum + r')};")
        elif what == "out":
            s.put("out[b * block_size() + r] = sum;")


def family_fills(k):
    s, r = k.s, k.rng
    k.block = r.choice([(32,), (64,), (64,), (33,), (48,), (7,), (1,), (96,), (8, 4), (16, 2)])
    k.grid = (r.randrange(1, 4),)
    k.block_size = k.block[0] * (k.block[1] if len(k.block) > 1 else 1)
    k.blocks = k.grid[0]
    k.threads = k.block_size * k.blocks
    k.param("u32 *out", f"buf:{k.threads * 4}")
    arrays = [Array(k, i) for i in range(r.choice([1, 1, 2, 3]))]
    s.put("u32 r = rank_in_block(), b = block_rank(), sum = r;")
    for a in arrays:
        a.declare()
    for a in arrays:
        a.clear()
    s.put("__syncthreads();")
    times = r.choice([0, 0, 0, 2])
    if times:
        s.open(f"for (u32 again = 0; again < {times}u; again++)")
    for a in arrays:
        a.fill()
        a.between()
        if r.random() < 0.2:
            a.fill()
    if r.random() < 0.85 or times:
        s.put("__syncthreads();")
        for a in arrays:
            s.put(f"sum = sum * 7u + {number(a.kind, a.at(f'(r * 5u + 3u) % {a.most}u'))};")
    if times:
        s.put("__syncthreads();")
        s.close()
    s.put("out[b * block_size() + r] = sum;")
