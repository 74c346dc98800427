# Translations of the program's texts (GNU gettext; app/language/tr.h). A language is one file assets/po/<language>.po:
# `msginit -i build/glassformer.pot -o assets/po/de.po` creates it, `msgmerge -U assets/po/de.po build/glassformer.pot`
# updates it.
find_program(GLASSFORMER_XGETTEXT xgettext)
find_program(GLASSFORMER_MSGFMT msgfmt)
find_program(GLASSFORMER_MSGEN msgen)
if(NOT GLASSFORMER_XGETTEXT OR NOT GLASSFORMER_MSGFMT OR NOT GLASSFORMER_MSGEN)
  message(STATUS "Glassformer: the texts stay in English (gettext was not found)")
  return()
endif()

# Extracts every text in tr("…"), those that tables mark with N_("…"), the patterns of errors and the descriptions of
# the command-line options into glassformer.pot.
file(GLOB_RECURSE texts RELATIVE "${CMAKE_SOURCE_DIR}" CONFIGURE_DEPENDS app/*.h app/*.cpp core/*.h core/*.cpp)
list(SORT texts)
string(REPLACE ";" "\n" texts_in_lines "${texts}")
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/texts.list" CONTENT "${texts_in_lines}\n" @ONLY)
set(pot "${CMAKE_BINARY_DIR}/glassformer.pot")
add_custom_command(OUTPUT "${pot}"
  COMMAND ${GLASSFORMER_XGETTEXT} --language=C++ --from-code=UTF-8 --keyword --keyword=tr:1,1t --keyword=tr:1,2,3t
          --keyword=N_ --keyword=titled --keyword=Error --keyword=UsageError --keyword=SystemError:2
          --keyword=add_option:3 --keyword=add_flag:3 --keyword=add_subcommand:2 --keyword=fail --keyword=fail_to_make
          --keyword=fail_in_file:2 --keyword=fail_in_field:3 --keyword=fail_in_tensor:3 --keyword=fail_in_line:2
          --keyword=fail_in_grammar:3 --keyword=refuse --keyword=refuse_if:2 --keyword=refuse_field:2
          --keyword=require:2 --keyword=shape_error:2 --keyword=check_errors --flag=tr:1:pass-c-format --sort-by-file
          --no-wrap --add-location=file --package-name=glassformer --files-from=${CMAKE_BINARY_DIR}/texts.list
          --directory=${CMAKE_SOURCE_DIR} --output=${pot}
  DEPENDS ${texts} "${CMAKE_BINARY_DIR}/texts.list" WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}" VERBATIM)
add_custom_target(glassformer_pot DEPENDS "${pot}")

# A language's catalogue from its .po: beside the program, where the program looks first, and in share/locale when
# installed.
if(WIN32)
  set(CMAKE_INSTALL_DATADIR .)  # there it is installed beside the program, too
endif()
include(GNUInstallDirs)
file(GLOB languages CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/assets/po/*.po")
set(catalogues "")
foreach(po IN LISTS languages)
  cmake_path(GET po STEM language)
  set(folder "${CMAKE_BINARY_DIR}/locale/${language}/LC_MESSAGES")
  file(MAKE_DIRECTORY "${folder}")
  add_custom_command(OUTPUT "${folder}/glassformer.mo"
    COMMAND ${GLASSFORMER_MSGFMT} --check-format --output-file=${folder}/glassformer.mo "${po}"
    DEPENDS "${po}" VERBATIM)
  list(APPEND catalogues "${folder}/glassformer.mo")
  install(FILES "${folder}/glassformer.mo" DESTINATION "${CMAKE_INSTALL_DATADIR}/locale/${language}/LC_MESSAGES"
    COMPONENT program)
endforeach()
add_custom_target(glassformer_languages ALL DEPENDS ${catalogues})
if(TARGET glassformer)
  add_dependencies(glassformer glassformer_languages)  # run.sh builds the program only
endif()

# The pseudo-language en_XA, English with accents and 40 % longer, for the tests: plain English on the screen then lacks
# a tr(), and text that is cut off has too little room. Not installed.
set(folder "${CMAKE_BINARY_DIR}/locale/en_XA/LC_MESSAGES")
file(MAKE_DIRECTORY "${folder}")
add_custom_command(OUTPUT "${folder}/glassformer.mo"
  COMMAND ${GLASSFORMER_MSGEN} --no-wrap --output-file=${folder}/english.po "${pot}"
  COMMAND sed -E -f "${CMAKE_SOURCE_DIR}/assets/po/pseudo.sed" "${folder}/english.po" > "${folder}/pseudo.po"
  COMMAND ${GLASSFORMER_MSGFMT} --check-format --output-file=${folder}/glassformer.mo "${folder}/pseudo.po"
  DEPENDS "${pot}" "${CMAKE_SOURCE_DIR}/assets/po/pseudo.sed" VERBATIM)
add_custom_target(glassformer_pseudo_language DEPENDS "${folder}/glassformer.mo")
