# Toolchain for 64-bit Windows with Debian's MinGW-w64: see scripts/windows.sh. GLASSFORMER_PORTS is the folder with the
# libraries that scripts/ports.sh built.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
find_program(GLASSFORMER_WINE wine64 PATHS /usr/lib/wine NO_CMAKE_FIND_ROOT_PATH)
if(GLASSFORMER_WINE)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${GLASSFORMER_WINE}")
endif()

# Use the libraries of the target, not those of this machine.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES GLASSFORMER_PORTS)
set(CMAKE_FIND_ROOT_PATH "${GLASSFORMER_PORTS}" /usr/x86_64-w64-mingw32)
set(CMAKE_PREFIX_PATH "${GLASSFORMER_PORTS}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} "${GLASSFORMER_PORTS}/lib/pkgconfig:${GLASSFORMER_PORTS}/share/pkgconfig")
set(PKG_CONFIG_ARGN --static)

# One file that needs only the system's own libraries, those of Windows 10.
set(target_flags "-D_WIN32_WINNT=0x0A00 -DUTF8PROC_STATIC -DPCRE2_STATIC")
# GCC keeps 32-byte vectors on a stack that Windows aligns to 16 (GCC bug 54412).
string(APPEND target_flags " -Wa,-muse-unaligned-vector-move")
set(CMAKE_C_FLAGS_INIT "${target_flags}")
set(CMAKE_CXX_FLAGS_INIT "${target_flags} -Wa,-mbig-obj")
# Threads get the stack that the program asks for, as on Linux (EIGEN_STACK_ALLOCATION_LIMIT).
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static -Wl,--stack,8388608")
