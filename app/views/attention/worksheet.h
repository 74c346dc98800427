#pragma once

#include "app/common/head_trace.h"

namespace glassformer::app::views::attention {

/// Heights of the worksheet's parts, in screen pixels.
struct WorksheetSize {
    float query, header, row, z;
    float total(int rows) const { return query + header + row * static_cast<float>(rows) + z; }
};
WorksheetSize worksheet_size(const Ui& ui, float row);

/// Attention from the chosen token, worked out line by line: its query, then for each token key, score, weight and
/// value, and at the bottom what it takes away (worksheet.cpp).
void draw_worksheet(const Frame& frame, const HeadTrace& head, const Box& box, float row);

}  // namespace glassformer::app::views::attention
