#pragma once

#include "app/common/head_trace.h"

/// The pages of the view of one head's matrices, one a file. Each draws from the top of its box over its width and
/// returns where it ends.
namespace glassformer::app::views::qkv {

/// Which page the cards show.
struct QkvLook {
    enum Page { vectors_page, scores_page, circuits_page, distance_page };
    int page = vectors_page;
};

/// Q·Kᵀ, ÷ √d, masked, softmax: the whole matrices, one after the other.
float draw_qkv_scores(const Frame& frame, const HeadTrace& head, const Box& box);
/// The results of all heads side by side, times W_O; below, what this head looks for and hands over.
float draw_qkv_circuits(const Frame& frame, const HeadTrace& head, const Box& box);
/// The nearest pattern that knows distances alone, and its filter.
float draw_qkv_distance(const Frame& frame, const HeadTrace& head, const Box& box);

}  // namespace glassformer::app::views::qkv
