# Code that calls the operating system is in folders named after the system, under the same headers: posix, windows,
# web, and glfw for systems with windows. A browser counts as POSIX except for the files in `web`: such a file replaces
# the one of the same name beside that folder, or in `posix`.
set(glassformer_system posix)
set(glassformer_other_systems "windows|web")
if(WIN32)
  set(glassformer_system windows)
  set(glassformer_other_systems "posix|web")
elseif(EMSCRIPTEN)
  set(glassformer_other_systems "windows|glfw")
endif()

# glassformer_of_this_system(LIST): removes the files of other systems from a list.
function(glassformer_of_this_system list)
  set(sources ${${list}})
  list(FILTER sources EXCLUDE REGEX "/(${glassformer_other_systems})/")
  foreach(source IN LISTS sources)
    if(source MATCHES "^(.*)/web/([^/]+)$")
      list(REMOVE_ITEM sources "${CMAKE_MATCH_1}/${CMAKE_MATCH_2}" "${CMAKE_MATCH_1}/posix/${CMAKE_MATCH_2}")
    endif()
  endforeach()
  set(${list} ${sources} PARENT_SCOPE)
endfunction()
