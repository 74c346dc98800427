#!/usr/bin/env bash
# Runs a compiler through ccache: scripts/ccache.sh COMPILER ARGUMENTS…
# When GCC makes a precompiled header over an older one, it tells ccache the older file instead of the headers, and ccache
# may give back one of other headers: so the older file goes first.
set -u
for argument in "$@"; do
  if [[ "$argument" == *.gch ]]; then rm -f -- "$argument"; fi
done
# Most files begin with a precompiled header, which ccache counts as unchanged only where it may.
export CCACHE_SLOPPINESS=pch_defines,time_macros
exec ccache "$@"
