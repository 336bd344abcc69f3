"""A compiler and a program that coalda-tune takes for real ones: what they do is recorded here.

    tune-fake.py build APP     writes a program that knows its variant, and the hashes, as clang with the plugin would
    APP                        writes the trace and the digests that were recorded of the variant

The environment says what goes wrong: FAKE_DIFFERS, FAKE_CRASHES and FAKE_UNBUILT name a variant, FAKE_CHANCE lets plain code copy other bytes
each time, FAKE_RANGES lets what is built for launches be the fastest of tile, whose launches have arguments, FAKE_STOPS lets the first timed run fail, once, FAKE_STALE compiles nothing."""
import json
import os
import sys

HASHES = {"_Z3addPf": "00000000000000a1", "_Z4rowsPf": "00000000000000a2", "_Z4tilePf": "00000000000000a3"}
LAUNCHES = {"_Z3addPf": [(4096, 10), (128, 5)], "_Z4rowsPf": [(64, 100)], "_Z4tilePf": [(1024, 20)], "_ZN6library4kernEPf": [(1, 1)]}
# Microseconds of a launch. add: all alike; rows: default is faster, always no more than that; tile: default is slower, always faster.
TIMES = {
    "off": {"_Z3addPf": 10, "_Z4rowsPf": 40, "_Z4tilePf": 30, "_ZN6library4kernEPf": 7},
    "default": {"_Z3addPf": 10, "_Z4rowsPf": 20, "_Z4tilePf": 33, "_ZN6library4kernEPf": 7},
    "launches": {"_Z3addPf": 10, "_Z4rowsPf": 20, "_Z4tilePf": 33, "_ZN6library4kernEPf": 7},
    "always": {"_Z3addPf": 9.99, "_Z4rowsPf": 19.95, "_Z4tilePf": 24, "_ZN6library4kernEPf": 7},
}
NOISE = [1.0, 1.004, 0.998, 1.002, 1.001]


def build(app):
    options = os.environ["COALDA_OPTIONS"].split(";")
    given = dict(option.partition("=")[::2] for option in options)
    variant = next((option for option in options if not option.startswith("hashes=")), "default")
    if os.environ.get("FAKE_UNBUILT") == variant:
        sys.exit("kernel.cu: error: cannot be built")
    decided = {}
    if "COALDA_PROFILE" in os.environ:
        with open(os.environ["COALDA_PROFILE"]) as f:
            words = [line.split() for line in f]
        for before, line in zip(words, words[1:]):
            if line[:1] == ["decide"]:
                assert before[2:] in ([HASHES.get(before[1])], [])      # what is built for launches is of any body
                decided[before[1]] = line[1]
        assert not os.environ.get("FAKE_RANGES") or ["argument", "1", "-5", "4096"] in words and words[0][1] == "2"
    if not os.environ.get("FAKE_STALE"):
        with open(given["hashes"], "a") as f:
            f.writelines(f"kernel {name} {body}\n" for name, body in HASHES.items())
    with open(app, "w") as f:
        f.write(f"#!{sys.executable}\nimport runpy, sys\nsys.argv = ['', 'run', {variant!r}, {json.dumps(decided)!r}]\n"
                f"runpy.run_path({os.path.abspath(__file__)!r}, run_name='__main__')\n")
    os.chmod(app, 0o755)


def counted():
    """How often the program has run: the noise and the chance of this run."""
    with open("runs", "a+") as f:
        f.seek(0)
        number = len(f.read())
        f.write(".")
    return number


def write_trace(path, variant, decided, number):
    with open(path, "w") as f:
        ranges = os.environ.get("FAKE_RANGES")
        f.write(f"coalda-profile {2 if ranges else 1}\n# A GPU of paper\n")
        for kernel, launches in sorted(LAUNCHES.items()):
            f.write(f"\nkernel {kernel}\n")
            if ranges and kernel == "_Z4tilePf":
                f.write("argument 1 -5 4096\n")
            is_fast = ranges and kernel == "_Z4tilePf" and decided.get(kernel) == "launches"
            took = (20 if is_fast else TIMES[decided.get(kernel, variant)][kernel]) * NOISE[number % len(NOISE)]
            f.writelines(f"launch grid {grid}x1x1 block 256x1x1 shared 0 count {count} median {took:.3f}\n" for grid, count in launches)


def write_copies(path, variant, number):
    digests = [1, 2, 3]
    if os.environ.get("FAKE_DIFFERS") == variant:
        digests[1] = 4
    if os.environ.get("FAKE_CHANCE"):
        digests[2] = 100 + number
    with open(path, "w") as f:
        f.write("coalda-copies 1\n")
        f.writelines(f"{i + 1} 64 {digest:016x}\n" for i, digest in enumerate(digests))


def run(variant, decided):
    number = counted()
    hashes = os.environ.get("COALDA_HASH") == "1"
    if os.environ.get("FAKE_CRASHES") == variant:
        sys.exit("an illegal memory access was encountered")
    if os.environ.get("FAKE_STOPS") and not hashes and not os.path.exists("stopped"):
        open("stopped", "w").close()
        sys.exit("killed")
    assert os.environ["CUDA_INJECTION64_PATH"].endswith("libcoalda-trace.so")
    path = os.environ["COALDA_TRACE"].replace("%p", str(os.getpid()))
    write_trace(path, variant, decided, number)
    if hashes:
        write_copies(path + ".copies", variant, number)


if sys.argv[1] == "build":
    build(sys.argv[2])
else:
    run(sys.argv[2], json.loads(sys.argv[3]))
