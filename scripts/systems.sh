#!/usr/bin/env bash
# Builds and tests Glassformer with the README's two commands in a clean root of each system:
#   scripts/systems.sh [bookworm trixie sid]   all three if none is named
# Needs root, the packages debootstrap and git, the network, and 5 GB of disk per system (see scripts/roots.sh). The
# commands run as an ordinary user on a copy of this folder's tracked files, with uncommitted changes. A failure does
# not stop the other commands. Exit codes: 0 all passed, 1 one failed, 2 wrong use.
# shellcheck disable=SC2317  # try() calls the functions by name
set -uo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
say() { printf '%s\n' "$*" >&2; }

suites=("$@")
((${#suites[@]})) || suites=(bookworm trixie sid)
for suite in "${suites[@]}"; do
  case $suite in
    bookworm | trixie | sid) ;;
    *)
      say "Usage: scripts/systems.sh [bookworm trixie sid]; there is no system named $suite."
      exit 2
      ;;
  esac
done
# shellcheck source=scripts/roots.sh
source "$root/scripts/roots.sh"
require_root_tools scripts/systems.sh

prepare() { # prepare SUITE
  local system=$roots/$1
  make_system "$1" "$1" && inside_apt "$system" update && inside_apt "$system" dist-upgrade &&
    rm -rf -- "$system/home/glassformer/glassformer" && copy_tree "$system" &&
    inside "$system" /home/glassformer/glassformer/scripts/setup.sh tests # needs root; the commands find it all there
}

results=() failed=0
try() { # try SUITE NAME COMMAND…
  local suite=$1 name=$2 start=$SECONDS log=${2#./} result=passed
  log=$roots/$suite-${log%% *}.log
  shift 2
  say "== $suite: $name (log: $log)"
  if ! "$@" >"$log" 2>&1; then
    result=failed failed=1
    tail -n 20 -- "$log" >&2
  fi
  start=$((SECONDS - start))
  results+=("$(printf '%-8s  %-18s  %s  %3d min %2d s  %s' "$suite" "$name" "$result" $((start / 60)) $((start % 60)) "$log")")
  [[ $result == passed ]]
}

for suite in "${suites[@]}"; do
  try "$suite" prepare prepare "$suite" || continue
  try "$suite" "./run.sh --version" as_user "$roots/$suite" "./run.sh --version"
  try "$suite" ./test.sh as_user "$roots/$suite" ./test.sh
done
printf '%s\n' "${results[@]}" >&2
exit "$failed"
