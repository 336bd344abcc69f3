"""Random atomic operations on words of records, for kernels.py: of integers, in several operations and widths, so that they commute, in any order of
the words, to records of each thread's own, of lists with collisions and of neighbours, between loads and stores of the program, in some lanes alone.

What a thread has stored to its own record, it adds to, and loads again: nobody else comes there.
"""

OPERATIONS = ("add", "add", "add", "sub", "xor", "max")


class Atomics:
    def __init__(self, k):
        self.k, self.s, self.r = k, k.s, k.rng
        self.kind = self.r.choice(["u32", "u32", "int", "u64"])
        self.words = self.r.randrange(1, 11)
        self.deep = 0

    def value(self):
        return self.r.choice(["v", "v * 3", "v + i", "1", f"v >> {self.r.randrange(1, 9)}", "(v & 1)"])

    def add(self, name, word, operation):
        self.s.put(f"__atomic_fetch_{operation}(&{name}[{word}], ({self.kind})({self.value()}), __ATOMIC_RELAXED);")

    def between(self, name):
        """What may stand between two of them."""
        own = name == "own"
        self.s.put(self.r.choice(["v = v * 31u + in[i];", "v ^= list[i];", "out[i] = v;", f"v += (u32)own[{self.r.randrange(self.words)}];" if own else "v++;",
                                  f"own[{self.r.randrange(self.words)}] = v;" if own else "out[i] += v;"]))

    def run(self, name):
        """To several words; those of a list with one operation for each word."""
        count = self.r.randrange(1, min(self.words, 8) + 1)
        start = self.r.randrange((2 * self.words if name == "beside" else self.words) - count + 1)
        order = list(range(start, start + count))
        if self.r.random() < 0.3:
            self.r.shuffle(order)
        if name != "own" or self.r.random() < 0.8:
            operations = [OPERATIONS[(self.k.seed if name != "own" else self.r.randrange(9)) % len(OPERATIONS)]] * count
        else:
            operations = [self.r.choice(OPERATIONS) for _ in order]
        for word, operation in zip(order, operations):
            self.add(name, word, operation)
            if self.r.random() < 0.15:
                self.between(name)

    def loop(self):
        self.s.put(self.r.choice(["#pragma unroll", "#pragma unroll 1", ""]))
        self.s.open(f"for (u32 j = 0; j < {self.r.choice([f'{self.words}u', f'minu(m, {self.words}u)'])}; j++)")
        self.add("own", "j", self.r.choice(OPERATIONS))
        self.s.close()

    def branch(self):
        if self.deep == 2:
            return self.run("own")
        self.deep += 1
        self.s.open(f"if ({self.r.choice(['v & 1u', 'i % 3u == 1u', 'i < 40u', 'm == 3u'])})")
        self.statements(self.r.randrange(1, 3))
        self.s.close()
        self.deep -= 1

    def statements(self, count):
        for _ in range(count):
            self.r.choice([lambda: self.run("own"), lambda: self.run("own"), lambda: self.run("named"), lambda: self.run("beside"), lambda: self.between("own"),
                           self.loop, self.branch])()


def family_atomics(k):
    s, r = k.s, k.rng
    k.block = r.choice([(32,), (64,), (64,), (33,), (96,), (8, 4), (31, 2), (1,)])
    k.grid = (r.randrange(1, 4),)
    size = 1
    for extent in k.block:
        size *= extent
    n = size * k.grid[0]
    a = Atomics(k)
    wide = 8 if a.kind == "u64" else 4
    for name in ("mine", "all", "chain"):
        k.param(f"{a.kind} *{r.choice(['', '__restrict__ '])}{name}", f"rand:{wide * a.words * (n + 1)}")
    k.param("const u32 *list", f"rand:{4 * n}")
    k.param("const u32 *in", f"rand:{4 * n}")
    k.param("u32 *out", f"rand:{4 * n}")
    k.param("u32 m", f"i32:{r.choice([0, 1, 2, 3, 5, 8])}")
    s.put("u32 i = block_rank() * block_size() + rank_in_block(), v = in[i];")
    index = r.choice(["i", "(int)i", "(u64)i"])
    s.put(f"{a.kind} *own = mine + {index} * {a.words}, *named = all + list[i] % {max(1, n // r.choice([1, 2, 7]))}u * {a.words}u;")
    s.put(f"{a.kind} *beside = chain + i * {a.words};   // half of it is the next thread's as well")
    a.statements(r.randrange(3, 8))
    s.put("out[i] = v;")
