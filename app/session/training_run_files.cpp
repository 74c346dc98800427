#include "app/session/training_run.h"

// Where a run is kept: see core/io/run_folder.h.
namespace glassformer::app {

RunSettings TrainingRun::settings() const {
    RunSettings s;
    s.name = name_;
    s.hidden = hidden_;
    s.world = setup_.world;
    s.unit = setup_.unit;
    s.world_name = model_->task->name();
    s.metric = {model_->info->metric_name, model_->info->metric_is_share, model_->info->metric_level};
    s.config = setup_.config;
    s.options = trainer_ ? trainer_->options() : setup_.options;
    s.data_mark = data_mark_of(*model_->task->batches(), s.options);
    if (origin_.parent >= 0) s.started_from = {std::to_string(origin_.parent), origin_.step};
    return s;
}

void TrainingRun::keep_in(const std::filesystem::path& folder) {
    const TrainingState now = trainer_ ? newest_state() : state_;
    RunFolder kept =
        RunFolder::create(folder, settings(), model_->info->tokenizer, model_->info->source_tokenizer, now);
    folder_ = std::move(kept);
    written_ = 0;
    write_log();
    folder_->save_moments(timeline_);
    saved_step_ = now.step;
    saved_at_ = std::chrono::steady_clock::now();
    changed();
}

void TrainingRun::go_on(RunFolder folder) {
    state_ = folder.take_state();
    newest_step_ = -1;
    name_ = folder.settings().name;
    hidden_ = folder.settings().hidden;
    timeline_.clear();
    for (Timeline::Keyframe& moment : folder.moments())
        if (moment.step < state_.step) timeline_.keep(std::move(moment));
    timeline_.keep(state_);
    begin_curve(folder.log().points);
    saved_step_ = state_.step;
    folder_ = std::move(folder);
    written_ = history_.size();
    if (trainer_) trainer_->restore(state_);
    made_ = state_.step;
    changed();
}

void TrainingRun::write_log() {
    if (!folder_) return;
    for (; written_ < history_.size(); ++written_) folder_->append(history_[written_]);
}

void TrainingRun::save() {
    if (!folder_ || !trainer_) return;
    write_log();
    folder_->save_state(newest_state());
    folder_->save_moments(timeline_);
    saved_step_ = trainer_->steps();
    saved_at_ = std::chrono::steady_clock::now();
    changed();
}

}  // namespace glassformer::app
