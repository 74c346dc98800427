#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/backend/backend.h"
#include "core/text/tokenizer.h"
#include "core/train/batch_source.h"
#include "core/train/trainer.h"

namespace glassformer {

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

/// A world to train on: its data with their ground truth, the model that learns it, how to train, and how to tell that
/// it has learned.
class Task {
public:
    virtual ~Task() = default;

    /// "induction": the name on the command line and in checkpoints.
    virtual std::string_view name() const = 0;
    /// One line for people: "Induction: a random sequence, twice".
    virtual std::string_view title() const = 0;
    virtual const TransformerConfig& config() const = 0;
    /// How to train to the level that metric_level() names, on two cores of a laptop, in at most a minute (regression:
    /// three).
    virtual TrainOptions options() const = 0;
    virtual std::shared_ptr<const BatchSource> batches() const = 0;
    /// Null where the model reads numbers.
    virtual std::shared_ptr<const Tokenizer> tokenizer() const = 0;
    /// Of the sentences that are translated; null where there are none.
    virtual std::shared_ptr<const Tokenizer> source_tokenizer() const { return nullptr; }
    /// "held-out sense accuracy".
    virtual std::string_view metric_name() const = 0;
    /// Whether the metric is a share (0 … 1, the larger the better; shown in %), or an error (the smaller the better).
    virtual bool metric_is_share() const { return true; }
    virtual double metric_level() const = 0;
    /// Of models of this config, which reads and says what the world's own does but may be built otherwise. Throws
    /// Error when the metric needs something that such a model does not have.
    virtual std::unique_ptr<Metric> metric(Backend& backend, const TransformerConfig& config) const = 0;
    std::unique_ptr<Metric> metric(Backend& backend) const { return metric(backend, config()); }
    /// The same kind of batches, of sentences that training never sees: by default those of batches(), for worlds that
    /// draw every batch anew; see HeldOutLoss.
    virtual std::shared_ptr<const BatchSource> held_out() const { return batches(); }
};

}  // namespace glassformer
