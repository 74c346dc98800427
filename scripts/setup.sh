#!/usr/bin/env bash
# Installs what is missing to build and run Glassformer, and nothing else.
#   scripts/setup.sh          to build and run the program
#   scripts/setup.sh tests    also what the tests need
#   scripts/setup.sh package  also what makes and checks the Debian packages
#   scripts/setup.sh portable also what makes and checks the folder for any Linux
# If nothing is missing, it changes nothing and needs no network. GLASSFORMER_SKIP_SETUP=1 skips the setup,
# GLASSFORMER_LIST_PACKAGES=1 prints the packages' names instead.
# Exit codes: 0 all there, 1 something could not be installed, 2 not a Debian or Ubuntu system (or wrong use).
set -euo pipefail

packages=(
  cmake ninja-build g++ pkg-config gettext
  libeigen3-dev nlohmann-json3-dev libpcre2-dev libutf8proc-dev libcli11-dev libzip-dev
  libimgui-dev libstb-dev libpng-dev libfreetype-dev libcairo2-dev libharfbuzz-dev libfribidi-dev libfontconfig-dev
  libglfw3-dev libepoxy-dev libegl-dev libgl-dev
  libmicrohttpd-dev libqrencode-dev  # the page on which phones vote, and its address as a QR code
  libegl1 libgl1-mesa-dri
  fonts-inter fonts-dejavu-core
  # Text in other scripts: DejaVu has Hebrew, Arabic, Greek and Cyrillic; these two small fonts have Chinese, Japanese
  # and Korean (1.6 MB) and the scripts of India and Thailand (2.5 MB).
  fonts-wqy-microhei fonts-freefont-ttf
)
# The smoke tests start Xvfb directly; libx11-dev is for their little program that closes a window; qemu-user shows what
# the program does on an older processor; poppler-utils, NumPy and librsvg2-bin open what it exports; Xorg with the
# driver "dummy" has two screens.
test_packages=(doctest-dev xvfb xdotool libx11-dev qemu-user poppler-utils python3-numpy librsvg2-bin
               xserver-xorg-core xserver-xorg-video-dummy x11-xserver-utils)
# dpkg-dev finds the packages that the program needs, librsvg2-bin draws the icon in its sizes; the others check the
# package.
package_packages=(dpkg-dev librsvg2-bin debootstrap qemu-user xvfb xdotool)
portable_packages=(patchelf debootstrap)

case "${1:-}" in
  '') ;;
  tests) packages+=("${test_packages[@]}") ;;
  package) packages+=("${package_packages[@]}") ;;
  portable) packages+=("${portable_packages[@]}") ;;
  *)
    echo "Usage: scripts/setup.sh [tests|package|portable]" >&2
    exit 2
    ;;
esac

if [[ "${GLASSFORMER_SKIP_SETUP:-}" == 1 ]]; then
  exit 0
fi
if [[ "${GLASSFORMER_LIST_PACKAGES:-}" == 1 ]]; then # for scripts/arm.sh
  printf '%s\n' "${packages[@]}"
  exit 0
fi

say() { printf '%s\n' "$*" >&2; }

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  say "Setup can install packages on Debian and Ubuntu only: there is no apt-get here."
  say "Please install these yourself, then start again with GLASSFORMER_SKIP_SETUP=1:"
  say "  tools      CMake 3.22 or newer, Ninja, a C++20 compiler, pkg-config, gettext"
  say "  libraries  Eigen 3.4, nlohmann-json, PCRE2, utf8proc, CLI11, libzip, Dear ImGui 1.86 or newer, stb, libpng, FreeType, HarfBuzz, FriBidi, fontconfig, cairo, GLFW 3, libepoxy, EGL, OpenGL, libmicrohttpd, libqrencode"
  say "  at work    a graphics driver with EGL and OpenGL (Mesa will do), the fonts Inter and DejaVu; for other scripts WenQuanYi Micro Hei and FreeFont"
  if [[ "${1:-}" == tests ]]; then
    say "  tests      doctest, Xvfb, xdotool, Xlib, Xorg with two screens, qemu-user, pdftotext, NumPy, rsvg-convert"
  elif [[ "${1:-}" == package ]]; then
    say "  package    dpkg-dev, rsvg-convert, debootstrap, qemu-user, Xvfb, xdotool"
  elif [[ "${1:-}" == portable ]]; then
    say "  portable   patchelf, debootstrap"
  fi
  say "Debian's names for them:"
  say "  ${packages[*]}"
  exit 2
fi

# One listing answers for every package. A package also counts as installed if another one provides it (pkgconf for
# pkg-config), but not if only a foreign architecture's copy is installed.
# shellcheck disable=SC2016  # dpkg-query fills these fields in, not the shell
have=$(dpkg-query -W -f '${db:Status-Status}\t${Architecture}\t${Package}, ${Provides}\n' |
  awk -F '\t' -v native="$(dpkg --print-architecture)" '
    $1 == "installed" && ($2 == native || $2 == "all") {
      count = split($3, names, /, */)
      for (i = 1; i <= count; i++) { sub(/[ :].*/, "", names[i]); if (names[i] != "") print names[i] }
    }')
missing=()
for package in "${packages[@]}"; do
  if ! grep -qxF -- "$package" <<<"$have"; then
    missing+=("$package")
  fi
done
if ((${#missing[@]} == 0)); then
  exit 0
fi
say "Setup: ${#missing[@]} package(s) missing: ${missing[*]}"

as_root=()
if ((EUID != 0)); then
  # sudo may ask for a password, but only where somebody can type one.
  if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [[ -t 0 ]]; }; then
    as_root=(sudo)
  else
    say "Installing them needs root, and there is no way to get it here without asking. Please run as root:"
    say "  apt-get update && apt-get install --no-install-recommends ${missing[*]}"
    say "and start again."
    exit 1
  fi
fi

apt() {
  local command=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 "$@")
  say "+ ${command[*]}"
  "${command[@]}" </dev/null >&2
}

if ! apt update; then
  say "Setup: the package lists could not be brought up to date; trying with those that are here."
fi

# apt-get stops at the first name that it does not know, so name them all, with advice.
unknown=()
for package in "${missing[@]}"; do
  candidate=$(LC_ALL=C apt-cache policy -- "$package" 2>/dev/null | awk '$1 == "Candidate:" { print $2 }' || true)
  if [[ -z "$candidate" || "$candidate" == "(none)" ]] &&
    ! apt-get install --simulate --no-install-recommends -- "$package" >/dev/null 2>&1; then
    unknown+=("$package")
  fi
done
if ((${#unknown[@]} > 0)); then
  system=$(sed -n 's/^PRETTY_NAME="\{0,1\}\([^"]*\).*/\1/p' /etc/os-release 2>/dev/null || true)
  say "Setup: ${system:-this system} offers no package named: ${unknown[*]}"
  say "Its package sources may be out of reach or incomplete (on Ubuntu, 'universe' must be enabled), or the release"
  say "may be too old: Glassformer is built on Debian 12 and 13. If you have these by other means, install the rest and"
  say "start again with GLASSFORMER_SKIP_SETUP=1."
  exit 1
fi

if ! apt install -y --no-install-recommends "${missing[@]}"; then
  say "Setup: apt-get could not install: ${missing[*]}"
  say "Its own message stands above."
  exit 1
fi
