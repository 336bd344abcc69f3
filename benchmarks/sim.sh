#!/bin/sh
# Speed of the reference machine: million thread-instructions a second on one core, with all checks and with none.
#   benchmarks/sim.sh [coalda-sim]
# A thread-instruction is one instruction of the IR executed by one active lane. Not counted: phis, the scaling of indices in an
# address, and what the decoder adds. The best of three runs of at least a tenth of a second of processor time each.
# The goals are 10 with checks and 30 without.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
sim=${1:-$here/../build/coalda-sim}
clang=${CLANG:-/usr/lib/llvm-22/bin/clang++}
ir=$(mktemp --suffix=.ll)
trap 'rm -f "$ir"' EXIT
"$clang" -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 --cuda-path="${CUDA:-/usr/local/cuda}" -Wno-unknown-cuda-version \
         -O3 -S -emit-llvm "$here/sim.cu" -o "$ir"

# best CHECK KERNEL LAUNCH-AND-ARGUMENTS...: the speed that --verbose tells, best of three
best() {
  check=$1 kernel=$2
  shift 2
  for again in 1 2 3; do
    "$sim" "$ir" --verbose --check="$check" --kernel "$kernel" "$@" 2>&1
  done | sed -n 's/.*, \([0-9.]*\) million a second.*/\1/p' | sort -n | tail -1
}
row() {
  printf '%-12s %16s %16s\n' "$1" "$(best all "$@")" "$(best none "$@")"
}
printf '%-12s %16s %16s\n' kernel 'all checks' 'no checks'
row arithmetic --grid 16 --block 256 -- buf:16384 i32:50000
row reals --grid 16 --block 256 -- buf:16384 i32:5000
row parted --grid 4 --block 256 -- buf:4096 i32:2000
row stream --grid 64 --block 256 -- zero:16000000 zero:16000000 buf:16000000 i32:4000000
row tile --grid 16 --block 256 -- zero:262144 buf:16384 i32:256
