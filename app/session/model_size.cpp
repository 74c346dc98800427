#include "app/session/model_size.h"

#include <string>

#include "app/language/tr.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/nn/transformer.h"
#include "core/platform/process.h"

namespace glassformer::app {

namespace {

// As the timeline keeps them and as they are trained, their gradients, and Adam's two moments.
constexpr double copies_in_training = 5.0;

}  // namespace

std::int64_t parameter_count(const TransformerConfig& config) {
    return build_transformer(config, {1, 1, config.family == Family::encoder_decoder ? 1 : 0}).graph->parameter_count();
}

double gigabytes(std::int64_t parameters) { return 1e-9 * sizeof(float) * static_cast<double>(parameters); }

double gigabytes_in_training(std::int64_t parameters) { return copies_in_training * gigabytes(parameters); }

void require_memory_for(std::int64_t parameters) {
    const double needed = gigabytes_in_training(parameters), left = 1e-9 * (1 << 20) * platform::available_memory_mb();
    if (needed <= left) return;
    throw Error(
        filled(tr("a model of {1} parameters takes about {2} GB in training, and this computer has {3} GB left"),
               {std::to_string(parameters), significant(needed), significant(left)}));
}

}  // namespace glassformer::app
