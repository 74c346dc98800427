#include "app/session/masks.h"

#include "core/text/special_tokens.h"

namespace glassformer::app {

bool is_mask(const ModelInfo& model, int id) { return model.tokenizer && mask_id(*model.tokenizer) == id; }

bool fills_masks(const ModelInfo& model) {
    const TransformerConfig& c = model.config;
    if (c.output != OutputKind::words || c.input != InputKind::words || model.translates()) return false;
    const bool hears_both_sides = c.family == Family::encoder || model.hides_words;
    return hears_both_sides && model.tokenizer && mask_id(*model.tokenizer).has_value();
}

}  // namespace glassformer::app
