#pragma once

#include <chrono>
#include <optional>

#include "app/session/study.h"
#include "core/analysis/embedding_map.h"

namespace glassformer::app {

/// Makes the maps of the two cards' embeddings while they are on screen. A map is made again when the parameters
/// change, at most twice a second during training. Cards of the same model share a map. The map of a large vocabulary
/// is made in slices, while the parameters stay the same; until it is done there are neighbours but no map.
class EmbeddingStudy : public Study {
public:
    static constexpr std::size_t most_near = 16;

    void look_at(const command::ShowEmbeddings& asked);
    /// For Snapshot::embeddings. Null if nobody looks, if a sentence has no trace, and for models without words.
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
        std::shared_ptr<const Trace> trace;  // owns the embedding that the run reads
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
