#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "app/common/lens_reading.h"
#include "app/views/whole_model/canvas_layout.h"
#include "app/views/whole_model/trace_reader.h"
#include "core/trace/trace.h"

namespace glassformer::app::views::whole_model {

/// What one word takes from another in one head.
struct Arc {
    int head = 0, query = 0, key = 0;
    float weight = 0;
};

/// What is read by whom in a pattern.
struct PatternArcs {
    /// A word's weights of a tenth or more, and its largest; the strongest last.
    std::span<const Arc> of(int query) const;
    std::vector<Arc> strong;  ///< of all words those of a fifth or more; the strongest last

    std::vector<Arc> by_query;
    std::vector<std::size_t> begin;  ///< of each query in by_query, and its end
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
    std::weak_ptr<const Trace> trace;  ///< none: nothing
    /// The place there of each word here, −1: none; of the source sentence's words, too. Empty: they are the same.
    std::vector<int> position, source_position;

    /// The place there of a word; −1: none.
    int place(bool source, int word) const;
    /// Its number that belongs to a number of `here`; NaN where there is none.
    float number(const Trace& here, const Cell& cell) const;
    /// Whether it has this word of a node of `here`.
    bool has(const Trace& here, int node, int word) const;
};

/// What the canvas shows of one trace, read once and only where it is in sight: what the trace has kept at once, as
/// long as there is not too much of it for a frame, and what has to be made on the reader's thread. What is not read
/// yet is null.
class CanvasReading {
public:
    CanvasReading(std::shared_ptr<const Trace> trace, ComparedTrace other, std::shared_ptr<TraceReader> reader);
    ~CanvasReading();
    CanvasReading(const CanvasReading&) = delete;
    CanvasReading& operator=(const CanvasReading&) = delete;

    bool of(const std::shared_ptr<const Trace>& trace, const ComparedTrace& other) const;
    LensReading& lens() { return lens_; }

    /// Takes what was read meanwhile.
    void begin_frame();
    /// Tells the reader what is missing. Whether anything is.
    bool end_frame();

    /// The layout for a room; made again when that changes.
    const CanvasLayout& layout(const CanvasRoom& room);

    /// |value| of the full colour of a node: all but the largest two in a hundred are at most that.
    std::optional<float> range(int node);
    const PatternArcs* arcs(int pattern);
    /// Some cells of a word's row [pos, …] in a node, from `first` on; at most rows × columns, or those of another size
    /// until these are read. With `difference`, less what the other trace has there.
    const TileCells* tile(int node, int position, std::int64_t first, std::int64_t count, int rows, int columns,
                          bool difference);
    /// One number for each word of a node [pos, …], where its row has no room for more: that of largest size. The
    /// first word's stands last where the sentence is read from the right.
    std::shared_ptr<const std::vector<float>> largest(int node, bool from_right);
    /// The likeliest words that are said at a position.
    const std::vector<LensWord>* said(int position);
    /// How much more or less a word takes from each other word than in the other trace, a tenth or more; the largest
    /// last.
    const std::vector<Arc>* changed_arcs(int pattern, int query);
    /// Some slices of a node, as long as they are asked for in every frame.
    std::optional<SliceView> part(int node, Slices slices);
    /// Whether the other trace has this word of a node.
    bool other_has(int node, int position) const { return other_->has(*trace_.lock(), node, position); }

    static constexpr int words_said = 3;

private:
    static constexpr std::int64_t most_a_frame = 400'000;  // numbers: less than a millisecond
    static constexpr std::size_t most_wishes = 96;         // in a frame

    struct TileKey {
        int node, position;
        std::int64_t first;
        bool difference;
        int rows, columns;
        auto operator<=>(const TileKey&) const = default;
    };
    struct HeldPart {
        SliceView part;
        bool asked = true;  // in this frame
    };

    /// What is kept under a key; else what `make` reads of the trace, now or later. Null: later.
    template <class Map, class Make>
    const typename Map::mapped_type* known(Map CanvasReading::*held, const typename Map::key_type& key,
                                           const WishKey& wish, int node, std::int64_t numbers, Make make);
    /// `numbers` are those that are read.
    void read(const WishKey& key, int node, std::int64_t numbers, TraceReader::Read make);
    TraceReader::Read make_tiles(const TileKey& key, std::int64_t count, Slices words) const;

    std::weak_ptr<const Trace> trace_;
    std::shared_ptr<const ComparedTrace> other_;
    std::shared_ptr<TraceReader> reader_;
    LensReading lens_;
    std::unique_ptr<CanvasLayout> layout_;
    std::unordered_map<int, float> ranges_;
    std::unordered_map<int, PatternArcs> arcs_;
    std::map<TileKey, TileCells> tiles_;
    std::unordered_map<int, std::vector<LensWord>> said_;
    std::map<std::pair<int, int>, std::vector<Arc>> changed_;
    std::unordered_map<int, std::shared_ptr<const std::vector<float>>> largest_;
    std::map<std::array<std::int64_t, 3>, HeldPart> parts_;
    std::vector<TraceReader::Wish> wishes_;  // of this frame
    std::int64_t left_ = most_a_frame;
};

/// What was read of the traces on screen, and who reads.
struct CanvasReadings {
    std::array<std::shared_ptr<CanvasReading>, 2> of_cards;
    std::shared_ptr<TraceReader> reader;
};

}  // namespace glassformer::app::views::whole_model
