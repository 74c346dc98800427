#!/usr/bin/env bash
# Runs a compiler through ccache: scripts/ccache.sh COMPILER ARGUMENTS…
# When GCC makes a precompiled header over an older one, it tells ccache the older file instead of the headers, and ccache
# may give back one of other headers: so the older file goes first. GCC also compares the headers with those that the
# precompiled one was made of, byte by byte, so for it a changed comment is a change.
set -u
for argument in "$@"; do
  if [[ "$argument" == *.gch ]]; then
    rm -f -- "$argument"
    export CCACHE_COMMENTS=1
  fi
done
# Most files begin with a precompiled header, which ccache counts as unchanged only where it may.
export CCACHE_SLOPPINESS=pch_defines,time_macros
exec ccache "$@"
