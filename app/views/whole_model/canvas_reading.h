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

/// The weight with which one word reads another in one head.
struct Arc {
    int head = 0, query = 0, key = 0;
    float weight = 0;
};

/// Who reads what in a pattern.
struct PatternArcs {
    /// A word's weights of a tenth or more, and the largest in each head; strongest last.
    std::span<const Arc> of(int query) const;
    std::vector<Arc> strong;  ///< weights of a fifth or more, of all words; strongest last

    std::vector<Arc> by_query;
    std::vector<std::size_t> begin;  ///< where each query begins in by_query, and the end
};

/// A word's numbers in as many cells as fit. A cell for several numbers shows the one with the largest |value|.
struct TileCells {
    int rows = 0, columns = 0;
    std::vector<float> values;         ///< row-major; fewer than rows · columns if they do not fill the last row
    std::vector<std::int64_t> offset;  ///< of each value in the node
};

/// What a trace is compared with: that of the unaltered model, or that of the other sentence.
struct ComparedTrace {
    std::weak_ptr<const Trace> trace;  ///< null: nothing
    /// The position there of each word here, −1: none; likewise in the source sentence. Empty: the same positions.
    std::vector<int> position, source_position;

    /// The position there of a word; −1: none.
    int place(bool source, int word) const;
    /// Its number that corresponds to a number of `here`; NaN if there is none.
    float number(const Trace& here, const Cell& cell) const;
    /// True if it has this word of a node of `here`.
    bool has(const Trace& here, int node, int word) const;
};

/// What the canvas shows of one trace, read once and only when visible. What the trace has kept is read at once, as
/// long as it is not too much for a frame; what has to be computed is read on the reader's thread. Null: not read yet.
class CanvasReading {
public:
    CanvasReading(std::shared_ptr<const Trace> trace, ComparedTrace other, std::shared_ptr<TraceReader> reader);
    ~CanvasReading();
    CanvasReading(const CanvasReading&) = delete;
    CanvasReading& operator=(const CanvasReading&) = delete;

    bool of(const std::shared_ptr<const Trace>& trace, const ComparedTrace& other) const;
    LensReading& lens() { return lens_; }

    /// Takes what has been read since the last frame.
    void begin_frame();
    /// Tells the reader what is missing. Returns true if anything is.
    bool end_frame();

    /// The layout for a room; computed again if the room changes.
    const CanvasLayout& layout(const CanvasRoom& room);

    /// |value| that gets the full colour in a node: all but the largest 2 % are at most that.
    std::optional<float> range(int node);
    const PatternArcs* arcs(int pattern);
    /// Cells of a word's row [pos, …] in a node, starting at `first`: at most rows × columns, or those of another grid
    /// until these are read. With `difference`, minus the numbers of the other trace.
    const TileCells* tile(int node, int position, std::int64_t first, std::int64_t count, int rows, int columns,
                          bool difference);
    /// One number per word of a node [pos, …], for rows without room for more: the one with the largest |value|. If the
    /// sentence is read from the right, the first word comes last.
    std::shared_ptr<const std::vector<float>> largest(int node, bool from_right);
    /// The likeliest predictions at a position.
    const std::vector<LensWord>* said(int position);
    /// How much more or less a word reads others than in the other trace: changes of a tenth or more; largest last.
    const std::vector<Arc>* changed_arcs(int pattern, int query);
    /// Slices of a node; kept as long as they are requested every frame.
    std::optional<SliceView> part(int node, Slices slices);
    /// True if the other trace has this word of a node.
    bool other_has(int node, int position) const { return other_->has(*trace_.lock(), node, position); }

    static constexpr int words_said = 3;

private:
    static constexpr std::int64_t most_a_frame = 400'000;  // numbers: less than a millisecond
    static constexpr std::size_t most_wishes = 96;         // per frame

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

    /// What is kept under a key; else what `make` reads from the trace, now or later. Null: later.
    template <class Map, class Make>
    const typename Map::mapped_type* known(Map CanvasReading::*held, const typename Map::key_type& key,
                                           const WishKey& wish, int node, std::int64_t numbers, Make make);
    /// `numbers`: how many numbers are read.
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

/// What was read of the traces on screen, and the reader.
struct CanvasReadings {
    std::array<std::shared_ptr<CanvasReading>, 2> of_cards;
    std::shared_ptr<TraceReader> reader;
};

}  // namespace glassformer::app::views::whole_model
