#include "core/train/fixed_batch.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.h"

namespace glassformer {

FixedBatch::FixedBatch(Backend& backend, const TransformerConfig& config, const BatchShape& shape, Batch batch,
                       const std::vector<std::string>& keep)
    : model_(build_transformer(config, shape)), batch_(std::move(batch)) {
    PlanRequest request;
    for (const std::string& name : keep) {
        const int node = model_.graph->at(name);
        kept_.push_back(
            {name, node, std::vector<float>(static_cast<std::size_t>((*model_.graph)[node].shape.elements()))});
        request.keep.push_back(node);
    }
    run_ = backend.prepare(model_.graph, request);
    set_inputs(*run_, model_, batch_);
}

void FixedBatch::run(std::span<const float> parameters) {
    run_->forward(parameters);
    for (Kept& kept : kept_) kept.read = false;
}

std::span<const float> FixedBatch::values(const std::string& name) {
    const auto kept = std::ranges::find(kept_, name, &Kept::name);
    if (kept == kept_.end()) throw Error("{1} was not kept", name);
    if (!std::exchange(kept->read, true)) run_->read(kept->node, kept->values);
    return kept->values;
}

std::span<const float> FixedBatch::logits(std::size_t row, std::size_t position) {
    const std::size_t positions = model_.positions, words = model_.config.d_vocab;
    return values("logits").subspan((row * positions + position) * words, words);
}

Measurement FixedBatch::nan_if_diverged(Measurement found) {
    if (std::ranges::none_of(values("logits"), [](float x) { return std::isnan(x); })) return found;
    found.value = std::nan("");
    for (auto& [name, value] : found.details) value = std::nan("");
    return found;
}

int argmax(std::span<const float> row) { return static_cast<int>(std::ranges::max_element(row) - row.begin()); }

namespace {

FixedBatch held_out_batch(Backend& backend, const TransformerConfig& config, const BatchSource& source) {
    Batch batch;
    const int count = source.eval_batch(HeldOutLoss::sentences, batch);
    return {backend, config, source.shape(count), std::move(batch), {"loss"}};
}

}  // namespace

HeldOutLoss::HeldOutLoss(Backend& backend, const BatchSource& source, const TransformerConfig& config)
    : batch_(held_out_batch(backend, config, source)) {}

float HeldOutLoss::measure(std::span<const float> parameters) {
    batch_.run(parameters);
    return batch_.values("loss")[0];
}

}  // namespace glassformer
