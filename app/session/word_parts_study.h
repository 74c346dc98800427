#pragma once

#include <array>
#include <memory>

#include "app/session/snapshot.h"
#include "core/analysis/altered_backend.h"

namespace glassformer::app {

/// Finds the parts of each word of the two sentences in an answer, as long as somebody looks: of whichever model and
/// step a card shows, with the changes that were made in the model. Not thread-safe; what it shows is.
class WordPartsStudy {
public:
    explicit WordPartsStudy(Backend& backend) : backend_(backend) {}

    void ask(const AskedOfSentences& asked, bool go_on);
    /// For Snapshot::word_parts, of the sentences, changes and sense probe that it shows. What is new is begun; a small
    /// model has its first numbers at once.
    std::array<std::shared_ptr<const WordPartsShown>, 2> of(const Snapshot& snapshot);
    /// Whether there are runs left.
    bool under_way() const;
    /// One run, and more for as long as `seconds` have not passed.
    void work_for(double seconds);

private:
    struct Card {
        std::unique_ptr<AlteredBackend> altered;  // null: the model as it is
        std::unique_ptr<WordPartsRun> run;        // null: nothing is left to do
        std::shared_ptr<const Trace> trace;       // as long as it runs
        std::shared_ptr<const WordPartsShown> shown;
        std::shared_ptr<const SenseProbeResult> probe;  // that the sense was read with
    };
    void begin(Card& card, const Snapshot& snapshot, int slot);
    void start(Card& card, const Snapshot& snapshot, int slot, WordPartsShown& shown);
    static void work_for(Card& card, double seconds);
    static void end(Card& card);

    Backend& backend_;
    AskedOfSentences asked_;
    std::array<Card, 2> cards_;
};

}  // namespace glassformer::app
