#!/usr/bin/env bash
# Builds and tests Glassformer by the README's two commands in a clean root of each system:
#   scripts/systems.sh [bookworm trixie sid]   all three where none is named
# Needs root, the packages debootstrap and git, the network, and 5 GB of disk for each system. The roots stay in
# ${XDG_CACHE_HOME:-~/.cache}/glassformer-systems, so that the next run only brings them up to date; one that is deleted
# is made anew. GLASSFORMER_MIRROR names a Debian mirror; without it debootstrap takes its own.
# The commands run as an ordinary user on a copy of the tracked files of this folder, uncommitted changes included. A
# failure does not stop the other commands. Exit codes: 0 all passed, 1 one failed, 2 wrong use.
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
for tool in debootstrap git; do
  if ! command -v "$tool" >/dev/null; then
    say "scripts/systems.sh needs the package $tool."
    exit 2
  fi
done
roots=${XDG_CACHE_HOME:-$HOME/.cache}/glassformer-systems
mkdir -p -- "$roots" || exit 1

# Runs a command in the system; what is mounted for it, and what it leaves running, is gone when it ends.
inside() { # inside SYSTEM COMMAND…
  unshare --mount --pid --fork --kill-child -- bash -c '
    mount --make-rprivate / && mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" &&
      exec chroot "$0" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "$@"' "$@" </dev/null
}

prepare() { # prepare SUITE
  local system=$roots/$1 copy=$roots/$1/home/glassformer/glassformer
  if [[ ! -d $system ]]; then
    rm -rf -- "$system.new"
    debootstrap --variant=minbase "$1" "$system.new" ${GLASSFORMER_MIRROR:+"$GLASSFORMER_MIRROR"} &&
      mv -T -- "$system.new" "$system" || return 1
  fi
  cp -- /etc/resolv.conf "$system/etc/resolv.conf" || return 1
  inside "$system" id glassformer >/dev/null 2>&1 || inside "$system" useradd --create-home glassformer || return 1
  # A mirror may lag behind sid by more than its Release file allows.
  inside "$system" env DEBIAN_FRONTEND=noninteractive sh -c '
    apt-get -o Acquire::Check-Valid-Until=false update && apt-get -y dist-upgrade' || return 1
  rm -rf -- "$copy"
  mkdir -- "$copy" || return 1
  (cd -- "$root" && git ls-files -z | xargs -0 cp --parents -P -t "$copy" --) || return 1
  inside "$system" chown -R glassformer: /home/glassformer || return 1
  # Packages need root; the two commands find them installed.
  inside "$system" /home/glassformer/glassformer/scripts/setup.sh tests
}

as_user() { # as_user SUITE COMMAND
  inside "$roots/$1" su - glassformer -c "cd glassformer && $2"
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
  try "$suite" "./run.sh --version" as_user "$suite" "./run.sh --version"
  try "$suite" ./test.sh as_user "$suite" ./test.sh
done
printf '%s\n' "${results[@]}" >&2
exit "$failed"
