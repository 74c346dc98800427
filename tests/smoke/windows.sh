#!/usr/bin/env bash
# The program for Windows from its zip, under Wine: without a window, then in one under Xvfb.
#   tests/smoke/windows.sh ZIP
# WINE is Wine's program, WINEPREFIX its folder. Exit codes: 0 passed, 1 failed.
set -euo pipefail
zip=$(readlink -f -- "$1")
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
: "${WINE:?}" "${WINEPREFIX:?}"

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

work=$(mktemp -d)
screen=''
trap '[[ -z "$screen" ]] || kill "$screen"; rm -rf -- "$work"' EXIT
person=$work/'Zoë Müller 王'
mkdir -p -- "$person"
unzip -q -d "$person" "$zip"
mv -- "$person"/glassformer-*-windows-x86_64 "$person/a folder"
folder=$person/'a folder'

# It is started as on Linux, with Linux's paths; Windows knows them on drive Z.
cat >"$work/glassformer" <<END
#!/usr/bin/env bash
for name in XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME XDG_DATA_HOME APPDATA LOCALAPPDATA; do
  [[ -z "\${!name:-}" ]] || export "\$name=Z:\${!name}"
done
exec "$WINE" "$folder/\${GLASSFORMER_STARTED_AS:-glassformer.exe}" "\$@"
END
chmod +x "$work/glassformer"
program=$work/glassformer

# expect CODE OUT ERR COMMAND…: the exit code, and patterns that must match each output as a whole
expect() {
  local code=0 expected=$1 out=$2 err=$3
  shift 3
  "$@" >"$work/out" 2>"$work/err" </dev/null || code=$?
  ((code == expected)) || fail "$*: exit code $code instead of $expected: $(cat "$work/err")"
  [[ "$(cat "$work/out")" =~ ^$out$ ]] || fail "$* prints: $(cat "$work/out")"
  [[ "$(cat "$work/err")" =~ ^$err$ ]] || fail "$* complains: $(cat "$work/err")"
}
export XDG_CONFIG_HOME=$person/config XDG_STATE_HOME=$person/state
for name in glassformer.exe glassformer.com; do
  export GLASSFORMER_STARTED_AS=$name
  expect 0 'glassformer [0-9.]+' '' "$program" --version
  expect 2 '' 'glassformer: .*' "$program" --no-such-option
  expect 1 '' 'glassformer: .*no such model.*' "$program" trace --model "$person/no such model" --text bat --out "$work/t.npz"
  expect 0 '.*56 tensors.*' '' "$program" trace --model homonyms --text 'the bat flew .' --out "$person/ü 王.npz"
  [[ -s "$person/ü 王.npz" ]] || fail "no file ü 王.npz"
done
unset GLASSFORMER_STARTED_AS
printf 'passed: without a window\n'

# Wine's desktop belongs to the screen on which it was started.
new_desktop() { "$(dirname -- "$WINE")/wineserver" -k 2>/dev/null || true; }
Xvfb -displayfd 3 -screen 0 1600x1000x24 -nolisten tcp -noreset 3>"$work/display" 2>"$work/screen" &
screen=$!
until [[ -s "$work/display" ]]; do
  kill -0 "$screen" || fail "Xvfb does not start: $(cat "$work/screen")"
  sleep 0.05
done
new_desktop
DISPLAY=:$(cat "$work/display") expect 0 '.*' '' "$program" shot "$person/王.png" --size 1280x720 --text 'a bat flew . 你好'
[[ "$(file -b "$person/王.png")" == 'PNG image data, 1280 x 720,'* ]] || fail "shot wrote no picture"
printf 'passed: shot\n'

export GLASSFORMER_FIRST_FRAMES=10 # seconds, under Wine
export GLASSFORMER_SCREEN=1700x1100 # leaves room for the frame that Wine draws
for test in opens input settings killed cannot_keep; do
  new_desktop
  "$here/smoke.sh" "$program" "$test"
done
