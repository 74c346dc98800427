#!/usr/bin/env bash
# Checks the sources with clang as a second compiler, which finds what GCC misses (a view of a string that is gone):
#   scripts/clang.sh [FILE…]      every file if none is given; needs clang 16 or newer
# Nothing is built. Warnings are errors. Exit codes: 0 nothing was found, 1 something was, 2 there is no such compiler.
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
# shellcheck source=scripts/build.sh
source "$root/scripts/build.sh"

compiler=$(clang_compiler) || {
  say "$no_clang"
  exit 2
}
folder=$root/build-clang
configure "$folder" Release "-DCMAKE_CXX_COMPILER=$compiler" -DGLASSFORMER_WERROR=ON -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON \
  -DGLASSFORMER_UNITY=OFF -DGLASSFORMER_TESTS=ON -DGLASSFORMER_APP=ON
say "+ $compiler -fsyntax-only …"
exec python3 - "$folder" "$(jobs_that_fit)" "$@" <<'END'
import concurrent.futures, json, os, shlex, subprocess, sys

build, jobs, *wanted = sys.argv[1:]
wanted = {os.path.realpath(name) for name in wanted}


def read(entry):
    """What the compiler says of a file; it makes no object."""
    words = shlex.split(entry["command"])
    while "clang" not in os.path.basename(words[0]):
        words.pop(0)  # ccache
    at = words.index("-o")
    # clang 19 tells of what GCC 12's own library calls in std::stable_sort.
    words[at : at + 2] = ["-fsyntax-only", "-Wdangling", "-Wno-deprecated-declarations"]
    result = subprocess.run(words, cwd=entry["directory"], capture_output=True, text=True)
    return entry["file"], result.stderr


with open(os.path.join(build, "compile_commands.json")) as file:
    entries = {os.path.realpath(entry["file"]): entry for entry in json.load(file)}
entries = {name: entry for name, entry in entries.items() if os.path.exists(name)}  # what the build writes is not there
for name in sorted(wanted - entries.keys()):
    sys.exit(f"{name} is no source file of the build")
chosen = [entry for name, entry in sorted(entries.items()) if not wanted or name in wanted]
found = 0
with concurrent.futures.ThreadPoolExecutor(int(jobs)) as pool:
    for name, said in pool.map(read, chosen):
        if said:
            found += 1
            print(f"== {name}\n{said}", flush=True)
print(f"{len(chosen)} files read, {found} with something in them", flush=True)
sys.exit(1 if found else 0)
END
