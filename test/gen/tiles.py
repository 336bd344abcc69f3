"""Random tile loops, for kernels.py: global memory staged in shared memory between barriers, in every shape that users give it.

A kernel is made of loops; a loop of arrays, each staged in a tile of its own, and of what goes on between the barriers. The
trips of every block are known here, so buffers end where the last tile does: one tile too many read ahead is out of bounds.
Stores to the memory that is staged keep to the block's own part of it and stand between the barriers, so no block races.
"""

SIZE = {"u8": 1, "signed char": 1, "u16": 2, "short": 2, "u32": 4, "float": 4, "u64": 8, "double": 8, "V2": 8, "V4": 16}
SUM = {"float": "float", "double": "double", "u64": "u64"}          # what elements are summed in, if not in u32
FILL = {"float": "frand", "double": "drand"}
KINDS = ["u32", "float", "u32", "float", "u8", "signed char", "u16", "short", "u64", "double", "V2", "V4", "V4"]
CONVERSIONS = [("u8", "u32", "(u32){}"), ("short", "float", "(float){} * 0.0001f"), ("float", "float", "{} * 0.5f"),
               ("u32", "u32", "{} * 3u + 1u"), ("float", "double", "(double){}"), ("u32", "u16", "(u16){}")]
TWO_DIMENSIONS = ("square", "turned", "rows", "columns")
KEEPING = ("keep", "now and then")                                   # guards without else: the old value stays
MOST_TRIPS = 9                                                       # stages + 1, of eight stages


def number(kind, text):
    """An element as a number that can be summed."""
    if kind == "V2":
        return f"({text}.x ^ rot({text}.y, 3u))"
    if kind == "V4":
        return f"({text}.x ^ rot({text}.y, 3u) ^ rot({text}.z, 7u) ^ rot({text}.w, 11u))"
    return text if kind in SUM else f"(u32){text}"


def add(acc, kind, value):
    if kind == "float":
        return f"{acc} = clampf({acc} * 0.5f + {value});"
    if kind == "double":
        return f"{acc} = clampd({acc} * 0.5 + {value});"
    return f"{acc} = {acc} * 3u + {value};"


def element(kind, acc):
    """An element made of the sum."""
    if kind in ("float", "double"):
        return f"clamp{kind[0]}({acc} * 0.75{'f' if kind == 'float' else ''} + 0.125{'f' if kind == 'float' else ''})"
    if kind in ("V2", "V4"):
        return kind + "{" + ", ".join(f"{acc} + {i}u" for i in range(SIZE[kind] // 4)) + "}"
    return f"({kind})({acc} + 5u)"


def nothing(kind):
    return {"V2": "V2{0, 0}", "V4": "V4{0, 0, 0, 0}"}.get(kind, f"({kind})0")


class Trips:
    """How often a loop runs, as text and for every block."""

    def __init__(self, k, least=0):
        r = k.rng
        count = r.randrange(least, MOST_TRIPS + 1)
        how = r.choice(["constant", "symbolic", "symbolic", "computed", "loaded"])
        if how == "constant":
            self.text, self.each = f"{count}u", [count] * k.blocks
        elif how == "symbolic":
            name = k.s.name("trips")
            k.param(f"u32 {name}", f"i32:{count}")
            self.text, self.each = name, [count] * k.blocks
        elif how == "computed":
            name = k.s.name("m")
            k.param(f"u32 {name}", f"i32:{count}")
            span = MOST_TRIPS + 1 - least
            self.text = f"({name} + b * 3u) % {span}u + {least}u"
            self.each = [(count + b * 3) % span + least for b in range(k.blocks)]
        else:                                  # iota: what stands there is known
            name, first = k.s.name("len"), min(count, MOST_TRIPS + 1 - k.blocks)
            first = max(first, least)
            k.param(f"const u32 *{name}", f"iota:{first + k.blocks}")
            self.text, self.each = f"{name}[b + {first}u]", [b + first for b in range(k.blocks)]
        self.most = max(self.each)


class Staged:
    """One array, its tile, and how one is copied into the other."""

    def __init__(self, k, i, loop_shapes):
        r = k.rng
        self.i, self.k = i, k
        self.source, self.kind, self.convert = None, r.choice(KINDS), "{}"
        self.source_kind = self.kind
        if r.random() < 0.15:
            self.source_kind, self.kind, self.convert = r.choice(CONVERSIONS)
        self.tile = f"tile{i}"
        self.shape = r.choice(loop_shapes)
        if k.seed % 4 == 3 and i == 0 and self.shape in ("line", "hand", "loop"):   # 16 bytes go to four places
            self.shape, self.source_kind, self.kind, self.convert = "apart", "V4", "u32", r.choice(["{}", "{} * 3u + 1u"])
        self.block = k.block_size
        self.gather = self.shape == "line" and r.random() < 0.2
        self.keeps = self.shape == "carried"     # what was in the tile before may stay there
        self.measure(r)

    def measure(self, r):
        """length: elements of a tile, in memory; room: in shared memory; halo: on each side."""
        T, self.halo, self.pad, self.rows = self.block, 0, 0, 0
        if self.shape == "hand":
            self.per = r.randrange(2, 4)
            self.length = self.per * T
        elif self.shape == "loop":
            self.length = r.choice([T, 2 * T, 2 * T + 5, max(1, T - 3), 4 * T])
        elif self.shape == "half":
            self.length = 2 * ((T + 1) // 2)
        elif self.shape in ("rows", "columns"):    # a loop cuts its number in two, or two loops count
            self.width, self.pad = r.choice([1, 3, 5, 8, 9, 16]), r.choice([0, 1, 1])
            self.high = r.choice([1, (T + self.width - 1) // self.width, 2 * T // self.width + 1])
            self.length = self.width * self.high
        elif self.shape in ("square", "turned"):
            self.edge = self.k.block[0]
            self.pad = r.choice([0, 1, 1])
            self.length = self.edge * self.k.edge_y
        else:
            self.length = T
        if self.shape in ("halo", "carried"):
            self.halo = r.choice([1, 2, 3]) if T > 6 else 1
        self.room = 4 * T if self.shape == "apart" else self.length + self.halo * (2 if self.shape == "halo" else 1)

    def declare(self, dynamic_at, slots):
        """Declares the tile; `dynamic_at`: offset in the pool, or nothing."""
        dims = f"[{slots}]" if slots > 1 else ""
        if self.shape in ("square", "turned"):
            y, x = (self.k.edge_y, self.edge) if self.shape == "square" else (self.edge, self.k.edge_y)
            self.k.s.put(f"__shared__ {self.kind} {self.tile}{dims}[{y}][{x + self.pad}];")
        elif self.shape in ("rows", "columns"):
            y, x = (self.high, self.width) if self.shape == "rows" else (self.width, self.high)
            self.k.s.put(f"__shared__ {self.kind} {self.tile}{dims}[{y}][{x + self.pad}];")
        elif dynamic_at is not None:
            self.k.s.put(f"{self.kind} *{self.tile} = ({self.kind} *)(pool{self.k.seed} + {dynamic_at});")
        else:
            self.k.s.put(f"__shared__ {self.kind} {self.tile}{dims}[{self.room}];")

    def at(self, c, slot=""):
        """The tile's c-th element of some order."""
        if self.shape == "square":
            return f"{self.tile}{slot}[({c}) / {self.edge}u % {self.k.edge_y}u][({c}) % {self.edge}u]"
        if self.shape == "turned":
            return f"{self.tile}{slot}[({c}) % {self.edge}u][({c}) / {self.edge}u % {self.k.edge_y}u]"
        if self.shape == "rows":
            return f"{self.tile}{slot}[({c}) / {self.width}u % {self.high}u][({c}) % {self.width}u]"
        if self.shape == "columns":
            return f"{self.tile}{slot}[({c}) % {self.width}u][({c}) / {self.width}u % {self.high}u]"
        return f"{self.tile}{slot}[({c}) % {self.room}u]"

    def clear(self, slot):
        """Fills the tile before the loop."""
        s = self.k.s
        room = self.edge * self.k.edge_y if self.shape in ("square", "turned") else self.room
        value = {"V2": "V2{1, c}", "V4": "V4{1, c, 2, 3}"}.get(self.kind, f"({self.kind})1")
        s.put(f"for (u32 c = r; c < {room}u; c += {self.block}u) {self.at('c', slot)} = {value};")


class Loop:
    """One loop over tiles of some arrays."""

    def __init__(self, k, arrays, slots):
        r = k.rng
        self.k, self.arrays, self.slots = k, arrays, slots
        self.form = r.choice(["counted", "counted", "walked", "walked", "down", "pointer", "open", "do", "strided"])
        if self.form == "strided" and not all(a.shape in ("line", "loop", "hand") and not a.gather for a in arrays):
            self.form = "walked"
        self.trips = Trips(k, 1 if self.form == "do" else 0)
        if self.form == "strided":             # every block takes as many tiles, block after block
            self.trips.each = [self.trips.most] * k.blocks
            self.trips.text = k.s.name("all")
            k.param(f"u32 {self.trips.text}", f"i32:{self.trips.most}")
        self.number = k.s.name("L")
        self.stores = self.pick_stores()
        self.phases = k.seed % 5 == 2 and slots == 1 and len(arrays) > 1   # each tile before a barrier of its own
        self.share = self.stores is None and self.form != "strided" and r.random() < 0.4
        for a in arrays:
            self.source(a)

    # ---- where the tiles lie ---------------------------------------------
    def pick_stores(self):
        """What the loop writes to the memory that its first array is staged from, if anything."""
        first, r = self.arrays[0], self.k.rng
        plain = (first.kind == first.source_kind and first.convert == "{}" and not first.gather
                 and first.shape not in ("square", "turned"))
        if not plain or self.form == "strided" or r.random() < 0.65:
            return None
        kinds = ["here", "here-through", "apart-through"]
        if self.slots == 1 and first.shape != "halo" and self.form != "down":
            kinds += ["ahead", "ahead-through"]
        return r.choice(kinds if self.slots == 1 or first.shape not in ("halo", "carried") else ["apart-through"])

    def source(self, a):
        """The array in memory: its origin for each block, its advance from tile to tile, its size."""
        k, r = self.k, self.k.rng
        first = a is self.arrays[0]
        most, each = self.trips.most, self.trips.each
        a.gap = r.choice([0, 0, 3]) if a.shape in ("line", "loop", "half", "hand") and self.form != "strided" else 0
        a.advance = a.length + a.gap
        a.offset = None
        last = a.length
        if a.shape in ("square", "turned") and r.random() < 0.6:      # tiles beside one another, as in a product
            a.pitch = most * a.edge + r.choice([0, 4])
            a.advance = a.edge
            last = (k.edge_y - 1) * a.pitch + a.edge if a.pitch else 0
        elif a.shape in ("square", "turned"):
            a.pitch = a.edge
        lead = a.halo if a.shape == "carried" else 0
        reach = a.halo if a.shape == "halo" else 0
        ahead = a.advance if first and self.stores and self.stores.startswith("ahead") else 0
        a.stride = 0 if self.share else (most * a.advance + (last if a.shape in ("square", "turned") else 0) + ahead + lead)
        if self.form == "strided":
            a.advance, a.stride = a.length * k.blocks, a.length
        ends = [b * a.stride + lead + (n - 1) * a.advance + last + ahead for b, n in enumerate(each) if n]
        total = max(ends, default=0)
        a.guard = None
        if not (first and self.stores) and r.random() < 0.45 or a.shape == "halo":
            total = max(0, total - (0 if first and self.stores else r.choice([0, 0, 1, a.length // 2, a.length, a.length + 3])))
            guards = ["zero", "zero", "else", "first", "keep", "now and then"]
            a.guard = r.choice(guards) if a.shape != "carried" else "zero"
            a.keeps |= a.guard in KEEPING
        a.total, a.lead, a.reach = total, lead, reach
        a.source = k.s.name("g")
        a.limit = k.s.name("n")
        restrict = "__restrict__ " if not self.stores and r.random() < 0.3 else ""
        const = "" if first and self.stores else r.choice(["const ", "const ", ""])
        fill = FILL.get(a.source_kind, "rand")
        if a.gather:
            a.index = k.s.name("index")
            k.param(f"const u32 *{a.index}", f"perm:{max(1, total)}")
        a.param = k.param(f"{const}{a.source_kind} *{restrict}{a.source}", f"{fill}:{max(1, total) * SIZE[a.source_kind]}")
        k.param(f"u32 {a.limit}", f"i32:{total}")
        if first and self.stores and self.stores.endswith("through"):
            a.other = k.s.name("w")
            size = SIZE[a.source_kind]
            apart = self.stores == "apart-through"
            k.param(f"{a.source_kind} *{a.other}", f"{fill}:{max(1, total) * size}" if apart else f"ref:{a.param}+0")
        elif first and self.stores:
            a.other = a.source
        a.position = f"p{a.i}{self.number}"

    # ---- the loop's head -----------------------------------------------------
    def origin(self, a):
        return f"(b * {a.stride}u + {a.lead}u)" if a.stride else f"{a.lead}u"

    def open(self):
        """Opens the loop; position of every array in a variable."""
        s, r = self.k.s, self.k.rng
        trips, count = self.trips.text, f"t{self.number}"
        s.put(f"u32 count{self.number} = {trips};")
        pragma = r.choice(["", "", '_Pragma("unroll 1")', '_Pragma("unroll")', '_Pragma("unroll 2")'])
        heads = []
        for a in self.arrays:
            first = self.origin(a)
            if self.form == "pointer":
                const = "" if a is self.arrays[0] and self.stores else "const "
                s.put(f"{const}{a.source_kind} *q{a.position} = {a.source} + {first};")
            if self.form in ("walked", "strided", "pointer"):
                s.put(f"u32 {a.position} = {first};")
                bump = f", q{a.position} += {a.advance}u" if self.form == "pointer" else ""
                heads.append(f"{a.position} += {a.advance}u{bump}")
        number = f"count{self.number}"
        if pragma and self.form != "do":
            s.put(pragma)
        if self.form in ("walked", "strided"):
            a = self.arrays[0]
            end = f"last{self.number}"
            line = f"int {end} = (int)({self.origin(a)} + {number} * {a.advance}u) - 1;"
            s.lines.insert(len(s.lines) - bool(pragma), "  " * s.depth + line)
            s.open(f"for (; (int){a.position} <= {end}; {', '.join(heads)})")
        elif self.form == "pointer":
            s.open(f"for (u32 {count} = 0; {count} < {number}; {count}++, {', '.join(heads)})")
        elif self.form == "counted":
            s.open(f"for ({r.choice(['u32', 'int'])} {count} = 0; {count} < {number}; ++{count})")
        elif self.form == "down":
            s.open(f"for (u32 {count} = {number}; {count}-- > 0;)")
        elif self.form == "open":
            s.put(f"u32 {count} = 0;")
            if pragma:
                s.lines.insert(len(s.lines) - 2, s.lines.pop())
            s.open("while (true)")
            s.put(f"if ({count} >= {number}) break;")
        else:
            s.put(f"u32 {count} = 0;")
            s.open("do")
        if self.form in ("counted", "down", "open", "do"):
            for a in self.arrays:
                s.put(f"u32 {a.position} = {self.origin(a)} + {count} * {a.advance}u;")

    def close(self):
        s, count = self.k.s, f"t{self.number}"
        if self.form == "open":
            s.put(f"{count}++;")
        s.close(f" while (++{count} < count{self.number});" if self.form == "do" else "")

    # ---- the copies ---------------------------------------------------------------
    def fetch(self, a, dst, offset):
        """dst = the element `offset` after the tile's start, or what the guard leaves."""
        s, r = self.k.s, self.k.rng
        index = f"({a.position} + {offset})"
        where = f"{a.source}[{index}]"
        if a.gather:
            where = f"{a.source}[{a.index}[{index}]]"
        elif self.form == "pointer":
            where = f"q{a.position}[{offset}]"
        value = where if a.shape == "apart" else a.convert.format(where)
        none = nothing(a.source_kind if a.shape == "apart" else a.kind)
        if a.guard is None:
            s.put(f"{dst} = {value};")
        elif a.guard == "zero":
            s.put(f"{dst} = {index} < {a.limit} ? {value} : {none};")
        elif a.guard == "else":
            s.put(f"if ({index} < {a.limit}) {dst} = {value}; else {dst} = {none};")
        elif a.guard == "first":
            s.put(f"{dst} = {none};")
            s.put(f"if ({index} < {a.limit}) {dst} = {value};")
        else:
            some = f" && ({index} + it{self.number}) % 3u != 1u" if a.guard == "now and then" else ""
            s.put(f"if ({index} < {a.limit}{some}) {dst} = {value};")

    def copy_apart(self, a, tile):
        s, v = self.k.s, self.k.s.name("v")
        s.put(f"V4 {v} = V4{{0, 0, 0, 0}};")
        guard, index = a.guard, f"({a.position} + r)"
        if guard in KEEPING:
            a.guard = None
            s.open(f"if ({index} < {a.limit})")
        self.fetch(a, v, "r")
        for n, field in enumerate("xyzw"):
            s.put(f"{tile}[r + {n * a.block}u] = {a.convert.format(f'{v}.{field}')};")
        if guard in KEEPING:
            a.guard = guard
            s.close()

    def copy(self, a, slot):
        s, T = self.k.s, a.block
        tile = a.tile + slot
        if a.shape == "apart":
            self.copy_apart(a, tile)
            return
        if a.shape == "line":
            self.fetch(a, f"{tile}[r]", "r")
        elif a.shape == "hand":
            for p in range(a.per):
                self.fetch(a, f"{tile}[r + {p * T}u]", f"r + {p * T}u")
        elif a.shape == "loop":
            s.open(f"for (u32 c = r; c < {a.length}u; c += {self.k.rng.choice(['block_size()', str(T) + 'u'])})")
            self.fetch(a, f"{tile}[c]", "c")
            s.close()
        elif a.shape == "half":
            s.open(f"if (r < {a.length // 2}u)")
            self.fetch(a, f"{tile}[2 * r]", "2 * r")
            self.fetch(a, f"{tile}[2 * r + 1]", "2 * r + 1")
            s.close()
        elif a.shape in ("rows", "columns"):
            self.copy_rows(a, tile)
        elif a.shape in ("square", "turned"):
            place = "[{0}][threadIdx.x]" if a.shape == "square" else "[threadIdx.x][{0}]"
            if self.k.edge_y != self.k.block[1]:
                s.open("for (u32 y = threadIdx.y; y < %du; y += blockDim.y)" % self.k.edge_y)
                self.fetch(a, tile + place.format("y"), f"y * {a.pitch}u + threadIdx.x")
                s.close()
            else:
                self.fetch(a, tile + place.format("threadIdx.y"), f"threadIdx.y * {a.pitch}u + threadIdx.x")
        elif a.shape == "halo":
            self.fetch(a, f"{tile}[r + {a.halo}u]", "r")
            s.open(f"if (r < {a.halo}u)")
            left, right = f"({a.position} + r)", f"({a.position} + {T}u + r)"
            low = "0u" if self.share or not a.stride else f"b * {a.stride}u"
            before = f"{a.source}[{left} - {a.halo}u]"
            inside = f"{left} >= {low} + {a.halo}u && {left} - {a.halo}u < {a.limit}"
            s.put(f"{tile}[r] = {inside} ? {a.convert.format(before)} : {nothing(a.kind)};")
            high = f"minu({a.limit}, {low} + {max(1, a.stride or a.total)}u)"
            behind = a.convert.format(f"{a.source}[{right}]")
            s.put(f"{tile}[r + {T + a.halo}u] = {right} < {high} ? {behind} : {nothing(a.kind)};")
            s.close()
        else:                                  # carried: what the last tile ended with comes before this one
            s.put(f"{a.kind} old{a.i} = {tile}[{T}u + r % {a.halo}u];")
            s.put("__syncthreads();")
            s.put(f"if (r < {a.halo}u) {tile}[r] = old{a.i};")
            self.fetch(a, f"{tile}[r + {a.halo}u]", "r")

    def copy_rows(self, a, tile):
        s, r = self.k.s, self.k.rng
        place = "[{0}][{1}]" if a.shape == "rows" else "[{1}][{0}]"
        kind = r.choice(["u32", "int"])
        if len(self.k.block) > 1 and r.random() < 0.7:
            sizes = r.choice([("blockDim.x", "blockDim.y"), self.k.block])
            s.open(f"for ({kind} y = threadIdx.y; y < {a.high}; y += {sizes[1]})")
            s.open(f"for ({kind} x = threadIdx.x; x < {a.width}; x += {sizes[0]})")
            self.fetch(a, tile + place.format("y", "x"), f"y * {a.width} + x")
            s.close()
        else:
            s.open(f"for ({kind} c = r; c < {a.length}; c += {r.choice(['block_size()', a.block])})")
            self.fetch(a, tile + place.format(f"c / {a.width}", f"c % {a.width}"), "c")
        s.close()

    # ---- what goes on between the barriers ----------------------------------------------
    def use(self, slot, index=None):
        s, r = self.k.s, self.k.rng
        inner = r.choice([1, 2, 3])
        s.open(f"for (u32 c = 0; c < {inner}; c++)")
        pairs = len(self.arrays) > 1 and self.arrays[0].kind == self.arrays[1].kind and self.arrays[0].kind in ("u32", "float")
        for a in self.arrays:
            step = r.choice([1, 2, 5, 32])
            text = number(a.kind, a.at(f"r * {r.choice([1, 3])}u + c * {step}u + {r.randrange(9)}u", slot))
            if pairs and a is self.arrays[0]:
                text += " * " + self.arrays[1].at(f"r + c * {step}u", slot)
            elif a.far and not slot and a.shape not in TWO_DIMENSIONS:
                text = number(a.kind, f"{a.far}({a.tile}, (r + c * {step}u) % {a.room}u)")
            elif a.kind == "u32" and self.k.seed % 7 == 3:           # by its address, as a number
                text = f"read_number(&{a.at(f'r + c * {step}u', slot)})"
            s.put(add(f"acc{a.i}", a.kind, text))
        s.close()

    def store(self):
        a, s = self.arrays[0], self.k.s
        if not self.stores:
            return
        ahead = a.advance if self.stores.startswith("ahead") else 0
        where = f"{a.position} + {ahead}u + r" if ahead else f"{a.position} + r"
        guard = f"r < {min(a.length, a.block)}u && {where} < {a.limit}"
        s.put(f"if ({guard}) {a.other}[{where}] = {element(a.source_kind, f'acc{a.i}')};")

    def body(self, side):
        s, r = self.k.s, self.k.rng
        it = f"it{self.number}"
        slot = f"[{it} & 1]" if self.slots == 2 else ""
        what = r.random()
        if what < 0.1:
            s.put(f"if ({it} == {r.randrange(MOST_TRIPS)}u) break;")
        elif what < 0.2 and self.form != "open" and self.slots == 1:   # two slots: the barrier that is left out would matter
            s.put(f"if ({it} == {r.randrange(MOST_TRIPS)}u) {{ {it}++; continue; }}")
        scope = None
        if r.random() < 0.1:
            scope = True
            for a in self.arrays:
                a.keeps = True
            s.open(f"if ({r.choice(['n_odd', it])} % 3u != 1u)")
        for a in self.arrays:
            if a.shape != "carried":
                self.copy(a, slot)
                if self.phases and a is self.arrays[0] and not scope:
                    s.put("__syncthreads();")
                    s.put(add(f"acc{a.i}", a.kind, number(a.kind, a.at("r + 3u", slot))))
        if scope:
            s.close()
        for a in self.arrays:
            if a.shape == "carried":
                self.copy(a, slot)
        s.put("__syncthreads();")
        self.leaves = what > 0.9               # with the tile still being read
        if self.leaves:
            a = self.arrays[0]
            text = number(a.kind, a.at("1u", slot))
            s.put(f"if ({text + ' > 0.9' if a.kind in ('float', 'double') else text + ' % 7u == 3u'}) break;")
        self.use(slot)
        if side and r.random() < 0.5:
            s.put(f"{side}[(b * {MOST_TRIPS}u + {it}) * {self.k.block_size}u + r] = {r.randrange(99)}u + {it} * r;")
        self.store()
        if r.random() < 0.1:
            s.put(f"__nvvm_atom_add_gen_i((int *)total, {it} + r);")
        if r.random() < 0.15 and self.slots == 1:            # the tile is computed on in place
            a = self.arrays[-1]
            s.put("__syncthreads();")
            s.open(f"if (r < {a.length}u)")
            s.put(f"{a.at('r')} = {element(a.kind, f'acc{a.i}')};")
            s.close()
            s.put("__syncthreads();")
            self.use(slot)
        if self.slots == 1:
            s.put("__syncthreads();")
        s.put(f"{it}++;")

    def write(self, side):
        s = self.k.s
        s.put(f"u32 it{self.number} = 0;")
        self.open()
        self.body(side)
        self.close()
        if self.slots == 2 or self.leaves or self.k.rng.random() < 0.3:
            s.put("__syncthreads();")


def choose_block(k):
    r = k.rng
    flat = r.random() < 0.65
    if flat:
        k.block, k.edge_y = (r.choice([32, 64, 64, 128, 33, 48, 7, 1, 96]),), 0
    else:
        edge = r.choice([4, 8, 16])
        k.block, k.edge_y = r.choice([((edge, edge), edge), ((edge, edge), edge), ((2 * edge, edge // 2), edge), ((8, 2), 8)])
    k.grid = (r.randrange(1, 4),)
    k.block_size = k.block[0] * (k.block[1] if len(k.block) > 1 else 1)
    k.blocks = k.grid[0]
    k.threads = k.block_size * k.blocks
    if r.random() < 0.3:
        k.bounds = f"__launch_bounds__({k.block_size}) "
    return (["line", "line", "hand", "loop", "half", "halo", "carried", "rows", "columns"] if flat else
            ["square", "square", "turned", "line", "rows", "columns"])


def declare_tiles(k, arrays, slots):
    """Static arrays, or parts of one pool."""
    s = k.s
    flat = all(a.shape not in TWO_DIMENSIONS for a in arrays)
    at = None
    if flat and slots == 1 and k.rng.random() < 0.25:
        at = 0
        s.helpers.append(f"extern __shared__ __attribute__((aligned(16))) u8 pool{k.seed}[];")
    for a in arrays:
        a.declare(at, slots)
        if at is not None:
            at += (a.room * SIZE[a.kind] + 15) // 16 * 16
            k.shared = at


def far_readers(k, arrays):
    """Sometimes a function that is not inlined reads the tile."""
    for a in arrays:
        a.far = None
        if k.rng.random() < 0.15:
            a.far = f"far{k.seed}_{a.i}"
            k.s.helpers.append(f"__device__ __noinline__ static {a.kind} {a.far}(const {a.kind} *p, u32 i) {{ return p[i]; }}")


def family_tiles(k):
    r, s = k.rng, k.s
    shapes = choose_block(k)
    count = r.choice([1, 1, 1, 2, 2, 3])
    arrays = [Staged(k, i, shapes) for i in range(count)]
    slots = 2 if r.random() < 0.15 and all(a.shape != "carried" for a in arrays) else 1
    k.param("u32 *out", f"buf:{k.threads * 4}")
    k.param("u32 *total", "zero:4")
    k.param("u32 n_odd", f"i32:{r.randrange(9)}")
    side = None
    if r.random() < 0.3:
        side = "side"
        k.param("u32 *side", f"zero:{k.blocks * MOST_TRIPS * 2 * k.block_size * 4}")
    far_readers(k, arrays)
    s.put("u32 r = rank_in_block(), b = block_rank();")
    declare_tiles(k, arrays, slots)
    for a in arrays:
        s.put(f"{SUM.get(a.kind, 'u32')} acc{a.i} = 0;")
    before = len(s.lines)
    under = r.random() < 0.12
    if under:
        s.open(f"if (blockIdx.x < {r.choice(['n_odd % 4u', '1u', '2u'])})")
    plan = r.choice(["one", "one", "one", "two", "nested", "nested-tile"])
    if plan == "two":
        for _ in range(2):
            Loop(k, arrays, slots).write(side)
    elif plan.startswith("nested"):
        nested(k, arrays, slots, side, plan == "nested-tile")
    else:
        Loop(k, arrays, slots).write(side)
    if under:
        s.close()
    after = r.random() < 0.3                   # a tile that is used after the loop
    if after:
        a = r.choice(arrays)
        s.put(add(f"acc{a.i}", a.kind, number(a.kind, a.at("r + 1u", "[1]" if slots == 2 else ""))))
    finish(k, arrays)
    if after or r.random() < 0.1 or any(a.keeps for a in arrays):
        clear_tiles(k, arrays, slots, before)


def clear_tiles(k, arrays, slots, before):
    """Puts in front of line `before` what fills the tiles: where something may be read that no copy wrote."""
    s = k.s
    written, s.lines = s.lines, []
    for a in arrays:
        if slots > 1:
            s.put("for (u32 z = 0; z < 2; z++)")
        a.clear("[z]" if slots > 1 else "")
    s.put("__syncthreads();")
    s.lines = written[:before] + s.lines + written[before:]


def nested(k, arrays, slots, side, with_tile):
    """The loop inside another one, which may stage a tile of its own."""
    s, r = k.s, k.rng
    times = r.randrange(0, 4)
    inner = Loop(k, arrays, slots)
    if with_tile:
        k.param("const u32 *outer", f"rand:{max(1, times) * k.threads * 4}")
        s.put(f"__shared__ u32 outside[{k.block_size}];")
    k.param("u32 times", f"i32:{times}")
    s.open("for (u32 u = 0; u < times; u++)")
    if with_tile:
        s.put(f"outside[r] = outer[(b * times + u) * {k.block_size}u + r];")
        s.put("__syncthreads();")
    inner.write(None)
    if with_tile:
        s.put(add("acc0", arrays[0].kind, f"({SUM.get(arrays[0].kind, 'u32')})(outside[(r + 1u) % {k.block_size}u] & 3u)"))
        s.put("__syncthreads();")
    s.close()


def finish(k, arrays):
    """All sums, bit for bit, into one number for each thread."""
    s = k.s
    s.put("u32 sum = 0;")
    for a in arrays:
        kind = SUM.get(a.kind, "u32")
        if kind in ("u64", "double"):
            s.put(f"u64 bits{a.i} = __builtin_bit_cast(u64, acc{a.i});")
            s.put(f"sum = rot(sum, 5u) ^ (u32)bits{a.i} ^ (u32)(bits{a.i} >> 32);")
        else:
            s.put(f"sum = rot(sum, 5u) ^ __builtin_bit_cast(u32, acc{a.i});")
    s.put("out[b * block_size() + r] = sum;")
