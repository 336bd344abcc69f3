# Shared by the scripts: sourced, never run. Sets ROOT and LLVM_BIN; functions only otherwise.
# shellcheck shell=bash

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
LLVM_MAJOR=22

say() { printf '%s\n' "$*" >&2; }
die() { say "$(basename "$0"): $*"; exit 1; }

# The directory of LLVM 22's programs: what stands first in PATH may be another release.
llvm_bindir() {
  if command -v "llvm-config-$LLVM_MAJOR" >/dev/null; then
    "llvm-config-$LLVM_MAJOR" --bindir
  else
    echo "/usr/lib/llvm-$LLVM_MAJOR/bin"
  fi
}
# shellcheck disable=SC2034  # used by the scripts that source this
LLVM_BIN=$(llvm_bindir)

# Prints the CUDA toolkit that scripts/setup chose, or stops with setup's message.
cuda_path() { "$ROOT/scripts/setup" --print-cuda; }

# Runs a command in silence; its whole output appears only when it fails.
quietly() {
  local log status=0
  log=$(mktemp)
  "$@" >"$log" 2>&1 || status=$?
  if [ "$status" -ne 0 ]; then
    cat "$log" >&2
    rm -f "$log"
    die "failed: $*"
  fi
  rm -f "$log"
}

# Configures and builds into build/; arguments go to the configure step.
build_project() {
  say "building in $ROOT/build"
  quietly cmake -S "$ROOT" -B "$ROOT/build" -G Ninja "$@"
  quietly cmake --build "$ROOT/build"
}
