#include "core/train/train_options.h"

#include <string>

#include "core/base/error.h"

namespace glassformer {

void validate(const TrainOptions& options) {
    validate(options.schedule);
    validate(options.optimizer);
    if (!(options.clip > 0.0f)) throw Error("the gradient's largest norm must be above 0");
    if (options.batch < 1 || options.batch > most_in_batch)
        throw Error("a batch must hold 1 to " + std::to_string(most_in_batch) + " sentences, not " +
                    std::to_string(options.batch));
    if (options.longest < 0) throw Error("the longest sentence of a training must have at least 1 token, or be 0: all");
}

}  // namespace glassformer
