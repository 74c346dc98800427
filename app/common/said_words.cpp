#include "app/common/said_words.h"

#include "app/session/masks.h"

namespace glassformer::app {

namespace {

std::span<const float> row_of(std::span<const float> all, std::size_t first, std::size_t width) {
    return all.size() < first + width ? std::span<const float>() : all.subspan(first, width);
}

/// A row of a node that may be too large to read whole.
SliceView said_part(const Trace& trace, int node, std::size_t first, std::size_t width) {
    const auto place = static_cast<std::int64_t>(first), count = static_cast<std::int64_t>(width);
    if (trace.graph()[node].shape.elements() < place + count) return {};
    return trace.part(node, trace.slices(node).around(place, count));
}

std::span<const float> row_of(const SliceView& part, std::size_t first, std::size_t width) {
    if (part.values().empty()) return {};
    return part.cells(static_cast<std::int64_t>(first), static_cast<std::int64_t>(width));
}

}  // namespace

Guess guess_of(const ModelInfo& model) {
    if (model.config.output == OutputKind::classes) return Guess::sentence;
    return !model.hides_words && (model.config.causal() || model.config.recurrent()) ? Guess::next : Guess::masked;
}

std::optional<SaidWords> said_words(const Frame& frame, int slot) {
    const Trace* trace = frame.trace(slot);
    const WatchedSentence& sentence = frame.sentence(slot);
    const int token = frame.state.token[slot];
    if (!trace || token < 0 || token >= static_cast<int>(sentence.tokens.size())) return std::nullopt;
    const ModelInfo& model = frame.model(slot);
    if (model.config.outputs_numbers()) return std::nullopt;
    const int node = trace->model().probabilities;
    const std::size_t width = trace->shape(node).back();
    const Guess guess = guess_of(model);
    const std::size_t first = guess == Guess::sentence ? 0 : static_cast<std::size_t>(token) * width;
    // If no word is masked, the prediction is for the sentence with this word masked.
    const bool own = guess != Guess::masked || sentence.masked_probabilities.empty();
    SaidWords said;
    said.first = static_cast<std::int64_t>(first);
    // Its own trace holds the same probability only if the word is masked in the sentence itself.
    if (own || is_mask(model, sentence.tokens[token].id)) said.node = node;
    if (own) said.now_part = said_part(*trace, node, first, width);
    said.now = own ? row_of(said.now_part, first, width) : row_of(sentence.masked_probabilities, first, width);
    if (said.now.empty()) return std::nullopt;
    const Trace* original = sentence.original.get();
    if (original && own) {
        said.before_part = said_part(*original, original->model().probabilities, first, width);
        said.before = row_of(said.before_part, first, width);
    } else if (original) {
        said.before = row_of(sentence.original_masked_probabilities, first, width);
    }
    return said;
}

std::vector<int> likeliest(std::span<const float> probabilities, int most) {
    std::vector<int> best(most, -1);
    const auto value = [&](int id) { return id < 0 ? -1.0f : probabilities[id]; };
    for (int id = 0; id < static_cast<int>(probabilities.size()); ++id) {
        if (value(id) <= value(best.back())) continue;
        int moving = id;
        for (int& place : best)
            if (value(moving) > value(place)) std::swap(moving, place);
    }
    std::erase(best, -1);
    return best;
}

std::string said_name(const Frame& frame, int word) {
    const ModelInfo& model = frame.model();
    return guess_of(model) == Guess::sentence ? model.class_name(word) : model.token_text(word);
}

}  // namespace glassformer::app
