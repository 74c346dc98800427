#include "core/experiments/side_by_side.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <thread>

#include "app/assets/assets.h"
#include "core/tasks/tasks.h"
#include "tests/bench/bench.h"

namespace glassformer::app::bench {

namespace {

constexpr int eight_runs = 8;
constexpr std::int64_t steps_each = 300;

double seconds_at_once(const std::shared_ptr<const Task>& task, int at_once) {
    std::vector<PlannedRun> runs;
    for (int i = 0; i < eight_runs; ++i) {
        runs.push_back({task->config, task->options});
        runs.back().options.seed = static_cast<std::uint64_t>(i) + 1;
        runs.back().options.schedule.total = steps_each;
    }
    const Clock::time_point start = Clock::now();
    SideBySide(task, std::move(runs), at_once).wait();
    return elapsed_ms(start) / 1e3;
}

}  // namespace

nlohmann::json side_by_side() {
    const std::shared_ptr<const Task> task = make_task("homonyms", assets_folder() / "worlds");
    const int cores = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, eight_runs);
    const double alone = seconds_at_once(task, 1), together = seconds_at_once(task, cores);
    return {{"runs", eight_runs},         {"steps", steps_each},
            {"at_once", cores},           {"one_after_the_other_s", alone},
            {"side_by_side_s", together}, {"core_seconds_ratio", together * cores / alone}};
}

}  // namespace glassformer::app::bench
