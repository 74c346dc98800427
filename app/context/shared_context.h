#pragma once

namespace glassformer::app {

/// A second OpenGL context that shares objects (buffers, textures, programs) with a surface's context, for the worker's
/// GPU backend. Created on the main thread, used by one other thread.
class SharedContext {
public:
    virtual ~SharedContext() = default;
    virtual void make_current() = 0;  ///< on the calling thread
    virtual void release() = 0;       ///< from the calling thread
};

}  // namespace glassformer::app
