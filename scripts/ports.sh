#!/usr/bin/env bash
# Builds the libraries that Glassformer needs for another system, statically, from Debian's source packages:
#   scripts/ports.sh TOOLCHAIN PREFIX [PORT…]
#   scripts/ports.sh cmake/mingw64.cmake ~/.cache/glassformer-windows/ports
# TOOLCHAIN is a CMake toolchain file, PREFIX the folder to install to; ports already there are left alone. Without a
# PORT all are built. Needs the network, cmake, ninja-build, dpkg-dev and the compilers; no root. GLASSFORMER_SUITES
# names the Debian suites whose packages are tried, in order. Exit codes: 0 all there, 1 something failed, 2 wrong use.
set -euo pipefail
shopt -s inherit_errexit
root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
if (($# < 2)); then
  echo "Usage: scripts/ports.sh TOOLCHAIN PREFIX [PORT…]" >&2
  exit 2
fi
toolchain=$(readlink -f -- "$1")
mkdir -p -- "$2"
prefix=$(readlink -f -- "$2")
shift 2
suites=(${GLASSFORMER_SUITES:-bookworm trixie sid})
work=$prefix/work
mkdir -p "$work/apt/lists/partial" "$work/apt/cache/archives/partial" "$prefix/done"
say() { printf '%s\n' "$*" >&2; }

# apt's package lists are kept here, so that nothing changes on this machine.
apt_here=(-o "Dir::Etc::sourcelist=$work/apt/sources.list" -o Dir::Etc::sourceparts=-
  -o "Dir::State::lists=$work/apt/lists" -o "Dir::Cache=$work/apt/cache" -o Acquire::Retries=3 -o Acquire::Check-Valid-Until=false
  -o APT::Sandbox::User=root)
update_lists() {
  local mirror=${GLASSFORMER_MIRROR:-http://deb.debian.org/debian} suite
  [[ ! -e $work/apt/updated ]] || return 0
  for suite in "${suites[@]}"; do
    echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main"
  done >"$work/apt/sources.list"
  apt-get "${apt_here[@]}" update >&2
  touch "$work/apt/updated"
}

# Prints the folder of a source package's unpacked tarball.
fetch() { # fetch PACKAGE
  local folder=$work/$1 suite try
  if [[ ! -e $folder/unpacked ]]; then
    update_lists
    rm -rf -- "$folder"
    mkdir -p -- "$folder/source"
    for suite in "${suites[@]}" none; do
      [[ $suite != none ]] || break
      for try in 1 2; do
        if (cd -- "$folder" && apt-get "${apt_here[@]}" source --download-only --tar-only "$1/$suite") >&2; then break 2; fi
      done
    done
    if [[ $suite == none ]]; then
      say "The source of $1 is in none of the suites ${suites[*]}, or cannot be fetched. Try again, or name others in GLASSFORMER_SUITES."
      exit 1
    fi
    tar -xf "$(find "$folder" -maxdepth 1 -name '*.orig.tar.*' ! -name '*.asc')" \
      -C "$folder/source" --strip-components=1
    touch "$folder/unpacked"
  fi
  printf '%s\n' "$folder/source"
}

cmake_port() { # cmake_port PACKAGE [CMAKE OPTION…]: a package with a CMake build
  local source
  source=$(fetch "$1")
  cmake_build "$source" "$work/$1/build" "${@:2}"
}

cmake_build() { # cmake_build SOURCE BUILD [CMAKE OPTION…]
  configure_port "$@"
  cmake --build "$2" --target install >&2
}

configure_port() { # configure_port SOURCE BUILD [CMAKE OPTION…]
  cmake -S "$1" -B "$2" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DGLASSFORMER_PORTS="$prefix" \
    -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF \
    -DBUILD_TESTING=OFF -DCMAKE_POLICY_VERSION_MINIMUM=3.5 "${@:3}" >&2
}

# Prints what the toolchain file sets, for build systems other than CMake.
cat >"$work/value.cmake" <<'END'
include("${TOOLCHAIN}")
message("${${NAME}}")
END
value() { # value NAME
  cmake -DTOOLCHAIN="$toolchain" -DGLASSFORMER_PORTS="$prefix" -DNAME="$1" -P "$work/value.cmake" 2>&1
}

tool() { # tool NAME: the compiler's ar, strip, …
  local compiler
  compiler=$(value CMAKE_C_COMPILER)
  case $compiler in
    */emcc) printf '%s\n' "${compiler%cc}$1" ;;
    *) printf '%s\n' "${compiler%-gcc*}-$1" ;;
  esac
}

meson_port() { # meson_port PACKAGE [MESON OPTION…]
  local source
  source=$(fetch "$1")
  cat >"$work/cross.ini" <<END
[binaries]
c = '$(value CMAKE_C_COMPILER)'
cpp = '$(value CMAKE_CXX_COMPILER)'
ar = '$(tool ar)'
strip = '$(tool strip)'
windres = '$(value CMAKE_RC_COMPILER)'
pkgconfig = 'pkg-config'
[properties]
pkg_config_libdir = '$prefix/lib/pkgconfig:$prefix/share/pkgconfig'
[built-in options]
c_args = [$(value CMAKE_C_FLAGS_INIT | sed "s/[^ ][^ ]*/'&',/g") '-I$prefix/include']
c_link_args = ['-L$prefix/lib']
[host_machine]
system = '$(value CMAKE_SYSTEM_NAME | tr '[:upper:]' '[:lower:]')'
cpu_family = '$(value CMAKE_SYSTEM_PROCESSOR)'
cpu = '$(value CMAKE_SYSTEM_PROCESSOR)'
endian = 'little'
END
  rm -rf -- "$work/$1/build"
  meson setup --cross-file "$work/cross.ini" --prefix "$prefix" --libdir lib --buildtype release --wrap-mode nofallback \
    -Ddefault_library=static "${@:2}" "$work/$1/build" "$source" >&2
  meson install -C "$work/$1/build" >&2
}

configure_script_port() { # configure_script_port PACKAGE FOLDER [OPTION…]: what a configure script's FOLDER installs
  local source compiler host
  source=$(fetch "$1")
  compiler=$(value CMAKE_C_COMPILER)
  host=${compiler%-gcc*}
  [[ $compiler != */emcc ]] || host=wasm32-unknown-linux  # a host that old configure scripts know
  mkdir -p -- "$work/$1/build"
  (cd -- "$work/$1/build" && "$source/configure" --host="$host" --prefix="$prefix" --disable-shared \
    --enable-static "${@:3}" CC="$compiler" AR="$(tool ar)" RANLIB="$(tool ranlib)" CFLAGS="-O2 $(value CMAKE_C_FLAGS_INIT)" CPPFLAGS="-I$prefix/include" \
    LDFLAGS="-L$prefix/lib" PKG_CONFIG_LIBDIR="$prefix/lib/pkgconfig:$prefix/share/pkgconfig" && make -j2 -C "$2" install) >&2
}

# In order of dependency.
ports=(eigen3 nlohmann-json3 cli11 doctest zlib pcre2 utf8proc libzip libpng1.6 freetype harfbuzz fribidi pixman cairo glfw3
  libepoxy libmicrohttpd qrencode stb imgui)

build_eigen3() { cmake_port eigen3 -DEIGEN_BUILD_DOC=OFF -DCMAKE_Fortran_COMPILER=NOTFOUND; }
build_nlohmann-json3() { cmake_port nlohmann-json3 -DJSON_BuildTests=OFF; }
build_cli11() { cmake_port cli11 -DCLI11_BUILD_TESTS=OFF -DCLI11_BUILD_EXAMPLES=OFF -DCLI11_BUILD_DOCS=OFF; }
build_doctest() { cmake_port doctest -DDOCTEST_WITH_TESTS=OFF; }
build_zlib() { # by a CMake file of ours: its own also builds a shared library, from files that Debian's tarball lacks
  fetch zlib >/dev/null
  cat >"$work/zlib/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.22)
project(zlib C)
file(STRINGS source/zlib.h version REGEX "define ZLIB_VERSION")
string(REGEX REPLACE ".*\"(.*)\".*" "\\1" version "${version}")
file(GLOB sources source/*.c)
configure_file(source/zconf.h.in zconf.h COPYONLY)
file(WRITE "${CMAKE_BINARY_DIR}/zlib.pc" "prefix=${CMAKE_INSTALL_PREFIX}\nName: zlib\nDescription: compression\n"
  "Version: ${version}\nLibs: -L\${prefix}/lib -lz\nCflags: -I\${prefix}/include\n")
add_library(z STATIC ${sources})
target_include_directories(z PRIVATE "${CMAKE_BINARY_DIR}")
target_compile_definitions(z PRIVATE HAVE_UNISTD_H)
install(TARGETS z DESTINATION lib)
install(FILES source/zlib.h "${CMAKE_BINARY_DIR}/zconf.h" DESTINATION include)
install(FILES "${CMAKE_BINARY_DIR}/zlib.pc" DESTINATION lib/pkgconfig)
END
  cmake_build "$work/zlib" "$work/zlib/build"
}
build_pcre2() {
  local jit=ON
  [[ $(value CMAKE_SYSTEM_NAME) != Emscripten ]] || jit=OFF  # WebAssembly cannot generate code at run time
  cmake_port pcre2 -DPCRE2_BUILD_PCRE2GREP=OFF -DPCRE2_BUILD_TESTS=OFF -DPCRE2_SUPPORT_UNICODE=ON -DPCRE2_SUPPORT_JIT=$jit
}
build_utf8proc() { cmake_port utf8proc; }
build_libzip() {
  cmake_port libzip -DBUILD_TOOLS=OFF -DBUILD_REGRESS=OFF -DBUILD_EXAMPLES=OFF -DBUILD_DOC=OFF -DENABLE_COMMONCRYPTO=OFF \
    -DENABLE_GNUTLS=OFF -DENABLE_MBEDTLS=OFF -DENABLE_OPENSSL=OFF -DENABLE_WINDOWS_CRYPTO=OFF -DENABLE_BZIP2=OFF \
    -DENABLE_LZMA=OFF -DENABLE_ZSTD=OFF
}

build_libpng1.6() { cmake_port libpng1.6 -DPNG_SHARED=OFF -DPNG_TESTS=OFF; }
build_freetype() {
  cmake_port freetype -DFT_DISABLE_BZIP2=ON -DFT_DISABLE_BROTLI=ON -DFT_DISABLE_HARFBUZZ=ON -DFT_REQUIRE_ZLIB=ON \
    -DFT_REQUIRE_PNG=ON
}
build_harfbuzz() { cmake_port harfbuzz -DHB_HAVE_FREETYPE=ON -DHB_BUILD_SUBSET=OFF -DHB_BUILD_UTILS=OFF; }
build_fribidi() { meson_port fribidi -Ddocs=false; }
build_pixman() { meson_port pixman -Dtests=disabled -Dgtk=disabled -Dlibpng=disabled -Dopenmp=disabled; }
build_cairo() {
  configure_script_port cairo src --disable-xlib --disable-xcb --disable-fc --enable-ft --disable-win32 --disable-win32-font \
    --disable-gobject --disable-trace --disable-interpreter --disable-gtk-doc --enable-pdf \
    ax_cv_c_float_words_bigendian=no  # its test asks the linker, which does not work with Emscripten
  # Its configure enables checked calls, which MinGW has in a separate library.
  [[ $(value CMAKE_SYSTEM_NAME) != Windows ]] || sed -i 's/^Libs: .*/& -lssp/' "$prefix/lib/pkgconfig/cairo.pc"
}
build_glfw3() { cmake_port glfw3 -DGLFW_BUILD_DOCS=OFF -DGLFW_BUILD_TESTS=OFF -DGLFW_BUILD_EXAMPLES=OFF; }
build_libepoxy() { meson_port libepoxy -Degl=no -Dglx=no -Dx11=false -Dtests=false; }
build_libmicrohttpd() {
  configure_script_port libmicrohttpd . --disable-doc --disable-examples --disable-curl --disable-https --with-threads=auto
}
build_qrencode() { cmake_port qrencode -DWITH_TOOLS=NO -DWITH_TESTS=NO -DWITHOUT_PNG=ON; }
build_stb() { # the parts that the program and its tests use, as a library
  fetch libstb >/dev/null
  cat >"$work/libstb/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.22)
project(stb C)
find_file(resize stb_image_resize.h PATHS source source/deprecated NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
find_file(image stb_image.h PATHS source NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
file(WRITE "${CMAKE_BINARY_DIR}/stb.c" "#define STB_IMAGE_RESIZE_IMPLEMENTATION\n#include \"${resize}\"\n"
  "#define STB_IMAGE_IMPLEMENTATION\n#include \"${image}\"\n")
file(WRITE "${CMAKE_BINARY_DIR}/stb.pc" "prefix=${CMAKE_INSTALL_PREFIX}\nName: stb\nDescription: reads and resizes pictures\n"
  "Version: 0.0\nLibs: -L\${prefix}/lib -lstb\nCflags: -I\${prefix}/include/stb\n")
add_library(stb STATIC "${CMAKE_BINARY_DIR}/stb.c")
install(TARGETS stb DESTINATION lib)
install(FILES "${resize}" "${image}" DESTINATION include/stb)
install(FILES "${CMAKE_BINARY_DIR}/stb.pc" DESTINATION lib/pkgconfig)
END
  cmake_build "$work/libstb" "$work/libstb/build"
}
build_imgui() { # installs its sources, for CMake's GLASSFORMER_IMGUI_SOURCES
  mkdir -p -- "$prefix/src"
  cp -rT -- "$(fetch imgui)" "$prefix/src/imgui"
}

(($# > 0)) || set -- "${ports[@]}"
for port in "$@"; do
  if ! declare -F "build_$port" >/dev/null; then
    say "There is no port named $port. There are: ${ports[*]}"
    exit 2
  fi
  [[ ! -e $prefix/done/$port ]] || continue
  say "== $port"
  "build_$port"
  if [[ $(value CMAKE_SYSTEM_NAME) == Emscripten ]]; then  # these builds have no threads
    find "$prefix" -path '*/pkgconfig/*.pc' -exec sed -i -E 's/ -pthread| -sPTHREAD_POOL_SIZE=[0-9]+//g' {} +
  fi
  touch "$prefix/done/$port"
done
