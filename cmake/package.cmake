# `cpack` makes two Debian packages: glassformer (the program, its library and data), and libglassformer-dev (what
# another program needs to build with Glassformer::core). scripts/package.sh runs it.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME glassformer)
set(CPACK_PACKAGE_VENDOR "The Glassformer authors")
set(CPACK_PACKAGE_CONTACT "The Glassformer authors <maintainers@glassformer.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_COMPONENTS_ALL program library development)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_COMPONENT_PROGRAM_GROUP program)
set(CPACK_COMPONENT_LIBRARY_GROUP program)
set(CPACK_COMPONENT_DEVELOPMENT_GROUP development)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${CMAKE_BINARY_DIR}/lib")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME glassformer)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
# Fonts, OpenGL and EGL are opened at run time, so no tool finds these dependencies in the program.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "fonts-inter, fonts-dejavu-core, libegl1, libgl1, libgl1-mesa-dri")
# Fonts for scripts that those above lack.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "fonts-wqy-microhei, fonts-freefont-ttf")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "transformer whose every number can be seen
Glassformer trains a small transformer on a plain laptop and shows every
number that the model computes. Click a number to see its formula, the
numbers that made it, and how it changes while the model learns.

Nine trained models come with it: homonyms, coreference, word order,
translation, induction, copying, sorting, regression and a text. It also
opens models of the GPT-2 family in Hugging Face's format. It works
offline.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libglassformer-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "glassformer (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "headers of Glassformer's transformer library
Load, run, trace and train small transformers from C++20. CMake's
find_package(Glassformer) gives the target Glassformer::core.")

include(CPack)
