#pragma once

#include "core/base/reflection.h"

namespace glassformer {

/// How to stretch the angles of rotary positions for texts longer than the model was first trained on: not at all, all
/// by one factor, or only the slow ones (Llama 3.1).
enum class RotaryScaling { none, linear, llama3 };
template <>
inline constexpr auto enum_names<RotaryScaling> = names_up_to<RotaryScaling::llama3>("none", "linear", "llama3");

/// Rotary positions (Su et al. 2021, RoPE): which two features form a pair, and how fast each pair rotates.
struct RotaryOptions {
    float base = 10000.0f;
    bool halves = false;  // pairs are (i, i + D/2), as in Hugging Face's Llama; otherwise (2i, 2i + 1)
    RotaryScaling scaling = RotaryScaling::none;
    float factor = 1.0f;  // linear and llama3: how much slower
    // llama3: pairs that rotate less than `low` times in original_length words are slowed by the factor, those that
    // rotate more than `high` times are unchanged, and those in between are slowed partially.
    float low_frequency_factor = 1.0f;
    float high_frequency_factor = 4.0f;
    int original_length = 8192;

    bool operator==(const RotaryOptions&) const = default;
};

template <MaybeConst<RotaryOptions> Fields, class Visit>
void visit_fields(Fields& options, const Visit& visit) {
    auto& [base, halves, scaling, factor, low_frequency_factor, high_frequency_factor, original_length] = options;
    visit("base", base);
    visit("halves", halves);
    visit("scaling", scaling);
    visit("factor", factor);
    visit("low_frequency_factor", low_frequency_factor);
    visit("high_frequency_factor", high_frequency_factor);
    visit("original_length", original_length);
}

}  // namespace glassformer
