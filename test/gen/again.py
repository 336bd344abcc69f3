"""Random rows that a loop meets again and again, for kernels.py: what stands around the walk may change the row, leave it out, end
either loop early, or tell the threads apart.

    for (c = 0; c < times; c++) { ...; for (j = 0; j < m; j++) s = mix(s, a[i * pitch + j], w[c * m + j]); ... }
"""

SIZE = {"u32": 4, "float": 4, "u64": 8, "double": 8, "u16": 2}
FILL = {"float": "frand", "double": "drand"}
CLAMP = {"float": ("clampf", "f"), "double": ("clampd", "")}


def mix(kind, value):
    """What is added up, and another value."""
    clamp = CLAMP.get(kind)
    if clamp:
        return f"s = {clamp[0]}(s * 0.5{clamp[1]} + {value});"
    return f"s = ({kind})(s * 31u + {value});"


class Again:
    def __init__(self, k):
        self.k, self.s, self.r = k, k.s, k.rng
        self.kind = self.r.choice(["u32", "u32", "u32", "float", "float", "float", "u64", "double", "u16"])
        self.m = self.r.choice([0, 1, 7, 31, 32, 33, 64, 64, 100, 100])
        self.times = self.r.choice([0, 1, 2, 2, 5])
        self.pitch = max(1, self.m + self.r.choice([0, 0, 1, 3]))

    def arguments(self, rows):
        k, r, size, fill = self.k, self.r, SIZE[self.kind], FILL.get(self.kind, "rand")
        restrict = r.choice(["", "__restrict__ ", "__restrict__ "])
        bytes_of_rows = max(1, rows * self.pitch) * size
        k.param(f"{self.kind} *{restrict}a", f"{fill}:{bytes_of_rows + 8 * size}")
        k.param(f"const {self.kind} *w", f"{fill}:{max(1, self.times * self.m) * size}")
        k.param(f"{self.kind} *{restrict}out", f"{fill}:{max(1, rows * max(1, self.times)) * size}")
        k.param("const u32 *told", f"rand:{4 * max(1, rows, self.times)}")
        k.param("u32 *__restrict__ done", f"zero:{rows * 4}")
        k.param(f"{self.kind} *__restrict__ sums", f"zero:{rows * size}")
        k.param("int times", f"i32:{self.times}")
        k.param("int flag", f"i32:{r.randrange(2)}")

    def pragma(self):
        text = self.r.choice(["", "", "#pragma unroll 1", "#pragma unroll 1", "#pragma unroll 2"])
        if text:
            self.s.put(text)

    def bit(self):
        """A condition that depends on what was added up."""
        return {"float": "s > 0.25f", "double": "s > 0.25"}.get(self.kind, "s % 3u == 1u")

    def beside(self):
        """What the loop around does before the walk or behind it."""
        r, here, next_to = self.r, "a[i * pitch + (m > 0 ? m - 1 : 0)]", "out[c * rows + i]"
        what = r.choice(["", "", "", "", "result", "result", "result", "place", "row", "end", "end", "next", "atomic"])
        if what == "next":
            self.s.put("if (told[c] % 5u == 1u) continue;")
        elif what == "end":
            self.s.put(f"if ({self.bit()}) break;")
        elif what:
            self.s.put({"result": f"{next_to} = s;", "place": f"{next_to} = {next_to} + s;", "row": f"{here} = s;",
                        "atomic": "__nvvm_atom_add_gen_i((int *)done + i, c);"}[what])
        return what

    def walk(self):
        r, s = self.r, self.s
        first = r.choice(["0", "0", "0", "0", "0", "1", "flag"])
        end = r.choice(["m"] * 9 + [str(self.m), "minu(m, c + 30)", "(int)(told[i] % (m + 1))"])
        self.pragma()
        up, down = f"for (int j = {first}; j < (int){end}; j++)", f"for (int j = (int){end} - 1; j >= {first}; j--)"
        s.open(r.choice([up] * 3 + [down]))
        at = r.choice(["i * pitch + j"] * 9 + ["i * pitch + j + (c & 1)"] * (self.pitch > self.m))
        wide = "(u32)" if self.kind == "u16" else ""
        s.put(mix(self.kind, f"{wide}a[{at}] * {wide}w[c * m + j]"))
        if r.random() < 0.07:
            s.put(f"if ({self.bit()}) break;")
        if r.random() < 0.07:
            s.put("a[i * pitch + j] = s;")
        s.close()

    def around(self):
        r, s = self.r, self.s
        self.pragma()
        s.open("for (int c = 0; c < times; c++)")
        if r.random() < 0.3:
            self.beside()
        condition = r.choice(["", "", "", "", "", "flag", "told[c] & 1u", "i & 1", "m > 8"])
        if condition:
            s.open(f"if ({condition})")
        self.walk()
        if condition:
            s.close()
        self.beside()
        s.close()


def family_again(k):
    s = k.s
    again, rows = Again(k), k.rows()
    again.arguments(rows)
    k.open_rows(rows, again.m, again.pitch)
    s.put(f"{again.kind} s = 0;")
    for _ in range(k.rng.choice([1, 1, 1, 2])):
        again.around()
    s.put("sums[i] = s;")
