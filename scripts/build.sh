# shellcheck shell=bash
# Shared by run.sh, test.sh and most of scripts/, which source it after setting `root`, the project's folder. All its
# output goes to stderr, so that a program's own output can be piped; nothing that it starts reads stdin.
: "${root:?set it before sourcing}"

say() { printf '%s\n' "$*" >&2; }

step() {
  say "+ $*"
  "$@" </dev/null >&2
}

cache_value() { # cache_value FOLDER NAME: prints an entry of a build folder's CMake cache; nothing if there is none
  [[ -f "$1/CMakeCache.txt" ]] || return 0
  sed -n "s/^$2:[A-Z]*=//p" "$1/CMakeCache.txt"
}

# A build folder remembers its own path and its generator. One that was copied or moved here, or made with another
# generator, cannot be used again.
drop_stale() { # drop_stale FOLDER
  local source folder generator why=''
  source=$(cache_value "$1" CMAKE_HOME_DIRECTORY)
  folder=$(cache_value "$1" CMAKE_CACHEFILE_DIR)
  generator=$(cache_value "$1" CMAKE_GENERATOR)
  if [[ -n "$source" && ! "$source" -ef "$root" ]]; then
    why="it was made for $source"
  elif [[ -n "$folder" && ! "$folder" -ef "$1" ]]; then
    why="it was made as $folder"
  elif [[ -n "$generator" && "$generator" != Ninja ]]; then
    why="it was made with the generator $generator"
  fi
  if [[ -n "$why" ]]; then
    say "Starting $1 anew: $why."
    rm -rf -- "$1"
  fi
}

# A ccache that cannot write its cache fails every compilation (if the home folder is missing or read-only), and only a
# real compilation shows it.
ccache_works() {
  local folder works=1
  command -v ccache >/dev/null || return 1
  folder=$(mktemp -d) || return 1
  echo 'int glassformer_probe;' >"$folder/probe.cpp"
  ccache "${CXX:-c++}" -c "$folder/probe.cpp" -o "$folder/probe.o" >/dev/null 2>&1 && works=0
  rm -rf -- "$folder"
  return "$works"
}

configure() { # configure FOLDER BUILD-TYPE [cmake args]
  local folder=$1 type=$2 launcher=''
  shift 2
  drop_stale "$folder"
  if ccache_works; then
    launcher="$root/scripts/ccache.sh"
  fi
  # A new warning of another compiler must not stop anybody from using the program: see CONTRIBUTING.md.
  if [[ -n "${GLASSFORMER_WERROR:-}" ]]; then
    set -- "$@" "-DGLASSFORMER_WERROR=$GLASSFORMER_WERROR"
  fi
  step cmake -S "$root" -B "$folder" -G Ninja "-DCMAKE_BUILD_TYPE=$type" \
    "-DCMAKE_C_COMPILER_LAUNCHER=$launcher" "-DCMAKE_CXX_COMPILER_LAUNCHER=$launcher" "$@"
}

# One job per core, but no more than fit into memory at 1.5 GB each: Eigen's templates are hungry.
jobs_that_fit() {
  local cores fit kib limit file
  cores=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
  kib=$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo 2>/dev/null || true)
  # A container's limit is not in /proc/meminfo; "max" or a huge number in these files means no limit.
  for file in /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes; do
    limit=$(cat "$file" 2>/dev/null || true)
    if [[ -n "$kib" && "$limit" =~ ^[0-9]{1,18}$ ]] && ((limit / 1024 < kib)); then
      kib=$((limit / 1024))
    fi
  done
  fit=$cores
  if [[ -n "$kib" ]]; then
    fit=$((kib / 1500000))
  fi
  fit=$((fit < cores ? fit : cores))
  echo $((fit > 1 ? fit : 1))
}

# Prints Ninja's lines with the time left, estimated from the steps done so far; on a terminal they share one line.
with_time_left() {
  local line text left began=$SECONDS open=''
  while IFS= read -r line; do
    if [[ "$line" =~ ^\[([0-9]+)/([0-9]+)\]\ (.*)$ ]]; then
      text="[${BASH_REMATCH[1]}/${BASH_REMATCH[2]}]"
      if ((BASH_REMATCH[1] >= 10 && BASH_REMATCH[1] < BASH_REMATCH[2])); then
        left=$(((SECONDS - began) * (BASH_REMATCH[2] - BASH_REMATCH[1]) / BASH_REMATCH[1]))
        printf -v left '%d:%02d left' $((left / 60)) $((left % 60))
        text+=" $left"
      fi
      text+=" ${BASH_REMATCH[3]}"
      if [[ -t 1 ]]; then
        printf '\r\033[K%.*s' "$((${COLUMNS:-80} - 1))" "$text"
        open=1
      else
        printf '%s\n' "$text"
      fi
    else
      [[ -z "$open" ]] || printf '\n'
      open=''
      printf '%s\n' "$line"
    fi
  done
  [[ -z "$open" ]] || printf '\n'
}

build() { # build FOLDER [cmake --build args]
  local folder=$1
  shift
  set -- cmake --build "$folder" --parallel "${CMAKE_BUILD_PARALLEL_LEVEL:-$(jobs_that_fit)}" "$@"
  say "+ $*"
  "$@" </dev/null 2>&1 | with_time_left >&2
}

# Prints a clang++ that compiles our C++ with libFuzzer; prints nothing and fails if there is none. clang 14, Debian
# 12's own, cannot read GCC 12's ranges.
clang_compiler() {
  local compiler folder found=''
  folder=$(mktemp -d) || return 1
  cat >"$folder/probe.cpp" <<'END'
#include <cstddef>
#include <ranges>
#include <vector>
extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    const std::vector<unsigned char> bytes(data, data + size);
    int odd = 0;
    for (const unsigned char byte : bytes | std::views::filter([](unsigned char b) { return b % 2 == 1; })) odd += byte;
    return odd < 0;
}
END
  for compiler in clang++ clang++-{21..15}; do
    command -v "$compiler" >/dev/null || continue
    "$compiler" -std=c++20 -fsanitize=fuzzer,address "$folder/probe.cpp" -o "$folder/probe" >/dev/null 2>&1 || continue
    found=$compiler
    break
  done
  rm -rf -- "$folder"
  [[ -n "$found" ]] && echo "$found"
}

# shellcheck disable=SC2034 # for those who source this
no_clang='No clang++ here compiles C++20 with libFuzzer; install the packages clang-16 and libclang-rt-16-dev.'
