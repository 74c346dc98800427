# Makes a program built for AVX2 report an older processor, instead of ending with an illegal instruction.
function(glassformer_refuse_old_processor program)
  if(NOT glassformer_isa_flag STREQUAL "-march=x86-64-v3")
    return()
  endif()
  set(file "${CMAKE_SOURCE_DIR}/app/old_processor.cpp")
  target_sources(${program} PRIVATE "${file}")
  set_source_files_properties("${file}" PROPERTIES
    COMPILE_OPTIONS "-march=x86-64" SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
