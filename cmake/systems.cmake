# What calls the operating system is in folders with the system's name, under the same headers: posix, windows, web, and
# glfw for those that have windows. A browser counts as POSIX but for what is in `web`: such a file stands for the one of
# the same name beside that folder, or in `posix`.
set(glassformer_system posix)
set(glassformer_other_systems "windows|web")
if(WIN32)
  set(glassformer_system windows)
  set(glassformer_other_systems "posix|web")
elseif(EMSCRIPTEN)
  set(glassformer_other_systems "windows|glfw")
endif()

# glassformer_of_this_system(LIST): takes the files of other systems out of a list.
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
