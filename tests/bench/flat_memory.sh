#!/usr/bin/env bash
# Trains in the window, drawn offscreen, for two hours (or as many minutes as the first argument says), and prints the
# resident memory every minute. Fails if it drifts by more than 2 % after the first three minutes. The second argument
# is the build folder.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
"${2:-$root/build}/bench" --only memory --minutes "${1:-120}" --json |
    python3 -c '
import json, sys
memory = json.load(sys.stdin)["memory"]
print("%d minutes, %d steps, %d frames: %.1f MB at the end, drift %.2f %% after minute %d" % (
    memory["minutes"], memory["steps"], memory["frames"], memory["resident_mb"][-1], 100 * memory["drift"],
    memory["after_minutes"]))
sys.exit(memory["drift"] > 0.02)'
