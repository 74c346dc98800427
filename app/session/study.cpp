#include "app/session/study.h"

#include "app/session/training_run.h"

namespace glassformer::app {

TrainOptions drawing_of(const Subject& of) {
    TrainOptions drawing;
    if (!of.run && !of.model.task) return drawing;
    const TrainOptions& all = of.run ? of.run->setup().options : of.model.task->options;
    drawing.batch = all.batch, drawing.seed = all.seed;
    drawing.longest = all.longest, drawing.data_share = all.data_share;
    return drawing;
}

}  // namespace glassformer::app
