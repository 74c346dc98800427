#pragma once

#include <memory>

#include "app/context/shared_context.h"

namespace glassformer::app {

/// An OpenGL core context, version 4.3 or 3.3, that draws only into memory. Create and destroy it on the same thread.
class OffscreenContext : public SharedContext {
public:
    /// Throws Error if no context is available. It shares objects with `share`.
    static std::unique_ptr<OffscreenContext> open(const OffscreenContext* share = nullptr);

    virtual int gl_version() const = 0;  ///< 43 or 33
};

}  // namespace glassformer::app
