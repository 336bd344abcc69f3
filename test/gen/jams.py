"""Random loops around others, for kernels.py: each iteration stores or loads a word of the thread's row and has loops inside, what it
touches besides may be of the same row, and it may hand something on, or go ways of its own.

    for (j = 0; j < d; j++) { s = row[j]; for (k = 0; k < K; k++) s = mix(s, w[j * K + k], x[k * rows + i]); row[j] = s; }
"""

SIZE = {"u32": 4, "float": 4, "u64": 8, "double": 8, "u16": 2, "u8": 1}
FILL = {"float": "frand", "double": "drand"}
CLAMP = {"float": ("clampf", "f"), "double": ("clampd", "")}
EDGE = 10   # words of a row in front of its middle, and behind


class Jam:
    def __init__(self, k):
        self.k, self.s, self.r = k, k.s, k.rng
        self.kind = self.r.choice(["u32", "u32", "u32", "float", "float", "u64", "double", "u16", "u8"])
        self.d = self.r.choice([0, 1, 3, 7, 8, 9, 12, 13, 16, 21])
        self.times = self.r.choice([0, 1, 2, 4, 5, 9])
        self.pitch = self.d + 2 * EDGE
        self.counter = self.r.choice(["int", "int", "int", "u32", "long long"])

    def arguments(self, rows):
        k, r, size, fill = self.k, self.r, SIZE[self.kind], FILL.get(self.kind, "rand")
        restrict = "__restrict__ " if r.random() < 0.6 else ""
        words = max(1, self.d * self.times)
        k.param(f"{self.kind} *{restrict}a", f"{fill}:{rows * self.pitch * size}")
        k.param(f"{self.kind} *{restrict}b", f"{fill}:{rows * self.pitch * size}")
        k.param(f"const {self.kind} *{restrict}w", f"{fill}:{words * size}")
        k.param(f"const {self.kind} *{restrict}x", f"{fill}:{max(1, rows * self.times) * size}")
        k.param(f"const {self.kind} *{restrict}y", f"{fill}:{max(1, rows * words) * size}")
        k.param("u32 *__restrict__ out", f"zero:{rows * 4}")
        k.param("int d", f"i32:{self.d}")
        k.param("int times", f"i32:{self.times}")

    def place(self, array=None, far=None):
        r = self.r
        far = r.choice([0, 0, 0, 0, 1, -1, 2, -3, 8, -8]) if far is None else far
        row = r.choice(["(u64)i * pitch", "i * pitch", "(int)(i * pitch)"])
        return f"{array or r.choice('aab')}[{row} + {EDGE + far} + j]"

    def mix(self, value):
        clamp = CLAMP.get(self.kind)
        return f"s = {clamp[0]}(s * 0.5{clamp[1]} + {value});" if clamp else f"s = ({self.kind})(s * 31u + {value});"

    def value(self):
        one, other = self.r.choice([("w[j * times + k]", "x[(u64)k * rows + i]"), ("w[j * times + k]", "x[(u64)k * rows + i]"),
                                    ("y[((u64)k * rows + i) * d + j]", "1"), ("y[((u64)k * rows + i) * d + j]", "w[k * d + j]"),
                                    ("y[((u64)j * times + k) * rows + i]", "x[(u64)k * rows + i]")])
        return f"{one} * {other}" if self.kind in CLAMP else f"(u32){one} * (u32){other}"

    def inside(self):
        r, s = self.r, self.s
        s.put(r.choice(["", "#pragma unroll 1", "#pragma unroll 1", "#pragma unroll 2"]))
        begin = r.choice(["0"] * 6 + ["minu(j, times)", "minu(1, times)", "minu(times, (d - j) / 2)"])
        end = r.choice(["times"] * 6 + ["minu(times, j + 1)"] * 2 + ["minu(times, j)", "minu(times, d - j)", "minu(times, j * 3 % 7)", "times - (s > 3)"])
        s.open(f"for (int k = (int){begin}; k < (int){end}; k++)")
        condition = r.choice(["", "", "", "", "if (times & 1) ", "if (s > 2) ", "if (x[(u64)k * rows + i] > 1) "])
        s.put(condition + self.mix(self.value()))
        if r.random() < 0.05:
            s.put(f"{self.place('b')} = s;")
        s.close()

    def around(self):
        r, s = self.r, self.s
        s.put(r.choice(["", "#pragma unroll 1"]))
        s.open(r.choice([f"for ({self.counter} j = 0; j < d; j++)"] * 4 + ["for (int j = d - 1; j >= 0; j--)"]))
        begin = r.choice(["0", "0", "1", self.place(), self.place(), "last"])
        s.put(f"{self.kind} s = {begin};")
        for _ in range(r.choice([1, 1, 1, 2])):
            self.inside()
        if r.random() < 0.8:
            s.put(f"{self.place('a')} = s;")
        if r.random() < 0.3:
            s.put(f"{self.place()} = s + 1;")
        s.put(r.choice(["last = s;", "last = s;", f"last = last + ({self.kind})j;"]))
        s.close()


def family_jams(k):
    s = k.s
    jam, rows = Jam(k), k.rows()
    jam.arguments(rows)
    k.open_rows(rows, jam.d, jam.pitch)
    s.put(f"{jam.kind} last = 0;")
    for _ in range(k.rng.choice([1, 1, 1, 2])):
        jam.around()
    s.put("out[i] = (u32)last;" if jam.kind not in CLAMP else "out[i] = (u32)(int)(last * 16);")
