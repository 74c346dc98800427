#pragma once

namespace glassformer {

/// How the angles of rotary positions are stretched for texts longer than the model was first trained on: not at all,
/// all by one factor, or only the slow ones (Llama 3.1).
enum class RotaryScaling { none, linear, llama3 };

/// Rotary positions (Su et al. 2021, RoPE): which two features are a pair, and how fast each pair turns.
struct RotaryOptions {
    float base = 10000.0f;
    bool halves = false;  // pairs are (i, i + D/2), as in Hugging Face's Llama; else (2i, 2i + 1)
    RotaryScaling scaling = RotaryScaling::none;
    float factor = 1.0f;  // linear and llama3: how much slower
    // llama3: pairs that turn less than `low` times in original_length words are slowed by the factor, those that turn
    // more than `high` times are left alone, and those between are slowed in part.
    float low_frequency_factor = 1.0f;
    float high_frequency_factor = 4.0f;
    int original_length = 8192;

    bool operator==(const RotaryOptions&) const = default;
};

}  // namespace glassformer
