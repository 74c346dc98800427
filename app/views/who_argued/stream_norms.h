#pragma once

#include <span>

#include "app/common/frame.h"
#include "app/views/who_argued/argument_reading.h"

namespace glassformer::app::views::who_argued {

/// "0 attention", "embedding"; brief, "0 attn", where that does not fit. With a zero behind it.
std::string_view norm_name(const Ui& ui, const StreamNorm& norm, bool brief = false);

/// How long the residual stream of one word is after each part, and how far the part moved it, as two bars; registered
/// as "A/norm <i>" and "A/norm change <i>" with these lengths. The second is not the difference of two of the first:
/// the part may point anywhere. A click opens the largest number of that stream. In a low box "|x|" and "|Δ|" stand
/// beside the bars, not a line above them.
float stream_norms_height(const Ui& ui, bool low);
void draw_stream_norms(const Frame& frame, std::span<const StreamNorm> norms, const Box& box, bool low, int slot,
                       int position);

}  // namespace glassformer::app::views::who_argued
