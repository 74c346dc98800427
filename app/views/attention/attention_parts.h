#pragma once

#include "app/common/head_trace.h"
#include "app/common/pattern_view.h"

/// What the attention view draws beside the pattern.
namespace glassformer::app::views::attention {

/// Heights of the worksheet's parts, in screen pixels.
struct WorksheetSize {
    float query, header, row, z;
    float total(int rows) const { return query + header + row * to_float(rows) + z; }
};
WorksheetSize worksheet_size(const Ui& ui, float row);

/// Works out the attention from the chosen token line by line: its query; the key, score, weight and value of each
/// token; and at the bottom the result z (worksheet.cpp).
void draw_worksheet(const Frame& frame, const HeadTrace& head, const Box& box, float row);

/// Draws each token's mean and spread in the LayerNorm before attention (ln1) or before the MLP (ln2), in rows that
/// line up with those of the pattern (norm_statistics.cpp).
void draw_layer_norm(const Frame& frame, const HeadTrace& head, const PatternLayout& at);

}  // namespace glassformer::app::views::attention
