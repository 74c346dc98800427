#pragma once

#include <array>
#include <memory>
#include <string>

#include "app/common/frame.h"
#include "app/ui/scroll_page.h"

namespace glassformer::app::views::embedding {

struct LearnedMerges;

/// Byte-pair encoding, merge by merge: what the view of the embedding shows on its second page, for A and for B.
struct BytePairsLook {
    struct Of {
        std::string text = "Aragorn told Frodo to mind Lothlorien";  // that is cut into tokens, as typed
        float merges = 0;                                            // how many are done
        std::shared_ptr<LearnedMerges> learned;
        std::shared_ptr<const Tokenizer> tokenizer;  // that they belong to; null: learned here
    };
    int page = 0;  // of the view: 0 the map, 1 this one
    std::array<Of, 2> of;
};

/// The typed text after so many merges, the merge that comes next, and the pairs that it was chosen from. The merges
/// are those of the model where it reads byte pairs; else they are learned here from the shipped text.
void draw_byte_pairs(const Frame& frame, int slot, ScrollPage& page, float top);

}  // namespace glassformer::app::views::embedding
