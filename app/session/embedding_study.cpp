#include "app/session/embedding_study.h"

#include <algorithm>

#include "core/base/seconds_since.h"

namespace glassformer::app {

namespace {

constexpr double study_every = 0.5;  // seconds, while the parameters keep changing
// The most multiplications for a map that is made at once: about a tenth of a second.
constexpr double most_at_once = 2e9;

/// [d_vocab, d_model]; empty if there is none.
std::span<const float> table_of(const Trace& trace) {
    const std::optional<int> node = trace.graph().find("embed.W_E");
    return node ? trace.values(*node) : std::span<const float>();
}

std::size_t width_of(const Trace& trace) { return static_cast<std::size_t>(trace.model().config.d_model); }

bool large(std::span<const float> table, std::size_t width) {
    return static_cast<double>(table.size()) * static_cast<double>(width) / 2 > most_at_once;
}

}  // namespace

void EmbeddingStudy::look_at(const command::ShowEmbeddings& asked) {
    asked_ = asked;
    if (!asked.shown) making_.reset();
}

/// One map is made at a time: if the other card's is under way, this one's follows.
std::shared_ptr<const EmbeddingMap> EmbeddingStudy::large_map_for(const WatchedSentence& sentence,
                                                                  std::optional<Pca> previous) {
    const Parameters& parameters = sentence.trace->parameters();
    if (making_ && making_->trace->parameters() == parameters) {
        if (under_way()) return nullptr;
        auto map = std::make_shared<EmbeddingMap>(making_->run.take());
        making_.reset();
        return map;
    }
    const auto waits = [&](const auto& card) {
        return card && !card->map && making_ && card->parameters == making_->trace->parameters();
    };
    if (std::ranges::none_of(made_, waits))
        making_.emplace(sentence.trace,
                        EmbeddingMapRun(table_of(*sentence.trace), width_of(*sentence.trace), std::move(previous)));
    return nullptr;
}

std::shared_ptr<const EmbeddingMap> EmbeddingStudy::map_for(std::size_t slot, const WatchedSentence& sentence) {
    const Parameters& parameters = sentence.trace->parameters();
    for (const std::size_t card : {slot, 1 - slot})
        if (made_[card] && made_[card]->map && made_[card]->parameters == parameters) return made_[card]->map;
    const std::span<const float> table = table_of(*sentence.trace);
    const std::size_t width = width_of(*sentence.trace);
    const EmbeddedWords* before = made_[slot].get();
    const bool alike = before && before->map && before->map->points.size() == table.size() / width;
    if (large(table, width)) return large_map_for(sentence, alike ? std::optional(before->map->pca) : std::nullopt);
    return std::make_shared<EmbeddingMap>(map_embedding(table, width, alike ? before->map.get() : nullptr));
}

std::shared_ptr<const EmbeddedWords> EmbeddingStudy::of_card(std::size_t slot, const WatchedSentence& sentence,
                                                             bool training) {
    if (!sentence.trace || table_of(*sentence.trace).empty()) return nullptr;
    const std::shared_ptr<const EmbeddedWords>& before = made_[slot];
    const int word = asked_.words[slot];
    const Parameters& parameters = sentence.trace->parameters();
    const bool soon = seconds_since(made_at_[slot]) < study_every;
    const bool of_these = before && before->parameters == parameters;
    const bool same = of_these || (before && training && soon);
    if (same && before->map && before->word == word) return before;
    auto made = std::make_shared<EmbeddedWords>();
    made->word = word;
    made->map = map_for(slot, sentence);
    made->parameters = parameters;
    const std::span<const float> table = table_of(*sentence.trace);
    if (of_these && before->word == word)
        made->near = before->near;
    else if (word >= 0 && static_cast<std::size_t>(word) < table.size() / width_of(*sentence.trace))
        made->near = nearest_embeddings(table, width_of(*sentence.trace), word, most_near);
    made_at_[slot] = Clock::now();
    return made;
}

std::array<std::shared_ptr<const EmbeddedWords>, 2> EmbeddingStudy::words(
    const std::array<WatchedSentence, 2>& sentences, bool training) {
    if (!asked_.shown) return {};
    for (std::size_t slot = 0; slot < 2; ++slot) made_[slot] = of_card(slot, sentences[slot], training);
    // Making B's map may have finished the one that A was waiting behind.
    if (made_[0] && !made_[0]->map && !making_) made_[0] = of_card(0, sentences[0], training);
    return made_;
}

}  // namespace glassformer::app
