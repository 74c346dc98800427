# What `cmake --install` installs, and where, in three components: `program` (with its data and desktop files),
# `library` (libglassformer) and `development` (its headers and what find_package(Glassformer) reads).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(packaging "${CMAKE_SOURCE_DIR}/cmake/packaging")

# --- the library ---
install(TARGETS glassformer_shared EXPORT Glassformer
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library NAMELINK_COMPONENT development)
if(TARGET glassformer_shared_v3)
  install(TARGETS glassformer_shared_v3
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/glibc-hwcaps/x86-64-v3" COMPONENT library NAMELINK_SKIP)
endif()
target_include_directories(glassformer_shared INTERFACE
  "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/glassformer>")

# All headers except those that need more than the standard library or depend on the instruction set.
install(DIRECTORY core DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/glassformer" COMPONENT development
  FILES_MATCHING PATTERN "*.h"
  PATTERN "backend/gl" EXCLUDE
  REGEX "/platform/(posix|windows)$" EXCLUDE
  PATTERN "gl_training_device.h" EXCLUDE
  REGEX "/ops/(activation|attention|elementary|kernel|norm_rows|product_[a-z_]+|recurrent|rows)\\.h$" EXCLUDE
  REGEX "/(json_[a-z]+|[a-z_]+_json|hugging_face_family|model_files|gguf_file|word_factors)\\.h$" EXCLUDE
  REGEX "/text/(special_tokens|hf_tokenizer|listed_tokenizer|tokenizer_spec|token_models|pipeline|regular_expression|unicode)\\.h$" EXCLUDE)
install(FILES core/backend/gl/gl_backend.h
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/glassformer/core/backend/gl" COMPONENT development)

set(config_folder "${CMAKE_INSTALL_LIBDIR}/cmake/Glassformer")
set(assets_folder "${CMAKE_INSTALL_DATADIR}/glassformer/assets")
configure_package_config_file("${CMAKE_SOURCE_DIR}/cmake/GlassformerConfig.cmake.in"
  "${CMAKE_BINARY_DIR}/GlassformerConfig.cmake" INSTALL_DESTINATION "${config_folder}" PATH_VARS assets_folder)
write_basic_package_version_file("${CMAKE_BINARY_DIR}/GlassformerConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(EXPORT Glassformer NAMESPACE Glassformer:: DESTINATION "${config_folder}" COMPONENT development)
install(FILES "${CMAKE_BINARY_DIR}/GlassformerConfig.cmake" "${CMAKE_BINARY_DIR}/GlassformerConfigVersion.cmake"
  DESTINATION "${config_folder}" COMPONENT development)
install(FILES "${packaging}/copyright" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/libglassformer-dev"
  COMPONENT development)

# --- the program ---
if(NOT TARGET glassformer)
  return()
endif()
if(GLASSFORMER_PORTABLE)
  # The program finds its library relative to itself, so the installed folder can be moved.
  file(RELATIVE_PATH library_from_program "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_LIBDIR}")
  set_target_properties(glassformer PROPERTIES INSTALL_RPATH "$ORIGIN/${library_from_program}")
endif()
install(TARGETS glassformer RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT program)
install(DIRECTORY assets/worlds assets/models assets/lessons assets/gallery
  DESTINATION "${assets_folder}" COMPONENT program)
install(FILES "${packaging}/copyright" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/glassformer" COMPONENT program)

find_program(GLASSFORMER_GZIP gzip REQUIRED)
set(manual "${CMAKE_BINARY_DIR}/glassformer.1.gz")
add_custom_command(OUTPUT "${manual}" COMMAND ${GLASSFORMER_GZIP} -9nc "${packaging}/glassformer.1" > "${manual}"
  DEPENDS "${packaging}/glassformer.1" VERBATIM)
add_custom_target(glassformer_manual ALL DEPENDS "${manual}")
install(FILES "${manual}" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT program)

if(NOT GLASSFORMER_APP)
  return()
endif()

# --- desktop integration of the window ---
set(app_id org.glassformer.Glassformer)
install(FILES "${packaging}/${app_id}.desktop" "${packaging}/${app_id}.Open.desktop"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/applications" COMPONENT program)
install(FILES "${packaging}/${app_id}.metainfo.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo" COMPONENT program)
install(FILES "${packaging}/mime.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages"
  RENAME "${app_id}.xml" COMPONENT program)
set(icons "${CMAKE_INSTALL_DATADIR}/icons/hicolor")
install(FILES "${packaging}/icon.svg" DESTINATION "${icons}/scalable/apps" RENAME "${app_id}.svg" COMPONENT program)
find_program(GLASSFORMER_RSVG_CONVERT rsvg-convert)  # without it, the icon is installed only as SVG
if(GLASSFORMER_RSVG_CONVERT)
  set(pictures "")
  foreach(size 16 24 32 48 64 128 256 512)
    set(picture "${CMAKE_BINARY_DIR}/icons/${size}.png")
    add_custom_command(OUTPUT "${picture}"
      COMMAND ${GLASSFORMER_RSVG_CONVERT} --width ${size} --height ${size} --output "${picture}" "${packaging}/icon.svg"
      DEPENDS "${packaging}/icon.svg" VERBATIM)
    list(APPEND pictures "${picture}")
    install(FILES "${picture}" DESTINATION "${icons}/${size}x${size}/apps" RENAME "${app_id}.png" COMPONENT program)
  endforeach()
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/icons")
  add_custom_target(glassformer_icons ALL DEPENDS ${pictures})
endif()
