#pragma once

#include <vector>

#include "app/common/block_pattern.h"

namespace glassformer::app::views::flow {

/// One attention weight, drawn as a ribbon from its key on the left to its query on the right; the weight is its width.
struct Ribbon {
    int head = 0, query = 0, key = 0;
    float weight = 0;
    ImVec2 from, to;  ///< centres of its ends
    float width = 0;  ///< pixels; may be less than one
    bool strong = false;

    /// The point on the centre line at a share `t` (0 … 1) of the way.
    ImVec2 at(float t) const;
    /// Distance of a point from the centre line, in pixels; infinite to the left and right of the ribbon.
    float distance(ImVec2 point) const;
};

/// Which ribbons to draw, and where the words that they join are.
struct FlowPlan {
    int first_head = 0, end_head = 0;      ///< the heads shown, half open
    int focus_query = -1, focus_key = -1;  ///< whose ribbons are strong; a key takes precedence over a query
    int first_seen = 0, end_seen = 0;      ///< the queries on screen: the others get no faint ribbons
    float left = 0, right = 0;
    float first_y = 0, pitch = 0;  ///< centre of the first row; distance between rows
    float unit = 0;                ///< width of a weight of 1, in pixels

    float row_y(int position) const { return first_y + pitch * to_float(position); }
};

/// The faint ribbons, then the strong ones, each group from thin to wide. Of very many, only the widest are kept, so
/// that a long sentence costs no more than a short one.
std::vector<Ribbon> flow_ribbons(const BlockPattern& pattern, const FlowPlan& plan);

/// Index of the ribbon under a point, strong before faint; −1 if there is none within `reach` pixels.
int ribbon_at(const std::vector<Ribbon>& ribbons, ImVec2 point, float reach);

/// Draws a ribbon, anti-aliased and at least `least` pixels wide. If it is thinner than a pixel, it is fainter instead.
void draw_ribbon(const Ui& ui, const Ribbon& ribbon, ImU32 colour, float alpha, float least = 0);

}  // namespace glassformer::app::views::flow
