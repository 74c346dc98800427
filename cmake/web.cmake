# Toolchain for the browser (WebAssembly) with Debian's Emscripten: see scripts/web.sh. GLASSFORMER_PORTS is the folder
# with the libraries that scripts/ports.sh built.
set(EMSCRIPTEN_ROOT_PATH /usr/share/emscripten)
# Wasm's own exceptions and vectors, in every library: they cannot be mixed with other kinds.
set(CMAKE_C_FLAGS_INIT "-msimd128 -fwasm-exceptions")
if(GLASSFORMER_WEB_THREADS)  # see web_threads.cmake
  string(APPEND CMAKE_C_FLAGS_INIT " -pthread")
endif()
# std::stop_token is still experimental in libc++ 19; std::size_t has 32 bits.
set(CMAKE_CXX_FLAGS_INIT "${CMAKE_C_FLAGS_INIT} -fexperimental-library -Wno-c++11-narrowing")
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES GLASSFORMER_PORTS)
include("${EMSCRIPTEN_ROOT_PATH}/cmake/Modules/Platform/Emscripten.cmake")
list(APPEND CMAKE_FIND_ROOT_PATH "${GLASSFORMER_PORTS}")
set(CMAKE_PREFIX_PATH "${GLASSFORMER_PORTS}")
set(ENV{PKG_CONFIG_LIBDIR} "${GLASSFORMER_PORTS}/lib/pkgconfig:${GLASSFORMER_PORTS}/share/pkgconfig")
set(PKG_CONFIG_ARGN --static)  # also links the libraries that these need
