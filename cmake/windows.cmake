# The program for Windows: one folder with glassformer.exe and its data, which is unpacked anywhere. `cpack` makes the zip;
# scripts/windows.sh runs it.
if(NOT TARGET glassformer)
  return()
endif()
target_sources(glassformer PRIVATE "${CMAKE_SOURCE_DIR}/cmake/windows/glassformer.rc")
target_include_directories(glassformer PRIVATE "${CMAKE_SOURCE_DIR}/cmake/windows")  # where the resources' parts are
install(TARGETS glassformer RUNTIME DESTINATION .)
install(DIRECTORY assets/worlds assets/models assets/lessons assets/gallery DESTINATION assets)
install(FILES LICENSE DESTINATION . RENAME LICENSE.txt)

set(CPACK_GENERATOR ZIP)
set(CPACK_PACKAGE_FILE_NAME "glassformer-${PROJECT_VERSION}-windows-x86_64")
set(CPACK_STRIP_FILES ON)
include(CPack)
