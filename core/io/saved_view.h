#pragma once

#include <array>
#include <string>

namespace glassformer {

/// What was on screen with a run last: with it the run opens as it was left.
struct SavedView {
    std::array<std::string, 2> sentences;
    int layer = 0, head = 0;
    bool operator==(const SavedView&) const = default;
};

}  // namespace glassformer
