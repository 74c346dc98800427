#pragma once

#include "app/context/headless_context.h"

namespace glassformer::testing {

/// Returns the one context of the whole program, or null.
HeadlessContext* shared_context();

/// Skips a test that cannot run here, and says so.
#define REQUIRE_GL()                                                     \
    if (!glassformer::testing::shared_context()) {                       \
        MESSAGE("skipped: no OpenGL 4.3 context without a window here"); \
        return;                                                          \
    }

}  // namespace glassformer::testing
