# The OpenGL backend: shaders as text in the program, or a stub that says that this build has no OpenGL.
set(GLASSFORMER_HAS_GL OFF)
if(GLASSFORMER_GL)
  pkg_check_modules(GLASSFORMER_EPOXY IMPORTED_TARGET epoxy)
  if(GLASSFORMER_EPOXY_FOUND)
    set(GLASSFORMER_HAS_GL ON)
  endif()
endif()
message(STATUS "Glassformer: OpenGL backend ${GLASSFORMER_HAS_GL}")

# Every shader as text, including those of the window's pictures: holding them needs no OpenGL.
set(shader_folder "${CMAKE_SOURCE_DIR}/shaders")
set(embedded "${CMAKE_CURRENT_BINARY_DIR}/embedded_shaders.cpp")
file(GLOB_RECURSE shaders CONFIGURE_DEPENDS "${shader_folder}/compute/*" "${shader_folder}/draw/*"
     "${shader_folder}/include/*")
add_custom_command(
  OUTPUT "${embedded}"
  COMMAND ${CMAKE_COMMAND} -D "FOLDER=${shader_folder}" -D "OUTPUT=${embedded}" -P
          "${CMAKE_SOURCE_DIR}/cmake/embed_shaders.cmake"
  DEPENDS ${shaders} "${CMAKE_SOURCE_DIR}/cmake/embed_shaders.cmake"
  VERBATIM)
add_library(glassformer_shaders STATIC backend/gl/shader_text.cpp "${embedded}")
target_link_libraries(glassformer_shaders PUBLIC glassformer_base)

if(GLASSFORMER_HAS_GL)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/backend/gl/*.cpp")
  list(FILTER sources EXCLUDE REGEX "(_stub|shader_text)\\.cpp$")
  # The op table is built from the rows at the end of each file in backend/gl/ops.
  file(GLOB op_files CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/backend/gl/ops/*.cpp")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${op_files})
  foreach(op_file ${op_files})
    file(STRINGS "${op_file}" rows REGEX "^extern const GlOp gl_")
    foreach(row IN LISTS rows)
      string(REGEX REPLACE "^extern const GlOp (gl_[a-z_]+).*" "\\1" row "${row}")
      string(APPEND GL_OP_DECLARATIONS "extern const GlOp ${row};\n")
      string(APPEND GL_OP_ROWS "    &${row},\n")
    endforeach()
  endforeach()
  configure_file(backend/gl/op_table.cpp.in "${CMAKE_CURRENT_BINARY_DIR}/gl_op_table.cpp" @ONLY)
  add_library(glassformer_gl STATIC ${sources} "${CMAKE_CURRENT_BINARY_DIR}/gl_op_table.cpp")
  target_link_libraries(glassformer_gl PUBLIC glassformer_backend glassformer_shaders PkgConfig::GLASSFORMER_EPOXY)
else()
  add_library(glassformer_gl STATIC backend/gl/gl_backend_stub.cpp)
  target_link_libraries(glassformer_gl PUBLIC glassformer_backend)
endif()
set(GLASSFORMER_HAS_GL ${GLASSFORMER_HAS_GL} PARENT_SCOPE)
