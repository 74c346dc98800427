#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/study.h"
#include "core/tasks/sense_probe.h"

namespace glassformer::app {

/// Where the sentences of the model's world use a word most as a sentence on screen does.
struct NearestUses {
    struct Use {
        std::string text;
        std::vector<std::string> words;
        int position = 0;   // in `words`
        double cosine = 0;  // see centred_cosines()
        int sense = -1;     // the true sense, in a world of senses
        bool held_out = false;
    };
    /// Whether the sentence on screen is one of the training's. `fresh`: neither it nor its template, if it has one.
    enum class Seen { unknown, fresh, held_out_template, known_template, sentence };

    command::ShowNearestUses of;
    std::weak_ptr<const Trace> trace;  // of the sentence, as it is shown
    std::string sentence;              // its text
    MeasuredOf shown;
    std::string word, why_not;       // why_not: why there are none
    std::vector<Use> nearest;        // nearest first
    int training = 0, held_out = 0;  // numbers of uses compared
    bool all_compared = true;        // no training sentence was left out
    int left = 0;                    // sentences yet to be run
    Seen seen = Seen::unknown;
};

/// Returns true if the model reads the words of one sentence, so that their uses can be compared.
bool can_compare_uses(const ModelInfo& model);

/// Finds the nearest uses while somebody looks: runs the world's sentences that have the word, a few at a time, with
/// the model as it is shown, changes included.
class NearestUseStudy : public Study {
public:
    static constexpr std::size_t most_training = 320, most_held_out = 160, most_nearest = 24, at_once = 64;

    void ask(const command::ShowNearestUses& asked) { asked_ = asked; }
    /// Gives null if nobody looks. During training, earlier results stay.
    void show(Snapshot& snapshot, const Subject& of) override;
    bool under_way() const override { return running_.has_value(); }
    void work(const Subject& of) override;
    void forget() override {
        running_.reset();
        shown_ = nullptr;
    }

private:
    /// The sentences that a training draws, followed by held-out ones.
    struct Corpus {
        void keep_drawn();

        std::shared_ptr<const ModelInfo> of;
        TrainOptions options;
        std::vector<std::vector<int>> ids;
        std::vector<int> senses;
        std::size_t training = 0;
        bool whole = true;  // holds all that the model is trained on
    };
    struct Running {
        std::vector<std::vector<int>> ids;  // of the sentences to run
        std::vector<std::size_t> of;        // their indices in the corpus
        std::size_t next = 0;
        struct Found {
            std::size_t sentence;  // index in the corpus
            int position;
            std::vector<float> stream;
        };
        std::vector<Found> found;
        std::vector<float> here;
        int token = -1, layer = 0;
    };

    const Corpus& corpus(const ActiveModel& model);
    std::string why_not(const ActiveModel& model, const WatchedSentence& sentence, int position) const;
    void begin(ActiveModel& model, const WatchedSentence& sentence);
    void finish(const ActiveModel& model);

    command::ShowNearestUses asked_;
    Corpus corpus_;
    std::optional<Running> running_;
    std::shared_ptr<NearestUses> shown_;  // replaced, never modified, once shown
    Parameters of_;
    TrainOptions options_;  // what of the training that the model shown belongs to decides on its sentences
};

}  // namespace glassformer::app
