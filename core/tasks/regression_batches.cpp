#include "core/tasks/regression_batches.h"

#include "core/base/rng.h"
#include "core/tasks/held_out.h"

namespace glassformer {

void RegressionBatches::fill(Rng& rng, int batch, Batch& out) const {
    const auto d = static_cast<std::size_t>(functions_.d()), pairs = static_cast<std::size_t>(functions_.pairs());
    const std::size_t prompts = static_cast<std::size_t>(batch), cells = prompts * 2 * pairs, width = d + 1;
    out.values.assign(cells * width, 0.0f);
    out.key_mask.assign(cells, 1.0f);
    out.target_values.assign(cells, 0.0f);
    out.loss_weights.assign(cells, 0.0f);
    for (std::size_t prompt = 0; prompt < prompts; ++prompt) {
        const LinearFunction function = functions_.draw(rng);
        for (std::size_t pair = 0; pair < pairs; ++pair) {
            const std::size_t cell = 2 * (prompt * pairs + pair);
            const std::span<float> x(out.values.data() + cell * width, d);
            LinearFunctions::draw_point(rng, x);
            out.target_values[cell] = out.values[(cell + 1) * width + d] = function.at(x);
            out.loss_weights[cell] = 1.0f;
        }
    }
}

void RegressionBatches::draw(std::uint64_t seed, std::int64_t step, int batch, Batch& out) const {
    Rng rng(seed, batch_streams + static_cast<std::uint64_t>(step));
    fill(rng, batch, out);
}

Batch RegressionBatches::held_out(int prompts) const {
    Rng rng(held_out_seed, held_out_stream);
    Batch batch;
    fill(rng, prompts, batch);
    return batch;
}

}  // namespace glassformer
