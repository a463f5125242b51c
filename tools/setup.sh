#!/usr/bin/env bash
# Sourced by quickstart.sh and test.sh: installs what is missing on Debian
# bookworm (LLVM, MLIR and build tools from Debian; CUDA 13's ptxas, libdevice,
# headers and CUPTI, and PyTorch with torch-mlir from PyPI) and sets PATH,
# CUDA_HOME and KERNELSKILL_PYTHON. Costs a second when all is there.
kernelskill_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

packages=(ca-certificates git llvm-22-dev libmlir-22-dev mlir-22-tools llvm-22-tools clang-22 lld-22 clang-format-22 libclang-rt-22-dev
  cmake ninja-build ccache libgtest-dev libsqlite3-dev zlib1g-dev libzstd-dev xz-utils python3 python3-venv)
missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
if ((${#missing[@]})); then
  sudo=""
  [ "$(id -u)" = 0 ] || sudo=sudo
  echo "setup: installing ${missing[*]}"
  $sudo apt-get update -qq
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
fi

# One virtual environment for the importer and, where there is no CUDA toolkit,
# for CUDA's compiler parts. The stamp holds what was installed.
venv=$kernelskill_root/.venv
requirements="torch==2.11.0 torch-mlir==20261001 numpy einops"
toolkit=""
for candidate in "${CUDA_HOME:-}" "${CUDA_PATH:-}" /usr/local/cuda; do
  if [ -n "$candidate" ] && [ -x "$candidate/bin/ptxas" ] && [ -f "$candidate/include/cuda.h" ] &&
    "$candidate/bin/ptxas" --version | grep -q 'release 13\.' &&
    { [ -f "$candidate/include/cupti_range_profiler.h" ] || [ -f "$candidate/extras/CUPTI/include/cupti_range_profiler.h" ]; }; then
    toolkit=$candidate
    break
  fi
done
[ -n "$toolkit" ] || requirements+=" nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-runtime==13.0.96 nvidia-cuda-cupti==13.0.85"
if [ "$(cat "$venv/kernelskill.stamp" 2>/dev/null)" != "$requirements" ]; then
  echo "setup: installing $requirements (a few minutes)"
  python3 -m venv "$venv"
  "$venv/bin/pip" install -q --disable-pip-version-check $requirements
  echo "$requirements" >"$venv/kernelskill.stamp"
fi
if [ -z "$toolkit" ]; then
  toolkit=$(echo "$venv"/lib/python3*/site-packages/nvidia/cu13)
fi
export CUDA_HOME=$toolkit
export PATH=$CUDA_HOME/bin:$PATH
export KERNELSKILL_PYTHON=$venv/bin/python
