"""Rows that depend on themselves, for kernels.py: what an iteration loads an earlier one has stored, in the same array or in
another, which may be the same one, or lie a few elements further.

A thread keeps to its own row, of which two elements at each end are not the middle of any iteration.
"""

SIZE = {"u32": 4, "u64": 8, "u16": 2, "u8": 1}
KINDS = ["u32", "u32"] + list(SIZE)
REACH = 2             # elements, backwards and forwards
SHIFT = 4             # at most, between arrays that are one


class Recurrence:
    def __init__(self, k):
        self.k, self.s, self.r = k, k.s, k.rng
        self.kind = self.r.choice(KINDS)
        self.unsigned = self.r.random() < 0.5
        self.arrays = ["a", "b", "c"][:self.r.randrange(1, 4)]

    def place(self, array, far):
        row, at = self.r.choice([("i * pitch", f"j + {far}"), ("i * pitch", f"(j + {far})"), ("(u64)i * pitch", f"j + {far}"),
                                 ("(int)i * (int)pitch", f"(int)(j + {far})"), (f"i * pitch + {far}", "j")])
        return f"{array}[{row} + {at}]".replace("+ -", "- ")

    def far(self):
        return self.r.choice([-2, -1, -1, -1, 0, 0, 0, 1, 2])

    def statement(self):
        r = self.r
        array = r.choice(self.arrays)
        terms = [self.place(r.choice([array, array] + self.arrays), self.far()) for _ in range(r.randrange(1, 4))]
        value = r.choice([" + ", " ^ ", " * 3u + "]).join(terms)
        how = r.choice(["=", "=", "+=", "-="])
        self.s.put(f"{self.place(array, r.choice([0, 0, 0, 0, 1, -1]))} {how} ({self.kind})({value});")

    def loop(self):
        backward = self.r.random() < 0.3
        kind = "u32" if self.unsigned and not backward else "int"
        self.s.put(self.r.choice(["", "", "#pragma unroll 1", "#pragma unroll 2"]))
        if backward:
            self.s.open(f"for ({kind} j = (int)m - {REACH} - 1; j >= {REACH}; j--)")
        else:
            self.s.open(f"for ({kind} j = {REACH}; j < ({kind})m - {REACH}; j++)")
        for _ in range(self.r.randrange(1, 4)):
            self.statement()
        if self.r.random() < 0.3:
            self.s.put(f"last = {self.place(self.r.choice(self.arrays), self.far())};")
        self.s.close()


def family_recurrences(k):
    s, r = k.s, k.rng
    c = Recurrence(k)
    rows, m = k.rows(), r.choice([4, 5, 9, 12, 13, 20, 21, 36, 37, 40, 70])
    pitch, size = m + SHIFT, SIZE[c.kind]
    for n, array in enumerate(c.arrays):
        same = n and r.random() < 0.35
        restrict = "" if same or r.random() < 0.6 else "__restrict__ "
        if same:
            k.params[0] = (f"{c.kind} *a", k.params[0][1])
        k.param(f"{c.kind} *{restrict}{array}", f"ref:0+{r.randrange(SHIFT + 1) * size}" if same else f"rand:{rows * pitch * size}")
    k.param("u32 *__restrict__ out", f"buf:{rows * 4}")
    k.open_rows(rows, m, pitch)
    s.put(f"{c.kind} last = 0;")
    for _ in range(r.choice([1, 1, 2])):
        c.loop()
    s.put("out[i] = (u32)last;")
