"""crowd.py WORDS LONGS SEEN: what 210 threads of atomics.cu must leave."""
import struct
import sys

M = 0xFFFFFFFF


def noise(x):
    x = (x ^ 61) ^ (x >> 16)
    x = x * 9 & M
    x ^= x >> 4
    x = x * 0x27D4EB2D & M
    return x ^ (x >> 15)


words, longs, seen = (open(p, "rb").read() for p in sys.argv[1:4])
w, q, n = struct.unpack("<8I", words), struct.unpack("<4Q", longs), 210
xor = xor3 = 0
for i in range(n):
    xor ^= noise(i)
    xor3 ^= noise(i) * 3
want_w = (n, max(map(noise, range(n))), xor, M, struct.unpack("<I", struct.pack("<f", n * 0.5))[0], n % 100, -sum(range(n)) & M, sum(range(n)))
want_q = (sum(range(n)) << 20, max(map(noise, range(n))) << 8, struct.unpack("<Q", struct.pack("<d", n * 0.25))[0], xor3)
assert w == want_w, (w, want_w)
assert q == want_q, (q, want_q)
assert seen == b"\1" * n
