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

/// What a world of one's own was made of, so that a checkpoint or a run can carry it: the world is there again when its
/// file has moved or gone. It says nothing of where the file was. Made by make_task() (core/tasks/tasks.h).
struct WorldSource {
    /// Of a held-out text no more is carried.
    static constexpr std::size_t most_held_out = 1u << 20;

    std::string kind;          // name of its WorldKind: "homonyms", "order" …, "text"
    std::string file;          // its name, without folders: "colours.grammar"
    std::string content = {};  // the whole file; empty: a text of which only `held_out` is here

    // Of a text, besides:
    std::string unit = {};              // what it was cut into
    std::uint64_t bytes = 0, mark = 0;  // of the whole file: how long it was, and hash_of() it
    std::string held_out = {};          // what the model is measured with
    std::vector<std::string> samples = {};
    std::uint64_t training_tokens = 0;  // in the part that was trained on
    double unigram_loss = 0.0;          // of the held-out part: see text_task.h

    /// FNV-1a: two texts with the same mark are the same text.
    static std::uint64_t hash_of(const std::string& text);

    bool is_text() const { return kind == "text"; }
    bool operator==(const WorldSource&) const = default;
};

/// What a checkpoint carries of it: a text that was trained on stays with the person, but for its held-out part.
WorldSource for_checkpoint(WorldSource source);

class World;

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

/// A world to train on: its data with their ground truth, the model that learns it, how to train, how to tell that it
/// has learned, and what people read and see of it. Made by make_task() (core/tasks/tasks.h).
struct Task {
    std::string name;   ///< "induction": on the command line and in checkpoints
    std::string title;  ///< one line for people: "Induction: a random sequence, twice"
    TransformerConfig config;
    /// How to train to metric_level, on two cores of a laptop, in at most a minute (regression: three).
    TrainOptions options;
    std::shared_ptr<const BatchSource> batches;
    /// See held_out(); null: batches.
    std::function<std::shared_ptr<const BatchSource>()> make_held_out = nullptr;
    std::shared_ptr<const Tokenizer> tokenizer = nullptr;         ///< null where the model reads numbers
    std::shared_ptr<const Tokenizer> source_tokenizer = nullptr;  ///< of sentences that are translated; null: none are
    std::string token_noun = "word";                              ///< what people call one token: "letter", "number"
    std::vector<std::string> units = {};    ///< what a text may be cut into: "characters", "words" …
    std::vector<std::string> classes = {};  ///< names of the classes that the model sorts sentences into
    /// Texts for the menus, at least two. The window opens with the first two. But for homonyms they are of one length,
    /// so that one can be patched into the other and their difference shown.
    std::vector<Sample> samples = {};
    std::shared_ptr<const World> senses = nullptr;  ///< the language behind a world of senses; null for every other
    /// What to carry with a model or a run, where the world is of a person's own file; else null: it is found by name.
    std::shared_ptr<const WorldSource> source = nullptr;
    /// Why batches draws nothing, in one sentence: the text that was trained on is not here. Empty: it can be trained.
    std::string why_not_trained = {};
    std::string metric_name;      ///< "held-out sense accuracy"
    bool metric_is_share = true;  ///< 0 … 1, the larger the better, shown in %; else an error, the smaller the better
    bool metric_is_loss = false;  ///< the loss that training lowers, on data that it never saw
    double metric_level = 0.95;
    std::function<std::unique_ptr<Metric>(Backend&, const TransformerConfig&)> make_metric;  ///< see metric()

    /// The same kind of batches, of sentences that training never sees: by default those of `batches`, for worlds that
    /// draw every batch again; see HeldOutLoss.
    std::shared_ptr<const BatchSource> held_out() const { return make_held_out ? make_held_out() : batches; }
    /// Of models of this config, which reads and says what the world's own does but may be built otherwise. Throws
    /// Error when the metric needs something that such a model does not have.
    std::unique_ptr<Metric> metric(Backend& backend, const TransformerConfig& of) const {
        return make_metric(backend, of);
    }
    std::unique_ptr<Metric> metric(Backend& backend) const { return metric(backend, config); }
};

}  // namespace glassformer
