#!/usr/bin/env bash
# Sourced by quickstart.sh and test.sh: installs what is missing on Debian
# bookworm and says where CUDA's compiler parts are. Costs a second when all is
# there. Sets CUDA_HOME if CUDA came from PyPI.
packages=(llvm-22-dev libmlir-22-dev mlir-22-tools llvm-22-tools clang-22 lld-22 clang-format-22 clang-tidy-22
  libclang-rt-22-dev cmake ninja-build ccache libgtest-dev libsqlite3-dev zlib1g-dev libzstd-dev python3 python3-venv)
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
