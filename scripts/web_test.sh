#!/usr/bin/env bash
# Tests the page that scripts/web.sh made in browsers on an invisible screen: from its file, and its folder from a
# server on this machine:
#   scripts/web_test.sh [chromium|firefox …]
# Needs what scripts/web.sh needs; uses Debian's Chromium and Firefox and, from npm, playwright-core. PICTURES=FOLDER
# keeps a picture of each failed test, ONLY=WORD runs the tests with that word in their names, PATIENCE=4 waits four
# times as long for everything. Exit codes: 0 all passed, 1 something failed.
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
# shellcheck source=scripts/roots.sh
source "$root/scripts/roots.sh"
require_root_tools scripts/web_test.sh

system=$roots/web
if [[ ! -e $system/home/glassformer/glassformer/build-web/glassformer-web ]]; then
  printf '%s\n' "There is no page to test: run scripts/web.sh first." >&2
  exit 1
fi
copy_tree "$system"
inside_apt "$system" install --no-install-recommends chromium firefox-esr libgl1-mesa-dri libegl1 xvfb xauth nodejs npm \
  fonts-dejavu-core fonts-freefont-ttf fonts-wqy-microhei
# The newest version speaks only to newer Firefoxes than Debian's.
as_user "$system" 'mkdir -p ~/playwright && cd ~/playwright && npm install --no-audit --no-fund playwright-core@1.58 &&
  ln -sfn ~/playwright/node_modules ~/node_modules'
as_user "$system" "PICTURES='${PICTURES:-}' PATIENCE='${PATIENCE:-1}' ${ONLY:+ONLY='$ONLY'} xvfb-run -a -s '-screen 0 1400x900x24' node tests/web/page_tests.mjs build-web/glassformer.html $*"
