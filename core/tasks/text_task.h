#pragma once

#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tasks/world_kind.h"
#include "core/text/tokenizer.h"
#include "core/train/batch_source.h"
#include "core/train/task.h"

namespace glassformer {

/// Makes a tokenizer from a text, for the unit "characters", "words" or "byte_pairs". Characters: those of the text.
/// Words: the 4,000 most frequent of those that occur at least twice. In both, everything else is <unk>. Byte pairs:
/// one merge per 40 bytes of text, at most 1,000. Throws Error naming the unit if it is unknown.
std::shared_ptr<const Tokenizer> tokenizer_from_text(const std::string& unit, std::string_view text);

/// Windows of a long text: `positions` tokens each. The target of each position is the next token.
class TextBatches final : public BatchSource {
public:
    /// Throws Error if there are fewer than positions + 1 tokens.
    TextBatches(std::vector<int> tokens, int positions);

    BatchShape shape(int batch) const override { return {batch, positions_}; }
    /// Windows that start at uniformly random places.
    void draw(std::uint64_t seed, std::int64_t step, int batch, Batch& out) const override;
    /// Evenly spaced windows; see spread().
    int eval_batch(int most, Batch& out) const override;
    std::int64_t size() const override { return std::ssize(tokens_); }
    /// The beginning of the text, at least two windows long (or all of it).
    std::shared_ptr<const BatchSource> part(double share) const override;

    /// Windows spread evenly over the whole text that share no target: as many as fit, at most `most`.
    Batch spread(int most) const;
    /// Number of windows in spread(most).
    int windows(int most) const;
    const std::vector<int>& tokens() const { return tokens_; }

private:
    void clear(int batch, Batch& out) const;
    void put(std::size_t begin, int row, Batch& out) const;

    std::vector<int> tokens_;
    int positions_;
};

/// The unigram cross-entropy in nats per token: the loss of guessing each token of `test` by its frequency in
/// `training`, with one added to every count. Ids must be below d_vocab.
double unigram_loss(std::span<const int> training, std::span<const int> test, int d_vocab);

/// Predicts the next token of any text with a small GPT-2-style decoder. The unit is one that tokenizer_from_text
/// knows. The metric is the loss on the last tenth of the text, in nats per token; its level is nine tenths of the
/// unigram loss, that of a model that knows only how frequent each token is. Throws Error naming the file as
/// UserText::parse does, and if it has too few tokens.
Task text_task(const WorldFile& file, const std::string& unit);

/// The same for a text of which only the held-out part is available, with the tokenizer made from the whole text. It
/// can be measured but not trained on. Throws Error if `source` is not such a text.
Task held_out_text_task(const WorldSource& source, std::shared_ptr<const Tokenizer> tokenizer);

}  // namespace glassformer
