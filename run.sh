#!/usr/bin/env bash
# Builds Glassformer (installing what is missing) and starts it; all arguments go to the program unchanged. With no
# display and no arguments it draws the window into glassformer.png instead.
set -euo pipefail
root=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
# shellcheck source=scripts/build.sh
source "$root/scripts/build.sh"

"$root/scripts/setup.sh"

# The program needs neither the tests nor doctest; but if test.sh has set up the folder with them, they stay.
tests=OFF
if [[ "$(cache_value "$root/build" GLASSFORMER_TESTS)" == ON && -d "$(cache_value "$root/build" doctest_DIR)" ]]; then
  tests=ON
fi
configure "$root/build" Release "-DGLASSFORMER_TESTS=$tests" -DGLASSFORMER_APP=ON
build "$root/build" --target glassformer

program=$root/build/glassformer
if (($# == 0)) && [[ -z "${DISPLAY:-}" && -z "${WAYLAND_DISPLAY:-}" ]]; then
  picture=$root/glassformer.png
  say "There is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set), so the window is drawn into a picture."
  step "$program" shot "$picture"
  say "There is no display here; the picture of the window is $picture"
  exit 0
fi
exec "$program" "$@"
