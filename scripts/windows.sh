#!/usr/bin/env bash
# Cross-builds Glassformer for 64-bit Windows on Debian, and makes a zip of it:
#   scripts/windows.sh         the program: build-windows/glassformer-VERSION-windows-x86_64.zip
#   scripts/windows.sh tests   also runs, under Wine, the tests of the core and the program out of the zip, in its window too
# Needs the packages g++-mingw-w64-x86-64-posix, meson, fonts-inter, fonts-dejavu-core and what scripts/setup.sh names as
# tools, for the tests wine64 as well and what the smoke tests need; and the network, for the sources of the libraries
# (scripts/ports.sh). They and Wine's folder stay in ${XDG_CACHE_HOME:-~/.cache}/glassformer-windows. The traces are
# compared with those of this system's program where there is one in build/. Exit codes: 0 all passed, 1 something failed,
# 2 wrong use.
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
(cd -- "$folder" && cpack) >&2
zip=$(echo "$folder"/glassformer-*-windows-x86_64.zip)
say "$(du -h --apparent-size "$zip" | cut -f1): $zip"
[[ $tests == ON ]] || exit 0

# -------------------------------------------------------------------------------------------------------- under Wine
build "$folder" --target core_tests ops_tests golden_tests
wine=$(PATH=$PATH:/usr/lib/wine command -v wine64) || {
  say "The tests need the package wine64."
  exit 2
}
export WINEPREFIX=$cache/wine WINEDEBUG=-all WINE=$wine
failed=0
for name in ops golden core; do
  say "== $name"
  # From the root, so that the absolute paths of this system are found on Wine's drive Z.
  (cd / && "$wine" "$folder/tests/${name}_tests.exe") >&2 || failed=1
done

say "== traces"
trace_input() { # trace_input MODEL: prints what a shipped model is given to read
  case "$1" in
    by_hand*) echo --tokens 5,6,3,5 ;;
    regression) echo --values 0.5,1,0,-1,0.25,1,0.5,0.5,0 ;;
    translation) echo --source-tokens 5,6,7 --tokens 5,6,7,5 ;;
    *) echo --tokens 5,6,7,5 ;;
  esac
}
same_trace() { # same_trace MODEL: whether the shipped model has the same values on both systems
  local input
  read -ra input < <(trace_input "$1")
  "$root/build/glassformer" trace --model "$1" "${input[@]}" --out "$traces/ours.safetensors" >&2 &&
    (cd / && "$wine" "$folder/glassformer.com" trace --model "$1" "${input[@]}" --out "$traces/theirs.safetensors") >&2 &&
    python3 "$root/scripts/same_trace.py" "$traces"/{ours,theirs}.safetensors 1e-6 >&2
}
if [[ -x $root/build/glassformer ]]; then
  traces=$(mktemp -d)
  trap 'rm -rf -- "$traces"' EXIT
  for model in "$root"/assets/models/*/; do
    same_trace "$(basename -- "$model")" || failed=1
  done
fi

say "== the zip"
"$root/tests/smoke/windows.sh" "$zip" || failed=1
exit "$failed"
