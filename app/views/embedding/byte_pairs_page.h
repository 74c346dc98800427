#pragma once

#include <memory>
#include <string>

#include "app/common/frame.h"
#include "app/ui/scroll_page.h"

namespace glassformer::app {

struct LearnedMerges;

/// Byte-pair encoding, merge by merge: what the view of the embedding shows on its second page.
struct BytePairsLook {
    int page = 0;                                                // 1: this page, and not the map
    std::string text = "Aragorn told Frodo to mind Lothlorien";  // that is cut into tokens, as typed
    float merges = 0;                                            // how many are done
    std::shared_ptr<LearnedMerges> learned;
    const ModelInfo* model = nullptr;  // that they belong to
};

/// The typed text after so many merges, the merge that comes next, and the pairs that it was chosen from. The merges
/// are those of the model where it reads byte pairs; else they are learned here from the shipped text.
void draw_byte_pairs(const Frame& frame, int slot, ScrollPage& page, float top);

}  // namespace glassformer::app
