"""Two copies of the sources, each built in a folder of its own: what is small of C, and a file that includes LLVM's headers."""
import os
import shutil
import subprocess
import sys

source, here = sys.argv[1:]
PARTS = ("CMakeLists.txt", "CHANGELOG.md", "README.md", "LICENSE", "cmake", "pass", "analysis", "transform", "tools", "scripts", "include")
OBJECT = "CMakeFiles/coalda-core.dir/Unity/unity_0_cxx.cxx.o"

for name in ("first", "second"):
    copy = os.path.join(here, name)
    os.makedirs(copy)
    for part in PARTS:
        path = os.path.join(source, part)
        if os.path.isdir(path):
            shutil.copytree(path, os.path.join(copy, part))
        elif os.path.exists(path):
            shutil.copy(path, copy)
    build = os.path.join(copy, "build")
    subprocess.run(["cmake", "-S", copy, "-B", build, "-G", "Ninja", "-DBUILD_TESTING=OFF", "-DCOALDA_REPRODUCIBLE=ON"], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", build, "coalda-trace", OBJECT], check=True, stdout=subprocess.DEVNULL)
    shutil.copy(os.path.join(build, OBJECT), os.path.join(build, "bridge.o"))
