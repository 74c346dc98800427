# The same for a page that shares memory with its threads, which a browser allows only if the page is cross-origin
# isolated. Everything that is linked must be compiled for it, so its libraries have a folder of their own.
set(GLASSFORMER_WEB_THREADS ON)
include("${CMAKE_CURRENT_LIST_DIR}/web.cmake")
