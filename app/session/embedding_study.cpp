#include "app/session/embedding_study.h"

#include "app/session/worker.h"

namespace glassformer::app {

namespace {

constexpr double study_every = 0.5;  // seconds, while the parameters change all the time

/// [d_vocab, d_model], or nothing.
std::span<const float> table_of(const Trace& trace) {
    const std::optional<int> node = trace.graph().find("embed.W_E");
    return node ? trace.values(*node) : std::span<const float>();
}

}  // namespace

std::shared_ptr<const EmbeddedWords> EmbeddingStudy::of_card(std::size_t slot, const WatchedSentence& sentence,
                                                             bool training) {
    if (!sentence.trace || table_of(*sentence.trace).empty()) return nullptr;
    const std::shared_ptr<const EmbeddedWords>& before = made_[slot];
    const int word = asked_.words[slot];
    const Parameters& parameters = sentence.trace->parameters();
    const bool soon = std::chrono::duration<double>(Clock::now() - made_at_[slot]).count() < study_every;
    const bool same = before && (before->parameters == parameters || (training && soon));
    if (same && before->word == word) return before;
    auto made = std::make_shared<EmbeddedWords>();
    made->word = word;
    const auto width = static_cast<std::size_t>(sentence.trace->model().config.d_model);
    const std::span<const float> table = table_of(*sentence.trace);
    const std::shared_ptr<const EmbeddedWords>& other = made_[1 - slot];
    if (same && before->parameters == parameters) {
        made->map = before->map;
    } else if (other && other->parameters == parameters) {
        made->map = other->map;
    } else {
        const bool alike = before && before->map->points.size() == table.size() / width;
        made->map = std::make_shared<EmbeddingMap>(map_embedding(table, width, alike ? before->map.get() : nullptr));
    }
    made->parameters = parameters;
    if (word >= 0 && word < static_cast<int>(table.size() / width))
        made->near = nearest_embeddings(table, width, word, most_near);
    made_at_[slot] = Clock::now();
    return made;
}

std::array<std::shared_ptr<const EmbeddedWords>, 2> EmbeddingStudy::words(
    const std::array<WatchedSentence, 2>& sentences, bool training) {
    if (!asked_.shown) return {};
    for (std::size_t slot = 0; slot < 2; ++slot) made_[slot] = of_card(slot, sentences[slot], training);
    return made_;
}

void Session::Worker::perform(const command::ShowEmbeddings& c) { embeddings_.look_at(c); }

}  // namespace glassformer::app
