#pragma once

#include <memory>

#include "app/common/hidden_by_quiz.h"
#include "app/views/difference/pattern_difference.h"

/// The pieces of the difference of two cards; difference_view.cpp lays them out.
namespace glassformer::app::views::difference {

/// Of the two cards, made when it is shown.
struct DifferenceState {
    std::shared_ptr<PatternDifference> of_cards;
};

/// The two patterns and their difference, in one frame.
struct DifferencePicture {
    const Frame& frame;
    const PatternDifference& difference;
    BlockPattern a, b;

    const Ui& ui() const { return frame.ui; }
    const BlockPattern& side(int slot) const { return slot == 0 ? a : b; }
    int head(int slot) const { return difference.asked().head[slot].head; }
    float weight(int slot, int query, int key) const { return side(slot).weight(head(slot), query, key); }
    Cell cell(int slot, int query, int key) const { return side(slot).cell(head(slot), query, key); }
    /// Whether a query's weights are not told yet.
    bool hidden_by_quiz(int slot, int query) const {
        const auto& asked = difference.asked();
        const std::size_t at = slot;
        return query >= 0 && row_hidden_by_quiz(frame, slot, asked.head[at], asked.cross[at]) == query;
    }
    bool hidden_by_quiz(const AlignedWord& row) const { return hidden_by_quiz(0, row.a) || hidden_by_quiz(1, row.b); }
    int chosen(int slot) const { return frame.state.token[slot]; }
    /// The word of a row or a column, as it is in a sentence that has it.
    std::string row_word(const AlignedWord& row) const;
    std::string column_word(const AlignedWord& column) const;
};

/// What pointing at a cell of the difference does: it says both numbers, and a click chooses the query in both cards
/// and opens the number of the card that is worked on.
void point_at_difference(const DifferencePicture& picture, const PatternDifference::Place& at, bool clicked);
/// Chooses a word in each sentence that has it.
void choose_in_both(const Frame& frame, const AlignedWord& word);

/// The three maps side by side in the box's width, A and B left out where they would be too small to read; they take
/// about `height` if their words let them. Returns the bottom.
float draw_difference_maps(const DifferencePicture& picture, const Box& box, float height);
/// The weights of the chosen words, key by key. Returns the bottom.
float draw_difference_row(const DifferencePicture& picture, const Box& box);
/// The cells that differ most. Returns the bottom.
float draw_largest_differences(const DifferencePicture& picture, const Box& box);

}  // namespace glassformer::app::views::difference
