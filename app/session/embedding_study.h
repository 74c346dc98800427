#pragma once

#include <chrono>

#include "app/session/command.h"
#include "app/session/snapshot.h"

namespace glassformer::app {

/// Makes the maps of the embeddings of the two cards' models, as long as somebody looks. A map is made again when other
/// parameters are shown; while those change all the time, twice a second. Cards of one model share theirs.
class EmbeddingStudy {
public:
    static constexpr std::size_t most_near = 16;

    void look_at(const command::ShowEmbeddings& asked) { asked_ = asked; }
    /// For Snapshot::embeddings: null where nobody looks, where a sentence has no trace, and for models without words.
    std::array<std::shared_ptr<const EmbeddedWords>, 2> words(const std::array<WatchedSentence, 2>& sentences,
                                                              bool training);

private:
    using Clock = std::chrono::steady_clock;

    std::shared_ptr<const EmbeddedWords> of_card(std::size_t slot, const WatchedSentence& sentence, bool training);

    command::ShowEmbeddings asked_;
    std::array<std::shared_ptr<const EmbeddedWords>, 2> made_;
    std::array<Clock::time_point, 2> made_at_{};
};

}  // namespace glassformer::app
