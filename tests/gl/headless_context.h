#pragma once

#include <memory>

namespace glassformer::testing {

/// An OpenGL 4.3 core context without a window, current while it lives.
class HeadlessContext {
public:
    virtual ~HeadlessContext() = default;
    /// Null, with a message, where none can be had.
    static std::unique_ptr<HeadlessContext> open();
};

/// One context for the whole program, or null.
HeadlessContext* shared_context();

/// Leaves a test that cannot run here, and says so.
#define REQUIRE_GL()                                                     \
    if (!glassformer::testing::shared_context()) {                       \
        MESSAGE("skipped: no OpenGL 4.3 context without a window here"); \
        return;                                                          \
    }

}  // namespace glassformer::testing
