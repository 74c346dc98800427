# The OpenGL backend: shaders as text in the program, or a stub that says that there is no OpenGL in this build.
set(GLASSFORMER_HAS_GL OFF)
if(GLASSFORMER_GL)
  pkg_check_modules(GLASSFORMER_EPOXY IMPORTED_TARGET epoxy)
  if(GLASSFORMER_EPOXY_FOUND)
    set(GLASSFORMER_HAS_GL ON)
  endif()
endif()
message(STATUS "Glassformer: OpenGL backend ${GLASSFORMER_HAS_GL}")

# Every shader as text, those of the window's pictures too: no OpenGL is needed to hold them.
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
  # Each file in backend/gl/ops is one op with its row; the table is made of their names.
  file(GLOB op_files CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/backend/gl/ops/*.cpp")
  foreach(op_file ${op_files})
    get_filename_component(op "${op_file}" NAME_WE)
    string(APPEND GL_OP_DECLARATIONS "extern const GlOp gl_${op};\n")
    string(APPEND GL_OP_ROWS "    &gl_${op},\n")
  endforeach()
  configure_file(backend/gl/op_table.cpp.in "${CMAKE_CURRENT_BINARY_DIR}/gl_op_table.cpp" @ONLY)
  add_library(glassformer_gl STATIC ${sources} "${CMAKE_CURRENT_BINARY_DIR}/gl_op_table.cpp")
  target_link_libraries(glassformer_gl PUBLIC glassformer_backend glassformer_shaders PkgConfig::GLASSFORMER_EPOXY)
else()
  add_library(glassformer_gl STATIC backend/gl/gl_backend_stub.cpp)
  target_link_libraries(glassformer_gl PUBLIC glassformer_backend)
endif()
set(GLASSFORMER_HAS_GL ${GLASSFORMER_HAS_GL} PARENT_SCOPE)
