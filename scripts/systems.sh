#!/usr/bin/env bash
# Builds and tests Glassformer by the README's two commands in a clean root of each system:
#   scripts/systems.sh [bookworm trixie sid]      all three where none is named
# Needs root and debootstrap, the network, and 6 GB of disk for each system. The roots stay in
# ${XDG_CACHE_HOME:-~/.cache}/glassformer-systems, so that the next run only brings them up to date; a root that is
# deleted is made anew. GLASSFORMER_MIRROR names another Debian mirror.
# The commands run as an ordinary user on the tracked files of this folder. Goes on after a failure and tells all of them
# at the end. Exit codes: 0 all passed, 1 not all, 2 wrong use.
# shellcheck disable=SC2016,SC2317  # bash -c has its own arguments; try() calls the functions by name
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
if ((EUID != 0)); then
  say "scripts/systems.sh needs root: it makes a root folder of each system and changes into it."
  exit 2
fi
if ! command -v debootstrap >/dev/null; then
  say "scripts/systems.sh needs the package debootstrap."
  exit 2
fi
roots=${XDG_CACHE_HOME:-$HOME/.cache}/glassformer-systems
mirror=${GLASSFORMER_MIRROR:-http://deb.debian.org/debian}
mkdir -p -- "$roots" || exit 1

# Changes into the system; what it mounts is gone when the command ends.
inside() { # inside SYSTEM COMMAND…
  unshare --mount --pid --fork -- bash -c '
    mount --make-rprivate / && mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" &&
      exec chroot "$0" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "$@"' "$@" </dev/null
}

prepare() { # prepare SUITE
  local system=$roots/$1
  if [[ ! -e $system/etc/debian_version ]]; then
    rm -rf -- "$system.new"
    debootstrap --variant=minbase "$1" "$system.new" "$mirror" && mv -T -- "$system.new" "$system" || return 1
  fi
  cp -- /etc/resolv.conf "$system/etc/resolv.conf" 2>/dev/null
  inside "$system" id glassformer >/dev/null 2>&1 || inside "$system" useradd --create-home glassformer || return 1
  inside "$system" env DEBIAN_FRONTEND=noninteractive sh -c 'apt-get update && apt-get -y dist-upgrade' || return 1
  rm -rf -- "$system/home/glassformer/glassformer"
  mkdir -- "$system/home/glassformer/glassformer" || return 1
  git -C "$root" ls-files -z |
    (cd -- "$root" && xargs -0 cp --parents -P -t "$system/home/glassformer/glassformer") || return 1
  inside "$system" chown -R glassformer: /home/glassformer || return 1
  # The packages need root; the commands find them there.
  inside "$system" /home/glassformer/glassformer/scripts/setup.sh tests
}

results=() failed=0
try() { # try SUITE NAME COMMAND…
  local suite=$1 name=$2 start=$SECONDS log=$roots/$1-${2//[^a-z]/}.log result=passed
  shift 2
  say "== $suite: $name (log: $log)"
  if ! "$@" >"$log" 2>&1; then
    result=failed failed=1
    tail -n 20 -- "$log" >&2
  fi
  start=$((SECONDS - start))
  results+=("$(printf '%-9s %-20s %s, %d min %d s' "$suite" "$name" "$result" $((start / 60)) $((start % 60)))")
  [[ $result == passed ]]
}
as_user() { # as_user SUITE COMMAND
  inside "$roots/$1" su - glassformer -c "cd glassformer && $2"
}

for suite in "${suites[@]}"; do
  try "$suite" "prepare" prepare "$suite" || continue
  try "$suite" "./run.sh --version" as_user "$suite" "./run.sh --version"
  try "$suite" "./test.sh" as_user "$suite" ./test.sh
done
say "== Results"
printf '%s\n' "${results[@]}" >&2
exit "$failed"
