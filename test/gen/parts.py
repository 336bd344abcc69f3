"""Random loops whose rows stand under conditions of counters, for kernels.py and for rounds.py: of every type, step and direction, with bounds
that are at the ends of their types, and with what the other ways do.

    for (j = first; j < end; j += step) { if (0 <= j + d && j + d < m) s = mix(s, a[i * m + j + d]); ... }

Rows end where the conditions say, and lie one behind the other.
"""
import reals

SIZE = {"u32": 4, "float": 4, "u64": 8, "double": 8, "u16": 2, "u8": 1}
FILL = {"float": "frand", "double": "drand"}
CLAMP = {"float": ("clampf", "f"), "double": ("clampd", "")}
COUNTERS = ["int"] * 6 + ["u32"] * 4 + ["long long"] * 3 + ["u64"] * 2 + ["short", "u16", "signed char", "u8"]
BITS = {"int": 32, "u32": 32, "long long": 64, "u64": 64, "short": 16, "u16": 16, "signed char": 8, "u8": 8}
ENDS = [0, 0, 1, 2, 5, -1, -2, -5, 31, 64, 1000, -1000, 2147483647, -2147483648, 2147483600, -2147483600]


class Part:
    def __init__(self, k, kind=None):
        self.k, self.s, self.r = k, k.s, k.rng
        self.kind = kind or self.r.choice(["u32", "u32", "u32", "float", "float", "u64", "double", "u16", "u8"])
        self.counter = self.r.choice(COUNTERS)
        self.narrow = BITS[self.counter] < 32
        self.unsigned = self.counter.startswith("u")
        self.m = self.r.choice([0, 1, 2, 3, 7, 31, 33, 40, 64, 64, 90, 100, 100, 120])
        self.carried = False
        self.stores = self.r.random() < 0.4

    def arguments(self, rows):
        k, r, size, fill = self.k, self.r, SIZE[self.kind], FILL.get(self.kind, "rand")
        restrict = "__restrict__ " if r.random() < 0.6 else ""
        bytes_of_rows = max(1, rows * self.m) * size
        k.param(f"{self.kind} *{restrict}a", f"{fill}:{bytes_of_rows}")
        k.param(f"{self.kind} *{restrict}b", f"{fill}:{bytes_of_rows}")
        k.param(f"const {self.kind} *{restrict}x", f"{fill}:{max(1, self.m) * size}")
        k.param("const int *told", f"rand:{4 * max(1, rows)}")
        k.param("u32 *__restrict__ done", f"zero:{rows * 4}")
        k.param(f"{self.kind} *__restrict__ sums", f"zero:{rows * size}")
        k.param("u32 *__restrict__ lasts", f"zero:{rows * 4}")
        k.param("int d", f"i32:{r.choice([0, 1, -1, 3, -3, 7, -9, 40, -40, 500, -500])}")
        k.param("int far", f"i32:{r.choice(ENDS)}")
        k.param("int h", f"i32:{r.choice([0, 1, 3, 10, 30, -1, -4])}")
        k.param("long long wide", f"i64:{r.choice(ENDS + [1 << 40, -(1 << 40), (1 << 63) - 1, -(1 << 63), 1 << 57, -(1 << 57)])}")

    def mix(self, value):
        clamp = CLAMP.get(self.kind)
        return f"s = {clamp[0]}(s * 0.5{clamp[1]} + {value});" if clamp else f"s = ({self.kind})(s * 31u + {value});"

    # ---- places, and the conditions under which they are in the row

    def offset(self):
        """A number that may be added to a counter without overflow; of another type if it wraps around."""
        return self.r.choice(["0", "0", "1", "-1", "2", "-3", "d", "d", "-d", "h", "d - 1", "d + h"])

    def place(self):
        """Declares an integer, and gives a list of conditions under which it is a word's number in the row."""
        r, q, off = self.r, self.s.name("q"), self.offset()
        how = r.choice(["int", "int", "wrap", "wrap", "long", "long", "back", "own"])
        if how == "int":
            self.s.put(f"int {q} = (int)j + ({off});")
        elif how == "wrap":
            self.s.put(f"int {q} = (int)((u32)j + (u32){r.choice([f'({off})', 'far', 'told[i]'])});")
        elif how == "long":
            self.s.put(f"long long {q} = (long long)j + {r.choice([f'({off})', 'far', 'far', '(long long)told[i]'])};")
        elif how == "back":
            self.s.put(f"int {q} = m - 1 - (int)j;")
        else:
            self.s.put(f"{self.counter} {q} = j;")
        unsigned = "u64" if how == "long" or BITS[self.counter] == 64 else "u32"
        both = [f"({unsigned}){q} < ({unsigned})m"]
        apart = [f"{q} >= 0", f"{q} < ({'long long' if unsigned == 'u64' else 'int'})m"]
        if how == "own" and self.unsigned:
            apart = [f"{q} < ({unsigned})m"]
        elif r.random() < 0.3:
            apart = [r.choice([f"{q} > -1", f"!({q} < 0)"]), r.choice([f"m > {q}", f"{q} <= m - 1", f"!({q} >= m)"]) if how != "own" else apart[1]]
        return q, r.choice([both, apart, apart, apart[::-1]])

    def more(self):
        """A condition that leaves some iterations out."""
        r = self.r
        signed = ["(int)j <= (int)i", "(int)j < (int)i", "(int)j > (int)i", "(int)j + h >= (int)i", "(int)j >= (int)i - h", "(int)j != h",
                  "(int)j < far", "(int)j >= far", "(int)j <= far", "(int)j > far", "(int)j < lim", "(int)j >= lim", "(long long)j < wide",
                  "(long long)j >= wide", "(long long)j <= wide", "(long long)j > wide"]
        unsigned = ["(u32)j < (u32)far", "(u32)j >= (u32)far", "(u32)(j - 1) < (u32)(m - 2)", "(u32)j - 1u < (u32)m - 2u", "(u32)j < (u32)m - 1u",
                    "(u32)j + (u32)far < (u32)m", "(u32)j - (u32)lim <= (u32)h", "(u64)j < (u64)wide", "(u64)j >= (u64)wide",
                    "(u64)j + (u64)wide < (u64)m", "(u32)j > 0u - 5u", "(u32)j < told[i]"]
        own = ["j < lim", "j > h", "j <= h", "j * 2 < m", "j * 3 + 1 >= m", "!(j & 1)", "s > 1", "flag"]
        return r.choice(r.choice([signed, signed, unsigned, own]))

    def value(self, conditions):
        """Opens the conditions in some way around what is done; returns how many there are to be closed."""
        r, s = self.r, self.s
        way = r.choice(["and", "nested", "nested", "continue", "continue", "or", "bits"])
        if way == "and":
            s.open(f"if ({' && '.join(f'({c})' for c in conditions)})")
            return 1
        if way == "or":
            s.open(f"if (!({' || '.join(f'!({c})' for c in conditions)}))")
            return 1
        if way == "bits":
            s.open(f"if ({' & '.join(f'(int)({c})' for c in conditions)})")
            return 1
        if way == "nested":
            for c in conditions:
                s.open(f"if ({c})")
            return len(conditions)
        s.open("do")
        for c in conditions:
            s.put(f"if (!({c})) break;" if r.random() < 0.7 else f"if (!({c})) {{ {self.mix('1')} break; }}")
        return -1

    def either(self, q):
        """One of two words, or of three, by a condition of a counter, most often."""
        r, wide = self.r, "(u32)" if self.kind in ("u16", "u8") else ""
        other = r.choice([q, q, f"((int)m - 1 - {q})"])
        first, second = f"a[i * m + {q}]", f"{r.choice('abb')}[i * m + {other}]"
        way = r.choice(["choice", "choice", "branch", "branch", "number", "three", "rows", "sorted"])
        if way == "choice":
            self.s.put(self.mix(f"{wide}({self.more()} ? {first} : {second})"))
        elif way == "number":
            self.s.put(self.mix(f"{wide}a[i * m + ({self.more()} ? {q} : {other})]"))
        elif way == "three":
            self.s.put(self.mix(f"{wide}({self.more()} ? {first} : {self.more()} ? {second} : a[i * m + {other}])"))
        elif way == "sorted":
            to = r.choice(["told[i] % (u32)m", "(u32)h % (u32)m", "(u32)i % (u32)m"])
            at, where = self.s.name("t"), self.s.name("w")
            self.s.put(f"int {at} = (int)({to}), {where} = {q} > {at} ? {q} : {at};")
            self.s.put(self.mix(f"{wide}(a[i * m + {where}] + b[i * m + ({q} > {at} ? {at} : {q})])"))
        elif way == "rows":
            self.s.put(self.mix(f"{wide}({self.more()} ? a : b)[i * m + {q}]"))
        else:
            self.s.open(f"if ({self.more()})")
            self.s.put(self.mix(f"{wide}{first}"))
            self.s.close(" else {")
            self.s.depth += 1
            self.s.put(r.choice([self.mix(f"{wide}{second}"), self.mix(f"{wide}{second} * {wide}x[{q}]"), f"v = {second};"]))
            self.s.close()

    def word(self):
        """What is loaded or stored in an iteration, under conditions."""
        r, s = self.r, self.s
        if r.random() < 0.12 and not self.narrow and self.m:
            q = s.name("q")
            s.put(f"int {q} = (int)j + ({r.choice(['0', '1', '-1', 'd', 'h'])});")
            s.put(r.choice([f"{q} = {q} < 0 ? 0 : {q}; {q} = {q} < m ? {q} : m - 1;", f"{q} = {q} > m - 1 ? m - 1 : {q}; {q} = {q} > 0 ? {q} : 0;"]))
            conditions = [self.more()] if r.random() < 0.3 else []
        else:
            q, conditions = self.place()
            while r.random() < 0.4:
                conditions.insert(r.choice([0, 0, len(conditions)]), self.more())
        at = f"[{r.choice(['(u64)i * m', 'i * m', '(int)i * m'])} + {q}]" if self.m else f"[i * m + {q}]"
        if not conditions:
            conditions = ["m > 0"]
        wide = "(u32)" if self.kind in ("u16", "u8") else ""
        what = r.choice(["load"] * 5 + ["times"] * 3 + ["store", "store", "add", "both", "atomic"])
        if not self.stores and what in ("store", "add", "both"):
            what = "load"
        if what == "load" and r.random() < 0.2 and len(conditions) < 3:
            s.put(self.mix(f"{wide}({' && '.join(conditions)} ? a{at} : ({self.kind})0)"))
            return
        closes = self.value(conditions)
        if what in ("load", "times") and r.random() < 0.3:
            self.either(q)
        elif what == "load":
            s.put(self.mix(f"{wide}{r.choice('aab')}{at}"))
        elif what == "times":
            s.put(self.mix(f"{wide}a{at} * {wide}x[{q}]"))
        elif what == "store":
            s.put(f"{r.choice('aabb')}{at} = s;")
        elif what == "add":
            s.put(f"b{at} = {'clampf(' if self.kind == 'float' else 'clampd(' if self.kind == 'double' else f'({self.kind})('}b{at} + s);")
        elif what == "both":
            s.put(self.mix(f"{wide}a{at}"))
            s.put(f"b{at} = s;")
        else:
            s.put(self.mix(f"{wide}a{at}"))
            s.put("__nvvm_atom_add_gen_i((int *)done + i, (int)j);")
        if r.random() < 0.4:
            s.put(r.choice([f"last = (u32){q};", "flag = !flag;", f"v = a{at};", f"v = {self.kind}(j);" if self.kind in ("u32", "float") else "last++;"]))
        if closes > 0:
            for _ in range(closes - 1):
                s.close()
            if r.random() < 0.3:
                s.close(" else {")
                s.depth += 1
                s.put(r.choice([self.mix("3"), "flag = 0;", "last += 5;"]))
            s.close()
        else:
            s.close(" while (0);")

    def head(self):
        """The loop: few hundred iterations, whatever the bounds are."""
        r, c = self.r, self.counter
        step = r.choice([1] * 8 + [2, 2, 3, 3, 7, 100])
        begin = r.choice(["0"] * 6 + ["1", "3", "first"])
        end = r.choice(["m"] * 8 + ["m + 5", "m - 1", "lim", "(m + h)", "2 * m", "m - h"])
        if c == "signed char" or c == "short":
            end = r.choice(["m", "m - 1", "lim"])
        if c == "u8" and end == "2 * m":
            end = "m"
        if self.narrow or end == "2 * m":
            step = min(step, 3) if c != "signed char" else min(step, 2)
        down = r.random() < 0.2 and not self.unsigned
        if down:
            return f"for ({c} j = ({c})({end} - 1); j >= {begin}; j -= {step})"
        if r.random() < 0.12 and not self.narrow and self.m:
            return f"for ({c} j = 0, e = ({c})({'m > 0 ? m : 0' if not self.unsigned else 'm'}); j != e; j++)"
        if self.unsigned and not self.narrow and r.random() < 0.2:   # downwards, until it wraps around
            return f"for ({c} j = ({c})m - 1; j < ({c})m; j -= {step})"
        if not self.narrow and self.unsigned and r.random() < 0.12:   # from below 0, past it
            return f"for ({c} j = ({c})0 - 4; j != ({c})m; j++)"
        if not self.unsigned and r.random() < 0.15:
            return f"for ({c} j = -3; j < ({c})({end}); j += {step})"
        return f"for ({c} j = {begin}; j < ({c})({'max0(' + end + ')' if self.unsigned else end}); j += {step})"

    def loop(self):
        r, s = self.r, self.s
        s.put(r.choice(["", "", "", "", "#pragma unroll 1", "#pragma unroll 1", "#pragma unroll 3", "#pragma unroll 4"]))
        s.open(self.head())
        if r.random() < 0.2:
            s.put(self.mix(r.choice(["v", "x[0]", "1"]) if self.m else "v"))
        for _ in range(r.choice([1, 1, 1, 2, 2, 3])):
            self.word()
        if r.random() < 0.15:
            s.put("last = (u32)j;")
        s.close()


def begin(k, p, rows):
    s, r = k.s, k.rng
    p.arguments(rows)
    k.open_rows(rows, p.m, p.m)
    s.helpers.append("")
    s.put(f"{p.kind} s = 0, v = 0;")
    s.put("u32 last = 0; int flag = h & 1;")
    s.put(f"int lim = {r.choice(['(int)((u32)told[i] % (u32)(m + 3))', 'h + 5', '(int)i', '(int)((u32)told[i] >> 25)', 'm / 2'])};")
    s.put("int first = (int)(i % 5u);")


def end(k):
    k.s.put("sums[i] = s + v;")
    k.s.put("lasts[i] = last * 2 + (flag != 0);")


HELPER = "#ifndef MAX0\n#define MAX0\n__device__ static inline int max0(int x) { return x > 0 ? x : 0; }\n#endif"


def family_parts(k):
    s, r = k.s, k.rng
    p, rows = Part(k), k.rows()
    s.helpers.append(HELPER)
    begin(k, p, rows)
    around = r.random() < 0.2
    if around:
        s.open(f"for (int c = 0; c < {r.choice(['3', 'h', '(int)(i & 3u)'])}; c++)")
        if r.random() < 0.4:
            s.put("lim = c * 11;")
    for _ in range(r.choice([1, 1, 1, 2])):
        p.loop()
    if around:
        s.close()
    end(k)


# ---- reals, for rounds.py ----

def guarded(c, at):
    """A word under conditions, and what is made of it there."""
    r, s = c.r, c.s
    off = r.choice(["0", "0", "1", "-1", "d", "-d"])
    q = s.name("q")
    s.put(f"int {q} = j + {off};")
    s.open(f"if ({r.choice([f'{q} >= 0 && {q} < m', f'(u32){q} < (u32)m', f'{q} >= 0 && {q} < m && j <= i', f'{q} >= 0 && {q} < m && j > h'])})")
    here, made = len(c.names), len(c.products)
    name = s.name("v")
    s.put(f"{c.kind} {name} = a[i * m + {q}];")
    c.names += [name, name]
    if r.random() < 0.4:
        s.put(f"{c.kind} {name}w = x[{q}];")
        c.names += [f"{name}w"]
    c.few(0, 2)
    s.put(r.choice([f"p = {name} * {c.value()};", f"s += {name} * {c.value()};", f"s {r.choice(['=', '+=', '-='])} {c.expression()};",
                    f"p = {name} * {name}; s += t;", f"t = {c.product()};"]))
    if at and r.random() < 0.4:
        s.put(f"b[i * m + {q}] = {c.expression()};")
    del c.names[here:], c.products[made:]
    if r.random() < 0.3:
        s.close(" else {")
        s.depth += 1
        s.put(r.choice([f"p = {c.product()};", f"s += {c.product()};", "p = 0;"]))
    s.close()


def either(c):
    """One of two words, and what is made of them."""
    r, s = c.r, c.s
    name = s.name("v")
    first, second = "a[i * m + j]", r.choice(["b[i * m + j]", "a[i * m + m - 1 - j]"])
    condition = r.choice(["j < h", "j < m / 2", "j <= i", "j >= i", "j + d < m", "j >= h * 9"])
    if r.random() < 0.5:
        s.put(f"{c.kind} {name} = {condition} ? {first} : {second};")
        c.names += [name, name]
        s.put(r.choice([f"s += {name} * {c.value()};", f"p = {name} * {c.value()};", f"s = s * {c.value()} + {name};"]))
        return
    s.open(f"if ({condition})")
    s.put(r.choice([f"s += {first} * {c.value()};", f"p = {first} * {c.value()};", f"s = s * {c.value()} + {first};"]))
    s.close(" else {")
    s.depth += 1
    s.put(r.choice([f"s += {second} * {c.value()};", f"p = {second} * {c.value()};", f"t = {second}; s += p;", f"s += t * {second};"]))
    s.close()


def part_reals(c):
    k, s, r = c.k, c.s, c.r
    k.grid, k.block = (1,), (r.choice([32, 64]),)
    m = r.choice([8, 16, 19, 40, 64, 70])
    restrict = r.choice(["", "__restrict__ ", "__restrict__ "])
    k.param(f"const {c.kind} *{restrict}a", f"rand:{k.block[0] * m * SIZE[c.kind]}")
    k.param(f"const {c.kind} *{restrict}x", f"rand:{m * SIZE[c.kind]}")
    k.param(f"{c.kind} *{restrict}b", f"rand:{k.block[0] * m * SIZE[c.kind]}")
    k.param(f"{c.kind} *__restrict__ out", f"rand:{k.block[0] * SIZE[c.kind]}")
    for name, values in (("m", [m]), ("d", [0, 1, 2, -2, 5]), ("h", [0, 1, 3])):
        k.param(f"int {name}", f"i32:{r.choice(values)}")
    s.put("int i = threadIdx.x;")
    for name in ("s", "p", "t"):
        s.put(f"{c.kind} {name} = out[i];")
        c.names.append(name)
    c.few(0, 1)
    outer = list(c.names)
    s.put(r.choice(["", "#pragma unroll 1", "#pragma unroll 1"]))
    s.open("for (int j = 0; j < m; j++)")
    if r.random() < 0.5:
        s.put(r.choice(["s += p;", "s -= p;", "s = t - p;", f"p = {c.product()};", f"{c.kind} w = s * t; s = p;"]))
    for _ in range(r.choice([1, 1, 2, 3])):
        if r.random() < 0.3:
            either(c)
        else:
            guarded(c, r.random() < 0.4)
        c.few(0, 1)
    if r.random() < 0.5:
        s.put(r.choice(["s += p;", "s -= p * t;", "s = p + t;", f"s {r.choice(['=', '+=', '-='])} {c.expression()};"]))
    if r.random() < 0.3:
        s.put(f"b[i * m + j] = {c.expression()};")
    s.close()
    c.names, c.products = outer, []
    s.put(f"out[i] = {r.choice(['s', 's + p', 's + p * t', 'p', 't - p', c.expression()])};")


def family_part_reals(k):
    part_reals(reals.Reals(k))
