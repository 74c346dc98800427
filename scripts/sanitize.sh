#!/usr/bin/env bash
# Builds with a sanitizer in a folder of its own and runs the tests:
#   scripts/sanitize.sh thread  [ctest args]   data races
#   scripts/sanitize.sh address [ctest args]   memory errors, leaks and undefined behaviour
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
# shellcheck source=scripts/build.sh
source "$root/scripts/build.sh"
exec 2>&1 # one stream, so that a log stays in order and ends with ctest's summary

case "${1:-}" in
  thread) sanitizers=thread ;;
  address) sanitizers=address,undefined,float-cast-overflow ;;
  *)
    say "Usage: scripts/sanitize.sh thread|address [ctest args]"
    exit 2
    ;;
esac
folder=$root/build-$1
shift

"$root/scripts/setup.sh" tests
# Reports need only line numbers (-g1), and -O1 compiles the instrumented code faster.
configure "$folder" RelWithDebInfo "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1 -DNDEBUG" -DGLASSFORMER_UNITY=OFF "-DGLASSFORMER_SANITIZE=$sanitizers" -DGLASSFORMER_TESTS=ON -DGLASSFORMER_APP=ON
build "$folder"

# By default, the undefined-behaviour sanitizer only reports, and the test passes.
export UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}"
# Older thread sanitizers do not start where the kernel randomizes addresses over a wide range.
runner=()
if [[ "$sanitizers" == thread ]] && setarch "$(uname -m)" -R true 2>/dev/null; then
  runner=(setarch "$(uname -m)" -R)
fi
say "+ ${runner[*]} ctest --test-dir $folder --output-on-failure --no-tests=error $*"
exec "${runner[@]}" ctest --test-dir "$folder" --output-on-failure --no-tests=error "$@"
