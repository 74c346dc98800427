#pragma once

#include <memory>
#include <string>

namespace glassformer {

/// An OpenGL 4.3 core context without a window. While it lives, it is current on the thread that opened it.
class HeadlessContext {
public:
    virtual ~HeadlessContext() = default;
    /// Opens a context on a graphics card if there is one, otherwise on a software renderer. Returns null if neither is
    /// available; `why`, if given, then explains it in a sentence.
    static std::unique_ptr<HeadlessContext> open(std::string* why = nullptr);
};

}  // namespace glassformer
