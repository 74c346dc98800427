#pragma once

#include <span>

#include "app/common/frame.h"
#include "app/views/who_argued/argument_reading.h"

/// The parts of a logit, one under the other (each bar begins where the one above ends, and the last is their sum), and
/// the lengths of the stream that they add to.
namespace glassformer::app::views::who_argued {

/// What is shared out: one word at one place of a sentence.
struct Waterfall {
    const ArgumentReading& reading;
    int slot = 0, position = 0;
    std::string_view total;  // the sum's name: "logit − mean"

    /// Rows, the sum's included.
    float rows() const { return to_float(reading.parts().terms.size()) + 1; }
};

/// The colour of what a part adds.
ImU32 part_colour(const Theme& theme, Contribution::Kind kind);

/// "0 · head 3", "embedding", "β": a part's name beside its bar, and in the text that is copied.
std::string_view part_name(const Frame& frame, const Contribution& term);

/// Bars are registered as "A/argued <i>", the sum as "A/argued total" with the trace's own value. A click on a head
/// chooses it, on any other part opens its largest number, and on the sum the logit. Row is a row's height in pixels.
void draw_waterfall(const Frame& frame, const Waterfall& waterfall, const Box& box, float row);

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
