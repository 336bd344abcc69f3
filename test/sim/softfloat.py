"""softfloat.py A B C ADD MUL FMA: judges float results bit by bit with exact fractions, rounded to nearest even."""
import struct
import sys
from fractions import Fraction


def value(bits):
    sign, e, m = bits >> 31, bits >> 23 & 255, bits & 0x7FFFFF
    v = Fraction(m | (1 << 23 if e else 0)) * Fraction(2) ** (max(e, 1) - 150)
    return -v if sign else v


def rounded(v, negative_zero=False):
    """The bits of the float nearest to the fraction v."""
    if v == 0:
        return 0x80000000 if negative_zero else 0
    sign, v = (0x80000000, -v) if v < 0 else (0, v)
    e = v.numerator.bit_length() - v.denominator.bit_length()
    if v < Fraction(2) ** e:
        e -= 1
    e = max(e, -126)
    units = v / Fraction(2) ** (e - 23)
    n = units.numerator // units.denominator
    rest = units - n
    if rest > Fraction(1, 2) or (rest == Fraction(1, 2) and n & 1):
        n += 1
    if n == 1 << 24:
        n, e = n >> 1, e + 1
    if e > 127:
        return sign | 0x7F800000
    return sign | (n if n < 1 << 23 else ((e + 127) << 23) | (n & 0x7FFFFF))


words = []
for path in sys.argv[1:]:
    data = open(path, "rb").read()
    words.append(struct.unpack(f"<{len(data) // 4}I", data))
a, b, c, add, mul, fma = words
assert len({len(w) for w in words}) == 1 and len(a) == 256, [len(w) for w in words]
for i in range(len(a)):
    x, y, z = value(a[i]), value(b[i]), value(c[i])
    negative = (a[i] ^ b[i]) >> 31
    for what, got, want in (("add", add[i], rounded(x + y)), ("mul", mul[i], rounded(x * y, bool(negative))), ("fma", fma[i], rounded(x * y + z))):
        assert got == want, f"{what} {i}: {a[i]:08x} {b[i]:08x} {c[i]:08x} gives {got:08x}, wanted {want:08x}"
print("exact:", 3 * len(a), "results")
