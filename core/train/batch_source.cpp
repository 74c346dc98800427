#include "core/train/batch_source.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/error.h"
#include "core/train/train_options.h"

namespace glassformer {

void set_inputs(Execution& run, const TransformerGraph& model, const Batch& batch) {
    const std::pair<int, const std::vector<float>*> inputs[] = {{model.tokens, &batch.tokens},
                                                                {model.values, &batch.values},
                                                                {model.key_mask, &batch.key_mask},
                                                                {model.source_tokens, &batch.source_tokens},
                                                                {model.source_key_mask, &batch.source_key_mask},
                                                                {model.targets, &batch.targets},
                                                                {model.target_values, &batch.target_values},
                                                                {model.loss_weights, &batch.loss_weights}};
    for (const auto& [id, values] : inputs)
        if (id >= 0) run.set_input(id, *values);
    if (model.token_types >= 0) std::ranges::fill(run.input_values(model.token_types), 0.0f);
    constexpr float not_training[] = {0.0f, 0.0f, 0.0f};
    if (model.state >= 0) run.set_input(model.state, not_training);
}

void set_training_inputs(Execution& run, const TransformerGraph& model, const Batch& batch, std::uint64_t seed,
                         std::int64_t step) {
    set_inputs(run, model, batch);
    // A float holds every integer below 2^24 exactly.
    constexpr std::uint64_t exact = std::uint64_t{1} << 24;
    const float state[] = {1.0f, static_cast<float>(static_cast<std::uint64_t>(step) % exact),
                           static_cast<float>(seed % exact)};
    if (model.state >= 0) run.set_input(model.state, state);
}

std::int64_t words_of(const Batch& batch) {
    std::int64_t words = 0;
    for (const std::vector<float>* mask : {&batch.key_mask, &batch.source_key_mask})
        words += std::ranges::count_if(*mask, [](float m) { return m != 0.0f; });
    return batch.key_mask.empty() ? std::ssize(batch.loss_weights) : words;
}

namespace {

/// One row of a batch: one of `rows` equal parts.
std::span<const float> row_of(const std::vector<float>& values, int row, int rows) {
    const std::size_t each = values.size() / static_cast<std::size_t>(rows);
    return std::span(values).subspan(static_cast<std::size_t>(row) * each, each);
}

/// Number of tokens in a sentence; without a mask, all positions.
int length_of(const std::vector<float>& mask, int row, int rows, int positions) {
    if (mask.empty()) return positions;
    const std::span<const float> keep = row_of(mask, row, rows);
    const auto last = std::find_if(keep.rbegin(), keep.rend(), [](float m) { return m != 0.0f; });
    return static_cast<int>(keep.rend() - last);
}

constexpr std::array fields{&Batch::tokens,        &Batch::values,       &Batch::key_mask, &Batch::targets,
                            &Batch::target_values, &Batch::loss_weights, &Batch::unmasked};
constexpr std::array source_fields{&Batch::source_tokens, &Batch::source_key_mask};

class ShortSentences final : public BatchSource {
public:
    ShortSentences(std::shared_ptr<const BatchSource> all, int longest) : all_(std::move(all)), longest_(longest) {}

    BatchShape shape(int batch) const override {
        BatchShape s = all_->shape(batch);
        s.positions = std::min(s.positions, longest_);
        s.source_positions = std::min(s.source_positions, longest_);
        return s;
    }

    void draw(std::uint64_t seed, std::int64_t step, int batch, Batch& out) const override {
        // Draws sentences until enough of them are short. The first draw is that of the world itself.
        constexpr std::uint64_t next_seed = 0x9e3779b97f4a7c15u;
        constexpr int most_draws = 200;
        static thread_local Batch drawn;  // reused, so that later calls allocate nothing
        // Another world may have filled fields that this one does not have.
        for (const auto field : fields) (drawn.*field).clear();
        for (const auto field : source_fields) (drawn.*field).clear();
        const BatchShape from = all_->shape(batch), to = shape(batch);
        int filled = 0;
        for (int i = 0; filled < batch; ++i) {
            if (i == most_draws)
                throw Error("this world has too few sentences of length {1} or less to train on; allow longer ones",
                            longest_);
            all_->draw(seed + static_cast<std::uint64_t>(i) * next_seed, step, batch, drawn);
            for (int row = 0; row < batch && filled < batch; ++row)
                if (length_of(drawn.key_mask, row, batch, from.positions) <= longest_ &&
                    length_of(drawn.source_key_mask, row, batch, from.source_positions) <= longest_)
                    copy(drawn, row, from, out, filled++, to);
        }
    }

private:
    static void copy(const Batch& from, int row, const BatchShape& wide, Batch& to, int at, const BatchShape& narrow) {
        const auto take = [&](std::vector<float> Batch::*field, int wide_positions, int narrow_positions) {
            const std::span<const float> found = row_of(from.*field, row, wide.batch);
            // A class appears once per sentence, everything else once per position.
            const std::size_t positions = static_cast<std::size_t>(wide_positions);
            const bool by_position = found.size() >= positions;
            const std::size_t kept =
                by_position ? found.size() / positions * static_cast<std::size_t>(narrow_positions) : found.size();
            (to.*field).resize(kept * static_cast<std::size_t>(narrow.batch));
            std::copy_n(found.begin(), kept, (to.*field).begin() + at * static_cast<std::ptrdiff_t>(kept));
        };
        for (const auto field : fields)
            if (!(from.*field).empty()) take(field, wide.positions, narrow.positions);
        for (const auto field : source_fields)
            if (!(from.*field).empty()) take(field, wide.source_positions, narrow.source_positions);
    }

    std::shared_ptr<const BatchSource> all_;
    int longest_;
};

}  // namespace

std::shared_ptr<const BatchSource> BatchSource::part(double /*share*/) const {
    throw Error("this world makes every sentence anew; there is no share of them to train on");
}

std::shared_ptr<const BatchSource> training_batches(std::shared_ptr<const BatchSource> all,
                                                    const TrainOptions& options) {
    if (options.data_share < 1.0f) all = all->part(static_cast<double>(options.data_share));
    return options.longest > 0 ? short_sentences(std::move(all), options.longest) : all;
}

std::shared_ptr<const BatchSource> short_sentences(std::shared_ptr<const BatchSource> all, int longest) {
    const BatchShape whole = all->shape(1);
    if (std::max(whole.positions, whole.source_positions) <= longest) return all;
    auto few = std::make_shared<const ShortSentences>(std::move(all), longest);
    Batch probe;
    few->draw(1, 1, 16, probe);  // throws here rather than in the middle of a training
    return few;
}

}  // namespace glassformer
