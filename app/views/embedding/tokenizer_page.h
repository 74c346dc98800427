#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "app/common/frame.h"
#include "app/ui/scroll_page.h"
#include "core/text/tokenizer_stages.h"

namespace glassformer::app::views::embedding {

/// The stages of a published tokenizer: what the view of the embedding shows on its third page, for A and for B.
struct TokenizerLook {
    struct Of {
        std::string text;  // as typed; until something is typed, the sentence's own
        bool typed = false;
        int piece = 0;  // whose steps are shown
        // The stages of the text that was looked at last, and whose they are.
        std::string saved_view, error;
        std::optional<TokenizerStages> stages;
        std::shared_ptr<const Tokenizer> tokenizer;
    };
    std::array<Of, 2> of;
    void on_model_changed() { *this = {}; }
};

/// Whether the model's tokenizer has stages to show: it came with a published model.
bool has_tokenizer_page(const Frame& frame, int slot);

/// Typed text → normalized → pieces → tokens, and how the chosen piece became its tokens: merge by merge, the tokens
/// that were looked up, or the path with the highest score.
void draw_tokenizer(const Frame& frame, int slot, ScrollPage& page, float top);

}  // namespace glassformer::app::views::embedding
