#pragma once

#include "app/common/frame.h"

/// What views do alike for sentences of many words.
namespace glassformer::app {

/// Of a sentence as short as this all words are on screen, or a scroll away, in every view, and all of them are items:
/// a lesson may point at any. Of a longer one only what is seen is built.
inline constexpr int most_short = 40;
inline bool is_long(int words) { return words > most_short; }

/// The width of the widest word of a sentence (or of the sentence that is translated). Found once for a trace.
float widest_word(const Frame& frame, int slot, bool source = false, FontRole font = FontRole::small_bold);

/// Rows of one height.
struct SeenRows {
    int begin = 0, end = 0;  ///< half open
};
/// Those of `count` rows from `top` on that the current window shows; all of them where they are few, or ui.every_row.
SeenRows seen_rows(const Ui& ui, float top, float row, int count);

/// Whether an export misses rows that are still being computed: it waits for them.
struct RowsToCome {
    bool any = false;
};

/// Inside a scrolling window: brings rows from `top` to `bottom` into sight when `choice` is another one than in the
/// frame before; `at_first` also in the first frame.
void keep_in_sight(const char* id, int choice, float top, float bottom, bool at_first = true);

/// Whether a sentence (or the one that is translated) is read from right to left, as Hebrew and Arabic are: its words
/// then stand in that order.
bool reads_from_right(const Frame& frame, int slot, bool source = false);

}  // namespace glassformer::app
