#include <algorithm>

#include "app/session/recovery.h"
#include "app/session/training_run.h"
#include "core/base/error.h"
#include "core/base/mark_text.h"

// Saving runs: see core/io/run_folder.h.
namespace glassformer::app {

RunSettings TrainingRun::settings() const {
    RunSettings s;
    s.name = name_;
    s.hidden = hidden_;
    s.world = setup_.world;
    s.source = setup_.source;
    s.unit = setup_.unit;
    s.world_name = model_->task->name;
    s.metric = {model_->info->metric_name, model_->info->metric_is_share, model_->info->metric_level};
    s.config = setup_.config;
    s.saved_view = looked_at_;
    s.options = trainer_ ? trainer_->options() : setup_.options;
    s.data_mark = data_mark_of(*model_->task->batches, s.options);
    s.changed = origin_.change;
    if (origin_.branched())
        s.started_from = {origin_.parent < 0 ? origin_.saved_as : std::to_string(origin_.parent), origin_.step};
    return s;
}

void TrainingRun::keep_in(const std::filesystem::path& folder) {
    const TrainingState now = trainer_ ? newest_state() : state_;
    RunFolder kept =
        RunFolder::create(folder, settings(), model_->info->tokenizer, model_->info->source_tokenizer, now);
    drop_recovery();
    folder_ = std::move(kept);
    folder_fails_ = false;
    logged_ = -1;
    write_log();
    folder_->save_keyframes(timeline_);
    saved_step_ = now.step;
    saved_at_ = std::chrono::steady_clock::now();
    changed();
}

void TrainingRun::go_on(RunFolder folder, bool lost) {
    begin_at(folder.take_state(), folder.keyframes());
    name_ = folder.settings().name;
    hidden_ = folder.settings().hidden;
    looked_at_ = folder.settings().saved_view;
    origin_ = origin_of(folder.settings());
    const bool heads_unknown = folder.log().heads.empty() && state_.step > 0;
    curve_.begin(folder.log().points, folder.log().heads, heads_unknown ? state_.step : -1);
    saved_step_ = lost ? 0 : state_.step;
    opened_at_ = state_.step;
    folder_ = std::move(folder);
    recovering_ = lost;
    logged_ = curve_.points().empty() ? -1 : curve_.points().back().step;
    if (trainer_) trainer_->restore(state_);
    made_ = state_.step;
    changed();
}

void TrainingRun::note_view(const SavedView& view) {
    if (looked_at_ == view) return;
    looked_at_ = view;
    settings_written_ = false;
    changed();
}

void TrainingRun::drop_recovery() {
    if (!recovering_) return;
    const std::filesystem::path folder = folder_->path();
    folder_.reset();  // releases the folder first
    recovering_ = false;
    remove_recovery(folder);
}

void TrainingRun::begin_recovery() {
    if (folder_ || recovery_.empty() || !trainer_ || steps() == saved_step_) return;
    try {
        RunFolder made = RunFolder::create(new_recovery(recovery_), settings(), model_->info->tokenizer,
                                           model_->info->source_tokenizer, newest_state());
        folder_ = std::move(made);
        recovering_ = settings_written_ = true;
        logged_ = -1;
    } catch (const std::exception& e) {
        fail_recovery(e.what());
    }
}

/// Training goes on: nobody asked for this folder.
void TrainingRun::fail_recovery(const std::string& why) {
    drop_recovery();
    recovery_.clear();
    disk_trouble_ = filled_with(N_("If the program were killed, this training would be lost: {1}"), why);
}

void TrainingRun::write_log() {
    if (!folder_) return;
    try {
        const std::vector<MetricPoint>& points = curve_.points();
        for (auto p = std::ranges::upper_bound(points, logged_, {}, &MetricPoint::step); p != points.end(); ++p) {
            folder_->append(*p, curve_.heads_at(p->step));
            logged_ = p->step;
        }
    } catch (const Error& e) {
        if (!recovering_) throw;
        fail_recovery(e.what());
    }
}

void TrainingRun::save() {
    begin_recovery();
    if (!folder_ || !trainer_) return;
    folder_fails_ = true;  // until all of it is written
    changed();
    write_log();
    try {
        if (folder_) bring_up_to_date();
    } catch (const Error& e) {
        if (!recovering_) throw;
        fail_recovery(e.what());
    }
    folder_fails_ = false;
    saved_at_ = std::chrono::steady_clock::now();
    changed();
}

void TrainingRun::bring_up_to_date() {
    if (!settings_written_) folder_->set_settings(settings());
    settings_written_ = true;
    folder_->save_state(newest_state());
    folder_->save_keyframes(timeline_);
    if (!recovering_) saved_step_ = trainer_->steps();
}

}  // namespace glassformer::app
