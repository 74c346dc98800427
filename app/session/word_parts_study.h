#pragma once

#include "app/session/study.h"
#include "core/analysis/altered_backend.h"

namespace glassformer::app {

/// Finds the parts of each word of the two sentences in an answer, as long as somebody looks: of whichever model and
/// step a card shows, with the changes that were made in the model. Not thread-safe; what it shows is.
class WordPartsStudy : public Study {
public:
    explicit WordPartsStudy(Backend& backend) : backend_(backend) {}

    void ask(const AskedOfSentences& asked, bool go_on);
    /// With the sense probe that the snapshot has. A small model has its first numbers at once.
    void show(Snapshot& snapshot, const Subject& of) override;
    bool under_way() const override;
    void work(const Subject&) override;

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
    static void work(Card& card);
    static void end(Card& card);

    Backend& backend_;
    AskedOfSentences asked_;
    std::array<Card, 2> cards_;
};

}  // namespace glassformer::app
