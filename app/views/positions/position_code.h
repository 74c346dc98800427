#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/common/frame.h"

/// How a model tells positions in a sentence apart: the numbers of the position view, without the drawing.
namespace glassformer::app::views::positions {

/// One vector per position, and how similar these vectors are.
struct PositionCode {
    int positions = 0, width = 0;
    std::vector<float> values;       // [positions, width]
    std::vector<float> similarity;   // [positions, positions]: cosine similarity; 0 if either vector is 0
    std::vector<float> by_distance;  // [positions]: mean cosine similarity of all pairs at this distance

    float cosine(int a, int b) const { return similarity[a * positions + b]; }
};

/// Fills similarity and by_distance from the values.
void compare_positions(PositionCode& code);

/// Sines and cosines: features 2i and 2i + 1 of position p are sin and cos of p / 10000^(2i / width) (Vaswani et al.
/// 2017).
PositionCode sinusoidal_code(int positions, int width);
/// The angle table of RoPE (Su et al. 2021): columns 2i and 2i + 1 are cos and sin of p · 10000^(−2i / d_head).
PositionCode rotary_code(int positions, int d_head);
/// ALiBi (Press et al. 2022): head h adds −2^(−8 (h + 1) / heads) · distance to a score. Returns [heads, distances].
std::vector<float> alibi_penalties(int heads, int distances);

/// The model's own positions in a sentence. A learned table has n_ctx of them; at most `most_positions` are shown.
inline constexpr int most_positions = 64;
struct ModelPositions {
    Positions kind = Positions::none;
    std::shared_ptr<const PositionCode> code;  // null for ALiBi and none
    int node = -1;                             // hook_pos_embed, or −1
    int in_sentence = 0;                       // number of rows of `code` that the node has
    int table = -1;                            // the parameter whose row p is position p, or −1
    int all = 0;                               // number of positions in all; `code` may hold fewer

    /// The cell of the trace that holds this number of the table, if any.
    std::optional<Cell> cell(int position, int feature) const;
};
/// Cached across frames as long as the parameters are the same.
ModelPositions model_positions(const Frame& frame, int slot);
/// The sinusoidal code with as many positions and features, cached in the same way.
std::shared_ptr<const PositionCode> sinusoidal_beside(const PositionCode& code);

}  // namespace glassformer::app::views::positions
