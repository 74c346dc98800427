#pragma once

#include "app/session/study.h"
#include "core/analysis/altered_backend.h"

namespace glassformer::app {

/// Finds the part of each word of the two sentences in an answer, while somebody looks: for whichever model and step a
/// card shows, with the changes made to the model. Not thread-safe; the results are.
class WordPartsStudy : public Study {
public:
    explicit WordPartsStudy(Backend& backend) : backend_(backend) {}

    void ask(const AskedOfSentences& asked, bool go_on);
    /// Uses the snapshot's sense probe. A small model shows its first numbers at once.
    void show(Snapshot& snapshot, const Subject& of) override;
    bool under_way() const override;
    void work(const Subject&) override;

private:
    struct Card {
        std::unique_ptr<AlteredBackend> altered;  // null: the unaltered model
        std::unique_ptr<WordPartsRun> run;        // null: nothing is left to do
        std::shared_ptr<const Trace> trace;       // kept alive while it runs
        std::shared_ptr<const WordPartsShown> shown;
        std::shared_ptr<const SenseProbeResult> probe;  // with which the sense was read
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
