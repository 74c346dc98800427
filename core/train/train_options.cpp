#include "core/train/train_options.h"

#include "core/base/error.h"

namespace glassformer {

void validate(const TrainOptions& options) {
    validate(options.schedule);
    validate(options.optimizer);
    if (!(options.clip > 0.0f)) throw Error("the gradient's largest norm must be above 0");
    if (options.batch < 1) throw Error("a batch must hold at least 1 sentence");
}

}  // namespace glassformer
