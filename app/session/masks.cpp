#include "app/session/masks.h"

#include "core/text/special_tokens.h"

namespace glassformer::app {

std::optional<int> mask_of(const ModelInfo& model) {
    const std::optional<int> mask = model.tokenizer ? mask_id(*model.tokenizer) : std::nullopt;
    return mask && *mask < model.config.d_vocab ? mask : std::nullopt;
}

bool is_mask(const ModelInfo& model, int id) { return mask_of(model) == id; }

bool fills_masks(const ModelInfo& model) {
    const TransformerConfig& c = model.config;
    if (c.output != OutputKind::words || c.input != InputKind::words || model.translates()) return false;
    const bool hears_both_sides = c.family == Family::encoder || model.hides_words;
    return hears_both_sides && mask_of(model).has_value();
}

}  // namespace glassformer::app
