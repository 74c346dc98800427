#!/usr/bin/env bash
# Builds the program as a page for a browser, with Debian 13's Emscripten in a clean root: build-web/glassformer.html,
# one file with everything inside, and build-web/glassformer-web, a folder to host. Also builds it without its window
# for Node.js, where it trains a little, and its traces are compared with those of this system's program if there is one
# in build/:
#   scripts/web.sh
# Needs root, the packages debootstrap and git, the network, and 5 GB of disk (see scripts/roots.sh). Exit codes: 0 all
# passed, 1 something failed.
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
# shellcheck source=scripts/roots.sh
source "$root/scripts/roots.sh"
say() { printf '%s\n' "$*" >&2; }
require_root_tools scripts/web.sh

system=$roots/web
make_system web trixie
copy_tree "$system"
inside_apt "$system" update
inside_apt "$system" install --no-install-recommends emscripten nodejs gcc libc6-dev cmake ninja-build meson pkgconf dpkg-dev \
  gettext gzip xz-utils fonts-inter fonts-dejavu-core
# The library folder survives a new copy of the tree, so only the first run builds the libraries. Most of that time goes
# into configure scripts, one command after the other, so both sets are built at the same time.
as_user "$system" 'set -e
  libraries() { # libraries TOOLCHAIN FOLDER
    scripts/ports.sh "cmake/$1.cmake" "$2" eigen3 nlohmann-json3 cli11 zlib pcre2 utf8proc libzip libpng1.6 freetype harfbuzz \
      fribidi pixman cairo qrencode stb imgui
  }
  configure() { # configure TOOLCHAIN LIBRARIES FOLDER [OPTION]
    cmake -S . -B "$3" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/$1.cmake" \
      -DGLASSFORMER_PORTS="$2" -DGLASSFORMER_IMGUI_SOURCES="$2/src/imgui" -DGLASSFORMER_GL=OFF -DGLASSFORMER_TESTS=OFF $4
  }
  libraries web_threads ~/ports-threads &
  with_threads=$!
  libraries web ~/ports
  wait "$with_threads"
  configure web_threads ~/ports-threads build-web-threads
  ninja -C build-web-threads glassformer
  configure web ~/ports build-web -DGLASSFORMER_WEB_THREADS_BUILD="$PWD/build-web-threads"
  ninja -C build-web'
mkdir -p -- "$root/build-web"
rm -rf -- "$root/build-web/glassformer-web"
cp -r -- "$system/home/glassformer/glassformer/build-web/"{glassformer.html,glassformer-web} "$root/build-web/"

say "== traces"
traces=$(mktemp -d)
trap 'rm -rf -- "$traces"' EXIT
failed=0
for model in homonyms induction copying; do
  as_user "$system" "node build-web/glassformer_node.js trace --model $model --tokens 5,6,7,5 --out /tmp/$model.safetensors" >&2 ||
    failed=1
  [[ -x $root/build/glassformer ]] || continue
  "$root/build/glassformer" trace --model "$model" --tokens 5,6,7,5 --out "$traces/$model.safetensors" >&2 || failed=1
  python3 "$root/scripts/same_trace.py" "$traces/$model.safetensors" "$system/tmp/$model.safetensors" >&2 || failed=1
done
say "== a training"
as_user "$system" 'rm -rf /tmp/run && node build-web/glassformer_node.js train --world homonyms --steps 50 --seed 1 --out /tmp/run' >&2 ||
  failed=1
exit "$failed"
