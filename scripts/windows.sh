#!/usr/bin/env bash
# Cross-builds Glassformer for 64-bit Windows on Debian, and makes a zip of it:
#   scripts/windows.sh         the program: build-windows/glassformer-VERSION-windows-x86_64.zip
#   scripts/windows.sh tests   also runs, under Wine, the test programs, and the zipped program in its window
# Needs the packages g++-mingw-w64-x86-64-posix, meson, fonts-inter, fonts-dejavu-core and the tools that
# scripts/setup.sh lists; for the tests also wine64 and what the smoke tests need; and the network, for the libraries'
# sources (scripts/ports.sh). The libraries and Wine's folder stay in ${XDG_CACHE_HOME:-~/.cache}/glassformer-windows.
# Traces, a training and .glass files are compared with those of this system's program if there is one in build/. Exit
# codes: 0 all passed, 1 something failed, 2 wrong use.
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
programs=(ops golden core options cli ui)
build "$folder" --target "${programs[@]/%/_tests}"
wine=$(PATH=$PATH:/usr/lib/wine command -v wine64) || {
  say "The tests need the package wine64."
  exit 2
}
export WINEPREFIX=$cache/wine WINEDEBUG=-all WINE=$wine
work=$(mktemp -d)
screen=''
trap '[[ -z "$screen" ]] || kill "$screen"; rm -rf -- "$work"' EXIT
Xvfb -displayfd 3 -screen 0 1600x1000x24 -nolisten tcp -noreset 3>"$work/display" 2>"$work/screen" &
screen=$!
until [[ -s "$work/display" ]]; do
  kill -0 "$screen" || {
    say "Xvfb does not start: $(cat "$work/screen")"
    exit 1
  }
  sleep 0.05
done
DISPLAY=:$(cat "$work/display")
export DISPLAY
"$(dirname -- "$wine")/wineserver" -k 2>/dev/null || true # Wine's desktop belongs to the screen on which it was started
"$wine" winecfg -v win10
# Wine's folder of fonts is empty.
find /usr/share/fonts -type f -name '*.[ot]t[fc]' -exec cp -t "$WINEPREFIX/drive_c/windows/Fonts" {} +
failed=0
counts=''
for name in "${programs[@]}"; do
  say "== $name"
  "$wine" "$folder/tests/${name}_tests.exe" 2>&1 | tee "$work/$name" >&2 || failed=1
  counts+="$name: $(sed -n 's/.*test cases: *//p' "$work/$name" | tr -s ' ')"$'\n'
done

# here, there: this system's program and the one for Windows
here() { "$root/build/glassformer" "$@"; }
there() { (cd / && "$wine" "$folder/glassformer.com" "$@"); }
trace_input() { # trace_input MODEL: prints the input for a shipped model
  case "$1" in
    by_hand*) echo --tokens 5,6,3,5 ;;
    regression) echo --values 0.5,1,0,-1,0.25,1,0.5,0.5,0 ;;
    translation*) echo --source-tokens 5,6,7 --tokens 5,6,7,5 ;;
    *) echo --tokens 5,6,7,5 ;;
  esac
}
# same_trace HERE THERE INPUT…: whether the two models have the same values, the second one computed by the Windows
# program
same_trace() {
  here trace --model "$1" "${@:3}" --out "$work/ours.safetensors" >&2 &&
    there trace --model "$2" "${@:3}" --out "$work/theirs.safetensors" >&2 &&
    python3 "$root/scripts/same_trace.py" "$work"/{ours,theirs}.safetensors 1e-6 >&2
}
# The figures at the end of a training, without times, the processor and the last digits of the loss.
metric() { sed 's/.*\("details":{[^}]*}\).*\("value":[^,]*\),.*/\1 \2/'; }
if [[ -x $root/build/glassformer ]]; then
  say "== traces"
  for model in "$root"/assets/models/*/; do
    name=$(basename -- "$model")
    read -ra input < <(trace_input "$name")
    same_trace "$name" "$name" "${input[@]}" || failed=1
  done
  say "== the same seed, the same metric"
  line=(train --world homonyms --seed 3 --steps 150 --out)
  ours=$(here "${line[@]}" "$work/ours" 2>/dev/null | metric)
  theirs=$(there "${line[@]}" "$work/theirs" 2>/dev/null | metric)
  say "$ours"$'\n'"$theirs"
  [[ -n "$ours" && "$ours" == "$theirs" ]] || failed=1
  say "== a .glass file there, and one from there"
  here pack "$work/ours" "$work/ours.glass" --text 'the bat flew out .' >&2 &&
    same_trace "$work/ours" "$work/ours.glass" --text 'a bat' || failed=1
  there pack "$work/theirs" "$work/theirs.glass" --text 'the bat flew out .' >&2 &&
    same_trace "$work/theirs.glass" "$work/theirs" --text 'a bat' || failed=1
fi

say "== the zip"
"$root/tests/smoke/windows.sh" "$zip" || failed=1
say "== test cases"$'\n'"$counts"
exit "$failed"
