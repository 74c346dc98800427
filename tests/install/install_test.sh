#!/usr/bin/env bash
# Installs the library into a folder, moves it, builds the example of the docs against it as another project would, and
# compares its output with that of `glassformer trace`.
#   tests/install/install_test.sh SOURCE-FOLDER BUILD-FOLDER PROGRAM
# Exit codes: 0 passed, 1 failed.
set -euo pipefail

source=$1 build=$2 program=$3
model=$source/assets/models/homonyms sentence='he swung the bat and hit a foul' layer=1 head=2

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for component in library development; do
  cmake --install "$build" --prefix "$folder/first" --component "$component" >"$folder/log" || fail "$(cat "$folder/log")"
done
mv "$folder/first" "$folder/prefix" # an installed folder can be moved

cmake -S "$source/tests/install" -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug \
  "-DCMAKE_PREFIX_PATH=$folder/prefix" >"$folder/log" 2>&1 || fail "$(cat "$folder/log")"
cmake --build "$folder/build" --parallel 2 >"$folder/log" 2>&1 || fail "$(cat "$folder/log")"

"$folder/build/example/print_head" "$model" "$layer" "$head" "$sentence" >"$folder/pattern"
"$program" trace --model "$model" --text "$sentence" --out "$folder/trace" >"$folder/log"
"$folder/build/print_traced_head" "$folder/trace" "$layer" "$head" >"$folder/expected"
[[ "$(wc -l <"$folder/expected")" == 8 ]] || fail "the trace has another number of words: $(cat "$folder/expected")"
sed 's/^[^ ]*//' "$folder/pattern" | diff "$folder/expected" - ||
  fail "the example prints other numbers than the trace (first those of the trace)"
[[ "$(sed -n 4p "$folder/pattern")" == "bat "* ]] || fail "the fourth row is not that of \"bat\": $(cat "$folder/pattern")"

refused=$("$folder/build/example/print_head" "$folder/none" 0 0 bat 2>&1) && fail "a folder that is not there was accepted"
[[ "$refused" == "print_head: "*"$folder/none"* ]] || fail "an error of the library did not come through: $refused"
