"""The `// RUN-KERNEL:` lines of a kernel file, and the compiler that makes it IR."""
import os
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
LINE = re.compile(r"^\s*// RUN-KERNEL: (\S+) (.*?) --(?: (.*))?$", re.M)
LLVM = os.environ.get("COALDA_LLVM_BIN", "/usr/lib/llvm-22/bin")


class Run:
    """One line: kernel name, launch options as coalda-sim takes them, arguments."""

    def __init__(self, name, options, args):
        self.name = name
        self.options = options.split()
        self.args = (args or "").split()

    def option(self, name, otherwise=None):
        return self.options[self.options.index(name) + 1] if name in self.options else otherwise

    def shape(self, name):
        xs = [int(x) for x in self.option(name, "1").split(",")]
        return tuple(xs + [1] * (3 - len(xs)))

    def command(self, sim, module, *extra):
        return [sim, module, "--kernel", self.name, *self.options, *extra, "--", *self.args]


def runs(text):
    return [Run(*m.groups()) for m in LINE.finditer(text)]


def device_compile(source, output, level, *extra):
    """Compiles a generated file, or one that includes prelude.cuh alone. Raises with the compiler's words."""
    cmd = [os.path.join(LLVM, "clang++"), "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90",
           "-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version", "-w", "-std=c++20", "-ffp-contract=off",
           f"-I{HERE}", level, "-Xclang", "-disable-O0-optnone", "-emit-llvm", "-S" if output.endswith(".ll") else "-c",
           source, "-o", output, *extra]
    done = subprocess.run(cmd, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(cmd)}\n{done.stderr[:2000]}")
