"""Random accesses to bytes that one thread owns, for kernels.py: in all widths and over each other, through one pointer, or two
whose distance only run time can tell. What one access writes the next may read a part of, and loads and stores of several
records take turns.

A thread's bytes lie side by side with its neighbours', which read them between two barriers alone.
"""

# What the bytes are read and written as, its size, and the alignment that it promises.
KINDS = {"u8": (1, 1), "Own16": (2, 2), "Loose16": (2, 1), "Own32": (4, 4), "Loose32": (4, 1), "Half32": (4, 2), "Own64": (8, 8),
         "Half64": (8, 4)}


class Owned:
    def __init__(self, k):
        self.k, self.s, self.r = k, k.s, k.rng
        self.align = self.r.choice([1, 2, 4, 4, 8, 8])
        self.bytes = self.align * self.r.randrange(-(-12 // self.align), max(20 // self.align, 9) + 8)
        self.deep = 0
        self.left = False     # some threads have returned

    # ---- one access ------------------------------------------------------
    def kind(self):
        return self.r.choice([x for x in KINDS if KINDS[x][1] <= self.align and KINDS[x][0] <= self.bytes])

    def offset(self, kind, count=1):
        size, align = KINDS[kind]
        return align * self.r.randrange((self.bytes - size * count) // align + 1)

    def place(self, kind, offset):
        return f"*({kind} *)({self.r.choice(['p', 'p', 'q'])} + {offset})"

    def any(self):
        kind = self.kind()
        return self.place(kind, self.offset(kind))

    # ---- statements ------------------------------------------------------
    def run(self):
        kind = self.kind()
        size, most = KINDS[kind][0], self.bytes // KINDS[kind][0]
        count = self.r.randrange(1, min(most, 6) + 1)
        start, what = self.offset(kind, count), self.r.choice(["read", "write", "change", "copy"])
        order = list(range(count))
        if self.r.random() < 0.3:
            self.r.shuffle(order)
        for i in order:
            here = self.place(kind, start + i * size)
            self.s.put({"read": f"v = v * 31u + fold({here});", "write": f"{here} = v + {i}u;", "change": f"{here} += v;",
                        "copy": f"{self.any()} = {here};"}[what])

    def one(self):
        self.s.put(self.r.choice([f"v = v * 7u + fold({self.any()});", f"{self.any()} = v;", f"{self.any()} ^= v >> 3;"]))

    def unrolled(self):
        kind = self.kind()
        size, most = KINDS[kind][0], self.bytes // KINDS[kind][0]
        count = self.r.randrange(1, min(most, 9) + 1)
        here = self.place(kind, f"{self.offset(kind, count)} + j * {size}u")
        self.s.put(self.r.choice(["#pragma unroll", "#pragma unroll", "#pragma unroll 1", ""]))
        self.s.open(f"for (u32 j = 0; j < {self.r.choice([f'{count}u', f'minu(m, {count}u)', f'v % {count + 1}u'])}; j++)")
        self.s.put(self.r.choice([f"v = v * 9u + fold({here});", f"{here} = v + j;", f"{here} += v;",
                                  f"if (v >> (j & 7u) & 1u) {here} = v;", f"{self.any()} = {here};"]))
        self.s.close()

    def move(self):
        size = self.r.randrange(1, self.bytes + 1)
        to, source = self.r.randrange(self.bytes - size + 1), self.r.randrange(self.bytes - size + 1)
        self.s.put(f"__builtin_memmove(p + {to}, p + {source}, {size});")

    def branch(self):
        if self.deep == 2:
            return self.one()
        self.deep += 1
        self.s.open(f"if ({self.r.choice(['v & 1u', 'i % 3u == 1u', 'v >> 31', 'm == 3u'])})")
        self.statements(self.r.randrange(1, 4))
        self.s.close()
        self.deep -= 1

    def neighbour(self):
        if self.deep or self.left:
            return self.one()
        self.s.put("__syncthreads();")
        self.s.put(f"v = v * 3u + beside[{self.r.randrange(self.bytes)}];")
        self.s.put("__syncthreads();")

    def leave(self):
        if self.r.random() < 0.7:
            return self.one()
        self.left = True
        self.s.put(f"if ({self.r.choice(['i % 5u == 4u', 'v % 11u == 1u'])}) return;")

    def statements(self, count):
        for _ in range(count):
            self.r.choice([self.run, self.run, self.run, self.one, self.one, self.unrolled, self.unrolled, self.move, self.branch,
                           self.neighbour, self.leave])()


def family_owned(k):
    s, r = k.s, k.rng
    k.block = r.choice([(32,), (64,), (64,), (33,), (17,), (96,), (8, 4), (31, 2), (4, 4, 4), (1,)])
    k.grid = (r.randrange(1, 4),)
    size = 1
    for extent in k.block:
        size *= extent
    k.threads = size * k.grid[0]
    o = Owned(k)
    k.param("u8 *a", f"rand:{o.bytes * k.threads}")
    k.param("u32 m", f"i32:{r.choice([0, 1, 2, 3, 5, 8])}")
    s.put("u32 r = rank_in_block(), b = block_rank() * block_size(), i = b + r;")
    again = r.choice(["p", "p", f"a + {o.bytes}ull * i"])
    s.put(f"u8 *p = a + (long)(int)({o.bytes} * i), *q = {again}, *beside = a + {o.bytes}u * (b + (r + 1) % block_size());")
    s.put("u32 v = i * 2654435761u;")
    o.statements(r.randrange(4, 12))
    s.put(f"p[{r.randrange(o.bytes)}] = v ^ (v >> 9);")
