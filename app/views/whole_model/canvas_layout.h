#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/common/model_map_elements.h"
#include "app/ui/box.h"

/// Where everything of the whole model is on one page, read off the graph: one column per word, the embedding at the
/// bottom, block above block, the predictions at the top. No ImGui calls, and nothing here knows the model.
namespace glassformer::app::views::whole_model {

/// What a row of the page shows, for each word.
enum class RowKind {
    embedding,
    norm,       ///< on the stream, or in its place
    attention,  ///< arcs from the words that are read to the word that reads
    mix,        ///< the result of each head
    add,
    mlp,        ///< the hidden layer
    recurrent,  ///< the state, passed on from word to word
    other,
    pooler,  ///< beside the path to the predictions, above the first word only
    stream   ///< after a block; in an encoder also after its last norm
};

/// One row, over all words of its side. Rows are in order of execution, which is from the bottom up.
struct CanvasRow {
    RowKind kind = RowKind::other;
    int block = -1;
    bool source = false;  ///< of the side that reads the source sentence
    bool cross = false;   ///< attention to the source sentence
    int node = -1;        ///< [pos, …]: what the tiles show; for attention its pattern [head, query, key]
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
    float left = 0, right = 0, labels = 0;  ///< the names of the rows are between `labels` and `left`
    bool from_right = false;                ///< the first word is on the right
    bool in_two_rows = false;               ///< one row would cut the words: every other word is lower
    bool every_other = false;               ///< two rows would be too high: only every other word is named
    float pitch() const { return words > 0 ? (right - left) / to_float(words) : right - left; }
    float lane(int word) const {
        const int place = from_right ? words - 1 - word : word;
        return left + pitch() * (to_float(place) + 0.5f);
    }
    /// The word with the nearest lane.
    int word_at(float x) const;
    /// The words with lanes between two x: the first, and one past the last.
    std::pair<int, int> words_between(float x0, float x1) const;
};

/// The space to lay the page out for.
struct CanvasRoom {
    float width = 0, height = 0;
    float unit = 1;  ///< screen pixels per pixel at 100 %
    int words = 0, source_words = 0;
    bool from_right = false, source_from_right = false;  ///< which sentence is read from right to left
    float widest_word = 0, widest_source_word = 0;       ///< pixels that a lane needs to name it in full; 0: not known

    bool operator==(const CanvasRoom&) const = default;
};

/// The whole page.
struct CanvasLayout {
    std::vector<CanvasSide> sides;  ///< the source sentence's first, if there is one
    std::vector<CanvasRow> rows;
    std::vector<CanvasBlock> blocks;
    bool has_stream = false;  ///< results are added to a stream; else each result replaces the one before
    bool dense = false;       ///< too many rows: sums, heads' results and norms give up height for the arcs
    float scale = 1;          ///< pixels per pixel of height at 100 %, except for words and answers
    CanvasRoom room;
    float words_top = 0, words_bottom = 0, said_top = 0, said_bottom = 0;

    const CanvasSide& side(bool source) const { return sides[source || sides.size() == 1 ? 0 : 1]; }
    const CanvasBlock* find(int block, bool source = false) const;
    /// The vertical extent of a word.
    Box word_row(const CanvasSide& side, int word) const;
    /// The top of a side's lanes: that of its uppermost row.
    float top_of(bool source) const;
};

/// Lays out the model of a graph so that it fills the room.
CanvasLayout lay_out_canvas(const Graph& graph, const CanvasRoom& room);

}  // namespace glassformer::app::views::whole_model
