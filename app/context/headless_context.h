#pragma once

#include <memory>
#include <string>

namespace glassformer {

/// An OpenGL 4.3 core context without a window, current on the thread that opened it while it lives.
class HeadlessContext {
public:
    virtual ~HeadlessContext() = default;
    /// On a graphics card where there is one, else on a software renderer. Null where none can be had; `why`, where it
    /// is given, then says so in a sentence.
    static std::unique_ptr<HeadlessContext> open(std::string* why = nullptr);
};

}  // namespace glassformer
