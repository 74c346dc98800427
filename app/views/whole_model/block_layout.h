#pragma once

#include <string>
#include <vector>

#include "app/common/model_map_elements.h"
#include "app/ui/box.h"

/// The page of level "block": every matrix of one block in order from left to right, the words as rows. Pure.
namespace glassformer::app::views::whole_model {

/// How a matrix of the page is coloured, and what its columns are.
enum class MatrixKind { stream, heads, pattern, neurons };

/// One matrix.
struct BlockMatrix {
    MatrixKind kind = MatrixKind::stream;
    std::string key;           ///< of its items: "ln1", "q", "pattern 2"
    std::string title, below;  ///< "Q query", "4 heads × 16"
    int node = -1, rows = 0, columns = 0;
    int head = -1;                ///< of a pattern
    int heads = 1;                ///< side by side, of MatrixKind::heads
    int shared_by = 1;            ///< queries that each of these heads serves
    bool of_source = false;       ///< its rows are the words of the source sentence
    bool keys_of_source = false;  ///< a pattern's columns are
    bool added = false;           ///< ⊕ is before it
    Box box{};                    ///< of its cells, in pixels of the page
};

/// A row of matrices.
struct BlockLine {
    int first = 0, end = 0;  ///< of BlockPage::matrices, half open
    float pitch = 0;         ///< from word to word
};

/// What belongs together, in a card.
struct BlockCard {
    std::string title, below;
    PartKind kind = PartKind::other;
    Box box{};
    std::vector<BlockLine> lines;
};

/// The whole page.
struct BlockPage {
    std::vector<BlockCard> cards;
    std::vector<BlockMatrix> matrices;
    Box said{};                    ///< what the stream would say, word by word; empty where there is no room
    float title = 0, caption = 0;  ///< heights above a card's and a matrix's cells; 0 where there is no room
    int caption_lines = 0;
    float labels = 0;  ///< width of the words before each line
};

/// What it is laid out for.
struct BlockRoom {
    float width = 0, height = 0, unit = 1;
    int words = 0, source_words = 0;
    bool says = false;  ///< room is kept for what the stream would say
};

BlockPage lay_out_block(const Graph& graph, int block, bool source, const BlockRoom& room);

}  // namespace glassformer::app::views::whole_model
