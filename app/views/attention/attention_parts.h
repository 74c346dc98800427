#pragma once

#include "app/common/head_trace.h"
#include "app/common/pattern_view.h"

/// What the view of attention draws beside the pattern.
namespace glassformer::app::views::attention {

/// Heights of the worksheet's parts, in screen pixels.
struct WorksheetSize {
    float query, header, row, z;
    float total(int rows) const { return query + header + row * to_float(rows) + z; }
};
WorksheetSize worksheet_size(const Ui& ui, float row);

/// Attention from the chosen token, worked out line by line: its query, then for each token key, score, weight and
/// value, and at the bottom what it takes away (worksheet.cpp).
void draw_worksheet(const Frame& frame, const HeadTrace& head, const Box& box, float row);

/// Each token's mean and spread in the LayerNorm before attention (ln1) or before the MLP (ln2), in rows that line up
/// with the pattern's: norm_statistics.cpp.
void draw_layer_norm(const Frame& frame, const HeadTrace& head, const PatternLayout& at);

}  // namespace glassformer::app::views::attention
