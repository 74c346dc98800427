#!/usr/bin/env bash
# Makes a folder that runs on any Linux with this processor, without root and without packages:
# build-portable/glassformer-VERSION-linux-ARCH.tar.gz, with the program, its libraries, fonts and data. From the system
# it takes only libc, libstdc++, X11's own library and the graphics driver.
#   scripts/portable.sh                               the archive; make it on the oldest system that it is for
#   scripts/portable.sh check [bookworm trixie sid]   also unpacks and runs it in clean systems that have nothing but
#                                                     X and Mesa (as root; the systems stay, like those of systems.sh)
# Exit codes: 0 all went well, 1 something failed, 2 wrong use.
# shellcheck disable=SC2016  # $ORIGIN is for the loader, and bash -c has its own arguments
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
# shellcheck source=scripts/build.sh
source "$root/scripts/build.sh"

suites=()
case "${1:-}" in
  '') ;;
  check)
    suites=("${@:2}")
    ((${#suites[@]})) || suites=(bookworm trixie sid)
    ;;
  *)
    say "Usage: scripts/portable.sh [check [bookworm trixie sid]]"
    exit 2
    ;;
esac

"$root/scripts/setup.sh" portable
build=$root/build-portable
configure "$build" Release -DGLASSFORMER_ISA=portable -DGLASSFORMER_TESTS=OFF -DGLASSFORMER_APP=ON
build "$build"

name=glassformer-$(cache_value "$build" CMAKE_PROJECT_VERSION)-linux-$(uname -m)
folder=$build/$name stage=$build/stage
rm -rf -- "$folder" "$stage"
step cmake --install "$build" --prefix "$stage" --component program --strip
step cmake --install "$build" --prefix "$stage" --component library --strip
mkdir -p -- "$folder/lib" "$folder/fonts" "$folder/licences"
mv -- "$stage/bin/glassformer" "$folder/"
cp -a -- "$stage"/lib*/. "$folder/lib/"
[[ ! -d $folder/lib/$(uname -m)-linux-gnu ]] || {
  cp -a -- "$folder/lib/$(uname -m)-linux-gnu/." "$folder/lib/" && rm -rf -- "$folder/lib/$(uname -m)-linux-gnu"
}
mv -- "$stage/share/glassformer/assets" "$folder/assets"
[[ ! -d $stage/share/locale ]] || mv -- "$stage/share/locale" "$folder/locale"
cp -- "$root/LICENSE" "$root/cmake/packaging/icon.svg" "$folder/"

# Libraries of the system: the loader and C, X11 and its connection (the driver uses the same copy), and those that
# Mesa's drivers bring in newer versions of their own.
of_system='^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|stdc\+\+|gcc_s|X11|X11-xcb|xcb|Xau|Xdmcp|Xext|bsd|md|z|expat|GL.*|EGL.*|drm.*))\.so'
copied=()
bring() { # bring FILE…: copies libraries into the folder, with those that they need
  local file library
  for file in "$@"; do
    while read -r library; do
      [[ $(basename -- "$library") =~ $of_system || -e $folder/lib/$(basename -- "$library") ]] && continue
      cp -L -- "$library" "$folder/lib/"
      copied+=("$library")
    done < <(ldd -- "$file" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p')
  done
}
bring "$folder/glassformer" "$folder"/lib/libglassformer.so.*.*
# GLFW opens these at run time.
for library in libXcursor.so.1 libXi.so.6 libXrandr.so.2 libXinerama.so.1 libXxf86vm.so.1; do
  path=$(/sbin/ldconfig -p | sed -n "s/.*$library .*x86-64.* => //p; s/.*$library .*AArch64.* => //p" | head -n 1)
  if [[ -n $path ]]; then
    cp -L -- "$path" "$folder/lib/" && copied+=("$path")
    bring "$path"
  fi
done
step patchelf --set-rpath '$ORIGIN/lib' "$folder/glassformer"
for library in "$folder"/lib/*.so*; do
  [[ -L $library ]] || patchelf --set-rpath '$ORIGIN' "$library"
done
for library in "$folder"/lib/glibc-hwcaps/*/*.so*; do
  [[ -L $library || ! -e $library ]] || patchelf --set-rpath '$ORIGIN/../..' "$library"
done

fonts=(/usr/share/fonts/opentype/inter/Inter-{Regular,SemiBold}.otf
  /usr/share/fonts/truetype/dejavu/DejaVuSans{,-Bold}.ttf
  /usr/share/fonts/truetype/wqy/wqy-microhei.ttc /usr/share/fonts/truetype/freefont/FreeSans.ttf)
cp -L -- "${fonts[@]}" "$folder/fonts/"
# The licence of each library and font.
for file in "${copied[@]}" "${fonts[@]}"; do
  package=$(dpkg-query --search "$file" 2>/dev/null || dpkg-query --search "/usr$file" 2>/dev/null || true)
  package=${package%%:*}
  [[ -z $package ]] || cp -L -- "/usr/share/doc/$package/copyright" "$folder/licences/$package"
done
cat >"$folder/README.txt" <<'TEXT'
Glassformer, a transformer made of glass. Double-click "glassformer", or start it in a terminal:

    ./glassformer             the window
    ./glassformer --help      what it does without a window

Nothing needs to be installed, and nothing is written into this folder. To remove Glassformer, delete the folder.
"licences" has the licences of the libraries and fonts in it.
TEXT
tar --create --gzip --file "$build/$name.tar.gz" --directory "$build" --sort=name --owner=0 --group=0 --numeric-owner "$name"
rm -rf -- "$stage"
say "$(du -h --apparent-size "$build/$name.tar.gz" | cut -f1) packed, $(du -sh "$folder" | cut -f1) unpacked: $build/$name.tar.gz"
((${#suites[@]})) || exit 0

# ------------------------------------------------------------------------------------------------------ in clean systems
# shellcheck source=scripts/roots.sh
source "$root/scripts/roots.sh"
require_root_tools "scripts/portable.sh check"
place='Zoë Müller 王/a folder'
cat >"$build/try.sh" <<'TRY'
# As an ordinary user, in the folder that is named: without a window, then in one.
set -eu
cd "$1"
work=$(mktemp -d)
printf '%s ' "$1:"
./glassformer --version
./glassformer trace --model homonyms --text 'the bat flew .' --out "$work/t.npz" >/dev/null
./glassformer train --world homonyms --steps 20 --out "$work/trained" >/dev/null 2>&1
./glassformer shot --size 1280x720 --text 'a bat flew . 你好' "$work/shot.png" >/dev/null 2>"$work/window"
Xvfb -displayfd 3 -screen 0 1280x720x24 -nolisten tcp 3>"$work/display" >/dev/null 2>&1 &
screen=$!
until [ -s "$work/display" ]; do sleep 0.1; done
DISPLAY=:$(cat "$work/display")
export DISPLAY
./glassformer >>"$work/window" 2>&1 &
window=$!
until xdotool search --onlyvisible --name '^Glassformer$' >/dev/null 2>&1; do
  kill -0 "$window" || { cat "$work/window"; exit 1; }
  sleep 0.1
done
sleep 2 # the first frames
xdotool key t
sleep 3 # of training
kill "$window"
wait "$window" || true
kill "$screen"
[ ! -s "$work/window" ] || { cat "$work/window"; exit 1; }
echo "runs; the window opens, trains and closes; nothing on standard error"
TRY
failed=0
for suite in "${suites[@]}"; do
  system=$roots/portable-$suite
  make_system "portable-$suite" "$suite"
  [[ -e $system/usr/bin/xdotool ]] || {
    step inside_apt "$system" update
    step inside_apt "$system" install --no-install-recommends xvfb xdotool libgl1 libegl1 libgl1-mesa-dri
  }
  rm -rf -- "$system/home/glassformer/${place%%/*}" "$system/medium"
  mkdir -p -- "$system/home/glassformer/$place" "$system/medium"
  tar --extract --file "$build/$name.tar.gz" --directory "$system/home/glassformer/$place"
  tar --extract --file "$build/$name.tar.gz" --directory "$system/medium"
  cp -- "$build/try.sh" "$system/home/glassformer/try.sh"
  inside "$system" chown -R glassformer: /home/glassformer
  for where in "/home/glassformer/$place/$name" "/medium/$name"; do
    say "== $suite"
    inside "$system" su glassformer -c "sh ~/try.sh '$where'" >&2 || failed=1
  done
done
exit "$failed"
