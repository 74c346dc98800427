#pragma once

#include <array>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "app/common/lens_reading.h"
#include "app/views/whole_model/canvas_layout.h"
#include "core/trace/trace.h"

namespace glassformer::app {

/// What one word takes from another in one head.
struct Arc {
    int head = 0, query = 0, key = 0;
    float weight = 0;
};

/// A word's numbers in as many cells as there is room for. Where a cell stands for several numbers, it is the one of
/// largest size.
struct TileCells {
    int rows = 0, columns = 0;
    std::vector<float> values;         ///< row-major; fewer than rows · columns where they do not fill the last row
    std::vector<std::int64_t> offset;  ///< of each in the node
};

/// What a trace is compared with: the unaltered model's, or the other sentence's.
struct ComparedTrace {
    std::shared_ptr<const Trace> trace;  ///< null: nothing
    /// The place there of each word here, −1: none; of the source sentence's words, too. Empty: they are the same.
    std::vector<int> position, source_position;
};

/// What the canvas shows of one trace, read once and only where it is in sight.
class CanvasReading {
public:
    CanvasReading(std::shared_ptr<const Trace> trace, ComparedTrace other);

    bool of(const std::shared_ptr<const Trace>& trace, const ComparedTrace& other) const {
        return trace_.lock() == trace && other_.lock() == other.trace && position_ == other.position &&
               source_position_ == other.source_position;
    }
    LensReading& lens() { return lens_; }

    /// At the start of a frame: how many numbers may be read in it.
    void begin_frame() { left_ = most_a_frame; }
    /// Whether something was left for the next frame.
    bool unfinished() const { return left_ <= 0; }

    /// The layout for a room; made again when that changes.
    const CanvasLayout& layout(const CanvasRoom& room);

    /// |value| of the full colour of a node: all but the largest two in a hundred are at most that.
    float range(int node);
    /// What is read by whom in a pattern: weights of a tenth or more, and each word's largest. Null until all heads are
    /// read.
    const std::vector<Arc>* arcs(int pattern);
    /// Some cells of a word's row [pos, …] in a node, from `first` on; at most rows × columns. Null until they are
    /// read. With `difference`, less what the other trace has there.
    const TileCells* tile(int node, int position, std::int64_t first, std::int64_t count, int rows, int columns,
                          bool difference);
    /// One number for each word of a node [pos, …], where its row has no room for more: that of largest size; NaN where
    /// it is not read yet. Those from `first` to `end` are read.
    const std::vector<float>& largest(int node, int first, int end);
    /// The likeliest words that are said at a position.
    const std::vector<LensWord>& said(int position);
    /// How much more or less a word takes from each other word than in the other trace, a tenth or more; the largest
    /// last.
    const std::vector<Arc>& changed_arcs(int pattern, int query);
    /// The number of the other trace that belongs to a node's number at a word; NaN where there is none.
    float other(const Cell& cell) const;
    /// Whether the other trace has this word of a node.
    bool other_has(int node, int position) const;

    static constexpr int words_said = 3;

private:
    static constexpr std::int64_t most_a_frame = 1'500'000;  // numbers: a few milliseconds

    struct TileKey {
        int node, position, rows, columns;
        std::int64_t first;
        bool difference;
        auto operator<=>(const TileKey&) const = default;
    };
    struct ReadArcs {
        std::vector<Arc> arcs;
        int heads = 0;  // that are read
        bool sorted = false;
    };

    /// The other trace's place of a word; −1: none.
    int place_there(bool source, int position) const;

    std::weak_ptr<const Trace> trace_, other_;
    std::vector<int> position_, source_position_;
    LensReading lens_;
    std::unique_ptr<CanvasLayout> layout_;
    std::unordered_map<int, float> ranges_;
    std::unordered_map<int, ReadArcs> arcs_;
    std::map<TileKey, TileCells> tiles_;
    std::unordered_map<int, std::vector<LensWord>> said_;
    std::map<std::pair<int, int>, std::vector<Arc>> changed_;
    std::unordered_map<int, std::vector<float>> largest_;
    std::int64_t left_ = most_a_frame;
};

/// What was read of the traces on screen.
struct CanvasReadings {
    std::array<std::shared_ptr<CanvasReading>, 2> of_cards;
};

}  // namespace glassformer::app
