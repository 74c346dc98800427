#!/usr/bin/env bash
# Runs a compiler through ccache: scripts/ccache.sh COMPILER ARGUMENTS…
# When GCC overwrites an older precompiled header, it reports the old file to ccache instead of the headers, and ccache
# may return one made from other headers: so the old file is deleted first. GCC also compares the headers byte by byte
# with those that the precompiled header was made from, so a changed comment counts as a change.
set -u
for argument in "$@"; do
  if [[ "$argument" == *.gch ]]; then
    rm -f -- "$argument"
    export CCACHE_COMMENTS=1
  fi
done
# Most files begin with a precompiled header, which ccache accepts as unchanged only with this setting.
export CCACHE_SLOPPINESS=pch_defines,time_macros
exec ccache "$@"
