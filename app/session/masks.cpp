#include "app/session/masks.h"

#include "core/text/mask_token.h"

namespace glassformer::app {

bool is_mask(const ModelInfo& model, int id) { return model.tokenizer && mask_id(*model.tokenizer) == id; }

bool fills_masks(const ModelInfo& model) {
    if (model.config.output != OutputKind::words || model.config.input != InputKind::words) return false;
    const bool hears_both_sides = model.config.family == Family::encoder || model.hides_words;
    return hears_both_sides && model.tokenizer && mask_id(*model.tokenizer).has_value();
}

}  // namespace glassformer::app
