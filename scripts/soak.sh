#!/usr/bin/env bash
# The tests that take long, about an hour on a laptop; ./test.sh runs short forms of them:
#   scripts/soak.sh [build folder]      build by default
# 1. 20,000 seeded changes of every file of the fuzz corpus, without clang
# 2. a monkey's 10,000 events in the offscreen window, with three seeds
# 3. every lesson played in a small and in a large window
# 4. the first 100 losses of every world and large products with OpenGL; every change to five models, there and back
# 5. runs killed at random moments, 1,000 times
# 6. core, ops and file-call tests with the address and undefined-behaviour sanitizers
# 7. the session's and the trainer's tests with the thread sanitizer, to their end
# 8. if clang is there, libFuzzer, a minute for each reader, and clang's check of the sources
# Continues after a failure and lists all failures at the end. Exit codes: 0 all passed, 1 not all.
set -uo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
# shellcheck source=scripts/build.sh
source "$root/scripts/build.sh"
exec 2>&1
folder=${1:-$root/build}
failed=()

part() { # part NAME COMMAND…
  local name=$1 start=$SECONDS
  shift
  say "== $name"
  "$@" </dev/null || failed+=("$name")
  say "== $name: $((SECONDS - start)) s"
}

configure "$folder" Release -DGLASSFORMER_TESTS=ON -DGLASSFORMER_APP=ON || exit 1
build "$folder" || exit 1

part "changed files" env GLASSFORMER_FUZZ_CHANGES=20000 "$folder/tests/fuzz_tests"
for seed in 1 2 3; do
  part "monkey, seed $seed" env GLASSFORMER_MONKEY_EVENTS=10000 GLASSFORMER_MONKEY_SEED=$seed \
    "$folder/tests/ui_tests" -tc="monkey*"
done
for lesson in "$root"/assets/lessons/*.lesson; do
  part "lesson $(basename -- "$lesson" .lesson)" "$folder/glassformer" lesson check "$lesson"
done
part "OpenGL" env GLASSFORMER_LONG=1 "$folder/tests/gl_tests" -tc="OpenGL: every op*,OpenGL: the first losses*"
part "ways" env GLASSFORMER_WAYS=all "$folder/tests/ui_tests" -tc="ways: *"
part "killed runs" "$root/tests/bench/kill_run_folders.sh" 1000 "$folder"
part "address sanitizer" "$root/scripts/sanitize.sh" address -R '^(core|ops|faults|fuzz)$'
part "thread sanitizer" "$root/scripts/sanitize.sh" thread -R '^(core|ui|ui_apart)$'
if clang_compiler >/dev/null; then
  part "libFuzzer" "$root/scripts/fuzz.sh" 60
  part "second compiler" "$root/scripts/clang.sh"
else
  say "== libFuzzer, second compiler: left out. $no_clang"
fi

if ((${#failed[@]})); then
  say "Failed:"
  printf '  %s\n' "${failed[@]}" >&2
  exit 1
fi
say "All passed."
