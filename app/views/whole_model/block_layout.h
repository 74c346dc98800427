#pragma once

#include <string>
#include <vector>

#include "app/common/model_map_elements.h"
#include "app/ui/box.h"

/// The page of level "block": every matrix of one block, from left to right, with the words as rows. Draws nothing.
namespace glassformer::app::views::whole_model {

/// How a matrix is coloured, and what its columns are.
enum class MatrixKind { stream, heads, pattern, neurons };

/// One matrix.
struct BlockMatrix {
    MatrixKind kind = MatrixKind::stream;
    std::string key;           ///< names its items: "ln1", "q", "pattern 2"
    std::string title, below;  ///< "Q query", "4 heads × 16"
    int node = -1, rows = 0, columns = 0;
    int head = -1;                ///< of a pattern
    int heads = 1;                ///< side by side, in MatrixKind::heads
    int shared_by = 1;            ///< number of query heads that share each of these heads
    bool of_source = false;       ///< the rows are the words of the source sentence
    bool keys_of_source = false;  ///< the columns of a pattern are
    bool added = false;           ///< ⊕ precedes it
    Box box{};                    ///< its cells, in pixels of the page
};

/// One line of matrices.
struct BlockLine {
    int first = 0, end = 0;  ///< of BlockPage::matrices, half open
    float pitch = 0;         ///< distance between words
};

/// A card of matrices that belong together.
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
    Box said{};                    ///< what the stream would predict, word by word; empty if there is no room
    float title = 0, caption = 0;  ///< heights above the cells of a card and of a matrix; 0 if there is no room
    int caption_lines = 0;
    float labels = 0;  ///< width of the words before each line
};

/// The space to lay the page out for.
struct BlockRoom {
    float width = 0, height = 0, unit = 1;
    int words = 0, source_words = 0;
    bool says = false;  ///< keep room for what the stream would predict
};

BlockPage lay_out_block(const Graph& graph, int block, bool source, const BlockRoom& room);

}  // namespace glassformer::app::views::whole_model
