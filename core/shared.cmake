# The whole core as one shared library, libglassformer, which other programs link as Glassformer::core. The rooms'
# objects are linked again, not compiled again.
#
# If GLASSFORMER_ISA is portable, our program links it too, and there are two variants: one for any processor, and one
# for AVX2 and FMA beside it in glibc-hwcaps/x86-64-v3/. The dynamic loader (glibc 2.33 or newer) takes the best one
# that the processor can run. Each variant is a shared object of its own, so that neither uses an inline function of the
# other.

# Not on Windows or in the browser, where the program is a single file.
get_property(has_shared GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS)
if(WIN32 OR NOT has_shared)
  add_library(glassformer::core ALIAS glassformer_core)
  return()
endif()

# Collects all rooms, and the packages that they use.
set(queue glassformer_core)
set(rooms "")
set(packages "")
while(queue)
  list(POP_FRONT queue room)
  get_target_property(type ${room} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    get_target_property(libraries ${room} INTERFACE_LINK_LIBRARIES)
  else()
    get_target_property(libraries ${room} LINK_LIBRARIES)
    list(APPEND rooms ${room})
  endif()
  foreach(library IN LISTS libraries)
    if(NOT library MATCHES "^glassformer_")
      list(APPEND packages ${library})
    elseif(NOT library STREQUAL "glassformer_options")
      list(APPEND queue ${library})
    endif()
  endforeach()
endwhile()
list(REMOVE_DUPLICATES rooms)
list(REMOVE_DUPLICATES packages)
list(REMOVE_ITEM packages Threads::Threads)

function(glassformer_shared_library target folder)  # folder: the variant's, below the libraries' folder
  add_library(${target} SHARED ${ARGN})
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME glassformer
    EXPORT_NAME core
    DEFINE_SYMBOL ""
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib/${folder}")
  target_compile_options(${target} PRIVATE -fno-semantic-interposition)
  target_compile_features(${target} INTERFACE cxx_std_20)
  target_link_libraries(${target} PUBLIC Threads::Threads "$<BUILD_INTERFACE:glassformer_options>")
  foreach(package IN LISTS packages)
    target_link_libraries(${target} PUBLIC "$<BUILD_INTERFACE:${package}>")
  endforeach()
  # The library calls its own copy of an inline function, even if the program has another.
  target_link_options(${target} PRIVATE LINKER:-Bsymbolic-functions)
  if(NOT GLASSFORMER_SANITIZE)
    target_link_options(${target} PRIVATE LINKER:--no-undefined)
  endif()
endfunction()

set(objects "")
foreach(room IN LISTS rooms)
  set_target_properties(${room} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${room} PRIVATE -fno-semantic-interposition)
  list(APPEND objects "$<TARGET_OBJECTS:${room}>")
endforeach()
glassformer_shared_library(glassformer_shared "" ${objects})

if(NOT GLASSFORMER_PORTABLE)
  add_library(glassformer::core ALIAS glassformer_core)
  return()
endif()

add_library(glassformer::core ALIAS glassformer_shared)
if(glassformer_is_x86_64)
  set(sources "")
  foreach(room IN LISTS rooms)
    get_target_property(room_sources ${room} SOURCES)
    list(APPEND sources ${room_sources})
  endforeach()
  glassformer_shared_library(glassformer_shared_v3 glibc-hwcaps/x86-64-v3 ${sources})
  # This option comes last, as in a build for this machine, so that ccache recognises the objects.
  add_library(glassformer_v3 INTERFACE)
  target_compile_options(glassformer_v3 INTERFACE -march=x86-64-v3)
  target_compile_definitions(glassformer_v3 INTERFACE $<$<BOOL:${GLASSFORMER_AVX512}>:GLASSFORMER_AVX512>)
  target_link_libraries(glassformer_shared_v3 PRIVATE glassformer_v3)
  add_dependencies(glassformer_shared_v3 glassformer_shaders)  # it writes the shaders' text
  add_dependencies(glassformer_shared glassformer_shared_v3)
endif()
