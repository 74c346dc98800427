#pragma once

#include <chrono>
#include <optional>

#include "app/session/study.h"
#include "core/analysis/embedding_map.h"

namespace glassformer::app {

/// Makes the maps of the embeddings of the two cards' models, as long as somebody looks. A map is made again when other
/// parameters are shown; while those change all the time, twice a second. Cards of one model share theirs. The map of a
/// large vocabulary is made a slice at a time, of parameters that rest; until then its words have neighbours and no
/// map.
class EmbeddingStudy : public Study {
public:
    static constexpr std::size_t most_near = 16;

    void look_at(const command::ShowEmbeddings& asked);
    /// For Snapshot::embeddings: null where nobody looks, where a sentence has no trace, and for models without words.
    std::array<std::shared_ptr<const EmbeddedWords>, 2> words(const std::array<WatchedSentence, 2>& sentences,
                                                              bool training);
    void show(Snapshot& snapshot, const Subject& of) override {
        snapshot.embeddings = words(snapshot.sentences, of.training);
    }
    bool under_way() const override { return making_ && !making_->run.done(); }
    void work(const Subject&) override { work(); }
    void work() { making_->run.step(); }

private:
    using Clock = std::chrono::steady_clock;
    struct Making {
        std::shared_ptr<const Trace> trace;  // whose embedding it is; the run reads it
        EmbeddingMapRun run;
    };

    std::shared_ptr<const EmbeddedWords> of_card(std::size_t slot, const WatchedSentence& sentence, bool training);
    std::shared_ptr<const EmbeddingMap> map_for(std::size_t slot, const WatchedSentence& sentence);
    std::shared_ptr<const EmbeddingMap> large_map_for(const WatchedSentence& sentence, std::optional<Pca> previous);

    command::ShowEmbeddings asked_;
    std::array<std::shared_ptr<const EmbeddedWords>, 2> made_;
    std::array<Clock::time_point, 2> made_at_{};
    std::optional<Making> making_;
};

}  // namespace glassformer::app
