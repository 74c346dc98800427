#pragma once

#include <cstdint>
#include <string>

namespace glassformer::app {

/// How the next word of a text is chosen.
struct GenerationChoice {
    int top_k = 10;          // draw among so many of the likeliest; 0: among all
    std::uint64_t seed = 1;  // the same seed draws the same word after the same text
    int slot = -1;           // the sentence that is being continued by itself; −1: none
    double next_at = 0;      // then its next word comes, in ImGui's seconds
    std::string told;        // the text that was sent last, so that a slow worker is not asked twice
};

}  // namespace glassformer::app
