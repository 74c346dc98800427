#!/usr/bin/env bash
# Smoke tests of the real window, on a screen that exists in memory only (Xvfb, without a window manager).
#   tests/smoke/smoke.sh PROGRAM TEST
# TEST is one of: opens closes input layout settings terminated killed cannot_keep two_screens no_display.
# Every test uses a settings folder of its own.
# Exit codes: 0 passed, 1 failed.
set -euo pipefail

program=$1 test=$2

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

need() {
  command -v "$1" >/dev/null || fail "$1 is missing; install the package $2 (scripts/setup.sh tests does)"
}

folder=$(mktemp -d)
app='' screen=''
cleanup() {
  if [[ -n "$app" ]] && kill -0 "$app" 2>/dev/null; then
    kill -KILL "$app" 2>/dev/null || true
  fi
  if [[ -n "$screen" ]]; then
    kill "$screen" 2>/dev/null || true
  fi
  rm -rf "$folder"
}
trap cleanup EXIT
export XDG_CONFIG_HOME=$folder/config XDG_STATE_HOME=$folder/state
unset WAYLAND_DISPLAY # GLFW could prefer it
settings=$XDG_CONFIG_HOME/glassformer/settings.json

# The server itself picks a free display number and reports it; with -noreset it does not restart whenever the last
# program (xdotool) disconnects. xvfb-run can do neither.
open_screen() {
  need Xvfb xvfb
  need xdotool xdotool
  Xvfb -displayfd 3 -screen 0 "${GLASSFORMER_SCREEN:-1600x1000}x24" -nolisten tcp -noreset -fbdir "$folder" \
    3>"$folder/display" 2>"$folder/screen" &
  screen=$!
  until_true 10 test -s "$folder/display" || fail "Xvfb does not start: $(cat "$folder/screen")"
  DISPLAY=:$(cat "$folder/display")
  export DISPLAY
}

# Two screens side by side, the right one smaller: Xvfb has only one, Xorg with the driver "dummy" has many.
open_two_screens() {
  need xdotool xdotool
  need xrandr x11-xserver-utils
  if ! command -v Xorg >/dev/null || ! compgen -G '/usr/lib/xorg/modules/drivers/dummy_drv.so' >/dev/null; then
    echo "Skipped: Xorg with xserver-xorg-video-dummy is not installed"
    exit 0
  fi
  cat >"$folder/xorg.conf" <<'END'
Section "Device"
  Identifier "card"
  Driver "dummy"
  VideoRam 128000
EndSection
Section "Monitor"
  Identifier "any size"
  HorizSync 5.0 - 1000.0
  VertRefresh 5.0 - 200.0
EndSection
Section "Screen"
  Identifier "screen"
  Device "card"
  Monitor "any size"
  DefaultDepth 24
  SubSection "Display"
    Modes "1600x900"
    Virtual 3200 1200
  EndSubSection
EndSection
Section "ServerFlags"
  Option "AutoAddDevices" "false"
EndSection
END
  Xorg -displayfd 3 -config "$folder/xorg.conf" -logfile "$folder/xorg.log" -noreset -novtswitch -sharevts -nolisten tcp \
    3>"$folder/display" >"$folder/screen" 2>&1 &
  screen=$!
  if ! until_true 10 test -s "$folder/display"; then
    echo "Skipped: Xorg does not start here: $(tail -n 3 "$folder/xorg.log" "$folder/screen")"
    exit 0
  fi
  DISPLAY=:$(cat "$folder/display")
  export DISPLAY
  if ! { xrandr --output DUMMY0 --mode 1600x900 --primary && xrandr --addmode DUMMY1 1280x800 &&
    xrandr --output DUMMY1 --mode 1280x800 --right-of DUMMY0; } 2>"$folder/screens"; then
    echo "Skipped: this Xorg gives no second screen: $(cat "$folder/screens")"
    exit 0
  fi
  xrandr >"$folder/screens" # this queries the driver: only then does the second screen count as connected
}

# until_true SECONDS COMMAND...: whether the command succeeds in time
until_true() {
  local end=$((SECONDS + $1 + 1))
  shift
  until "$@"; do
    ((SECONDS < end)) || return 1
    sleep 0.05
  done
}

find_window() {
  window=$(xdotool search --onlyvisible --name '^Glassformer$' 2>/dev/null | tail -n 1) && [[ -n "$window" ]]
}
window_is_there() {
  kill -0 "$app" 2>/dev/null || fail "the program ended before its window was there: $(cat "$folder/stderr")"
  find_window
}
exited() { ! kill -0 "$app" 2>/dev/null; }

start() {
  "$program" >"$folder/stdout" 2>"$folder/stderr" &
  app=$!
  until_true 30 window_is_there || fail "no window called Glassformer within 30 s"
  # Without a window manager nothing gives it the keyboard; the pointer over it and an explicit focus do.
  xdotool windowfocus "$window" mousemove --window "$window" 800 30
  sleep "${GLASSFORMER_FIRST_FRAMES:-2}" # and for its questions to the graphics card
}

# expect_exit AFTER [CODE]: the program must end by itself, with this exit code (0) and no complaints
expect_exit() {
  local code=0 expected=${2:-0}
  until_true 30 exited || fail "the program still runs 30 s after $1"
  wait "$app" || code=$?
  app=
  ((code == expected)) || fail "exit code $code after $1: $(cat "$folder/stderr")"
  [[ ! -s "$folder/stderr" ]] || fail "after $1 it complains: $(cat "$folder/stderr")"
}

# Modifiers first: key ctrl q
key() {
  local keys=("$@") i
  for ((i = 0; i < ${#keys[@]}; i++)); do xdotool keydown "${keys[i]}"; done
  sleep 0.15
  for ((i = ${#keys[@]} - 1; i >= 0; i--)); do xdotool keyup "${keys[i]}"; done
  sleep 0.15
}

# key_until KEY CONDITION...: presses the key again if it was lost, as happens while the focus moves
key_until() {
  local wanted=$1 i
  shift
  for i in 1 2 3; do
    key "$wanted"
    if until_true 8 "$@"; then return 0; fi
  done
  return 1
}

click() {
  xdotool mousemove --window "$window" "$1" "$2"
  sleep 0.15
  xdotool mousedown 1
  sleep 0.15
  xdotool mouseup 1
  sleep 0.15
}

quit() {
  key ctrl q
  expect_exit "Ctrl+Q"
}

setting() { sed -n "s/.*\"$1\": *\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p" "$settings"; }
expect_setting() {
  [[ -f "$settings" ]] || fail "no settings were written to $settings"
  [[ "$(setting "$1")" == "$2" ]] || fail "the setting $1 is \"$(setting "$1")\" instead of \"$2\": $(cat "$settings")"
}

# place_of ITEM: where a button of the top bar is. A screenshot's script prints it, in the window's size and with one
# sentence, as the window begins.
place_of() {
  printf 'key Ctrl+k\nframes 3\ntype "alone"\nframes 3\nkey Enter\nframes 4\nprint %s\n' "$1" >"$folder/place.script"
  "$program" shot "$folder/place.png" --size 1600x1000 --script "$folder/place.script" |
    sed -n 's/.* at \([0-9]*\),\([0-9]*\) size \([0-9]*\)×\([0-9]*\)$/\1 \2 \3 \4/p' |
    awk '{ print int($1 + $3 / 2), int($2 + $4 / 2) }'
}

# shows light|dark: whether the window's first pixel has that theme's colour. Xvfb keeps its screen in a file in the
# format XWD: a header of big-endian numbers, among them its own size and the number of colours (12 bytes each), then
# the pixels.
shows() {
  local header red
  read -r -a header -d '' < <(od -An -v -t u4 --endian=big -N 80 "$folder/Xvfb_screen0") || true
  red=$(od -An -t u1 -j $((header[0] + 12 * header[19] + 2)) -N 1 "$folder/Xvfb_screen0")
  if ((red < 128)); then [[ $1 == dark ]]; else [[ $1 == light ]]; fi
}

# change_theme X Y FROM TO: clicks until the new theme is on the screen; a slow machine can lose a click
change_theme() {
  local i
  until_true 20 shows "$3" || fail "the window does not come up $3"
  for i in 1 2 3; do
    click "$1" "$2"
    if until_true 8 shows "$4"; then return 0; fi
  done
  fail "clicks on the button for the theme do not make the window $4"
}

case "$test" in
  no_display) ;;
  two_screens) open_two_screens ;;
  *) open_screen ;;
esac

case "$test" in
  opens)
    start
    xdotool getwindowgeometry --shell "$window" >"$folder/geometry"
    grep -qx WIDTH=1600 "$folder/geometry" || fail "the window is not 1600 pixels wide: $(cat "$folder/geometry")"
    quit
    expect_setting theme light
    ;;
  closes) # by the window's own button: a window manager would request it with WM_DELETE_WINDOW
    start
    "$3" "$window"
    expect_exit "WM_DELETE_WINDOW"
    ;;
  input)
    read -r x y <<<"$(place_of train)"
    [[ -n "$y" ]] || fail "the place of the button Train is unknown"
    start
    key Tab
    key shift Tab
    for arrow in Up Left Down Right; do key "$arrow"; done
    key F1
    key Escape
    key ctrl equal
    key ctrl minus
    click 700 400
    xdotool click 4 click 5 # the wheel
    # A slow machine can lose the click, or needs a while for the first step. What was learned is also kept for recovery
    # after a kill: once that file is there, there is something to lose.
    learned_something() { compgen -G "$XDG_STATE_HOME/glassformer/recovery/*" >/dev/null; }
    click "$x" "$y"
    until_true 20 learned_something || click "$x" "$y"
    until_true 40 learned_something || fail "Train does not train"
    key ctrl q # while it trains: what was learned is not saved, so the program asks
    sleep 1
    kill -0 "$app" 2>/dev/null || fail "Ctrl+Q dropped an unsaved training without asking"
    key shift F6
    key shift F6 # from the last of the answers, Cancel, to the one before it: Don't save
    key Return
    expect_exit "Don't save"
    ! learned_something || fail "what nobody wanted to save is still there"
    expect_setting scale 1.0
    ;;
  layout) # a letter's key is where the keyboard's layout has it: the French A is where an American keyboard has the Q
    need setxkbmap x11-xkb-utils
    setxkbmap fr
    start
    key ctrl a
    sleep 1
    kill -0 "$app" 2>/dev/null || fail "Ctrl+A ends the program"
    quit
    ;;
  settings)
    read -r x y <<<"$(place_of theme)"
    [[ -n "$y" ]] || fail "the place of the button for the theme is unknown"
    start
    click "$x" "$y"
    quit
    expect_setting theme dark
    start # it starts in the dark theme, so the next click makes it light
    click "$x" "$y"
    key ctrl equal
    quit
    expect_setting theme light
    expect_setting scale 1.25
    start
    quit
    expect_setting scale 1.25
    ;;
  terminated) # as at the end of a session, or when the terminal is closed
    read -r x y <<<"$(place_of theme)"
    [[ -n "$y" ]] || fail "the place of the button for the theme is unknown"
    start
    change_theme "$x" "$y" light dark
    kill -TERM "$app"
    expect_exit SIGTERM 143
    expect_setting theme dark
    start
    change_theme "$x" "$y" dark light
    kill -HUP "$app"
    expect_exit SIGHUP 129
    expect_setting theme light
    ;;
  killed) # a choice made more than a few seconds ago is not forgotten
    read -r x y <<<"$(place_of theme)"
    [[ -n "$y" ]] || fail "the place of the button for the theme is unknown"
    start
    click "$x" "$y"
    is_dark() { [[ -f "$settings" && "$(setting theme)" == dark ]]; }
    until_true 20 is_dark || fail "the theme is not written while the window is open"
    kill -KILL "$app"
    wait "$app" 2>/dev/null || true
    start # it starts in the dark theme, so the next click makes it light
    click "$x" "$y"
    quit
    expect_setting theme light
    ;;
  cannot_keep) # what is on the screen cannot be saved at the end: the window stays and says why, until it is closed again
    mkdir -p "$(dirname "$settings")"
    printf '{"keep_session": true}\n' >"$settings"
    start
    mkdir -p "$XDG_STATE_HOME/glassformer/session.glass/not empty"
    key ctrl q
    sleep 3
    kill -0 "$app" 2>/dev/null || fail "it closes without a word, and the session is not saved"
    quit
    ;;
  two_screens) # the lecturer's console has the first one, the audience's picture the other
    console_is_there() { console=$(xdotool search --onlyvisible --name "lecturer's console" 2>/dev/null | tail -n 1) && [[ -n "$console" ]]; }
    console_is_gone() { ! console_is_there; }
    # stands_at WINDOW X Y [WIDTH HEIGHT]
    stands_at() {
      local place
      place=$(xdotool getwindowgeometry --shell "$1" | sed -n 's/^\(X\|Y\|WIDTH\|HEIGHT\)=//p' | tr '\n' ' ')
      shift
      [[ "$place" == "$* "* ]]
    }
    mkdir -p "$(dirname "$settings")"
    printf '{"width": 1200, "height": 800}\n' >"$settings"
    start
    key_until F5 stands_at "$window" 0 0 1600 900 || fail "F5 does not fill the screen"
    key_until k console_is_there || fail "K opens no window for the lecturer"
    until_true 20 stands_at "$console" 0 0 1600 900 || fail "the console is not on the first screen"
    until_true 20 stands_at "$window" 1600 0 1280 800 || fail "the audience's picture is not on the second screen"
    xdotool windowfocus "$console" # a clicker works in either window
    sleep 2
    key Next
    sleep 2 # keys pressed in one frame count as one key
    key ctrl k # what is typed there goes into the search, and is not lost
    sleep 2
    xdotool type --delay 150 dark
    sleep 2
    key Return
    sleep 2
    key_until k console_is_gone || fail "K in the console does not close it"
    xdotool windowfocus "$window"
    sleep 2
    key k # once: the K that closed the console must count as released here
    until_true 20 console_is_there || fail "K does not open the console again"
    sleep 2
    key_until F5 console_is_gone || fail "the console stays when the audience's picture has gone"
    until_true 20 stands_at "$window" 0 0 1200 800 || fail "the window does not come back to its own screen"
    quit
    expect_setting theme dark
    ;;
  no_display)
    code=0
    env -u DISPLAY "$program" >"$folder/stdout" 2>"$folder/stderr" || code=$?
    ((code == 1)) || fail "exit code $code instead of 1 without a display: $(cat "$folder/stderr")"
    (($(wc -l <"$folder/stderr") == 1)) || fail "not one line: $(cat "$folder/stderr")"
    grep -q '^glassformer: no display' "$folder/stderr" || fail "it does not say why: $(cat "$folder/stderr")"
    [[ ! -s "$folder/stdout" ]] || fail "it prints: $(cat "$folder/stdout")"
    ;;
  *) fail "there is no smoke test called $test" ;;
esac
printf 'passed: %s\n' "$test"
