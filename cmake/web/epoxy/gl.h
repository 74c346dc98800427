// In a browser, where there is no libepoxy: WebGL 2 as OpenGL ES 3.0.
#pragma once

#include <GLES3/gl3.h>
// after it
#include <GLES2/gl2ext.h>

inline bool epoxy_is_desktop_gl() { return false; }
inline int epoxy_gl_version() { return 30; }
