#include "app/cli/kept_run.h"

#include <algorithm>

#include "app/assets/assets.h"
#include "app/assets/open_model.h"
#include "app/session/model_for_world.h"
#include "core/base/error.h"
#include "core/base/seconds_since.h"

namespace glassformer::app {

namespace {

namespace fs = std::filesystem;

constexpr int keyframes_of_a_run = 64;  // kept in its folder by default
constexpr int least_in_timeline = 14;   // if fewer are wanted, they are chosen from these

RunSettings settings_of(const TrainArgs& args, const Task& task, const Trainer& trainer) {
    RunSettings s;
    s.name = fs::absolute(args.run).lexically_normal().filename().string();
    if (s.name.empty()) s.name = fs::absolute(args.run).lexically_normal().parent_path().filename().string();
    s.source = task.source;
    s.world = s.source ? s.source->file : args.world;
    s.unit = args.unit;
    s.world_name = task.name;
    s.data_mark = data_mark_of(*task.batches, trainer.options());
    s.metric = {std::string(task.metric_name), task.metric_is_share, task.metric_level};
    s.config = trainer.config();
    s.options = trainer.options();
    s.keyframes = most_keyframes(args);
    return s;
}

}  // namespace

int most_keyframes(const TrainArgs& args) {
    return args.keyframes > 0 ? std::max(args.keyframes, least_in_timeline) : keyframes_of_a_run;
}

KeptRun::KeptRun(const TrainArgs& args, RunFolder folder, std::int64_t saved_step)
    : save_every_(args.save_every),
      saved_step_(saved_step),
      save_seconds_(args.save_seconds),
      folder_(std::move(folder)) {}

KeptRun KeptRun::begin(const TrainArgs& args, const Task& task, const Trainer& trainer) {
    return {args,
            RunFolder::create(args.run, settings_of(args, task, trainer), task.tokenizer, task.source_tokenizer,
                              trainer.state()),
            trainer.steps()};
}

KeptRun KeptRun::resume(const TrainArgs& args) {
    RunFolder folder = RunFolder::open(args.resume);
    const std::int64_t step = folder.saved_step();
    KeptRun run(args, std::move(folder), step);
    run.keyframes_ = run.folder_.keyframes();
    return run;
}

TimelineLimits KeptRun::timeline_limits() const {
    std::size_t bytes = 0;
    for (const TrainingState& keyframe : keyframes_) bytes += keyframe.parameters->size() * sizeof(float);
    TimelineLimits limits;
    limits.memory_bytes = std::max(limits.memory_bytes, 2 * bytes);
    if (settings().keyframes > 0) limits.most = static_cast<std::size_t>(settings().keyframes);
    return limits;
}

std::unique_ptr<Task> KeptRun::task() const {
    std::unique_ptr<Task> task = task_of_run(settings(), assets_folder() / "worlds");
    TransformerConfig here = settings().config;
    take_from_world(here, task->config);
    if (here != settings().config)
        throw Error(
            "the world {1} now proposes another model than that of the run in {2}, so the run cannot continue "
            "here; open it in the window",
            settings().world, folder_.path());
    require_same_world(*task, settings(), folder_.path().string());
    return task;
}

void KeptRun::add(const MetricPoint& point, std::span<const HeadScore> heads, const Trainer& trainer,
                  const Timeline& timeline) {
    folder_.append(point, heads);
    if (save_every_ > 0 ? point.step % save_every_ == 0 : seconds_since(saved_at_) >= save_seconds_)
        save(trainer, timeline);
}

void KeptRun::finish(const Trainer& trainer, const Timeline& timeline) {
    if (trainer.steps() > saved_step_ && folder_.last_logged() >= trainer.steps()) save(trainer, timeline);
}

void KeptRun::save(const Trainer& trainer, const Timeline& timeline) {
    folder_.save_state(trainer.state());
    folder_.save_keyframes(timeline);
    saved_step_ = trainer.steps();
    saved_at_ = Clock::now();
}

}  // namespace glassformer::app
