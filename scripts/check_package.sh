#!/usr/bin/env bash
# Installs Debian packages of Glassformer in a clean system, runs the program there and removes them again.
#   scripts/check_package.sh FILE.deb…
# Needs root, the network, debootstrap, Xvfb, xdotool and qemu-user. The clean system has this system's release; it is
# in a temporary folder that is removed at the end. GLASSFORMER_CLEAN_SYSTEM=FOLDER keeps it there for the next time.
# Exit codes: 0 all went well, 1 something failed, 2 wrong use.
set -euo pipefail

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}
say() { printf '\n== %s\n' "$*"; }

(($# > 0)) || {
  echo "Usage: scripts/check_package.sh FILE.deb…" >&2
  exit 2
}
((EUID == 0)) || fail "this needs root (debootstrap and chroot do)"
for program in debootstrap Xvfb xdotool qemu-x86_64; do
  command -v "$program" >/dev/null || fail "$program is missing; scripts/setup.sh package installs it"
done

# shellcheck source=/dev/null
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
work=$(mktemp -d)
system=${GLASSFORMER_CLEAN_SYSTEM:-$work/system}
screen='' window=''
cleanup() {
  [[ -z "$window" ]] || kill "$window" 2>/dev/null || true
  [[ -z "$screen" ]] || kill "$screen" 2>/dev/null || true
  for mount in proc dev; do
    if mountpoint -q "$system/$mount"; then umount "$system/$mount" || umount -l "$system/$mount"; fi
  done
  # Never delete across a mount that could not be removed.
  rm -rf --one-file-system "$work"
}
trap cleanup EXIT

if [[ ! -e "$system/etc/debian_version" ]]; then
  say "a clean $release"
  debootstrap --variant=minbase "$release" "$system" >"$work/log" || fail "debootstrap: $(tail -n 5 "$work/log")"
fi
mount -t proc proc "$system/proc"
mount --bind /dev "$system/dev"
cp /etc/resolv.conf "$system/etc/resolv.conf"
inside() { chroot "$system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }

files() { # everything that a package could leave behind
  inside find /usr /etc /opt /var/lib /root -xdev ! -path '/var/lib/apt/*' ! -path '/var/lib/dpkg/*' | sort
}

say "install"
inside apt-get update -q >"$work/log" || fail "$(tail -n 5 "$work/log")"
mkdir -p "$system/tmp/packages"
names=()
for file in "$@"; do
  cp -- "$file" "$system/tmp/packages/"
  names+=("/tmp/packages/$(basename -- "$file")")
done
installed=()
while read -r name; do installed+=("$name"); done < <(for file in "$@"; do dpkg-deb --field "$file" Package; done)
# The packages' dependencies are installed first, so that the list of files shows what the packages themselves bring.
inside apt-get install -q -y --no-install-recommends "${names[@]}" >"$work/log" 2>&1 || fail "$(tail -n 20 "$work/log")"
inside dpkg --purge "${installed[@]}" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
files >"$work/before"
inside apt-get install -q -y --no-install-recommends "${names[@]}" >"$work/log" 2>&1 || fail "$(tail -n 20 "$work/log")"
inside dpkg -l "${installed[@]}" | tail -n "${#installed[@]}"

say "run"
inside glassformer --version
inside ldd /usr/bin/glassformer | grep libglassformer || fail "the program does not use its library"
inside glassformer trace --model /usr/share/glassformer/assets/models/homonyms --text 'the bat flew' --out /tmp/new
inside glassformer train --world homonyms --steps 5 --out /tmp/trained >"$work/log" 2>&1 || fail "$(cat "$work/log")"
inside glassformer shot /tmp/shot.png
[[ "$(head -c 8 "$system/tmp/shot.png" | od -An -tx1 | tr -d ' ')" == 89504e470d0a1a0a ]] || fail "that is no PNG"

if [[ "$(uname -m)" == x86_64 ]]; then
  say "run on a processor without AVX (Nehalem, emulated)"
  qemu-x86_64 -cpu Nehalem -L "$system" "$system/usr/bin/glassformer" trace \
    --model "$system/usr/share/glassformer/assets/models/homonyms" --text 'the bat flew' --out "$work/old"
fi

say "the window"
Xvfb -displayfd 3 -screen 0 1600x1000x24 -nolisten tcp -noreset 3>"$work/display" 2>"$work/log" &
screen=$!
for _ in {1..100}; do
  [[ -s "$work/display" ]] && break
  sleep 0.1
done
DISPLAY=:$(cat "$work/display")
export DISPLAY
# The screen's socket also has an abstract name, which a chroot does not hide.
(exec chroot "$system" env -i "DISPLAY=$DISPLAY" HOME=/root /usr/bin/glassformer >"$work/window" 2>&1) &
window=$!
for _ in {1..200}; do
  found=$(xdotool search --onlyvisible --name '^Glassformer$' 2>/dev/null || true)
  [[ -n "$found" ]] && break
  kill -0 "$window" 2>/dev/null || fail "the window did not open: $(cat "$work/window")"
  sleep 0.1
done
[[ -n "$found" ]] || fail "no window within 20 s"
xdotool getwindowgeometry "${found##*$'\n'}"
kill "$window"
wait "$window" 2>/dev/null || true
window=''

say "remove"
rm -rf "$system/root/.config" "$system/root/.cache" # made by the user who ran it, not by the packages
inside dpkg --purge "${installed[@]}" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
files >"$work/after"
diff "$work/before" "$work/after" || fail "the packages left something behind, or took something away"
echo "nothing is left"
