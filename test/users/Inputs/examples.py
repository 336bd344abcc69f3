"""Every example is built by its Makefile: by coalda-nvcc, and by nvcc where the toolkit has all of it. Makefiles have at most ten lines."""
import os
import pathlib
import subprocess
import sys

folder, coalda_nvcc, plugin, cuda = sys.argv[1:]
environment = {**os.environ, "COALDA_PLUGIN": plugin, "CUDA_PATH": cuda}
nvcc = os.path.join(cuda, "bin", "nvcc")
compilers = [coalda_nvcc] + ([nvcc] if os.path.exists(os.path.join(cuda, "nvvm", "bin", "cicc")) else [])
makefiles = sorted(pathlib.Path(folder).glob("*/Makefile"))
assert len(makefiles) == 6, makefiles
for makefile in makefiles:
    assert len(makefile.read_text().splitlines()) <= 10, makefile
    for compiler in compilers:
        subprocess.run(["make", "-s", "-B", f"NVCC={compiler}"], cwd=makefile.parent, env=environment, check=True)
        assert os.access(makefile.parent / makefile.parent.name, os.X_OK), makefile
