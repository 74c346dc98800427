#include "core/tasks/text_metric.h"

#include <cmath>
#include <numbers>
#include <vector>

#include "core/base/mark_text.h"

namespace glassformer {

double unigram_loss(std::span<const int> training, std::span<const int> test, int d_vocab) {
    std::vector<double> counts(static_cast<std::size_t>(d_vocab), 1.0);
    for (const int token : training) counts[static_cast<std::size_t>(token)] += 1.0;
    const double total = static_cast<double>(training.size()) + static_cast<double>(d_vocab);
    double loss = 0.0;
    for (const int token : test) loss -= std::log(counts[static_cast<std::size_t>(token)] / total);
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
