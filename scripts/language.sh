#!/usr/bin/env bash
# Shows what a translation still needs:
#   scripts/language.sh LANGUAGE [--texts]     such as de or zh_CN
# Updates assets/po/LANGUAGE.po with the program's texts (creates it if there is none) and lists the texts that are not
# translated, or were translated from another wording ("fuzzy"). Without --texts, it then draws every screen of the
# gallery in that language, lists what is still in English or cut off, and plays its lessons. Needs the packages of
# scripts/setup.sh tests.
# Exit codes: 0 nothing is left to do, 1 something is, 2 wrong use.
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
# shellcheck source=scripts/build.sh
source "$root/scripts/build.sh"
if [[ ! ${1-} =~ ^[a-z]{2}(_[A-Z]{2})?$ || ${2---texts} != --texts || $# -gt 2 ]]; then
  echo "Usage: scripts/language.sh LANGUAGE [--texts], with a LANGUAGE such as de or zh_CN" >&2
  exit 2
fi
language=$1
build=$root/build po=$root/assets/po/$language.po
configure "$build" Release -DGLASSFORMER_TESTS=ON
step cmake --build "$build" --target glassformer_pot
if [[ -f $po ]]; then
  step msgmerge --quiet --no-wrap --add-location=file --update --backup=none "$po" "$build/glassformer.pot"
else
  step msginit --no-translator --no-wrap -l "$language.UTF-8" -i "$build/glassformer.pot" -o "$po"
fi
left=$(msgattrib --no-obsolete --no-wrap --untranslated "$po"; msgattrib --no-obsolete --no-wrap --only-fuzzy "$po")
failed=0
if [[ -n $left ]]; then
  failed=1
  printf '%s\n' "$left"
fi
[[ ${2-} == --texts ]] && exit "$failed"
step cmake --build "$build" --target glassformer ui_tests
say "== screens"
GLASSFORMER_LANGUAGE=$language "$build/tests/ui_tests" -tc="language: the gallery*" || failed=1
say "== lessons"
shopt -s nullglob
for lesson in "$root/assets/lessons"/*".$language.lesson"; do
  "$build/glassformer" --language "$language" lesson check "$lesson" || failed=1
done
exit "$failed"
