# The program as a web page (cmake/web/page.html is the page around it): one file, glassformer.html, with everything
# inside, and a folder to host, glassformer-web, which starts while it is still downloading and opens offline after
# that. A build with the toolchain web_threads.cmake makes the program only; if its folder is named here, the folder to
# host includes that program as well.
set(GLASSFORMER_WEB_THREADS_BUILD "" CACHE PATH "Folder of a build with cmake/web_threads.cmake, if there is one")
set(page "${CMAKE_SOURCE_DIR}/cmake/web/page.html")
set(before_start "${CMAKE_SOURCE_DIR}/cmake/web/before_start.js")
set(pack_page "${CMAKE_SOURCE_DIR}/cmake/web/pack_page.mjs")
set(offline "${CMAKE_SOURCE_DIR}/cmake/web/offline.js")
find_program(GLASSFORMER_NODE NAMES node nodejs REQUIRED NO_CMAKE_FIND_ROOT_PATH)
set(GLASSFORMER_WEB_FONTS
    "/usr/share/fonts/opentype/inter/Inter-Regular.otf;/usr/share/fonts/opentype/inter/Inter-SemiBold.otf"
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf;/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"
    CACHE STRING "Font files that go into the page")

# What the program finds in its root folder: fonts, languages, and the assets without the models' kept steps.
set(inside "${CMAKE_BINARY_DIR}/inside")
file(REMOVE_RECURSE "${inside}")
file(COPY ${GLASSFORMER_WEB_FONTS} DESTINATION "${inside}/fonts")
foreach(part worlds lessons gallery models)
  file(COPY "${CMAKE_SOURCE_DIR}/assets/${part}" DESTINATION "${inside}/assets"
    PATTERN "timeline.safetensors" EXCLUDE)
endforeach()
file(GLOB_RECURSE inside_sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/assets/*")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${inside_sources})

set_target_properties(glassformer PROPERTIES SUFFIX .js LINK_DEPENDS "${before_start}")
if(GLASSFORMER_WEB_THREADS)  # as many threads as compute, plus those that wait for work
  target_link_options(glassformer PRIVATE -sENVIRONMENT=web,worker -Wno-pthreads-mem-growth
    "SHELL:-sPTHREAD_POOL_SIZE=\"Math.min(navigator.hardwareConcurrency,16)*2+8\"")
else()
  target_link_options(glassformer PRIVATE -sENVIRONMENT=web)
endif()
target_link_options(glassformer PRIVATE
  -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 -sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=64MB -sSTACK_SIZE=8MB
  -sEXIT_RUNTIME=0 -sMODULARIZE -sEXPORT_NAME=glassformer -lidbfs.js -sFORCE_FILESYSTEM
  "SHELL:-sEXPORTED_FUNCTIONS=_main,_malloc,_free" "SHELL:-sEXPORTED_RUNTIME_METHODS=FS,HEAPU8" "SHELL:--pre-js ${before_start}")

if(GLASSFORMER_WEB_THREADS)
  return()
endif()

file(GLOB languages CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/assets/po/*.po")
set(languages_inside "")
foreach(po IN LISTS languages)
  cmake_path(GET po STEM language)
  list(APPEND languages_inside COMMAND "${CMAKE_COMMAND}" -E copy_directory
    "${CMAKE_BINARY_DIR}/locale/${language}" "${inside}/locale/${language}")
endforeach()
set(threads_program "")
if(GLASSFORMER_WEB_THREADS_BUILD)  # it must be built before this one
  set(threads_program "${GLASSFORMER_WEB_THREADS_BUILD}/glassformer.wasm")
endif()
add_custom_command(OUTPUT "${CMAKE_BINARY_DIR}/glassformer.html" ${languages_inside}
  COMMAND "${GLASSFORMER_NODE}" "${pack_page}" "${page}" glassformer.js glassformer.wasm "${inside}" "${offline}"
    glassformer.html glassformer-web ${GLASSFORMER_WEB_THREADS_BUILD}
  DEPENDS glassformer glassformer_languages "${page}" "${pack_page}" "${offline}" ${inside_sources} ${threads_program}
  WORKING_DIRECTORY "${CMAKE_BINARY_DIR}" VERBATIM)
add_custom_target(glassformer_page ALL DEPENDS "${CMAKE_BINARY_DIR}/glassformer.html")
