"""Random products of rows with what all threads load alike, for kernels.py: blocks of rows may arrive on a shelf
(analysis/plan/shelf.c), unless what stands in the loop, or before and behind it, forbids that.

    for (j = 0; j < m; j++) s = mix(s, a[i * pitch + j] * w[j]);
"""

from again import FILL, SIZE, mix


class Products:
    def __init__(self, k):
        self.k, self.s, self.r = k, k.s, k.rng
        self.kind = self.r.choice(["u32", "u32", "float", "float", "u64", "double"])
        self.m = self.r.choice([0, 1, 16, 31, 32, 33, 48, 64, 64, 96, 100, 128])
        self.row = self.r.choice(["(int)i * pitch"] * 4 + ["i * pitch"])
        self.pitch = max(1, self.m + self.r.choice([0, 0, 0, 4, 4, 1, 3]))

    def arguments(self, rows):
        k, r, size, fill = self.k, self.r, SIZE[self.kind], FILL.get(self.kind, "rand")
        restrict = r.choice(["", "__restrict__ ", "__restrict__ "])
        spare = 8 * size
        for name in "ab":
            k.param(f"{self.kind} *{restrict}{name}", f"{fill}:{max(1, rows * self.pitch) * size + spare}")
        k.param("const u32 *told", f"rand:{4 * max(8, rows)}")
        k.param(f"const {self.kind} *w", f"{fill}:{2 * max(1, self.m) * size + spare}")
        k.param(f"{self.kind} *{restrict}out", f"{fill}:{max(1, rows) * size}")
        k.param(f"{self.kind} *__restrict__ sums", f"zero:{max(1, rows) * size}")
        k.param("int flag", f"i32:{r.randrange(2)}")

    def product(self):
        r = self.r
        beyond = ["a[{row} + j + flag]"] * (self.pitch > self.m)
        row = r.choice(["a[{row} + j]"] * 6 + ["b[{row} + j]"] * 3 + beyond).format(row=self.row)
        alike = r.choice(["w[j]"] * 7 + ["w[j + flag]", "w[m + j]", "w[i % 2 + j]", "w[told[i] % 8u]"])
        return f"{row} * {alike}"

    def sums(self):
        """Where the walk adds up: s, or places in memory (analysis/tally/tally.c), which may lie in a row of the thread."""
        own = ["out[i]", "out[i]", "sums[i]", f"a[{self.row}]", f"a[{self.row} + flag]", f"b[{self.row} + {self.pitch - 1}]"]
        return ["s"] if self.r.random() < 0.7 else self.r.sample(own, self.r.choice([1, 1, 2]))

    def walk(self):
        r, s = self.r, self.s
        s.put(r.choice(["", "#pragma unroll 1", "#pragma unroll 1"]))
        first = r.choice(["0", "0", "0", "0", "0", "flag", "4"])
        end = r.choice(["m"] * 8 + [str(self.m), "(int)(told[i] % (m + 1))", "m - (int)(told[0] % 3u)"])
        s.open(f"for (int j = {first}; j < (int){end}; j++)")
        sums = self.sums()
        for _ in range(r.choice([1, 1, 1, 2, 2, 3])):
            s.put(mix(self.kind, self.product()).replace("s ", r.choice(sums) + " "))
        extra = r.random()
        if extra < 0.05:
            s.put(f"a[{self.row} + j] = s;")
        elif extra < 0.10:
            s.put("out[i] = s;")
        elif extra < 0.13:
            s.put("if (told[j % 4] % 9u == 1u) break;")
        s.close()

    def between(self):
        what = self.r.choice(["", "", "out[i] = s;", f"a[{self.row}] = s;", "s = s + out[i];"])
        self.s.put(what)

    def walks(self):
        r, s = self.r, self.s
        times = r.choice([0, 0, 0, 2, 3])
        if times:
            s.open(f"for (int c = 0; c < {times}; c++)")
        self.walk()
        self.between()
        if times:
            s.close()


def family_products(k):
    s = k.s
    products, rows = Products(k), k.rows()
    products.arguments(rows)
    k.open_rows(rows, products.m, products.pitch)
    s.put(f"{products.kind} s = 0;")
    for _ in range(k.rng.choice([1, 1, 2, 3])):
        products.walks()
    s.put("sums[i] = s;")
