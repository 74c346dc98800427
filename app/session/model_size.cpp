#include "app/session/model_size.h"

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/base/rng.h"
#include "core/base/seconds_since.h"
#include "core/nn/transformer.h"
#include "core/platform/process.h"

namespace glassformer::app {

namespace {

// In the timeline, in the trainer, the gradients, and Adam's two moments.
constexpr double copies_in_training = 5.0;

}  // namespace

std::int64_t parameter_count(const TransformerConfig& config) { return parameter_graph(config)->parameter_count(); }

double gigabytes(std::int64_t parameters) { return 1e-9 * sizeof(float) * static_cast<double>(parameters); }

double gigabytes_in_training(std::int64_t parameters) { return copies_in_training * gigabytes(parameters); }

double seconds_to_make(std::int64_t parameters) {
    static const double of_one = [] {
        constexpr int drawn = 1 << 18;
        const auto start = std::chrono::steady_clock::now();
        Rng rng(1);
        std::vector<float> values(drawn);
        for (float& value : values) value = static_cast<float>(rng.normal());
        return seconds_since(start) / drawn;
    }();
    return of_one * static_cast<double>(parameters);
}

void require_memory_for(std::int64_t parameters) {
    const double needed = gigabytes_in_training(parameters), left = 1e-9 * (1 << 20) * platform::available_memory_mb();
    if (needed <= left) return;
    throw Error("a model of {1} parameters takes about {2} GB in training, and this computer has {3} GB left",
                std::to_string(parameters), significant(needed), significant(left));
}

}  // namespace glassformer::app
