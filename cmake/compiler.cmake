# Warnings are errors if GLASSFORMER_WERROR is on. The instruction set is chosen deliberately: Eigen runs about three
# times faster with AVX2 + FMA than with the SSE2 baseline, and AVX-512 is slower than AVX2 on the machines measured, so
# -march=native is not used.
add_library(glassformer_options INTERFACE)
# In a group of files (a unity build), one file's constant is not a name that another file's variable hides: groups do
# not check this warning.
target_compile_options(glassformer_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion
  "$<$<BOOL:${GLASSFORMER_WERROR}>:-Werror>"
  "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow>")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 warns of impossible overlaps inside std::string's operator+ (GCC bug 105329) and of members of a moved
  # std::variant that are not alive (GCC bug 105593 and its kin).
  target_compile_options(glassformer_options INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_SIZEOF_VOID_P EQUAL 4)
  # Offsets into files and tensors have 64 bits; whatever fits into the memory of such a system needs fewer.
  target_compile_options(glassformer_options INTERFACE -Wno-shorten-64-to-32)
endif()
# Eigen's matrix products take a workspace of up to this many bytes from the stack, and from malloc beyond: a training
# step must allocate nothing. Threads have 8 MiB of stack on Linux.
target_compile_definitions(glassformer_options INTERFACE EIGEN_STACK_ALLOCATION_LIMIT=2097152)
target_include_directories(glassformer_options INTERFACE "${CMAKE_SOURCE_DIR}")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache")
  # Without this flag GCC hides from ccache which precompiled header a file begins with, and ccache stores nothing.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>")
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")

set(glassformer_isa_flag "")
set(glassformer_is_x86_64 OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(glassformer_is_x86_64 ON)
endif()
if(NOT GLASSFORMER_ISA MATCHES "^(baseline|portable)$" AND glassformer_is_x86_64)
  if(GLASSFORMER_ISA STREQUAL "auto")
    include(CheckCXXSourceRuns)
    check_cxx_source_runs(
      "int main() { return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") ? 0 : 1; }"
      GLASSFORMER_HOST_HAS_AVX2)
    if(GLASSFORMER_HOST_HAS_AVX2)
      set(glassformer_isa_flag "-march=x86-64-v3")
    endif()
  else()
    set(glassformer_isa_flag "-march=${GLASSFORMER_ISA}")
  endif()
endif()
message(STATUS "Glassformer: instruction set flag '${glassformer_isa_flag}'")
# One flag for every target that may include Eigen: with mixed instruction sets in one binary the linker could pick the
# wrong copy of an inline function.
target_compile_options(glassformer_options INTERFACE ${glassformer_isa_flag})

# The core as a shared library for several instruction sets (core/shared.cmake).
set(GLASSFORMER_PORTABLE OFF)
if(GLASSFORMER_ISA STREQUAL "portable")
  set(GLASSFORMER_PORTABLE ON)
endif()

# Matrix products are also compiled for AVX-512, in a file of their own, and chosen when the program runs; not if an
# instruction set was requested.
set(GLASSFORMER_AVX512 OFF)
if((glassformer_isa_flag AND GLASSFORMER_ISA STREQUAL "auto") OR (GLASSFORMER_PORTABLE AND glassformer_is_x86_64))
  include(CheckCXXCompilerFlag)
  check_cxx_compiler_flag(-march=x86-64-v4 GLASSFORMER_COMPILER_HAS_AVX512)
  set(GLASSFORMER_AVX512 ${GLASSFORMER_COMPILER_HAS_AVX512})
endif()

include("${CMAKE_CURRENT_LIST_DIR}/old_processor.cmake")

if(GLASSFORMER_SANITIZE)
  # A sanitizer's instrumentation makes GCC 12 warn falsely about strings.
  add_compile_options(-fsanitize=${GLASSFORMER_SANITIZE} -fno-omit-frame-pointer -g1
                      "$<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overread>")
  add_link_options(-fsanitize=${GLASSFORMER_SANITIZE})
endif()

# glassformer_group_of(VARIABLE source count most): the group in which one of `count` files is compiled; a group has
# half of `most` to `most` files on average. Only the file's name decides, so a new file joins one group and the others
# are not compiled again. When there are too many files, every group is split in two; apart from new files, a file never
# shares a group with files it did not share one with before.
function(glassformer_group_of result source count most)
  set(groups 1)
  set(room ${most})
  while(room LESS count)
    math(EXPR groups "2 * ${groups}")
    math(EXPR room "2 * ${room}")
  endwhile()
  get_filename_component(name "${source}" NAME)
  string(MD5 hash "${name}")
  string(SUBSTRING "${hash}" 0 7 digits)
  math(EXPR group "0x${digits} % ${groups}")
  set(${result} "${group}" PARENT_SCOPE)
endfunction()

# Rooms whose compile time is mostly spent in headers are compiled in groups. Not the rooms that run a model: there a
# group could change how the compiler contracts products and sums, and with it the last bit of a number.
# scripts/sanitize.sh checks that files also compile on their own.
function(glassformer_compile_in_groups most)  # glassformer_compile_in_groups(MOST target...)
  foreach(target IN LISTS ARGN)
    get_target_property(sources ${target} SOURCES)
    glassformer_group_sources(${target} ${target} ${most} ${sources})
  endforeach()
endfunction()

# glassformer_compile_folders_in_groups(TARGET folder...): compiles the files of each of these folders (relative to the
# current one) in groups; the others stay on their own.
function(glassformer_compile_folders_in_groups target)
  foreach(folder IN LISTS ARGN)
    file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp")
    glassformer_group_sources(${target} "${folder}" 12 ${sources})
  endforeach()
endfunction()

function(glassformer_group_sources target name most)
  list(LENGTH ARGN count)
  foreach(source IN LISTS ARGN)
    glassformer_group_of(group "${source}" ${count} ${most})
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${name}/${group}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${GLASSFORMER_UNITY} UNITY_BUILD_MODE GROUP)
endfunction()
