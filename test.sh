#!/usr/bin/env bash
# Builds everything (installing what is missing) and runs the tests; arguments go to ctest, as in ./test.sh -R core
set -euo pipefail
root=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
# shellcheck source=scripts/build.sh
source "$root/scripts/build.sh"
exec 2>&1 # one stream, so that a log stays in order and ends with ctest's summary

"$root/scripts/setup.sh" tests
configure "$root/build" Release -DGLASSFORMER_TESTS=ON -DGLASSFORMER_APP=ON
build "$root/build"
set -- --test-dir "$root/build" --output-on-failure --no-tests=error --parallel "$(jobs_that_fit)" "$@"
say "+ ctest $*"
exec ctest "$@"
