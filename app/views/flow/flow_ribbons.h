#pragma once

#include <vector>

#include "app/common/block_pattern.h"

namespace glassformer::app::views::flow {

/// One attention weight, drawn as wide as it is: from its key on the left to its query on the right.
struct Ribbon {
    int head = 0, query = 0, key = 0;
    float weight = 0;
    ImVec2 from, to;  ///< middles of its ends
    float width = 0;  ///< pixels, maybe less than one
    bool strong = false;

    /// The middle of the ribbon at a share of its way.
    ImVec2 at(float t) const;
    /// How far a point lies from its middle line, in pixels; infinite left and right of it.
    float distance(ImVec2 point) const;
};

/// Which ribbons there are and where the words that they join stand.
struct FlowPlan {
    int first_head = 0, end_head = 0;     ///< the heads that are shown
    int focus_query = -1, focus_key = -1; /**< whose ribbons are strong; a key, where there is one, comes before the
                                               query */
    int first_seen = 0, end_seen = 0;     ///< the queries on screen: others have no faint ribbons
    float left = 0, right = 0;
    float first_y = 0, pitch = 0;  ///< middle of the first row; from row to row
    float unit = 0;                ///< pixels of a weight of 1

    float row_y(int position) const { return first_y + pitch * to_float(position); }
};

/// The faint ribbons, then the strong ones, each from thin to wide. Of very many the widest are kept, so that a long
/// sentence costs no more than a short one.
std::vector<Ribbon> flow_ribbons(const BlockPattern& pattern, const FlowPlan& plan);

/// The ribbon under a point, a strong one before a faint one; −1 when there is none within `reach` pixels.
int ribbon_at(const std::vector<Ribbon>& ribbons, ImVec2 point, float reach);

/// Draws one, anti-aliased; thinner than a pixel it is fainter instead. `least` pixels wide at least.
void draw_ribbon(const Ui& ui, const Ribbon& ribbon, ImU32 colour, float alpha, float least = 0);

}  // namespace glassformer::app::views::flow
