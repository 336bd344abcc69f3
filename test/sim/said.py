"""said.py SIM STEM: every kernel of said.cu leaves the bytes that its loops leave (STEM.loops.ll), for places and sizes of many alignments."""
import sys

import beside_loops

TYPES = {"char": 1, "short": 2, "float": 4, "double": 8, "Pair": 8, "Three": 12, "Rgb": 3, "Wide": 24, "Letters": 4, "uint4": 16}
# at, to, n, lo, hi: first aligned alike, then apart; nothing; a few elements
ROWS = [(0, 0, 192, 0, 0), (4, 4, 177, 0, 0), (3, 3, 150, 16, 9), (2, 5, 100, 1, 2), (1, 0, 1, 3, 0), (0, 1, 0, 5, 6), (17, 1, 128, 16, 0), (0, 0, 0, 0, 0)]
# rows, cols, pitch, rows and columns of the frame; rows of multiples of 16 bytes and others, of 1024 bytes and more and of less
TILES = [(8, 48, 48, 1, 1), (5, 33, 40, 2, 1), (3, 64, 64, 0, 0), (1, 1, 1, 0, 2), (0, 7, 7, 1, 1), (8, 3, 5, 3, 0)]
BLOCKS = ["64", "5,3,3", "16"]


def runs():
    for name, size in TYPES.items():
        for number, row in enumerate(ROWS):
            args = f"rand:{256 * size} zero:{(6 * 200 + 256) * size} " + " ".join(f"i32:{a}" for a in row)
            yield f"rows_{name}", BLOCKS[number % 3], args
        for number, tile in enumerate(TILES):
            args = f"rand:{8 * 64 * size} perm:8 zero:{(8 * 520 + 2048) * size} " + " ".join(f"i32:{a}" for a in tile)
            yield f"tiles_{name}", BLOCKS[number % 3], args


if __name__ == "__main__":
    sys.exit(beside_loops.check(*sys.argv[1:], runs(), (("plain", 1), ("made", 3), ("slow", 5), ("80", 2), ("70", 5))))
