"""Random kernels whose threads move little: kernels and what coarse.py launches them with, for both halves of a file.

    thin.py FIRST LAST          writes them to standard output, one for each seed
"""
import random
import sys

TYPES = {"unsigned char": 1, "short": 2, "int": 4, "float": 4, "signed char": 1, "unsigned short": 2}


class Thin:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.name = f"thin{seed}"
        self.two = self.r.random() < 0.35
        self.inputs = [self.r.choice(list(TYPES)) for _ in range(self.r.choice((1, 1, 2, 2, 3)))]
        self.out = self.r.choice(list(TYPES))
        self.held = []   # values that may be used: names

    def pick(self, *of):
        return self.r.choice(of)

    def index(self):
        kind = self.pick("int", "unsigned", "size_t", "long")
        wide = f"({kind})" if kind in ("size_t", "long") else ""
        flat = f"{wide}blockIdx.x * blockDim.x + threadIdx.x"
        self.rows = not self.two and self.r.random() < 0.2
        if self.rows:
            flat = f"{wide}(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x"
        return kind, flat

    def near(self):
        """A place beside a thread's own, within bounds."""
        return self.pick("i", "i", "i", "(i > 0 ? i - 1 : i)", "(i + 1 < total ? i + 1 : i)")

    def value(self, depth=0):
        if depth > 2 or self.r.random() < 0.3:
            return self.pick(*self.held, str(self.r.randrange(1, 90)), *(["c"] if self.r.random() < 0.3 else []))
        a, b = self.value(depth + 1), self.value(depth + 1)
        return self.pick(f"({a} + {b})", f"({a} - {b})", f"({a} * {b} + {self.pick(*self.held)})", f"({a} > {b} ? {a} : {b} * 3)",
                         f"({a} < {b} ? {b} : {a})", f"({a} / {self.r.randrange(2, 9)})")

    def condition(self):
        return f"{self.value(2)} {self.pick('>', '<', '>=', '!=')} {self.value(2)}"

    def loads(self):
        lines = []
        for k, kind in enumerate(self.inputs):
            if kind == self.out and k == 0 and self.r.random() < 0.3:
                place, array = "i", "o"      # in place: its own alone
            else:
                place, array = self.near(), f"a{k}"
            lines.append(f"{self.pick('auto', 'int', 'float') if kind != 'float' else 'float'} v{k} = {array}[{place}];")
            self.held.append(f"v{k}")
        return lines

    def stores(self):
        kind = self.r.randrange(7)
        to = f"o[i] = ({self.out})"
        if kind < 3:
            return [f"{to}{self.value()};"]
        if kind == 3:
            return [f"if ({self.condition()})", f"    {to}{self.value()};"]
        if kind == 4:
            return [f"if ({self.condition()})", f"    {to}{self.value()};", "else", f"    {to}{self.value()};"]
        if kind == 5:
            return [f"if ({self.condition()})", "    return;", f"{to}{self.value()};"]
        cases = [f"case {k}: {to}{self.value()}; break;" for k in range(3)]
        return [f"switch ((int){self.held[0]} & 3) {{", *cases, f"default: {to}{self.value()};" if self.r.random() < 0.5 else "default: break;", "}"]

    def text(self):
        restrict = self.pick("", "__restrict__ ")
        arrays = ", ".join(f"const {kind} *{restrict}a{k}" for k, kind in enumerate(self.inputs))
        kind, flat = self.index()
        lines, guard = [], self.pick("around", "out", "out", "none")
        bound = self.pick("int", "unsigned", "long")
        if self.two:
            lines += [f"int x = {flat}, y = blockIdx.y * blockDim.y + threadIdx.y;"]
            ways = ["if (x >= w || y >= h)", "    return;"] if guard != "around" else ["if (!(x < w && y < h))", "    return;"]
            if self.r.random() < 0.3:
                ways = ["if (x >= w)", "    return;", "if (y >= h || y < 0)", "    return;"]
            lines += [*ways, f"{kind} i = ({kind})y * w + x;", f"const {kind} total = ({kind})w * h;"]
            params = f"{arrays}, {self.out} *o, int c, int w, int h"
        else:
            lines += [f"{kind} i = {flat};", f"const {kind} total = n;"]
            lines += [f"if (i >= ({kind})n)", "    return;"]
            params = f"{arrays}, {self.out} *o, int c, {bound} n"
        lines += self.loads()
        if self.r.random() < 0.25:
            lines += [f"if ({self.condition()})", f"    v0 = {self.value(1)};"]
        lines += self.stores()
        body = "\n".join("    " + line for line in lines)
        return f"{self.case(bound)}\n__global__ void {self.name}({params})\n{{\n{body}\n}}\n"

    def case(self, bound):
        def fill(kind, k):
            return "frand" if kind == "float" else "rand"
        size = "(t+9)*4" if not self.two else "(t+9)*8"
        data = [f"{fill(kind, k)}:{{{TYPES[kind]}*{size}}}:{k + 1}" for k, kind in enumerate(self.inputs)]
        out = f"{fill(self.out, 9)}:{{{TYPES[self.out]}*{size}}}:9"
        if self.two:
            block = self.pick("8,4", "32,2", "16,2", "4,8")
            return f"// CASE: {self.name} block={block} grid=1,2 -- {' '.join([*data, out])} i32:5 i32:{{n}} i32:{self.r.randrange(1, 8)}"
        block = self.pick("32", "33", "64", "16")
        return f"// CASE: {self.name} block={block} grid=1,{2 if self.rows else 1} -- {' '.join([*data, out])} i32:5 {'i64' if bound == 'long' else 'i32'}:{{n}}"


def main():
    first, last = map(int, sys.argv[1:])
    for seed in range(first, last + 1):
        print(Thin(seed).text())


if __name__ == "__main__":
    main()
