#include "core/base/error.h"
#include "core/io/model_files.h"
#include "core/io/run_folder.h"

namespace glassformer {

namespace {

/// A checkpoint's log is read whole each time that it is opened.
constexpr std::size_t most_points = 100'000;

std::vector<MetricPoint> thinned(const std::vector<MetricPoint>& points) {
    const std::size_t stride = points.size() / most_points + 1;
    std::vector<MetricPoint> kept;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (i % stride == 0 || i + 1 == points.size() || points[i].accuracy >= 0.0f) kept.push_back(points[i]);
    return kept;
}

}  // namespace

Checkpoint checkpoint_of(const SavedRun& run) {
    Checkpoint c;
    c.config = run.settings.config;
    c.tokenizer = run.tokenizer;
    c.source_tokenizer = run.source_tokenizer;
    c.world = run.settings.world_name;
    c.source = run.settings.source;
    c.seed = run.state.seed;
    c.step = run.state.step;
    c.planned_steps = run.settings.options.schedule.total;
    const std::size_t count = parameter_graph(c.config)->parameter_count();
    if (run.state.parameters->size() != count)
        throw Error("the run's state holds " + std::to_string(run.state.parameters->size()) +
                    " parameters; the model of its run.json has " + std::to_string(count));
    c.parameters = run.state.parameters;
    TrainingLog log = run.log;
    log.cut_after(c.step);
    c.log = thinned(log.points);
    return c;
}

}  // namespace glassformer
