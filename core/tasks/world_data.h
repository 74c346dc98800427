#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/rng.h"
#include "core/text/word_tokenizer.h"
#include "core/train/batch_source.h"
#include "core/train/task.h"

namespace glassformer {

/// Randomly drawn held-out data come from this stream, which no batch (batch_streams and above) and no parameter (from
/// 0 on) ever uses. So they differ from the training data, whatever the training seed.
inline constexpr std::uint64_t held_out_seed = 1, held_out_stream = batch_streams - 1;

/// Ids of a world's words. Throws Error naming a word that the tokenizer does not have.
std::vector<int> word_ids(const WordTokenizer& tokenizer, std::span<const std::string> words);

/// Starts a task for a word-based world, with everything that the world itself determines.
template <class World>
Task task_in_words(const World& world, const std::shared_ptr<const WordTokenizer>& tokenizer) {
    Task task;
    task.name = world.name();
    task.title = world.title();
    task.config.d_vocab = tokenizer->size();
    task.config.n_ctx = world.longest_sentence();
    task.tokenizer = tokenizer;
    return task;
}

/// Empties a batch of this shape for next-token prediction: fills tokens, key_mask, targets, loss_weights and, if the
/// shape has a source, the source fields with zeros; nothing is masked.
void clear_rows(const BatchShape& shape, Batch& out);

/// Writes ids into row `row` of values [batch, positions], from its first cell on.
void put_row(std::span<const int> ids, std::size_t row, int positions, std::vector<float>& values);
/// The same, with ones in those cells of `mask`.
void put_row(std::span<const int> ids, std::size_t row, int positions, std::vector<float>& values,
             std::vector<float>& mask);

/// The indexes of a share of `count` things, at least one, in increasing order; see BatchSource::part().
std::vector<std::size_t> places_of_share(std::size_t count, double share);
/// The things at these indexes.
template <class Thing>
std::vector<Thing> share_of(const std::vector<Thing>& all, double share) {
    std::vector<Thing> kept;
    for (const std::size_t at : places_of_share(all.size(), share)) kept.push_back(all[at]);
    return kept;
}

/// Rows drawn at random from a corpus. `Rows` defines a row:
///
///     using Row = …;
///     static void clear(const BatchShape& shape, Batch& out);
///     static void put(const Row& row, std::size_t at, const BatchShape& shape, Batch& out);  // or with Rng& at end
template <class Rows>
class DrawnRows final : public BatchSource {
public:
    using Row = typename Rows::Row;

    /// `shape` gives the lengths; its batch size is not used.
    DrawnRows(std::vector<Row> corpus, const BatchShape& shape) : corpus_(std::move(corpus)), shape_(shape) {}

    BatchShape shape(int batch) const override { return {batch, shape_.positions, shape_.source_positions}; }
    void draw(std::uint64_t seed, std::int64_t step, int batch, Batch& out) const override {
        Rng rng(seed, batch_streams + static_cast<std::uint64_t>(step));
        Rows::clear(shape(batch), out);
        for (std::size_t row = 0; row < static_cast<std::size_t>(batch); ++row)
            if constexpr (requires { Rows::put(corpus_[0], row, shape_, out, rng); })
                Rows::put(corpus_[rng.below(corpus_.size())], row, shape_, out, rng);
            else
                Rows::put(corpus_[rng.below(corpus_.size())], row, shape_, out);
    }
    std::int64_t size() const override { return std::ssize(corpus_); }
    std::shared_ptr<const BatchSource> part(double share) const override {
        return std::make_shared<const DrawnRows>(share_of(corpus_, share), shape_);
    }

private:
    std::vector<Row> corpus_;
    BatchShape shape_;
};

/// All rows, in order, as one batch.
template <class Rows>
Batch batch_of(const std::vector<typename Rows::Row>& rows, const BatchShape& shape) {
    Batch batch;
    Rows::clear(shape, batch);
    for (std::size_t row = 0; row < rows.size(); ++row) Rows::put(rows[row], row, shape, batch);
    return batch;
}

/// Menu sentences, as ids, for a world that has none of its own: drawn as for training, cut after 32 tokens, the first
/// two of the same length if possible.
std::vector<std::vector<int>> drawn_sentences(const BatchSource& batches);

/// Samples for a model that reads numbers: prompts have no text, so they are named "sample 1", "sample 2" …
std::vector<Sample> numbered_samples();

/// Masked-word prediction (Devlin et al. 2019): 20 % of the words are to be predicted. Of those, 80 % are replaced by
/// <mask>; the others stay as they are.
class MaskedWords final : public BatchSource {
public:
    static constexpr double predicted = 0.2, replaced = 0.8;

    /// `corpus` holds token ids; no sentence is longer than `positions`.
    MaskedWords(std::vector<std::vector<int>> corpus, int positions);

    BatchShape shape(int batch) const override { return {batch, positions_}; }
    void draw(std::uint64_t seed, std::int64_t step, int batch, Batch& out) const override;
    std::int64_t size() const override { return std::ssize(corpus_); }
    std::shared_ptr<const BatchSource> part(double share) const override {
        return std::make_shared<const MaskedWords>(share_of(corpus_, share), positions_);
    }

    const std::vector<std::vector<int>>& corpus() const { return corpus_; }

private:
    std::vector<std::vector<int>> corpus_;
    int positions_;
};

}  // namespace glassformer
