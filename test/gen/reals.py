"""Random arithmetic of reals, for kernels.py: products that meet sums in every way (several users, other blocks, other
iterations), signs of what is only moved. Run by rounds.py, which knows what the backend rounds once; buffers hold NaNs of all kinds,
-0 and denormals.
"""

SIZE = {"float": 4, "double": 8}


class Reals:
    def __init__(self, k):
        self.k, self.s, self.r = k, k.s, k.rng
        self.kind = self.r.choice(["float"] * 4 + ["double"])
        self.names, self.products = [], []
        self.suffix = "f" if self.kind == "float" else ""

    def value(self):
        recent = self.names[-4:] + self.products[-3:]
        return self.r.choice(recent if self.r.random() < 0.6 else self.names)

    def product(self):
        return f"{self.value()} * {self.value()}"

    def expression(self):
        a, b = self.value(), self.value()
        return self.r.choice([
            self.product(), self.product(), f"{a} + {self.product()}", f"{self.product()} - {a}", f"{a} - {self.product()}",
            f"{self.product()} + {self.product()}", f"{self.product()} - {self.product()}", f"{a} + {b}", f"{a} - {b}", f"-{a}",
            f"__builtin_fabs{self.suffix}({a})", f"-({self.product()}) - {a}", f"{a} < {b} ? {self.value()} : {self.value()}",
            f"-({a} + {b})", f"({a} - {b}) * {self.value()}", f"({a} + {b}) * ({a} - {b})"])

    def take(self):
        text, name = self.expression(), self.s.name("x")
        self.s.put(f"{self.kind} {name} = {text};")
        (self.products if text.count("*") == 1 and "+" not in text and "-" not in text else self.names).append(name)
        self.names.append(name)
        return name

    def few(self, least=1, most=4):
        for _ in range(self.r.randint(least, most)):
            self.take()

    def change(self):
        """An older variable gets a new value, perhaps on one of two ways."""
        name, r = self.value(), self.r
        if r.random() < 0.4:
            self.s.open(f"if ({self.value()} < {self.value()})")
            self.s.put(f"{name} = {self.expression()};")
            self.s.close()
        else:
            self.s.put(f"{name} {r.choice(['=', '+=', '-='])} {self.expression()};")

    def body(self):
        for _ in range(self.r.randint(1, 3)):
            self.few(1, 3)
            if self.r.random() < 0.6:
                self.change()

    def later(self):
        """A place in memory gets another value behind a branch."""
        if self.r.random() < 0.5:
            self.s.open(f"if ({self.value()} > {self.value()})")
            self.s.put(f"{self.r.choice(self.stores)} = {self.expression()};")
            self.s.close()


def family_reals(k):
    c, r = Reals(k), k.rng
    r.choice([records, records, walks, tiles])(c)


def records(c):
    k, s, r = c.k, c.s, c.r
    k.grid, k.block = (r.choice([1, 2]),), (r.choice([32, 64, 48]),)
    threads = k.grid[0] * k.block[0]
    n, m = r.randint(2, 7), r.randint(2, 6)
    restrict = r.choice(["", "__restrict__ ", "__restrict__ "])
    k.param(f"const {c.kind} *{restrict}a", f"rand:{threads * n * SIZE[c.kind]}")
    k.param(f"{c.kind} *{restrict}b", f"rand:{threads * m * SIZE[c.kind]}")
    s.put("u32 i = blockIdx.x * blockDim.x + threadIdx.x;")
    for j in range(n):
        s.put(f"{c.kind} a{j} = a[i * {n} + {j}];")
        c.names.append(f"a{j}")
    c.stores = [f"b[i * {m} + {j}]" for j in range(m)]
    c.body()
    for place in c.stores:
        s.put(f"{place} = {r.choice([c.value(), c.value(), '-' + c.value(), c.expression()])};")
    c.later()


def walks(c):
    k, s, r = c.k, c.s, c.r
    k.grid, k.block = (1,), (r.choice([32, 64]),)
    m = r.choice([8, 16, 19, 32, 36])
    restrict = r.choice(["", "__restrict__ ", "__restrict__ "])
    k.param(f"const {c.kind} *{restrict}a", f"rand:{k.block[0] * m * SIZE[c.kind]}")
    k.param(f"const {c.kind} *{restrict}w", f"rand:{m * SIZE[c.kind]}")
    k.param(f"{c.kind} *{restrict}b", f"rand:{k.block[0] * m * SIZE[c.kind]}")
    k.param(f"{c.kind} *__restrict__ out", f"rand:{k.block[0] * SIZE[c.kind]}")
    k.param("int m", f"i32:{m}")
    s.put("int i = threadIdx.x;")
    for name in ("s", "last"):
        s.put(f"{c.kind} {name} = out[i];")
        c.names.append(name)
    c.few(0, 2)
    outer = list(c.names)
    s.put("#pragma unroll 1")
    s.open("for (int j = 0; j < m; j++)")
    s.put(f"{c.kind} v = a[i * m + j], u = w[j];")
    c.names += ["v", "u", "v", "u"]
    if r.random() < 0.6:
        c.few(0, 2)
    s.put(r.choice(["s += v * u;", "s = s * v + u;", f"s {r.choice(['=', '+=', '-='])} {c.expression()};"]))
    if r.random() < 0.3:
        s.put(f"last = {c.expression()};")
    c.stores = ["b[i * m + j]"]
    if r.random() < 0.4:
        s.put(f"b[i * m + j] = {c.expression()};")
    s.close()
    c.names, c.products = outer, []
    c.few(0, 2)
    s.put(f"out[i] = {r.choice(['s', '-s', 's + last', 's * last + s', c.expression()])};")


def tiles(c):
    k, s, r = c.k, c.s, c.r
    k.grid, k.block = (r.choice([1, 2]),), (64,)
    trips, known = r.choice([2, 3, 4, 8]), r.random() < 0.6
    inner = r.choice([2, 4, 8])
    k.param(f"const {c.kind} *__restrict__ a", f"rand:{k.grid[0] * trips * 64 * SIZE[c.kind]}")
    k.param(f"{c.kind} *__restrict__ out", f"rand:{k.grid[0] * 64 * SIZE[c.kind]}")
    k.param("int n", f"i32:{trips}")
    s.put(f"__shared__ {c.kind} tile[64];")
    s.put("int t = threadIdx.x, i = blockIdx.x * 64 + t;")
    for name in ("p", "w"):
        s.put(f"{c.kind} {name} = out[{'i' if name == 'p' else 'blockIdx.x * 64'}];")
        c.names.append(name)
    c.few(0, 1)
    outer = list(c.names)
    s.open(f"for (int k = 0; k < {trips if known else 'n'}; k++)")
    s.put(f"tile[t] = a[(blockIdx.x * {trips} + k) * 64 + t];")
    s.put("__nvvm_bar_sync(0);")
    s.open(f"for (int q = 0; q < {inner}; q++)")
    s.put(f"{c.kind} v = tile[(t + q) & 63];")
    c.names += ["v", "v"]
    s.put(r.choice(["p += v * w;", "p = (p - w) * v;", "p = p * v + w;", f"p = {c.expression()};", "p = v * v; w += v;"]))
    s.close()
    c.names = list(outer)
    s.put("__nvvm_bar_sync(0);")
    s.close()
    c.few(0, 2)
    s.put(f"if (n) out[i] = {r.choice(['p', 'p + w', 'p * w - p', c.expression()])};")
