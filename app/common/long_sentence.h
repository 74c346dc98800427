#pragma once

#include "app/common/frame.h"

/// What views share for long sentences.
namespace glassformer::app {

/// Every view shows all words of a sentence up to this length, perhaps after a scroll, and all of them are items: a
/// lesson may point at any. Of a longer one only the visible part is built.
inline constexpr int most_short = 40;
inline bool is_long(int words) { return words > most_short; }

/// The width of the widest word of a sentence (or of the source sentence). Computed once per trace.
float widest_word(const Frame& frame, int slot, bool source = false, FontRole font = FontRole::small_bold);

/// Rows of equal height.
struct SeenRows {
    int begin = 0, end = 0;  ///< half open
};
/// The rows, of `count` from `top` on, that the current window shows; all of them if they are few, or ui.every_row.
SeenRows seen_rows(const Ui& ui, float top, float row, int count);

/// Whether an export misses rows that are still being computed: it waits for them.
struct RowsToCome {
    bool any = false;
};

/// Inside a scrolling window: scrolls `top` to `bottom` into view if `choice` has changed since the last frame; with
/// `at_first`, also in the first frame.
void keep_in_sight(const char* id, int choice, float top, float bottom, bool at_first = true);

/// True if a sentence (or its source) is read from right to left, like Hebrew and Arabic; its words are then in that
/// order.
bool reads_from_right(const Frame& frame, int slot, bool source = false);

}  // namespace glassformer::app
