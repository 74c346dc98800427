#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/language/tr.h"
#include "app/session/active_model.h"
#include "app/session/run_info.h"
#include "app/session/training_curve.h"
#include "core/experiments/side_by_side.h"
#include "core/io/run_folder.h"
#include "core/train/fixed_batch.h"
#include "core/train/trainer.h"

namespace glassformer::app {

/// The memory limit for the kept states of one run, and of all runs together. Lower in the browser, where addresses
/// have 32 bits and a phone's tab is killed at a few hundred MB.
inline constexpr std::size_t most_timeline_bytes = std::size_t{sizeof(void*) < 8 ? 64 : 192} << 20,
                             most_timelines_bytes = (sizeof(void*) < 8 ? 2 : 4) * most_timeline_bytes;

/// One training: the trainer while the run is active, its states over time, its curves and its events. Not thread-safe.
class TrainingRun {
public:
    /// Starts a run of the model's world at `model.start`; `origin` if that comes from a kept run; `between` is passed
    /// to initial_parameters. Throws Error as Trainer does.
    TrainingRun(int id, std::string name, std::shared_ptr<ActiveModel> model, TrainingSetup setup,
                RunOrigin origin = {}, const std::function<void()>& between = {});
    /// Branches off: continues from a kept state of another run, with another set-up.
    TrainingRun(int id, std::string name, const TrainingRun& parent, std::int64_t step, TrainingSetup setup,
                const TrainingState& state);

    int id() const { return id_; }
    const std::shared_ptr<ActiveModel>& model() const { return model_; }
    const TrainingSetup& setup() const { return setup_; }
    const RunOrigin& origin() const { return origin_; }
    /// Must be called when a run starts over from step 0.
    void began_anew(int run);

    /// Makes the trainer, which takes much memory, or destroys it; the state stays.
    void attach_trainer(CpuBackend& backend);
    void detach_trainer();
    /// Continues on that device, or on the CPU if null, from the same step. Throws Error, changing nothing, if the
    /// device cannot train this model.
    void use(std::unique_ptr<TrainingDevice> device);
    /// Returns once why the device was given up, in a sentence; otherwise "".
    std::string take_device_trouble();
    Trainer& trainer() { return *trainer_; }
    const Trainer* attached_trainer() const { return trainer_.get(); }

    /// Makes one update. On a device it does not wait for it: returns the newest report that has arrived, if any, and
    /// writes it into the curve. Throws Error as Trainer::step_async does, and if the run's folder cannot be written
    /// to.
    std::optional<StepReport> step();
    /// Waits for the steps in flight; call this before asking the run for anything else. Returns the newest step's
    /// report if there were any. Throws Error as step() does.
    std::optional<StepReport> catch_up();
    /// Records a measurement of the newest parameters, also before the first step.
    void measured(double metric, float held_out_loss, std::vector<HeadScore> heads);
    /// Returns a kept step from before the run was opened whose heads have not been measured, so that what formed there
    /// is unknown; −1: none.
    std::int64_t step_without_heads() const { return curve_.step_without_heads(timeline_.steps()); }
    /// Records the heads of such a step. After the last one, the events cover the whole run.
    void heads_measured(std::int64_t step, std::vector<HeadScore> heads);
    /// Goes back to step 0, with fresh parameters from this seed. A folder of the user's first gets what was trained so
    /// far, and is then left; throws Error as save() does, but not again for a folder that has failed before.
    void reset(std::uint64_t seed);

    std::int64_t steps() const { return trainer_ ? trainer_->steps() : state_.step; }
    /// Returns the newest parameters; the same pointer until they change.
    Parameters parameters();
    Timeline& timeline() { return timeline_; }
    const TrainingCurve& curve() const { return curve_; }
    /// Keeps the newest step unless it is kept already: people come back to a pause.
    void keep_pause();
    /// Writes a metric into the curve, at an older step that was visited.
    void note(std::int64_t step, double metric, float held_out_loss);

    void set_options(const TrainOptions& options);
    void set_dropout(float share);
    void rename(const std::string& name);
    int colour() const { return colour_; }
    void set_colour(int colour);
    void hide(bool hidden);

    /// Saves the whole run in a folder, and then keeps the folder up to date. Throws Error as RunFolder does.
    void keep_in(const std::filesystem::path& folder);
    /// Continues a kept run with its curves and newest state. `lost`: it is still only among the recoveries.
    void go_on(RunFolder folder, bool lost = false);
    /// Takes over a training that was done elsewhere, up to its end.
    void take_over(const EndedRun& left);
    /// While the run is unsaved, keeps it up to date in a recovery folder of its own inside this folder. If that cannot
    /// be written, training continues without it: see take_disk_trouble().
    void recover_in(const std::filesystem::path& recovery) { recovery_ = recovery; }
    /// Deletes the recovery folder: the run is saved or not wanted.
    void drop_recovery();
    /// Records what is on screen while the run is active.
    void note_view(const SavedView& view);
    /// Brings the state in the folder, if any, up to date. Throws Error as RunFolder does.
    void save();
    /// True if the last save() failed.
    bool folder_fails() const { return folder_fails_; }
    /// Must be called when the timeline was changed from outside.
    void kept_elsewhere() { changed(); }
    /// Returns once what could not be written to disk, and the consequence; otherwise "".
    std::string take_disk_trouble() { return std::exchange(disk_trouble_, {}); }
    void note_disk_trouble(const std::string& why) {
        disk_trouble_ = filled(tr("{1}; training continues, and some steps are dropped when memory is full"), {why});
    }
    /// Its steps after that one exist only in a file that the program itself will replace.
    void saved_until(std::int64_t step) {
        saved_step_ = step;
        changed();
    }
    void saved_elsewhere() {
        saved_step_ = steps();
        drop_recovery();
        changed();
    }

    /// For the window; cached until something changes.
    std::shared_ptr<const RunInfo> info();

private:
    /// Sets the state and the keyframes before it.
    void begin_at(const TrainingState& state, std::vector<Timeline::Keyframe> keyframes);
    /// Calls step_async() or next_report(), times it, and writes the report into the curve.
    std::optional<StepReport> timed_step(std::optional<StepReport> (Trainer::*what)());
    void add_point(const StepReport& report);
    void note_device_trouble();
    void make_again();
    /// Waits for all steps in flight and fetches the parameters from the device.
    void settle();
    TrainingState newest_state();
    /// Appends to the folder's log whatever it lacks.
    void write_log();
    void keep_newest();
    void begin_recovery();
    void fail_recovery(const std::string& why);
    void bring_up_to_date();
    RunSettings settings() const;
    /// Records that the set-up was changed, for the folder as well.
    void set_up_changed(const TrainingSetup& before);
    void changed() { info_ = nullptr; }

    int id_;
    std::string name_;
    int colour_ = 0;
    bool hidden_ = false;
    std::shared_ptr<ActiveModel> model_;
    TrainingSetup setup_;
    RunOrigin origin_;
    std::optional<std::int64_t> opened_at_;  // see RunInfo
    int restarts_ = 0;

    std::unique_ptr<Trainer> trainer_;
    TrainingState state_;  // while there is no trainer
    Parameters newest_;    // of newest_step_
    std::int64_t newest_step_ = -1;
    std::int64_t made_ = 0;  // steps made, even if a lost device has forgotten some
    std::string device_trouble_;
    Timeline timeline_;

    TrainingCurve curve_;
    /// Weighted towards recent steps.
    struct Pace {
        double steps = 0.0, words = 0.0, seconds = 0.0;
        void add(double of_words, double of_seconds);
        double tokens_per_second() const;
        double seconds_per_step() const;
    };
    Pace pace_;
    double waited_ = 0.0;  // seconds since the last report

    std::optional<RunFolder> folder_;
    bool recovering_ = false;         // the folder is not the user's own, but a recovery folder
    std::filesystem::path recovery_;  // where recovery folders go; empty: none is made
    std::optional<SavedView> looked_at_;
    bool folder_fails_ = false;
    bool settings_written_ = true;  // the folder has the current settings()
    std::int64_t logged_ = -1;      // newest step in the folder's log
    std::int64_t saved_step_ = 0;
    std::chrono::steady_clock::time_point saved_at_ = std::chrono::steady_clock::now();
    std::shared_ptr<const RunInfo> info_;
    std::string disk_trouble_;
};

}  // namespace glassformer::app
