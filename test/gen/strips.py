"""Rows whose words are used in some iterations, which all threads have alike, for kernels.py: by what is loaded for all of them, or by the counter."""

SIZE = {"u32": 4, "u64": 8}
LENGTHS = [0, 1, 5, 31, 32, 33, 34, 40, 63, 64, 65, 66, 70, 97, 100, 129]
MOST = [0, 1 << 29, 1 << 31, 7 << 29, 0xffffffff]   # of a random word: never, one in eight, half, seven in eight, nearly always


class Strips:
    def __init__(self, k):
        self.k, self.s, self.r = k, k.s, k.rng
        self.kind = self.r.choice(list(SIZE))
        self.index = self.r.choice(["int", "u32", "u64"])
        self.rows = ["a", "b"][:self.r.choice([1, 1, 2])]

    def condition(self):
        r = self.r
        loaded = r.choice(["use[j] < most", "use[j] >= most", "(use[j] & 3) == 1", "use[j] < most && j % 3 != 1", "(use[j] ^ x[j]) < most"])
        counted = r.choice([f"j % {r.choice([2, 3, 5])} == 0", "(j & 4)", f"j >= {r.choice([0, 7, 40])}", "j != 9"])
        return r.choice([loaded, loaded, loaded, counted])

    def word(self, row):
        return f"{row}[{self.at} + j]"

    def statement(self):
        r = self.r
        terms = [self.word(row) for row in self.rows] + r.choice([[], [], ["x[j]"], ["use[j]"], ["j"]])
        value = r.choice([" + ", " ^ ", " * 3u + "]).join(f"({self.kind})({t})" for t in terms)
        return r.choice([f"s = s * 31 + ({value});", f"s += {value};", f"t = s > t ? s : t; s ^= {value};", f"s = s * 7 + ({value}); t++;",
                         f"if (({value}) > t) {{ t = {value}; s = ({self.kind})j; }}"])

    def loop(self):
        s, r = self.s, self.r
        end = r.choice(["m", "m", "m", "m - i % 3", "(m > 2 ? m - 2 : m)"])
        s.put("#pragma unroll 1")   # what reads the kernel behind clang finds the loop as it is
        s.open(f"for ({self.index} j = {r.choice([0, 0, 0, 2])}; j < ({self.index})({end}); j++)")
        if r.random() < 0.4:
            s.put(f"if (!({self.condition()})) continue;")
            s.put(self.statement())
        else:
            s.open(f"if ({self.condition()})")
            s.put(self.statement())
            s.close()
        s.close()


def family_strips(k):
    s, r = k.s, k.rng
    c = Strips(k)
    rows, m = k.rows(), r.choice(LENGTHS)
    pitch = m + r.choice([0, 0, 1, 3])
    cast = r.choice(["", f"({c.index})", "(u64)"])
    c.at = r.choice([f"{cast}i * pitch", f"{cast}i * pitch", f"{cast}(i ^ 1) * pitch"])
    size = SIZE[c.kind]
    for row in c.rows:
        restrict = "" if r.random() < 0.3 else "__restrict__ "
        k.param(f"const {c.kind} *{restrict}{row}", f"rand:{((rows | 1) + 1) * pitch * size + 16}")
    k.param("const u32 *__restrict__ use", f"rand:{4 * m + 4}")
    k.param("const u32 *__restrict__ x", f"rand:{4 * m + 4}")
    k.param("u32 *__restrict__ out", f"buf:{rows * 4}")
    k.param("u32 most", f"i32:{r.choice(MOST)}")
    k.open_rows(rows, m, pitch)
    s.put(f"{c.kind} s = 0, t = 0;")
    for _ in range(r.choice([1, 1, 2])):
        c.loop()
    s.put("out[i] = (u32)(s + t);")
