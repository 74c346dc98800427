# The program for Windows: one folder with glassformer.exe and its data, which can be unpacked anywhere. `cpack` makes
# the zip; scripts/windows.sh runs it.
if(NOT TARGET glassformer)
  return()
endif()
set(parts "${CMAKE_SOURCE_DIR}/cmake/windows")
target_sources(glassformer PRIVATE "${parts}/glassformer.rc")
target_include_directories(glassformer PRIVATE "${parts}")  # the folder of the resource files
install(TARGETS glassformer RUNTIME DESTINATION .)
if(GLASSFORMER_APP)
  # A double click opens no console; glassformer.com is for use in one.
  set_target_properties(glassformer PROPERTIES WIN32_EXECUTABLE ON)
  add_executable(glassformer_console "${parts}/console.cpp")
  target_link_libraries(glassformer_console PRIVATE glassformer_options)
  set_target_properties(glassformer_console PROPERTIES OUTPUT_NAME glassformer SUFFIX .com
                        RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}")
  add_dependencies(glassformer glassformer_console)
  install(TARGETS glassformer_console RUNTIME DESTINATION .)
  # Fonts of this machine: Windows has its own for other scripts.
  foreach(font opentype/inter/Inter-Regular.otf opentype/inter/Inter-SemiBold.otf truetype/dejavu/DejaVuSans.ttf
               truetype/dejavu/DejaVuSans-Bold.ttf)
    file(COPY "/usr/share/fonts/${font}" DESTINATION "${CMAKE_BINARY_DIR}/fonts")  # beside the program that is tested
    get_filename_component(name "${font}" NAME)
    install(FILES "${CMAKE_BINARY_DIR}/fonts/${name}" DESTINATION fonts)
  endforeach()
  foreach(package fonts-inter fonts-dejavu-core)
    install(FILES "/usr/share/doc/${package}/copyright" DESTINATION licences RENAME "${package}.txt")
  endforeach()
endif()
install(DIRECTORY assets/worlds assets/models assets/lessons assets/gallery DESTINATION assets)
install(FILES LICENSE DESTINATION . RENAME LICENSE.txt)
# The licence of each library in the program, from the sources that scripts/ports.sh unpacked.
file(GLOB licences "${GLASSFORMER_PORTS}/work/*/source/LICEN[CS]E*" "${GLASSFORMER_PORTS}/work/*/source/COPYING*")
foreach(licence IN LISTS licences)
  string(REGEX REPLACE ".*/work/([^/]+)/source/(.*)" "\\1-\\2" name "${licence}")
  if(NOT IS_DIRECTORY "${licence}")
    install(FILES "${licence}" DESTINATION licences RENAME "${name}")
  endif()
endforeach()

set(CPACK_GENERATOR ZIP)
set(CPACK_PACKAGE_FILE_NAME "glassformer-${PROJECT_VERSION}-windows-x86_64")
set(CPACK_STRIP_FILES ON)
include(CPack)
