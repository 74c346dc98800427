#pragma once

#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tasks/world_kind.h"
#include "core/text/tokenizer.h"
#include "core/train/batch_source.h"
#include "core/train/fixed_batch.h"
#include "core/train/task.h"

namespace glassformer {

/// A tokenizer made from a text, for the unit "characters", "words" or "byte_pairs". Characters: those of the
/// text; all others are <unk>. Words: the 4,000 most frequent of those that stand at least twice in the text; all
/// others are <unk>. Byte pairs: one merge for every 40 bytes of text, 1,000 at the most. Throws Error naming the unit
/// when there is no such one.
std::shared_ptr<const Tokenizer> tokenizer_from_text(const std::string& unit, std::string_view text);

/// Windows of a long text: `positions` tokens, each position's target being the token after it.
class TextBatches final : public BatchSource {
public:
    /// Throws Error when there are fewer than positions + 1 tokens.
    TextBatches(std::vector<int> tokens, int positions);

    BatchShape shape(int batch) const override { return {batch, positions_}; }
    /// Windows that begin anywhere, each place as likely.
    void draw(std::uint64_t seed, std::int64_t step, int batch, Batch& out) const override;
    /// Windows at even distances: spread().
    int eval_batch(int most, Batch& out) const override;
    std::int64_t size() const override { return std::ssize(tokens_); }
    /// No less than two windows of its beginning.
    std::shared_ptr<const BatchSource> part(double share) const override;

    /// Windows spread evenly over the text, from its beginning to its end, that share no target: as many as there is
    /// room for, `most` at the most.
    Batch spread(int most) const;
    /// How many spread(most) gives.
    int windows(int most) const;
    const std::vector<int>& tokens() const { return tokens_; }

private:
    void clear(int batch, Batch& out) const;
    void put(std::size_t begin, int row, Batch& out) const;

    std::vector<int> tokens_;
    int positions_;
};

/// The loss of guessing each token of `test` by how often it is in `training`, with one added to every count, in
/// nats per token: the unigram cross entropy. Ids are below d_vocab.
double unigram_loss(std::span<const int> training, std::span<const int> test, int d_vocab);

/// The loss on windows of a held-out text, in nats per token, and beside it perplexity, bits per character (of what the
/// tokens tell: words do not tell case and blanks), the loss on as many windows of the training text, and the unigram
/// loss.
class TextLoss final : public Metric {
public:
    /// As many as HeldOutLoss takes: the metric and the held-out loss of a text are one number.
    static constexpr int most_windows = HeldOutLoss::sentences;

    /// `training` is null where that text is not here: then its loss is not among the figures. `characters_per_token`
    /// and `unigram_loss` are of the held-out text.
    TextLoss(Backend& backend, const TransformerConfig& config, const TextBatches* training,
             const TextBatches& held_out, double characters_per_token, double unigram_loss);

    Measurement measure(std::span<const float> parameters) override;

private:
    double loss(FixedBatch& windows, std::span<const float> parameters);

    std::optional<FixedBatch> training_;
    FixedBatch held_out_;
    double characters_per_token_, unigram_;
};

/// Predicting the next token of any text, with a small decoder of GPT-2's shape. The unit is one that
/// tokenizer_from_text knows. The metric is the loss on the last tenth of the text, in nats per token; its level is
/// that of a model that knows how frequent each token is, and nothing more, less a tenth of it. Throws Error naming the
/// file as UserText::parse does, and when it has too few tokens.
Task text_task(const WorldFile& file, const std::string& unit);

/// The same of a text of which only the held-out part is here, with the tokenizer that was made from all of it: it can
/// be measured, and not trained on. Throws Error where that is no such source.
Task held_out_text_task(const WorldSource& source, std::shared_ptr<const Tokenizer> tokenizer);

}  // namespace glassformer
