#include "app/views/difference/pattern_difference.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/common/card_scope.h"
#include "app/common/word_alignment.h"

namespace glassformer::app::views::difference {

namespace {

std::vector<std::string> words_of(const Frame& frame, int slot, bool source, int count) {
    std::vector<std::string> words = names_to_align(frame, slot, source);
    words.resize(static_cast<std::size_t>(count));
    return words;
}

std::vector<AlignedWord> aligned_queries(const Frame& frame, const BlockPattern& a, const BlockPattern& b) {
    return align_words(words_of(frame, 0, false, a.queries), words_of(frame, 1, false, b.queries), same_homonym(frame));
}

std::vector<AlignedWord> aligned_keys(const Frame& frame, const BlockPattern& a, const BlockPattern& b) {
    return align_words(words_of(frame, 0, a.cross, a.keys), words_of(frame, 1, b.cross, b.keys),
                       a.cross || b.cross ? AlignedWord{} : same_homonym(frame));
}

}  // namespace

PatternDifference::Asked asked_now(const Frame& frame) {
    PatternDifference::Asked asked;
    for (int slot = 0; slot < 2; ++slot) {
        const CardScope scope(frame, slot);
        const std::size_t at = slot;
        asked.head[at] = {frame.state.layer, frame.state.head};
        asked.cross[at] = frame.state.cross_attention;
    }
    return asked;
}

std::optional<BlockPattern> asked_pattern(const Frame& frame, const PatternDifference::Asked& asked, int slot) {
    if (!frame.trace(slot)) return std::nullopt;
    const std::size_t at = slot;
    return block_pattern(*frame.trace(slot), slot, asked.head[at].layer, asked.cross[at],
                         Slices{asked.head[at].head, 1});
}

PatternDifference::PatternDifference(const Frame& frame, const Asked& asked)
    : trace_{frame.sentence(0).trace, frame.sentence(1).trace}, asked_(asked) {
    const BlockPattern a = *asked_pattern(frame, asked, 0), b = *asked_pattern(frame, asked, 1);
    rows_ = aligned_queries(frame, a, b);
    columns_ = aligned_keys(frame, a, b);
    same_words_ = std::ranges::all_of(rows_, &AlignedWord::both) && std::ranges::all_of(columns_, &AlignedWord::both);
    values_.reserve(rows_.size() * columns_.size());
    shown_.reserve(values_.capacity());
    for (const AlignedWord& row : rows_)
        for (const AlignedWord& column : columns_) {
            const bool known = row.both() && column.both();
            const bool hidden = !known || (a.hidden(row.a, column.a) && b.hidden(row.b, column.b));
            values_.push_back(known ? b.weight(asked.head[1].head, row.b, column.b) -
                                          a.weight(asked.head[0].head, row.a, column.a)
                                    : std::numeric_limits<float>::quiet_NaN());
            shown_.push_back(hidden ? -std::numeric_limits<float>::infinity() : 0.0f);
        }
    find_largest();
}

void PatternDifference::find_largest() {
    for (int row = 0; row < int_size(rows_); ++row)
        for (int column = 0; column < int_size(columns_); ++column)
            if (const float v = value(row, column); !std::isnan(v) && v != 0) largest_.push_back({row, column});
    const auto size = [&](const Place& place) { return std::abs(value(place.row, place.column)); };
    const std::size_t kept = std::min(largest_kept, largest_.size());
    const auto end = largest_.begin() + static_cast<std::ptrdiff_t>(kept);
    // Of equals, the first in reading order.
    std::partial_sort(largest_.begin(), end, largest_.end(), [&](const Place& x, const Place& y) {
        if (size(x) != size(y)) return size(x) > size(y);
        return x.row != y.row ? x.row < y.row : x.column < y.column;
    });
    largest_.resize(kept);
    range_ = largest_.empty() ? 0 : size(largest_.front());
}

}  // namespace glassformer::app::views::difference
