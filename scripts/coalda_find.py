"""Where the plugin, LLVM 22 and the CUDA toolkit are: for the programs that call them, in the source tree and where they are installed."""
import os
import shutil
import subprocess
import sys

LLVM_MAJOR = "22"
HOME = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))   # the source tree, or lib/coalda where it is installed
BUILT = os.path.join(HOME, "build")


class NotFound(Exception):
    pass


def installed():
    return not os.path.exists(os.path.join(HOME, "CMakeLists.txt"))


def built_file(name):
    """A file of the build: beside the scripts where they are installed."""
    return os.path.join(HOME if installed() else BUILT, name)


def plugin():
    path = os.environ.get("COALDA_PLUGIN") or built_file("coalda.so")
    if os.path.isfile(path):
        return path
    if installed():
        raise NotFound(f"no plugin at {path}: install COALDA again, or name one by the variable COALDA_PLUGIN")
    raise NotFound(f"no plugin at {path}: run scripts/demo, or cmake -B build -G Ninja && cmake --build build")


def spares(chosen):
    """Flags of device code. Where an object holds launch stubs beside it, those choose between kernels that gain on long rows alone and what they were;
    elsewhere nobody would. Where the environment speaks of it, that holds."""
    said = any(word.partition("=")[0] == "spares" for word in os.environ.get("COALDA_OPTIONS", "").split(";"))
    return [] if said else ["-Xarch_device", "-mllvm=-coalda-spares" + ("" if chosen else "=false")]


def llvm_bin():
    """The directory of LLVM 22's programs: what stands first in PATH may be another release."""
    config = shutil.which(f"llvm-config-{LLVM_MAJOR}")
    beside = os.path.dirname(os.path.realpath(config)) if config else f"/usr/lib/llvm-{LLVM_MAJOR}/bin"
    for folder in (os.environ.get("COALDA_LLVM_BIN"), beside, f"/usr/lib/llvm-{LLVM_MAJOR}/bin"):
        if folder and os.access(os.path.join(folder, "clang++"), os.X_OK):
            return folder
    how = f"install clang-{LLVM_MAJOR}" if installed() else "run scripts/setup"
    raise NotFound(f"no clang {LLVM_MAJOR} in {beside}: {how}, or name its folder by the variable COALDA_LLVM_BIN")


def cuda_is_usable(folder):
    return (os.access(os.path.join(folder, "bin", "ptxas"), os.X_OK) and os.path.isfile(os.path.join(folder, "include", "cuda_runtime.h"))
            and os.path.isfile(os.path.join(folder, "nvvm", "libdevice", "libdevice.10.bc")))


def cuda():
    """The toolkit, in the order of scripts/setup; NVIDIA's wheels beside this Python come last."""
    if os.environ.get("COALDA_NO_SYSTEM_CUDA") != "1":
        for folder in (os.environ.get("CUDA_PATH"), os.environ.get("CUDA_HOME"), "/usr/local/cuda"):
            if folder and cuda_is_usable(folder):
                return folder
    setup = os.path.join(HOME, "scripts", "setup")
    if not installed() and os.path.exists(setup):
        found = subprocess.run([setup, "--print-cuda"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if found.returncode == 0:
            return found.stdout.strip()
        raise NotFound("no CUDA toolkit: run scripts/setup")
    for folder in sys.path:
        folder = os.path.join(folder, "nvidia", "cu13")
        if cuda_is_usable(folder):
            return folder
    raise NotFound("no CUDA toolkit with bin/ptxas, include/cuda_runtime.h and nvvm/libdevice in CUDA_PATH, CUDA_HOME or /usr/local/cuda: "
                   "install one, or say --cuda-path=DIR")


def cuda_libraries(folder):
    """Where libcudart is: not all that is given out as a toolkit has lib64."""
    for name in ("lib64", "lib", os.path.join("targets", "x86_64-linux", "lib")):
        if os.path.isdir(os.path.join(folder, name)):
            return os.path.join(folder, name)
    return os.path.join(folder, "lib64")


def cccl(folder, shared_barriers=True):
    """What clang needs to find CUDA 13's C++ libraries, as nvcc does; before them what lets clang take cuda::barrier in __shared__."""
    theirs, ours = os.path.join(folder, "include", "cccl"), os.path.join(HOME, "include", "coalda", "cccl")
    return [word for path, wanted in ((ours, shared_barriers), (theirs, True)) if wanted and os.path.isdir(path) for word in ("-isystem", path)]
