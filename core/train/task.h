#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/text/tokenizer.h"
#include "core/train/batch_source.h"
#include "core/train/train_options.h"

namespace glassformer {

/// The source of a user's own world, carried in a checkpoint or a run so that the world can be rebuilt even if its file
/// has moved or been deleted. It does not record where the file was. Created by make_task() (core/tasks/tasks.h).
struct WorldSource {
    /// The most that is carried of a held-out text, in bytes.
    static constexpr std::size_t most_held_out = 1u << 20;

    std::string kind;          // name of the WorldKind: "homonyms", "order" …, "text"
    std::string file;          // file name without folders: "colours.grammar"
    std::string content = {};  // the whole file; empty for a text of which only `held_out` is carried

    // For texts only:
    std::string unit = {};              // what the text was cut into
    std::uint64_t bytes = 0, mark = 0;  // of the whole file: its length, and its hash_of()
    std::string held_out = {};          // what the model is measured on
    std::vector<std::string> samples = {};
    std::uint64_t training_tokens = 0;  // in the training part
    double unigram_loss = 0.0;          // of the held-out part; see text_task.h

    /// FNV-1a. Texts with the same mark count as the same text.
    static std::uint64_t hash_of(const std::string& text);

    bool is_text() const { return kind == "text"; }
    bool operator==(const WorldSource&) const = default;
};

/// The part of it that a checkpoint may carry: a training text stays with the user, except for its held-out part.
WorldSource for_checkpoint(WorldSource source);

class World;

/// Result of one measurement: the task's metric, and further named figures (by layer, by prompt length …).
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

/// A text for the menus, and what to look at in it.
struct Sample {
    std::string text;
    int sense = -1;     ///< the true sense, in a world of senses
    int token = -1;     ///< position of the token to look at first (for a translation, among <bos> and the words that
                        ///< the model writes); −1: the program chooses
    int looks_at = -1;  ///< position of the token that this one should attend to (for a translation, in the source); a
                        ///< head that does so is shown first. −1: the program chooses
};

/// A world to train on: its data with ground truth, the model that learns it, how to train, how to tell when it has
/// learned, and what people read and see of it. Created by make_task() (core/tasks/tasks.h).
struct Task {
    std::string name;   ///< as on the command line and in checkpoints: "induction"
    std::string title;  ///< one line for people: "Induction: a random sequence, twice"
    TransformerConfig config;
    /// Training options that reach metric_level in at most a minute on two laptop cores (regression: three minutes).
    TrainOptions options;
    std::shared_ptr<const BatchSource> batches;
    /// See held_out(); null: use `batches`.
    std::function<std::shared_ptr<const BatchSource>()> make_held_out = nullptr;
    std::shared_ptr<const Tokenizer> tokenizer = nullptr;         ///< null if the model reads numbers
    std::shared_ptr<const Tokenizer> source_tokenizer = nullptr;  ///< of the source language; null: no translation
    std::string token_noun = "word";                              ///< what the user calls one token: "letter", "number"
    std::vector<std::string> units = {};    ///< units that a text can be cut into: "characters", "words" …
    std::vector<std::string> classes = {};  ///< names of the classes that the model sorts sentences into
    /// Texts for the menus, at least two; the window opens with the first two. Except for homonyms they have the same
    /// length, so that one can be patched into the other and their difference shown.
    std::vector<Sample> samples = {};
    std::shared_ptr<const World> senses = nullptr;  ///< the language behind a world of senses; otherwise null
    /// What a model or a run must carry if the world comes from the user's own file; null if it can be found by name.
    std::shared_ptr<const WorldSource> source = nullptr;
    /// Why `batches` draws nothing, in one sentence: the training text is missing. Empty if the task can be trained.
    std::string why_not_trained = {};
    std::string metric_name;      ///< "held-out sense accuracy"
    bool metric_is_share = true;  ///< 0 … 1, higher is better, shown in %; otherwise an error, lower is better
    bool metric_is_loss = false;  ///< the training loss, measured on unseen data
    double metric_level = 0.95;
    std::function<std::unique_ptr<Metric>(Backend&, const TransformerConfig&)> make_metric;  ///< see metric()

    /// Batches of the same kind, but of sentences that training never sees. The default is `batches` itself, for worlds
    /// that generate every batch anew; see HeldOutLoss.
    std::shared_ptr<const BatchSource> held_out() const { return make_held_out ? make_held_out() : batches; }
    /// Metric for models of this config, which must have the world's inputs and outputs but may be built differently.
    /// Throws Error if the metric needs something that such a model does not have.
    std::unique_ptr<Metric> metric(Backend& backend, const TransformerConfig& of) const {
        return make_metric(backend, of);
    }
    std::unique_ptr<Metric> metric(Backend& backend) const { return metric(backend, config); }
};

}  // namespace glassformer
