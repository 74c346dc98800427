#!/usr/bin/env bash
# Cross-builds Glassformer for 64-bit ARM (a Raspberry Pi, a Chromebook's Linux) in a clean Debian 12 root, and runs the
# core's tests there under qemu-user:
#   scripts/arm.sh
# Needs root, the packages debootstrap and git, the network, and 4 GB of disk (see scripts/roots.sh). The program is
# then in glassformer-systems/arm64/home/glassformer/glassformer/build. Exit codes: 0 all passed, 1 something failed.
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
# shellcheck source=scripts/roots.sh
source "$root/scripts/roots.sh"
say() { printf '%s\n' "$*" >&2; }
require_root_tools scripts/arm.sh

system=$roots/arm64
make_system arm64 bookworm
copy_tree "$system"
inside "$system" dpkg --add-architecture arm64
inside_apt "$system" update
# The tools run here, the libraries there; packages without code are the same for both.
mapfile -t packages < <(inside "$system" bash -c '
  cd /home/glassformer/glassformer && GLASSFORMER_LIST_PACKAGES=1 scripts/setup.sh tests')
tools=(crossbuild-essential-arm64 qemu-user) libraries=()
for package in "${packages[@]}"; do
  case $package in
    lib*) libraries+=("$package:arm64") ;;
    cmake | ninja-build | pkg-config | gettext | doctest-dev | nlohmann-json3-dev) tools+=("$package") ;;
  esac
done
inside_apt "$system" install --no-install-recommends "${tools[@]}" "${libraries[@]}"

as_user "$system" '
  export PKG_CONFIG_LIBDIR=/usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig
  cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake \
    -DGLASSFORMER_TESTS=ON -DGLASSFORMER_APP=ON &&
  ninja -C build glassformer core_tests ops_tests golden_tests'
failed=0
# qemu-user does not report a program that cannot be started, which two cases are about. core takes over an hour.
for tests in ops golden core; do
  say "== $tests"
  as_user "$system" "qemu-aarch64 build/tests/${tests}_tests \
    -tce='another program is given its input*,a program that hangs or floods*'" >&2 || failed=1
done
as_user "$system" 'qemu-aarch64 build/glassformer --version && qemu-aarch64 build/glassformer trace --model homonyms \
  --text "the bat flew ." --out /tmp/arm.npz' >&2 || failed=1
exit "$failed"
