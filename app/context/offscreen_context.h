#pragma once

#include <memory>

#include "app/context/shared_context.h"

namespace glassformer::app {

/// An OpenGL core context of version 4.3, or 3.3, that draws into memory alone. To be made and destroyed on one thread.
class OffscreenContext : public SharedContext {
public:
    /// Throws Error where none can be had. It shares objects with the other one.
    static std::unique_ptr<OffscreenContext> open(const OffscreenContext* share = nullptr);

    virtual int gl_version() const = 0;  ///< 43 or 33
};

}  // namespace glassformer::app
