#!/usr/bin/env bash
# From a fresh Debian machine to an optimized, verified kernel: installs what is
# missing, builds, and optimizes a matrix product written in PyTorch. Needs no
# GPU (the CPU device runs the very kernels, times are estimates) and no key.
set -euo pipefail
cd "$(dirname "$0")/.."
source tools/setup.sh

cmake --preset default >/dev/null
cmake --build --preset default --target kernelskill
out=${1:-build/quickstart}
rm -rf "$out"
set -x
build/default/bin/kernelskill optimize examples/matmul.py --set m=200 n=136 k=256 --device cpu --rounds 4 -o "$out"
