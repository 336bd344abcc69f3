"""COALDA as a Python package: its programs, and where its plugin and its CMake package are.

    clang++-22 -fpass-plugin=$(python3 -c 'import coalda; print(coalda.PLUGIN)') ...
    cmake -Dcoalda_DIR=$(python3 -c 'import coalda; print(coalda.CMAKE)') ...
"""
import os
import sys

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tree")


def _folder(*parts):
    """lib, or what this system calls it."""
    for lib in ("lib", "lib64"):
        path = os.path.join(TREE, lib, *parts)
        if os.path.exists(path):
            return path
    return os.path.join(TREE, "lib", *parts)


PLUGIN = _folder("coalda", "coalda.so")
CMAKE = _folder("cmake", "coalda")
INCLUDE = os.path.join(TREE, "include")


def _run(name):
    """Becomes the program; scripts run by this Python, beside whose packages NVIDIA's wheels may stand."""
    script = _folder("coalda", "scripts", name)
    line = [sys.executable, script] if os.path.exists(script) else [os.path.join(TREE, "bin", name)]
    os.execv(line[0], line + sys.argv[1:])


def __getattr__(name):
    if name.startswith("coalda_"):
        return lambda: _run(name.replace("_", "-"))
    raise AttributeError(name)
