#pragma once

#include <array>
#include <string>

namespace glassformer::app::views::layer_norm {

/// What the LayerNorm lens is set to.
struct NormLensChoice {
    bool final_norm = false;  // the norm after the last block, instead of ln1 or ln2
    bool over_words = false;  // the comparison with batch norm
    int feature = 0;
    std::array<std::string, 4> example{"100", "200", "100", "0"};      // the lecture's four numbers, as typed
    std::array<std::string, 3> example_settings{"1", "0", "0.00001"};  // γ, β, ε of the example, as typed
};

}  // namespace glassformer::app::views::layer_norm
