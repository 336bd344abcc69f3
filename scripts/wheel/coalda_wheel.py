"""The backend of pip (PEP 517): cmake builds and installs into a folder, which becomes the wheel's package. Standard library alone.

COALDA_BUILD   a build folder that is used, and built on; else one that is made for this and goes away again
LLVM_DIR       where LLVM 22's CMake package is, if cmake does not find it
"""
import base64
import hashlib
import os
import re
import subprocess
import sysconfig
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
PROGRAMS = ("coalda-report", "coalda-profile", "coalda-sim", "coalda-clang", "coalda-nvcc", "coalda-tune")
WHEN = (1980, 1, 1, 0, 0, 0)   # of every file: the same wheel from the same files


def version():
    with open(os.path.join(SOURCE, "CMakeLists.txt"), encoding="utf-8") as file:
        return re.search(r"project\(coalda VERSION ([\d.]+)", file.read())[1]


def platform():
    return re.sub(r"[.-]", "_", sysconfig.get_platform())


def install(prefix, scratch):
    build = os.environ.get("COALDA_BUILD")
    if not build:
        build = os.path.join(scratch, "build")
        llvm = [f"-DLLVM_DIR={os.environ['LLVM_DIR']}"] if "LLVM_DIR" in os.environ else []
        subprocess.run(["cmake", "-S", SOURCE, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF",
                        "-DCOALDA_REPRODUCIBLE=ON", *llvm], check=True)
        subprocess.run(["cmake", "--build", build], check=True)
    subprocess.run(["cmake", "--install", build, "--strip", "--prefix", prefix], check=True)


def files_under(folder):
    """Links are followed to files, as a wheel has none; lib/coalda/build leads to itself."""
    for at, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(at, name)
            yield os.path.relpath(path, folder), path


class Wheel:
    def __init__(self, path):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.record = []

    def add(self, name, data, executable=False):
        info = zipfile.ZipInfo(name, WHEN)
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = (0o100755 if executable else 0o100644) << 16
        self.zip.writestr(info, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(data)}")

    def close(self, info):
        text = "\n".join([*self.record, f"{info}/RECORD,,", ""])
        self.zip.writestr(zipfile.ZipInfo(f"{info}/RECORD", WHEN), text)
        self.zip.close()


def metadata():
    return f"Metadata-Version: 2.1\nName: coalda\nVersion: {version()}\nSummary: LLVM pass plugin that coalesces and pipelines CUDA memory accesses\n" \
           "License: Apache-2.0 WITH LLVM-exception\nRequires-Python: >=3.9\n"


def build_wheel(folder, settings=None, metadata_directory=None):
    tag = f"py3-none-{platform()}"
    name, info = f"coalda-{version()}-{tag}.whl", f"coalda-{version()}.dist-info"
    with tempfile.TemporaryDirectory() as scratch:
        tree = os.path.join(scratch, "tree")
        install(tree, scratch)
        wheel = Wheel(os.path.join(folder, name))
        with open(os.path.join(HERE, "coalda_package.py"), "rb") as file:
            wheel.add("coalda/__init__.py", file.read())
        for path, real in files_under(tree):
            with open(real, "rb") as file:
                wheel.add("coalda/tree/" + path, file.read(), os.access(real, os.X_OK))
        there = [p for p in PROGRAMS if os.path.exists(os.path.join(tree, "bin", p))]
    wheel.add(f"{info}/METADATA", metadata().encode())
    wheel.add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: coalda\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
    points = "".join(f"{p} = coalda:{p.replace('-', '_')}\n" for p in there)
    wheel.add(f"{info}/entry_points.txt", ("[console_scripts]\n" + points).encode())
    wheel.close(info)
    return name


def build_sdist(folder, settings=None):
    raise RuntimeError("COALDA is built from its source tree: pip install .../scripts/wheel")


if __name__ == "__main__":   # python3 scripts/wheel/coalda_wheel.py: the wheel alone, into the current folder
    print(build_wheel(os.getcwd()))
