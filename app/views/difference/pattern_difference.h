#pragma once

#include <memory>
#include <vector>

#include "app/common/block_pattern.h"
#include "app/common/hidden_by_quiz.h"
#include "app/common/word_alignment.h"

namespace glassformer::app::views::difference {

/// The pattern of card B's head minus that of card A's, over the words of both. Computed once per pair of traces and
/// pair of heads; queried every frame.
class PatternDifference {
public:
    static constexpr std::size_t largest_kept = 10;

    struct Asked {
        std::array<HeadChoice, 2> head;
        std::array<bool, 2> cross{};
        bool operator==(const Asked&) const = default;
    };
    /// A cell of the difference.
    struct Place {
        int row = 0, column = 0;
    };

    /// Both cards must have a trace with attention in the requested heads.
    PatternDifference(const Frame& frame, const Asked& asked);

    bool of(const Frame& frame, const Asked& asked) const {
        return asked_ == asked && trace_[0].lock() == frame.sentence(0).trace &&
               trace_[1].lock() == frame.sentence(1).trace;
    }
    const Asked& asked() const { return asked_; }
    const std::vector<AlignedWord>& rows() const { return rows_; }
    const std::vector<AlignedWord>& columns() const { return columns_; }
    /// True if every word of each sentence has a partner in the other.
    bool same_words() const { return same_words_; }
    /// B − A; NaN if either pattern has no such cell.
    float value(int row, int column) const {
        return values_[static_cast<std::size_t>(row) * columns_.size() + static_cast<std::size_t>(column)];
    }
    /// [row, column].
    std::span<const float> values() const { return values_; }
    /// Like values(): −∞ where there is nothing to show, as either pattern has no such cell or both hide it; else 0.
    std::span<const float> shown() const { return shown_; }
    /// The cells that differ most, largest difference first.
    const std::vector<Place>& largest() const { return largest_; }
    /// Largest |value|; 0 if nothing differs.
    float range() const { return range_; }

private:
    void find_largest();

    std::array<std::weak_ptr<const Trace>, 2> trace_;  // not owned: a trace keeps the memory of a run alive
    Asked asked_;
    std::vector<AlignedWord> rows_, columns_;
    std::vector<float> values_, shown_;
    std::vector<Place> largest_;
    bool same_words_ = true;
    float range_ = 0;
};

/// The pattern that a card shows in its requested head; none if it has no trace or no attention there.
std::optional<BlockPattern> asked_pattern(const Frame& frame, const PatternDifference::Asked& asked, int slot);
/// The heads that the two cards show now.
PatternDifference::Asked asked_now(const Frame& frame);

/// The difference between the two cards, computed when it is shown.
struct DifferenceState {
    std::shared_ptr<PatternDifference> of_cards;
};

/// The two patterns and their difference, for one frame.
struct DifferencePicture {
    const Frame& frame;
    const PatternDifference& difference;
    BlockPattern a, b;

    const Ui& ui() const { return frame.ui; }
    const BlockPattern& side(int slot) const { return slot == 0 ? a : b; }
    int head(int slot) const { return difference.asked().head[slot].head; }
    float weight(int slot, int query, int key) const { return side(slot).weight(head(slot), query, key); }
    Cell cell(int slot, int query, int key) const { return side(slot).cell(head(slot), query, key); }
    /// True if the quiz still hides the weights of a query.
    bool hidden_by_quiz(int slot, int query) const {
        const auto& asked = difference.asked();
        const std::size_t at = slot;
        return query >= 0 && row_hidden_by_quiz(frame, slot, asked.head[at], asked.cross[at]) == query;
    }
    bool hidden_by_quiz(const AlignedWord& row) const { return hidden_by_quiz(0, row.a) || hidden_by_quiz(1, row.b); }
    int chosen(int slot) const { return frame.state.token[slot]; }
    /// The word of a row or column, as written in a sentence that has it.
    std::string row_word(const AlignedWord& row) const;
    std::string column_word(const AlignedWord& column) const;
};

/// Reacts to the mouse over a cell of the difference: shows both numbers; a click chooses the query in both cards and
/// opens the number in the active card.
void point_at_difference(const DifferencePicture& picture, const PatternDifference::Place& at, bool clicked);
/// Chooses a word in each sentence that has it.
void choose_in_both(const Frame& frame, const AlignedWord& word);

/// Draws the three maps side by side across the box, without A and B if they would be too small to read. They take
/// about `height` if their words fit. Returns the bottom.
float draw_difference_maps(const DifferencePicture& picture, const Box& box, float height);
/// Draws the weights of the chosen words, key by key. Returns the bottom.
float draw_difference_row(const DifferencePicture& picture, const Box& box);
/// Draws the cells that differ most. Returns the bottom.
float draw_largest_differences(const DifferencePicture& picture, const Box& box);

}  // namespace glassformer::app::views::difference
