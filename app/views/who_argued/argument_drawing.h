#pragma once

#include <span>

#include "app/common/frame.h"
#include "app/views/who_argued/argument_reading.h"

/// The parts of a logit, one below the other (each bar begins where the one above ends; the last one is their sum), and
/// the norms of the residual stream that they add to.
namespace glassformer::app::views::who_argued {

/// What is decomposed: the logit of one word at one position of a sentence.
struct Waterfall {
    const ArgumentReading& reading;
    int slot = 0, position = 0;
    std::string_view total;  // the sum's name: "logit − mean"

    /// Number of rows, including the sum.
    float rows() const { return to_float(reading.parts().terms.size()) + 1; }
};

/// The colour of a kind of part.
ImU32 part_colour(const Theme& theme, Contribution::Kind kind);

/// "0 · head 3", "embedding", "β": the name of a part beside its bar and in copied text.
std::string_view part_name(const Frame& frame, const Contribution& term);

/// Bars are registered as "A/argued <i>", the sum as "A/argued total" with the trace's own value. A click on a head
/// chooses it, on any other part opens its largest number, on the sum the logit. `row`: height of a row in pixels.
void draw_waterfall(const Frame& frame, const Waterfall& waterfall, const Box& box, float row);

/// "0 attention", "embedding"; with `brief`, "0 attn", for when that does not fit. Null-terminated.
std::string_view norm_name(const Ui& ui, const StreamNorm& norm, bool brief = false);

/// Draws two bars per part: the norm of one word's residual stream after that part, and how far the part moved it. They
/// are registered as "A/norm <i>" and "A/norm change <i>" with these lengths. The second is not the difference of two
/// of the first: a part may point in any direction. A click opens the largest number of that stream. In a low box,
/// "|x|" and "|Δ|" are beside the bars instead of on a line above them.
float stream_norms_height(const Ui& ui, bool low);
void draw_stream_norms(const Frame& frame, std::span<const StreamNorm> norms, const Box& box, bool low, int slot,
                       int position);

}  // namespace glassformer::app::views::who_argued
