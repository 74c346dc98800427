#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/common/model_map_elements.h"
#include "app/ui/box.h"

/// Where everything of the whole model is on one page, read off the graph: a column for each word, the embedding at
/// the bottom, block above block, what the model says on top. Pure: no ImGui calls, and nothing here knows which model
/// it is.
namespace glassformer::app::views::whole_model {

/// What a row of the page shows, for each word.
enum class RowKind {
    embedding,
    norm,       ///< that is on the stream, or in its place
    attention,  ///< arcs from the words that are read to the word that reads
    mix,        ///< what each head took from them
    add,
    mlp,        ///< the hidden layer
    recurrent,  ///< the state, handed on from word to word
    other,
    pooler,  ///< beside the way to the words, above the first of them alone
    stream   ///< after a block; of an encoder after its last norm, too
};

/// One row, over all words of its side. Rows stand in the order of execution, which is from the bottom upwards.
struct CanvasRow {
    RowKind kind = RowKind::other;
    int block = -1;
    bool source = false;  ///< of the side that reads the source sentence
    bool cross = false;   ///< attention to the source sentence
    int node = -1;        ///< [pos, …]: what the tiles show; of attention its pattern [head, query, key]
    int heads = 0;
    std::string title;          ///< "MLP · GELU"
    float top = 0, bottom = 0;  ///< in pixels of the page
    float middle() const { return (top + bottom) / 2; }
};

/// The card around the rows of one block.
struct CanvasBlock {
    int block = -1;
    bool source = false;
    Box box{};
    int first_row = 0, end_row = 0;  ///< half open
};

/// The words of one sentence, side by side.
struct CanvasSide {
    bool source = false;
    int words = 0;
    float left = 0, right = 0, labels = 0;  ///< the names of the rows stand from `labels` to `left`
    bool from_right = false;                ///< the first word is at the right
    bool in_two_rows = false;               ///< one row would cut the words: every other one stands lower
    bool every_other = false;               ///< and two rows are too high: every other one is named
    float pitch() const { return words > 0 ? (right - left) / to_float(words) : right - left; }
    float lane(int word) const {
        const int place = from_right ? words - 1 - word : word;
        return left + pitch() * (to_float(place) + 0.5f);
    }
    /// The word whose lane is nearest.
    int word_at(float x) const;
    /// Those with lanes between two places: the first, and the one behind the last.
    std::pair<int, int> words_between(float x0, float x1) const;
};

/// What the page is laid out for.
struct CanvasRoom {
    float width = 0, height = 0;
    float unit = 1;  ///< pixels of what is one pixel at 100 %
    int words = 0, source_words = 0;
    bool from_right = false, source_from_right = false;  ///< which sentence is read from right to left
    float widest_word = 0, widest_source_word = 0;       ///< pixels that a lane needs to name it whole; 0: not known

    bool operator==(const CanvasRoom&) const = default;
};

/// The whole page.
struct CanvasLayout {
    std::vector<CanvasSide> sides;  ///< the source sentence's first, where there is one
    std::vector<CanvasRow> rows;
    std::vector<CanvasBlock> blocks;
    bool has_stream = false;  ///< something is added to it; else one result takes the place of the other
    bool dense = false;       ///< too many rows for all: sums, heads' results and norms give their room to the arcs
    float scale = 1;          ///< pixels of what is one pixel of height at 100 %, of all but words and answers
    CanvasRoom room;
    float words_top = 0, words_bottom = 0, said_top = 0, said_bottom = 0;

    const CanvasSide& side(bool source) const { return sides[source || sides.size() == 1 ? 0 : 1]; }
    const CanvasBlock* find(int block, bool source = false) const;
    /// From top to bottom, where a word stands.
    Box word_row(const CanvasSide& side, int word) const;
    /// Where the lanes of a side end: at its uppermost row.
    float top_of(bool source) const;
};

/// Lays the model of a graph out, so that it fills the room.
CanvasLayout lay_out_canvas(const Graph& graph, const CanvasRoom& room);

}  // namespace glassformer::app::views::whole_model
