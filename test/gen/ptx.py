#!/usr/bin/env python3
"""Runs a kernel's PTX as a GPU does, for what the reference machine leaves open: which products and sums are rounded once, and what
becomes of a NaN. One lane of a warp after the other, warps by turns from barrier to barrier; no races are looked for.

    fma.rn.f32                  rounded once
    mul.f32, then add.f32       the same, where ptxas would make one instruction of them: in one block, and nobody else uses
                                the product
    neg.f32, abs.f32, ...       arithmetic: every NaN that comes out is the one NaN; xor.b32 and mov.b32 keep what it carries

What it does not know raises Unknown.
"""
import collections
import ctypes
import ctypes.util
import re
import struct

LANES = 32
MMA = "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32"
LIBM = ctypes.CDLL(ctypes.util.find_library("m"))
LIBM.fmaf.restype = ctypes.c_float
LIBM.fmaf.argtypes = [ctypes.c_float] * 3
LIBM.fma.restype = ctypes.c_double
LIBM.fma.argtypes = [ctypes.c_double] * 3
GLOBAL, WINDOW, SHARED, LOCAL = 1 << 44, 1 << 32, 1 << 46, 1 << 47
NAN = {16: 0x7fff, 32: 0x7fffffff, 64: 0x7fffffffffffffff}
FORM = {16: ("<H", "<e"), 32: ("<I", "<f"), 64: ("<Q", "<d")}


class Unknown(Exception):
    pass


# ---- numbers ---------------------------------------------------------------

def real(bits, width):
    whole, form = FORM[width]
    return struct.unpack(form, struct.pack(whole, bits))[0]


def bits_of(value, width):
    if value != value:
        return NAN[width]
    whole, form = FORM[width]
    try:
        return struct.unpack(whole, struct.pack(form, value))[0]
    except OverflowError:
        return struct.unpack(whole, struct.pack(form, float("inf") if value > 0 else float("-inf")))[0]


def signed(x, width):
    return x - (1 << width) if x >> (width - 1) & 1 else x


def quotient(a, b):
    if b == 0:
        return float("nan") if a == 0 or a != a else float("inf") if (a > 0) == (str(b)[0] != "-") else float("-inf")
    return a / b


def fused(a, b, c, width):
    if width == 32:
        return LIBM.fmaf(a, b, c)
    if width == 64:
        return LIBM.fma(a, b, c)
    raise Unknown("fma of halves")


REALS = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": quotient,
         "max": lambda a, b: b if a != a else a if b != b or a > b or (a == b and str(b)[0] == "-") else b,
         "min": lambda a, b: b if a != a else a if b != b or a < b or (a == b and str(a)[0] == "-") else b}
WHOLE = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "and": lambda a, b: a & b, "or": lambda a, b: a | b,
         "xor": lambda a, b: a ^ b, "max": max, "min": min}
COMPARE = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
           "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}
COMPARE.update(lo=COMPARE["lt"], ls=COMPARE["le"], hi=COMPARE["gt"], hs=COMPARE["ge"])


def type_of(text):
    if text == "pred":
        return "b", 1
    found = re.fullmatch(r"([usbf])(8|16|32|64)", text)
    if not found:
        raise Unknown(text)
    return found[1], int(found[2])


# ---- a kernel --------------------------------------------------------------

class Kernel:
    """The text of one entry: instructions [(guard, negated, name, operands)], where labels stand, parameters, shared arrays."""

    def __init__(self, text, name):
        body = re.search(rf"\.entry {name}\((.*?)\)[^{{]*\{{(.*?)^\}}", text, re.S | re.M)
        if not body:
            raise Unknown(f"no kernel {name}")
        self.params, self.code, self.label, self.names = [], [], {}, {}
        param = r"\.param (?:\.align \d+ )?\.[a-z](\d+) (?:\.ptr (?:\.\w+ )*?\.align \d+ )?(\w+)(?:\[(\d+)\])?"
        for size, array, count in re.findall(param, body[1]):
            self.params.append((array, int(size) // 8 * int(count or 1)))
        self.room = 1024
        for align, array, count in re.findall(r"^\s*(?:\.\w+ )?\.shared \.align (\d+) \.b8 ([\w$]+)(?:\[(\d*)\])?", text, re.M):
            self.room = -(-self.room // int(align)) * int(align)
            self.names[array] = self.room
            self.room += int(count or 0) or 0
        for line in re.sub(r"//[^\n]*", "", body[2]).replace("\t", " ").split("\n"):
            line = line.strip()
            label = re.fullmatch(r"([$\w]+):", line)
            if label:
                self.label[label[1]] = len(self.code)
            elif line and line[0] != ".":
                self.statement(line.rstrip(";"))
            elif line.startswith(".local"):
                raise Unknown("local memory")
        self.fuse()

    def statement(self, line):
        if line.startswith("{") and "prefetch" in line:
            return
        guard = re.match(r"@(!?)(%p\d+)\s+", line)
        if guard:
            line = line[guard.end():]
        name, _, rest = line.partition(" ")
        operands = [o.strip() for o in re.findall(r"\{[^}]*\}|\[[^\]]*\]|[^,|\s]+", rest)]
        self.code.append((guard and guard[2], bool(guard and guard[1]), name, operands))

    def fuse(self):
        """What ptxas does with what the compiler has left to it."""
        uses, made = collections.Counter(), {}
        for _, _, name, operands in self.code:
            uses.update(re.findall(r"%\w+", " ".join(operands if name.startswith(("st.", "bra")) else operands[1:])))
        for at, (guard, negated, name, operands) in enumerate(self.code):
            if at in self.label.values() or name.startswith("bra"):
                made = {}
            kind, _, width = name.partition(".")
            if name in ("mul.f32", "mul.f64") and not guard:
                made[operands[0]] = operands
            elif name in ("add.f32", "add.f64", "sub.f32", "sub.f64"):
                for side in (1, 2):
                    product = made.get(operands[side])
                    if product and uses[operands[side]] == 1:
                        signs = [kind == "sub" and side == 2, kind == "sub" and side == 1]
                        self.code[at] = guard, negated, f"fused.{width}", [operands[0], *product[1:], operands[3 - side], signs]
                        break


class Machine:
    """Memory: buffers of arguments, one shared memory at a time."""

    def __init__(self):
        self.buffer = []

    def add(self, data):
        self.buffer.append(bytearray(data))
        return GLOBAL + WINDOW * (len(self.buffer) - 1)

    def place(self, address, size, space):
        if space == "shared" or (not space and SHARED <= address < LOCAL):
            data, at = self.shared, address - (SHARED if address >= SHARED else 0)
        else:
            number, at = divmod(address - GLOBAL, WINDOW)
            data = self.buffer[number] if 0 <= number < len(self.buffer) else b""
        if at < 0 or at + size > len(data):
            raise Unknown(f"address {address:#x} + {size} is outside of {len(data)} bytes")
        return data, at

    def load(self, address, size, space):
        data, at = self.place(address, size, space)
        return int.from_bytes(data[at:at + size], "little")

    def store(self, address, size, space, value):
        data, at = self.place(address, size, space)
        data[at:at + size] = (value & (1 << 8 * size) - 1).to_bytes(size, "little")


class Warp:
    def __init__(self, block, first, count):
        self.block, self.first, self.lanes = block, first, range(count)
        self.pc = [0] * count
        self.waits = [None] * count   # None, "warp", "block", "done"
        self.reg = {}

    def read(self, text, lane):
        if text[0] == "%":
            if text in self.reg:
                return self.reg[text][lane]
            return 0 if re.fullmatch(r"%[a-z]+\d+", text) else self.special(text, lane)   # undefined, so far
        if text[0] == "!":
            return 1 - self.read(text[1:], lane)
        if text.startswith(("0f", "0d")):
            return int(text[2:], 16)
        if re.match(r"-?\d", text):
            return int(text, 0) & (1 << 64) - 1
        if text in self.block.kernel.names:
            return self.block.kernel.names[text]
        raise Unknown(text)

    def special(self, text, lane):
        thread = self.first + lane
        x, y, _ = self.block.shape
        known = {"%tid.x": thread % x, "%tid.y": thread // x % y, "%tid.z": thread // (x * y), "%laneid": lane}
        for i, axis in enumerate("xyz"):
            known["%ntid." + axis], known["%nctaid." + axis] = self.block.shape[i], self.block.grid[i]
            known["%ctaid." + axis] = self.block.at[i]
        if text not in known:
            raise Unknown(text)
        return known[text]

    def write(self, text, lane, value):
        if text not in self.reg:
            self.reg[text] = [0] * LANES
        self.reg[text][lane] = value

    def group(self):
        """The lanes that are furthest behind, which stand at one place."""
        ready = [lane for lane in self.lanes if self.waits[lane] is None]
        first = min((self.pc[lane] for lane in ready), default=None)
        return first, [lane for lane in ready if self.pc[lane] == first]

    def run(self):
        """Until nobody can go on. True where somebody did."""
        any_ran = False
        while True:
            at, lanes = self.group()
            if not lanes:
                return any_ran
            any_ran = True
            self.step(at, lanes)

    def step(self, at, lanes):
        if at >= len(self.block.kernel.code):
            raise Unknown("the end")
        guard, negated, name, operands = self.block.kernel.code[at]
        taken = [lane for lane in lanes if not guard or bool(self.read(guard, lane)) != negated]
        for lane in lanes:
            self.pc[lane] = at + 1
        if name.startswith("bra"):
            for lane in taken:
                self.pc[lane] = self.block.kernel.label[operands[0]]
        elif name == "ret" or name == "exit":
            for lane in taken:
                self.waits[lane] = "done"
        elif name.startswith(("bar.sync", "barrier.sync")):
            for lane in lanes:
                self.waits[lane] = "block"
        elif name.startswith(("shfl.sync", "vote.sync", "redux.sync", "bar.warp.sync")) or name == MMA:
            self.together(at, lanes, name, operands)
        else:
            PLAIN(self, taken, name, operands)

    def together(self, at, lanes, name, operands):
        wanted = 0xffffffff if name == MMA else self.read(operands[-1], lanes[0]) & 0xffffffff
        wanted &= sum(1 << lane for lane in self.lanes if self.waits[lane] != "done")
        here = [lane for lane in self.lanes if self.waits[lane] == ("warp", at)] + lanes
        if sum(1 << lane for lane in here) & wanted != wanted:
            for lane in lanes:
                self.waits[lane], self.pc[lane] = ("warp", at), at
            return
        for lane in here:
            self.waits[lane], self.pc[lane] = None, at + 1
        if name.startswith("shfl"):
            self.shuffle(here, name, operands)
        elif name.startswith("vote"):
            self.vote(here, name, operands)
        elif name.startswith("redux"):
            value = {"min": min, "max": max}[name.split(".")[2]](self.read(operands[1], lane) & 0xffffffff for lane in here)
            for lane in here:
                self.write(operands[0], lane, value)
        elif name == MMA:
            self.multiply(here, operands)

    def multiply(self, lanes, operands):
        """8 x 16 bytes by 16 x 8: each lane brings four of row lane / 4, and of that column, and is given two sums of the row."""
        d, a, b, c = (names_of(operand) for operand in operands)
        if len(lanes) != LANES:
            raise Unknown("a product of matrices by a part of a warp")
        rows, columns = ([self.read(word[0], lane) for lane in range(LANES)] for word in (a, b))
        byte = lambda words, row, k: ((words[4 * row + k // 4] >> 8 * (k % 4)) + 128 & 255) - 128
        for lane in lanes:
            for i in range(2):
                terms = (byte(rows, lane // 4, k) * byte(columns, 2 * (lane % 4) + i, k) for k in range(16))
                self.write(d[i], lane, self.read(c[i], lane) + sum(terms) & 0xffffffff)

    def shuffle(self, lanes, name, operands):
        words = list(operands)
        kept = words.pop(1) if len(words) == 6 else None
        target, value, by, clamp = words[:4]
        old = {lane: self.read(value, lane) for lane in lanes}
        how, result = name.split(".")[2], {}
        for lane in lanes:
            b, c = self.read(by, lane) & 31, self.read(clamp, lane)
            segment, most = c >> 8 & 31, c & 31
            low, high = lane & segment, (lane & segment) | (most & ~segment)
            other = {"idx": low | (b & ~segment), "bfly": lane ^ b, "up": lane - b, "down": lane + b}[how]
            good = other >= high if how == "up" else other <= high
            result[lane] = old.get(other if good else lane, 0), good
        for lane in lanes:
            self.write(target, lane, result[lane][0])
            if kept:
                self.write(kept, lane, int(result[lane][1]))

    def vote(self, lanes, name, operands):
        how = name.split(".")[2]
        votes = {lane: self.read(operands[1], lane) for lane in lanes}
        result = {"all": int(all(votes.values())), "any": int(any(votes.values())),
                  "ballot": sum(1 << lane for lane in lanes if votes[lane])}[how]
        for lane in lanes:
            self.write(operands[0], lane, result)


class Block:
    def __init__(self, kernel, machine, grid, shape, at, args, dynamic):
        self.kernel, self.machine, self.grid, self.shape, self.at, self.args = kernel, machine, grid, shape, at, args
        machine.shared = bytearray(kernel.room + dynamic)
        threads = shape[0] * shape[1] * shape[2]
        self.warps = [Warp(self, first, min(LANES, threads - first)) for first in range(0, threads, LANES)]

    def run(self):
        while any(wait != "done" for warp in self.warps for wait in warp.waits):
            ran = [warp.run() for warp in self.warps]
            waits = [wait for warp in self.warps for wait in warp.waits]
            if all(wait in ("done", "block") for wait in waits):
                for warp in self.warps:
                    warp.waits = [None if wait == "block" else wait for wait in warp.waits]
            elif not any(ran):
                raise Unknown("nobody can go on")


# ---- instructions ----------------------------------------------------------

def PLAIN(warp, lanes, name, operands):
    parts = name.split(".")
    handler = HANDLER.get(parts[0])
    if not handler:
        raise Unknown(name)
    handler(warp, lanes, parts, operands)


def each(warp, lanes, target, value):
    for lane in lanes:
        warp.write(target, lane, value(lane))


def do_two(warp, lanes, parts, operands):
    """add, sub, and, or, xor, min, max, mul, div, rem: of reals or of whole numbers."""
    kind, width = type_of(parts[-1])
    op, (target, a, b) = parts[0], operands[:3]
    if kind == "f":
        if width == 16 or set(parts) & {"ftz", "rm", "rp", "rz", "sat", "approx", "full", "NaN"}:
            raise Unknown(".".join(parts))
        return each(warp, lanes, target, lambda lane: bits_of(
            REALS[op](*(real(warp.read(o, lane) & (1 << width) - 1, width) for o in (a, b))), width))

    def value(lane):
        x, y = (number(warp.read(o, lane), kind, width) for o in (a, b))
        return whole(op, parts, x, y, width)
    each(warp, lanes, target, value)


def number(bits, kind, width):
    bits &= (1 << width) - 1
    return signed(bits, width) if kind == "s" else bits


def whole(op, parts, x, y, width):
    if op == "mul":
        x = x * y >> (width if "hi" in parts else 0)
        return x & (1 << (2 * width if "wide" in parts else width)) - 1
    if op in ("div", "rem"):
        if y == 0:
            raise Unknown("division by zero")
        q = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
        return (q if op == "div" else x - q * y) & (1 << width) - 1
    return WHOLE[op](x, y) & (1 << width) - 1


def do_mad(warp, lanes, parts, operands):
    kind, width = type_of(parts[-1])
    wide = 2 * width if "wide" in parts else width

    def value(lane):
        x, y = (number(warp.read(o, lane), kind, width) for o in operands[1:3])
        return whole("mul", parts, x, y, width) + warp.read(operands[3], lane) & (1 << wide) - 1
    each(warp, lanes, operands[0], value)


def do_fma(warp, lanes, parts, operands):
    kind, width = type_of(parts[-1])
    if parts[1] != "rn" or "ftz" in parts or len(parts) != 3:
        raise Unknown(".".join(parts))
    each(warp, lanes, operands[0],
         lambda lane: bits_of(fused(*(real(warp.read(o, lane), width) for o in operands[1:4]), width), width))


def do_fused(warp, lanes, parts, operands):
    width = type_of(parts[-1])[1]
    minus = operands[4]

    def value(lane):
        a, b, c = (real(warp.read(o, lane), width) for o in operands[1:4])
        return bits_of(fused(-a if minus[0] else a, b, -c if minus[1] else c, width), width)
    each(warp, lanes, operands[0], value)


def do_one(warp, lanes, parts, operands):
    kind, width = type_of(parts[-1])
    op = parts[0]

    def value(lane):
        x = warp.read(operands[1], lane) & (1 << width) - 1
        if kind == "f":
            x = real(x, width)
            root = x ** 0.5 if op == "sqrt" and x >= 0 else float("nan")
            return bits_of({"neg": -x, "abs": abs(x), "sqrt": root}[op], width)
        x = signed(x, width) if kind == "s" else x
        return {"neg": -x, "abs": abs(x), "not": ~x, "popc": bin(x).count("1"), "clz": width - x.bit_length(),
                "brev": int(f"{x:0{width}b}"[::-1], 2) if x >= 0 else 0}[op] & (1 << width) - 1
    if op == "sqrt" and parts[1] != "rn":
        raise Unknown(".".join(parts))
    each(warp, lanes, operands[0], value)


def do_copysign(warp, lanes, parts, operands):
    """The first operand's sign, and all else of the second: no arithmetic."""
    high = 1 << type_of(parts[-1])[1] - 1
    each(warp, lanes, operands[0], lambda lane: warp.read(operands[1], lane) & high | warp.read(operands[2], lane) & (high - 1))


def do_shift(warp, lanes, parts, operands):
    kind, width = type_of(parts[-1])

    def value(lane):
        x, by = number(warp.read(operands[1], lane), kind, width), min(warp.read(operands[2], lane) & 0xffffffff, width)
        return (x << by if parts[0] == "shl" else x >> by) & (1 << width) - 1
    each(warp, lanes, operands[0], value)


def do_shf(warp, lanes, parts, operands):
    def value(lane):
        low, high, by = (warp.read(o, lane) & 0xffffffff for o in operands[1:4])
        by = by & 31 if "wrap" in parts else min(by, 32)
        both = high << 32 | low
        return (both << by >> 32 if "l" in parts else both >> by) & 0xffffffff
    each(warp, lanes, operands[0], value)


def do_bfe(warp, lanes, parts, operands):
    if parts[-1] != "u32":
        raise Unknown(".".join(parts))
    each(warp, lanes, operands[0], lambda lane: warp.read(operands[1], lane) >> (warp.read(operands[2], lane) & 255)
         & (1 << (warp.read(operands[3], lane) & 255)) - 1)


def do_prmt(warp, lanes, parts, operands):
    def value(lane):
        a, b, c = (warp.read(o, lane) & 0xffffffff for o in operands[1:4])
        both, out = b << 32 | a, 0
        for i in range(4):
            pick = c >> 4 * i & 15
            byte = both >> 8 * (pick & 7) & 255
            out |= ((255 if byte & 128 else 0) if pick & 8 else byte) << 8 * i
        return out
    if len(parts) != 2:
        raise Unknown(".".join(parts))
    each(warp, lanes, operands[0], value)


def do_setp(warp, lanes, parts, operands):
    kind, width = type_of(parts[-1])
    how = parts[1]
    if len(parts) != 3 or width == 16 and kind == "f":
        raise Unknown(".".join(parts))

    def value(lane):
        x, y = (warp.read(o, lane) & (1 << width) - 1 for o in operands[1:3])
        if kind != "f":
            return int(COMPARE[how](number(x, kind, width), number(y, kind, width)))
        x, y = real(x, width), real(y, width)
        is_nan = x != x or y != y
        if how in ("num", "nan"):
            return int(is_nan == (how == "nan"))
        if len(how) == 3:
            return int(is_nan or COMPARE[how[:2]](x, y))
        return int(not is_nan and COMPARE[how](x, y))
    each(warp, lanes, operands[0], value)


def do_selp(warp, lanes, parts, operands):
    each(warp, lanes, operands[0], lambda lane: warp.read(operands[1 if warp.read(operands[3], lane) else 2], lane))


def names_of(text):
    return [o.strip() for o in text.strip("{} ").split(",")]


def do_mov(warp, lanes, parts, operands):
    width = type_of(parts[-1])[1]
    target, source = operands
    if target[0] == "{":
        names = names_of(target)
        piece = width // len(names)
        for lane in lanes:
            value = warp.read(source, lane)
            for i, one in enumerate(names):
                if one != "_":
                    warp.write(one, lane, value >> piece * i & (1 << piece) - 1)
        return
    if source[0] == "{":
        names = names_of(source)
        piece = width // len(names)
        return each(warp, lanes, target, lambda lane: sum((warp.read(o, lane) & (1 << piece) - 1) << piece * i
                                                          for i, o in enumerate(names)))
    each(warp, lanes, target, lambda lane: warp.read(source, lane) & (1 << width) - 1)


def do_cvt(warp, lanes, parts, operands):
    (to, wide), (kind, width) = type_of(parts[-2]), type_of(parts[-1])
    if set(parts) & {"sat", "ftz", "rm", "rp", "relu"} or (kind == "f" and to != "f" and "rzi" not in parts):
        raise Unknown(".".join(parts))

    def value(lane):
        x = warp.read(operands[1], lane) & (1 << width) - 1
        if kind == "f":
            x = real(x, width)
            if to == "f":
                return bits_of(x, wide)
            if x != x:
                return 0
            least, most = (-1 << wide - 1, (1 << wide - 1) - 1) if to == "s" else (0, (1 << wide) - 1)
            return int(max(least, min(most, x))) & (1 << wide) - 1
        x = signed(x, width) if kind == "s" else x
        return bits_of(float(x), wide) if to == "f" else x & (1 << wide) - 1
    each(warp, lanes, operands[0], value)


def do_cvta(warp, lanes, parts, operands):
    shift = SHARED if "shared" in parts else 0
    each(warp, lanes, operands[0], lambda lane: warp.read(operands[1], lane) + (-shift if "to" in parts else shift))


def do_isspacep(warp, lanes, parts, operands):
    def value(lane):
        address = warp.read(operands[1], lane)
        first, last = {"global": (GLOBAL, SHARED), "shared": (SHARED, LOCAL)}.get(parts[1], (0, 0))
        return int(first <= address < last)
    each(warp, lanes, operands[0], value)


def address_of(warp, text, lane):
    base, _, offset = text.strip("[] ").partition("+")
    return warp.read(base.strip(), lane) + int(offset or 0)


def space_of(parts):
    return next((space for space in ("global", "shared", "param", "local", "const") if space in parts), None)


def do_ld(warp, lanes, parts, operands):
    size, space = type_of(parts[-1])[1] // 8, space_of(parts)
    signs = parts[-1][0] == "s"
    targets = names_of(operands[0])
    for lane in lanes:
        if space == "param":
            name, _, offset = operands[1].strip("[] ").partition("+")
            data = warp.block.args[name]
            value = int.from_bytes(data[int(offset or 0):int(offset or 0) + size], "little")
            warp.write(targets[0], lane, value)
            continue
        at = address_of(warp, operands[1], lane)
        for i, target in enumerate(targets):
            value = warp.block.machine.load(at + size * i, size, space)
            warp.write(target, lane, signed(value, 8 * size) & 0xffffffff if signs and size < 4 else value)


def do_st(warp, lanes, parts, operands):
    size, space = type_of(parts[-1])[1] // 8, space_of(parts)
    for lane in lanes:
        at = address_of(warp, operands[0], lane)
        for i, source in enumerate(names_of(operands[1])):
            warp.block.machine.store(at + size * i, size, space, warp.read(source, lane))


def do_cp(warp, lanes, parts, operands):
    if parts[1] != "async" or "bulk" in parts:
        raise Unknown(".".join(parts))
    if "shared" not in parts:      # commit_group, wait_group, wait_all: the copy was done at once
        return
    for lane in lanes:
        to, source, size = address_of(warp, operands[0], lane), address_of(warp, operands[1], lane), int(operands[2], 0)
        given = warp.read(operands[3], lane) & 0xffffffff if len(operands) > 3 else size
        value = warp.block.machine.load(source, given, "global") if given else 0
        warp.block.machine.store(to, size, "shared", value)


def do_activemask(warp, lanes, parts, operands):
    each(warp, lanes, operands[0], lambda lane: sum(1 << other for other in lanes))


def do_nothing(warp, lanes, parts, operands):
    pass


HANDLER = {**{op: do_two for op in ("add", "sub", "mul", "div", "rem", "and", "or", "xor", "min", "max")},
           **{op: do_one for op in ("neg", "abs", "not", "popc", "clz", "brev", "sqrt")}, "shl": do_shift, "shr": do_shift,
           "copysign": do_copysign,
           "shf": do_shf, "bfe": do_bfe, "prmt": do_prmt, "mad": do_mad, "fma": do_fma, "fused": do_fused,
           "setp": do_setp, "selp": do_selp,
           "mov": do_mov, "cvt": do_cvt, "cvta": do_cvta, "isspacep": do_isspacep, "ld": do_ld, "st": do_st, "cp": do_cp,
           "activemask": do_activemask, "membar": do_nothing, "fence": do_nothing, "prefetch": do_nothing}


# ---- a launch --------------------------------------------------------------

def launch(text, name, grid, block, args, dynamic=0):
    """args: bytes of a buffer, or (value, size) of a number. Gives what the buffers hold in the end."""
    kernel, machine, given = Kernel(text, name), Machine(), {}
    for (param, size), arg in zip(kernel.params, args):
        value = machine.add(arg) if isinstance(arg, (bytes, bytearray)) else arg[0]
        given[param] = (value & (1 << 8 * size) - 1).to_bytes(size, "little")
    for z in range(grid[2]):
        for y in range(grid[1]):
            for x in range(grid[0]):
                Block(kernel, machine, grid, block, (x, y, z), given, dynamic).run()
    return [bytes(data) for data in machine.buffer]
