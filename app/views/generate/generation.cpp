#include "app/views/generate/generation.h"

#include <algorithm>
#include <numeric>

#include "app/common/lens_reading.h"
#include "app/language/tr.h"
#include "core/base/error.h"
#include "core/generate/generator.h"
#include "core/text/word_tokenizer.h"

namespace glassformer::app {

namespace {

constexpr double seconds_a_word = 0.6;

/// The logits after the last word.
TracePart last_logits(const Trace& trace) {
    const int node = trace.model().logits;
    const std::int64_t width = trace.shape(node).back();
    return trace.part(node, trace.slices(node).around((trace.positions() - 1) * width, width));
}

std::span<const float> row_of(const Trace& trace, const TracePart& part) {
    const std::int64_t width = trace.shape(trace.model().logits).back();
    return part.cells((trace.positions() - 1) * width, width);
}

std::vector<int> ids_of(const WatchedSentence& sentence) {
    std::vector<int> ids;
    for (const WordTokenizer::Token& token : sentence.tokens) ids.push_back(token.id);
    return ids;
}

/// The text of these tokens as it would be typed.
std::string text_of(const ModelInfo& model, const std::vector<int>& ids) {
    if (model.tokenizer) return model.tokenizer->decode(ids);
    std::string text;
    for (const int id : ids) text += (text.empty() ? "" : " ") + std::to_string(id);
    return text;
}

void watch(const Frame& frame, int slot, const std::vector<int>& ids) {
    std::string text = text_of(frame.model(slot), ids);
    frame.state.own<GenerationChoice>().told = text;
    frame.send(command::Watch{frame.snapshot.text_slot(slot), std::move(text)});
}

}  // namespace

bool generates(const ModelInfo& model) {
    const TransformerConfig& c = model.config;
    return c.output == OutputKind::words && c.input == InputKind::words && !model.translates() &&
           (c.causal() || c.recurrent());
}

std::vector<NextWord> next_words(const Trace& trace, float temperature, int top_k, std::size_t most) {
    const std::size_t count = std::max(most, static_cast<std::size_t>(top_k));
    std::vector<NextWord> words;
    for (const LensWord& word : likeliest_words(trace, trace.positions() - 1, count, temperature))
        words.push_back({word.id, word.probability, 0.0f});
    const std::size_t drawn = top_k > 0 ? std::min(words.size(), static_cast<std::size_t>(top_k)) : words.size();
    double sum = 0.0;
    for (std::size_t i = 0; i < drawn; ++i) sum += static_cast<double>(words[i].probability);
    for (std::size_t i = 0; i < drawn; ++i)
        words[i].chance =
            top_k > 0 ? static_cast<float>(static_cast<double>(words[i].probability) / sum) : words[i].probability;
    if (words.size() > most) words.resize(most);
    return words;
}

int draw_next(const Trace& trace, float temperature, const GenerationChoice& choice) {
    const TracePart part = last_logits(trace);
    Rng rng(choice.seed, static_cast<std::uint64_t>(trace.positions()));
    return sample(row_of(trace, part), temperature, choice.top_k, rng);
}

std::string why_not_longer(const Frame& frame, int slot) {
    const WatchedSentence& sentence = frame.sentence(slot);
    const ModelInfo& model = frame.model(slot);
    if (static_cast<int>(sentence.tokens.size()) >= model.config.n_ctx)
        return filled(tr("The model cannot read a longer text: {1} tokens."), {std::to_string(model.config.n_ctx)});
    if (!sentence.tokens.empty() && model.words()) {
        const std::optional<int> end = model.words()->find(eos_word);
        if (end && sentence.tokens.back().id == *end) return tr("The text has ended.");
    }
    return {};
}

void add_word(const Frame& frame, int slot, int id) {
    if (!why_not_longer(frame, slot).empty()) return;
    std::vector<int> ids = ids_of(frame.sentence(slot));
    ids.push_back(id);
    watch(frame, slot, ids);
    frame.state.token[static_cast<std::size_t>(slot)] = static_cast<int>(ids.size()) - 1;
}

void take_word_back(const Frame& frame, int slot) {
    std::vector<int> ids = ids_of(frame.sentence(slot));
    if (ids.size() < 2) return;
    ids.pop_back();
    watch(frame, slot, ids);
}

void go_on_generating(const Frame& frame) {
    GenerationChoice& choice = frame.state.own<GenerationChoice>();
    if (choice.slot < 0) return;
    const Trace* trace = frame.trace(choice.slot);
    if (!trace || !generates(frame.model(choice.slot)) || !why_not_longer(frame, choice.slot).empty()) {
        choice.slot = -1;
        return;
    }
    frame.state.more_to_compute = true;  // the next frame comes by itself
    const bool answered = choice.told.empty() || frame.sentence(choice.slot).text == choice.told;
    if (!answered || ImGui::GetTime() < choice.next_at) return;
    choice.next_at = ImGui::GetTime() + seconds_a_word;
    add_word(frame, choice.slot, draw_next(*trace, frame.state.temperature, choice));
}

}  // namespace glassformer::app
