#include "core/tasks/text_batches.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/base/rng.h"

namespace glassformer {

TextBatches::TextBatches(std::vector<int> tokens, int positions) : tokens_(std::move(tokens)), positions_(positions) {
    if (positions < 1 || tokens_.size() < static_cast<std::size_t>(positions) + 1)
        throw Error("a text of " + std::to_string(tokens_.size()) + " tokens is too short; windows of " +
                    std::to_string(positions) + " tokens need at least " + std::to_string(positions + 1));
}

void TextBatches::clear(int batch, Batch& out) const {
    const auto cells = static_cast<std::size_t>(batch) * static_cast<std::size_t>(positions_);
    for (std::vector<float>* values : {&out.tokens, &out.targets}) values->assign(cells, 0.0f);
    for (std::vector<float>* values : {&out.key_mask, &out.loss_weights}) values->assign(cells, 1.0f);
}

void TextBatches::put(std::size_t begin, int row, Batch& out) const {
    const auto length = static_cast<std::size_t>(positions_), cell = static_cast<std::size_t>(row) * length;
    for (std::size_t p = 0; p < length; ++p) {
        out.tokens[cell + p] = static_cast<float>(tokens_[begin + p]);
        out.targets[cell + p] = static_cast<float>(tokens_[begin + p + 1]);
    }
}

void TextBatches::draw(std::uint64_t seed, std::int64_t step, int batch, Batch& out) const {
    Rng rng(seed, batch_streams + static_cast<std::uint64_t>(step));
    clear(batch, out);
    const std::size_t places = tokens_.size() - static_cast<std::size_t>(positions_);
    for (int row = 0; row < batch; ++row) put(rng.below(places), row, out);
}

int TextBatches::eval_batch(int most, Batch& out) const {
    out = spread(most);
    return windows(most);
}

int TextBatches::windows(int most) const {
    const std::size_t room = (tokens_.size() - 1) / static_cast<std::size_t>(positions_);
    return static_cast<int>(std::min(room, static_cast<std::size_t>(most)));
}

Batch TextBatches::spread(int most) const {
    const int count = windows(most);
    const std::size_t last = tokens_.size() - 1 - static_cast<std::size_t>(positions_);
    Batch batch;
    clear(count, batch);
    for (int row = 0; row < count; ++row)
        put(count == 1 ? 0 : last * static_cast<std::size_t>(row) / static_cast<std::size_t>(count - 1), row, batch);
    return batch;
}

double unigram_loss(std::span<const int> training, std::span<const int> test, int d_vocab) {
    std::vector<double> counts(static_cast<std::size_t>(d_vocab), 1.0);
    for (const int token : training) counts[token] += 1.0;
    const double total = static_cast<double>(training.size()) + static_cast<double>(d_vocab);
    double loss = 0.0;
    for (const int token : test) loss -= std::log(counts[token] / total);
    return test.empty() ? 0.0 : loss / static_cast<double>(test.size());
}

TextLoss::TextLoss(Backend& backend, const TransformerConfig& config, const TextBatches* training,
                   const TextBatches& held_out, double characters_per_token, double unigram_loss)
    : held_out_(backend, config, held_out.shape(held_out.windows(most_windows)), held_out.spread(most_windows),
                {"loss"}),
      characters_per_token_(characters_per_token),
      unigram_(unigram_loss) {
    if (training)
        training_.emplace(backend, config, training->shape(training->windows(most_windows)),
                          training->spread(most_windows), std::vector<std::string>{"loss"});
}

double TextLoss::loss(FixedBatch& windows, std::span<const float> parameters) {
    windows.run(parameters);
    return static_cast<double>(windows.values("loss").front());
}

Measurement TextLoss::measure(std::span<const float> parameters) {
    const double held_out = loss(held_out_, parameters);
    Measurement found{held_out,
                      {{N_("perplexity"), std::exp(held_out)},
                       {N_("bits per character"), held_out / std::numbers::ln2 / characters_per_token_}}};
    if (training_) found.details.emplace_back(N_("training loss"), loss(*training_, parameters));
    found.details.emplace_back(N_("unigram loss"), unigram_);
    return found;
}

}  // namespace glassformer
