#!/usr/bin/env bash
# Cross-builds Glassformer for 64-bit Windows on Debian, and makes a zip of it:
#   scripts/windows.sh         the program: build-windows/glassformer-VERSION-windows-x86_64.zip
#   scripts/windows.sh tests   also the tests of the core, run under Wine
# Needs the packages g++-mingw-w64-x86-64-posix, meson and what scripts/setup.sh names as tools, for the tests wine64 as
# well; and the network, for the sources of the libraries (scripts/ports.sh). They and Wine's folder stay in
# ${XDG_CACHE_HOME:-~/.cache}/glassformer-windows. Exit codes: 0 all passed, 1 something failed, 2 wrong use.
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
# shellcheck source=scripts/build.sh
source "$root/scripts/build.sh"
case "${1:-}" in
  '') tests=OFF ;;
  tests) tests=ON ;;
  *)
    echo "Usage: scripts/windows.sh [tests]" >&2
    exit 2
    ;;
esac
cache=${XDG_CACHE_HOME:-$HOME/.cache}/glassformer-windows
for tool in x86_64-w64-mingw32-g++-posix meson; do
  command -v "$tool" >/dev/null || {
    say "scripts/windows.sh needs $tool: install the packages g++-mingw-w64-x86-64-posix and meson."
    exit 2
  }
done

"$root/scripts/ports.sh" "$root/cmake/mingw64.cmake" "$cache/ports"
folder=$root/build-windows
configure "$folder" Release --preset windows "-DGLASSFORMER_PORTS=$cache/ports" \
  "-DGLASSFORMER_IMGUI_SOURCES=$cache/ports/src/imgui" "-DGLASSFORMER_TESTS=$tests"
build "$folder" --target glassformer
if [[ $tests == ON ]]; then
  build "$folder" --target core_tests ops_tests golden_tests
  wine=$(PATH=$PATH:/usr/lib/wine command -v wine64) || {
    say "The tests need the package wine64."
    exit 2
  }
  export WINEPREFIX=$cache/wine WINEDEBUG=-all
  failed=0
  for name in ops golden core; do
    say "== $name"
    # From the root, so that the absolute paths of this system are found on Wine's drive Z.
    (cd / && "$wine" "$folder/tests/${name}_tests.exe") >&2 || failed=1
  done
  ((failed == 0)) || exit 1
fi
(cd -- "$folder" && cpack) >&2
