#!/usr/bin/env bash
# A program built for AVX2 reports in one line that it cannot run on an older processor.
#   tests/install/old_processor_test.sh PROGRAM
# Exit codes: 0 passed, 1 failed. Prints "Skipped: " where qemu-user is missing.
set -euo pipefail

if ! command -v qemu-x86_64 >/dev/null; then
  echo "Skipped: qemu-x86_64 is missing (scripts/setup.sh tests installs it)"
  exit 0
fi
code=0
said=$(qemu-x86_64 -cpu Nehalem "$1" --version 2>&1) || code=$?
if [[ "$code" != 1 || "$said" != "glassformer: "*"AVX2"* || "$said" == *$'\n'* ]]; then
  printf 'FAILED: exit code %s, and it said: %s\n' "$code" "$said" >&2
  exit 1
fi
