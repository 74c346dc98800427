#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/text/tokenizer.h"
#include "core/train/batch_source.h"
#include "core/train/train_options.h"

namespace glassformer {

class World;
struct WorldSource;

/// What one measurement found: the task's metric, and named figures beside it (by layer, by prompt length …).
struct Measurement {
    double value = 0.0;
    std::vector<std::pair<std::string, double>> details;
};

/// Measures how well a model does on data that training never sees. Not thread-safe.
class Metric {
public:
    virtual ~Metric() = default;
    virtual Measurement measure(std::span<const float> parameters) = 0;
};

/// A text to choose from a menu, and what to look at in it.
struct Sample {
    std::string text;
    int sense = -1;     ///< the truth, in a world of senses
    int token = -1;     ///< place of the token to look at first (of a translation: among <bos> and the words that the
                        ///< model writes); −1: the program chooses
    int looks_at = -1;  ///< place of the token that this one should attend to (of a translation: in the source); a
                        ///< head that does so is shown first. −1: the program chooses
};

struct TaskDefinition;

/// A world to train on: its data with their ground truth, the model that learns it, how to train, how to tell that it
/// has learned, and what people read and see of it. Made by make_task() (core/tasks/tasks.h).
class Task {
public:
    explicit Task(TaskDefinition definition);

    /// "induction": the name on the command line and in checkpoints.
    const std::string& name() const;
    /// One line for people: "Induction: a random sequence, twice".
    const std::string& title() const;
    const TransformerConfig& config() const;
    /// How to train to the level that metric_level() names, on two cores of a laptop, in at most a minute (regression:
    /// three).
    const TrainOptions& options() const;
    const std::shared_ptr<const BatchSource>& batches() const;
    /// The same kind of batches, of sentences that training never sees: by default those of batches(), for worlds that
    /// draw every batch anew; see HeldOutLoss.
    std::shared_ptr<const BatchSource> held_out() const;
    /// Null where the model reads numbers.
    const std::shared_ptr<const Tokenizer>& tokenizer() const;
    /// Of the sentences that are translated; null where there are none.
    const std::shared_ptr<const Tokenizer>& source_tokenizer() const;
    /// What people call one token: "word", "letter", "number".
    const std::string& token_noun() const;
    /// What a text may be cut into: "characters", "words" …; empty where the world is no text.
    const std::vector<std::string>& units() const;
    /// The names of the classes that the model sorts sentences into; empty where it does not.
    const std::vector<std::string>& classes() const;
    /// Texts for the menus, at least two. The window opens with the first two. But for homonyms they are of one length,
    /// so that one can be patched into the other and their difference shown.
    const std::vector<Sample>& samples() const;
    /// The language behind a world of senses; null for every other world.
    const std::shared_ptr<const World>& senses() const;
    /// What to carry with a model or a run, where the world is of a person's own file; else null: it is found by name.
    const std::shared_ptr<const WorldSource>& source() const;
    /// Why batches() draws nothing, in one sentence: the text that was trained on is not here. Empty: it can be
    /// trained.
    const std::string& why_not_trained() const;
    /// "held-out sense accuracy".
    const std::string& metric_name() const;
    /// Whether the metric is a share (0 … 1, the larger the better; shown in %), or an error (the smaller the better).
    bool metric_is_share() const;
    bool metric_is_loss() const;
    double metric_level() const;
    /// Of models of this config, which reads and says what the world's own does but may be built otherwise. Throws
    /// Error when the metric needs something that such a model does not have.
    std::unique_ptr<Metric> metric(Backend& backend, const TransformerConfig& config) const;
    std::unique_ptr<Metric> metric(Backend& backend) const { return metric(backend, config()); }

private:
    std::shared_ptr<const TaskDefinition> is_;
};

}  // namespace glassformer
