#!/usr/bin/env bash
# Builds Glassformer for any processor of this kind and makes the Debian packages, in build-package/.
#   scripts/package.sh         the packages
#   scripts/package.sh check   also installs them in a clean system, runs the program there and removes it again
#                              (as root; scripts/check_package.sh)
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
# shellcheck source=scripts/build.sh
source "$root/scripts/build.sh"

case "${1:-}" in
  '' | check) ;;
  *)
    say "Usage: scripts/package.sh [check]"
    exit 2
    ;;
esac
folder=$root/build-package

"$root/scripts/setup.sh" package
configure "$folder" Release -DGLASSFORMER_ISA=portable -DGLASSFORMER_TESTS=OFF -DGLASSFORMER_APP=ON \
  -DCMAKE_INSTALL_PREFIX=/usr
build "$folder"
rm -f -- "$folder"/*.deb # packages of an earlier version
(cd "$folder" && step cpack)
step ls -l "$folder"/*.deb
if [[ "${1:-}" == check ]]; then
  exec "$root/scripts/check_package.sh" "$folder"/*.deb
fi
