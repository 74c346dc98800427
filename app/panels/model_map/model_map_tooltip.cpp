#include "app/language/tr.h"
#include "app/panels/model_map/model_map_placement.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

/// {1} is one token and {2} are several.
std::string_view meaning_of_embedding(InputKind reads) {
    return reads == InputKind::values
               ? tr("A learned matrix turns the numbers at each {1} into a vector as wide as the model.")
               : tr("Each {1} becomes a vector: its row of a learned embedding matrix.");
}

std::string_view meaning_of_norm(NormKind norm) {
    switch (norm) {
        case NormKind::rms_norm:
            return tr(
                "Each {1}'s numbers are divided by the root of the mean of their squares (RMSNorm), then multiplied by "
                "learned factors.");
        case NormKind::batch_norm:
            return tr(
                "Each feature is normalized over many {2} (batch norm: to mean 0 and standard deviation 1), then "
                "multiplied by a learned factor.");
        case NormKind::layer_norm:
            break;
    }
    return tr(
        "Each {1}'s numbers are normalized (LayerNorm: to mean 0 and standard deviation 1), then multiplied by learned "
        "factors.");
}

std::string_view meaning_of_unembedding(OutputKind says) {
    switch (says) {
        case OutputKind::classes:
            return tr("The sentence's numbers are compared with every class: one logit for each.");
        case OutputKind::values:
            return tr(
                "Each {1}'s numbers become the model's prediction there: every number is a weighted sum of them.");
        case OutputKind::vectors:
        case OutputKind::words:
            break;
    }
    return tr("Each {1}'s numbers are compared with every {1} of the vocabulary: one logit for each.");
}

/// Returns one sentence of plain English.
std::string_view meaning_of(PartKind kind, const TransformerConfig& config) {
    switch (kind) {
        case PartKind::embed:
            return meaning_of_embedding(config.input);
        case PartKind::layer_norm:
            return meaning_of_norm(config.norm);
        case PartKind::attention:
            return tr("Each {1} attends to the others and reads from those that matter to it.");
        case PartKind::mlp:
            return tr("Each {1} goes through a small network of two layers, on its own.");
        case PartKind::recurrent:
            return tr("Each {1} in turn updates a memory. A {1} sees the earlier {2} only through this memory.");
        case PartKind::residual_add:
            return tr("The result is added to what was there. Nothing is overwritten.");
        case PartKind::sum:
            return tr("Two vectors are added.");
        case PartKind::linear:
            return tr("Every output number is a weighted sum of the input numbers.");
        case PartKind::pooler:
            return tr(
                "The first token’s vector goes through a linear map and tanh: one vector for the whole text. It tells "
                "whether one sentence follows another. Masked words are predicted without it.");
        case PartKind::unembed:
            return meaning_of_unembedding(config.output);
        case PartKind::softmax:
            return tr("Logits become probabilities that add up to 1.");
        case PartKind::other:
            break;
    }
    return tr("One step of the model.");
}

}  // namespace

std::string map_tooltip(const MapElement& e, const MappedModel& model) {
    std::string text = e.title;
    if (e.block >= 0) text += filled(tr(" · block {1}"), {std::to_string(e.block)});
    text += "\n" + e.shapes + "\n";
    if (e.parameters > 0) text += filled(tr("{1} parameter", "{1} parameters", e.parameters), {grouped(e.parameters)});
    if (!e.shared.empty() && e.parameters == 0) text += filled(tr("no parameters of its own: shares {1}"), {e.shared});
    if (e.parameters == 0 && e.shared.empty()) text += tr("no parameters");
    return text + "\n" + filled(meaning_of(e.kind, model.config), {model.token, model.tokens});
}

}  // namespace glassformer::app
