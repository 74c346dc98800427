#!/usr/bin/env bash
# Gives every reader of the program malformed files made by libFuzzer (which comes with clang), with the sanitizers on:
#   scripts/fuzz.sh [SECONDS [TARGET…]]   by default 60 seconds each for every folder of tests/fuzz/corpus
# Findings stay in build-fuzz/found/TARGET; once the fault is fixed, the file goes into tests/fuzz/corpus/TARGET, which
# the tests replay without clang. Exit codes: 0 nothing was found, 1 something was, 2 wrong arguments or no suitable
# clang.
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
# shellcheck source=scripts/build.sh
source "$root/scripts/build.sh"
exec 2>&1

seconds=${1:-60}
[[ "$seconds" =~ ^[1-9][0-9]*$ ]] || {
  say "Usage: scripts/fuzz.sh [SECONDS [TARGET…]]"
  exit 2
}
shift || true
compiler=$(clang_compiler) || {
  say "$no_clang The tests replay the corpus without it."
  exit 2
}
if (($# == 0)); then
  for corpus in "$root"/tests/fuzz/corpus/*/; do
    set -- "$@" "$(basename "$corpus")"
  done
fi

folder=$root/build-fuzz
"$root/scripts/setup.sh" tests
configure "$folder" RelWithDebInfo "-DCMAKE_CXX_COMPILER=$compiler" \
  -DGLASSFORMER_SANITIZE=fuzzer-no-link,address,undefined,float-cast-overflow \
  -DGLASSFORMER_TESTS=ON -DGLASSFORMER_APP=ON -DGLASSFORMER_FUZZ=ON
say "+ cmake --build $folder --target fuzz"
cmake --build "$folder" --target fuzz --parallel "$(jobs_that_fit)"

export UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}"
failed=()
for target; do
  mkdir -p "$folder/corpus/$target" "$folder/found/$target"
  say "+ fuzz $target for $seconds s"
  GLASSFORMER_FUZZ_TARGET=$target "$folder/tests/fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
    -max_len=16384 -print_final_stats=1 -artifact_prefix="$folder/found/$target/" "$folder/corpus/$target" \
    "$root/tests/fuzz/corpus/$target" >"$folder/$target.log" 2>&1 || failed+=("$target")
  grep -E 'stat::number_of_executed_units|SUMMARY|DEDUP|ERROR' "$folder/$target.log" || true
done
if ((${#failed[@]})); then
  say "Found something: ${failed[*]}; see $folder/found and the logs beside it"
  exit 1
fi
say "Nothing was found."
