#!/usr/bin/env bash
# scripts/ccache.sh never returns a precompiled header whose headers have changed since.
set -euo pipefail
project=$1 compiler=$2
command -v ccache >/dev/null || { echo "Skipped: there is no ccache"; exit 0; }
"$compiler" --version | grep -qi clang && { echo "Skipped: the compiler is not GCC"; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export CCACHE_DIR=$folder/cache

compile() { "$project/scripts/ccache.sh" "$compiler" -fpch-preprocess -x c++-header -include "$folder/all.hxx" -o all.hxx.gch -c all.cxx; }

printf '#include "%s/number.h"\n' "$folder" >all.hxx
touch all.cxx
echo 'constexpr int number = 1;' >number.h
compile
cp all.hxx.gch older.gch
compile
cp older.gch all.hxx.gch # like a build folder that is copied or switched back
echo 'constexpr int number = 22;' >number.h
compile
echo 'static_assert(number == 22);' >use.cpp
"$compiler" -Winvalid-pch -include all.hxx -c use.cpp -o use.o
