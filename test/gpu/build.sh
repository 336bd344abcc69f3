#!/bin/sh
# Makes the folder that run.py takes to a machine with a GPU: cubins, input files, and the bytes that coalda-sim leaves.
#   test/gpu/build.sh OUT [FIRST LAST]        the kernels of examples/ and the generated ones FIRST..LAST
#                                         (default 0 1999) at -O3 and -O0
# Needs clang 22, ptxas and build/coalda-sim (or SIM=...). Nothing of it is needed where run.py runs.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: build.sh OUT [FIRST LAST]}
exec python3 "$here/build.py" --sim "${SIM:-$here/../../build/coalda-sim}" --ptxas "${PTXAS:-/usr/local/cuda/bin/ptxas}" \
     --arch "${ARCH:-sm_90}" "$out" "${2:-0}" "${3:-1999}"
