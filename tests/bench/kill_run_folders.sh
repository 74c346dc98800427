#!/usr/bin/env bash
# Kills a program that keeps a run 1,000 times (or as often as the first argument says) and opens the run's folder each
# time. The second argument is the build folder; its target core_tests must be built.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
GLASSFORMER_KILLS=${1:-1000} exec "${2:-$root/build}/tests/core_tests" --test-case="kills: *" --no-skip
