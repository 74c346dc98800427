#include "app/session/samples.h"

#include <algorithm>
#include <numeric>

#include "app/session/masks.h"
#include "core/text/special_tokens.h"

namespace glassformer::app {

std::vector<Sample> samples_without_world(const ModelInfo& model) {
    const TransformerConfig& c = model.config;
    if (c.input == InputKind::values) {
        std::string rows;
        for (int row = 0; row < std::min(c.n_ctx, 3); ++row)
            for (int i = 0; i < c.d_input; ++i)
                rows += (rows.empty() ? "" : i ? " " : "; ") + std::string(i == row ? "1" : "0");
        return {{rows}};
    }
    const Tokenizer* of_source = model.source_tokenizer ? model.source_tokenizer.get() : model.tokenizer.get();
    const int vocabulary = c.d_source_vocab > 0 ? c.d_source_vocab : c.d_vocab;
    if (fills_masks(model) && !model.words()) {
        const std::string mask = of_source->token_text(*mask_id(*of_source));
        return {{"He swung the bat and hit a " + mask + "."}, {"A bat flew out of the " + mask + " at dusk."}};
    }
    if (of_source && of_source->kind() != "words") return {{"The quick brown fox"}, {"jumps over the lazy dog"}};
    std::vector<Sample> samples;
    for (const int first : {3, 8}) {
        std::vector<int> ids(static_cast<std::size_t>(std::clamp(vocabulary - first, 1, std::min(5, c.n_ctx))));
        std::iota(ids.begin(), ids.end(), std::min(first, vocabulary - 1));
        std::string text;
        for (const int id : ids)
            text += (text.empty() ? "" : " ") + (of_source ? of_source->token_text(id) : std::to_string(id));
        samples.push_back({text});
    }
    return samples;
}

}  // namespace glassformer::app
