#!/usr/bin/env bash
# Builds the program with another version of Dear ImGui, in build-imgui/, and draws its window into a picture there.
#   scripts/imgui.sh FOLDER     FOLDER: Dear ImGui's sources, 1.87 or newer
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
# shellcheck source=scripts/build.sh
source "$root/scripts/build.sh"

if (($# != 1)) || [[ ! -f "$1/imgui.h" ]]; then
  say "Usage: scripts/imgui.sh FOLDER, a folder with Dear ImGui's sources (imgui.h, backends/, misc/)"
  exit 2
fi
folder=$root/build-imgui
"$root/scripts/setup.sh"
configure "$folder" Release "-DGLASSFORMER_IMGUI_SOURCES=$(realpath -- "$1")" -DGLASSFORMER_TESTS=OFF -DGLASSFORMER_APP=ON
build "$folder" --target glassformer
step "$folder/glassformer" shot "$folder/window.png"
say "The window as Dear ImGui $(sed -n 's/^#define IMGUI_VERSION  *"\(.*\)"/\1/p' "$1/imgui.h") draws it is $folder/window.png"
