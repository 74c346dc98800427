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

/// What the kept states of one run may take in memory, and those of all runs together.
/// Less in a page, where addresses have 32 bits and a tab of a phone ends at a few hundred MB.
inline constexpr std::size_t most_timeline_bytes = std::size_t{sizeof(void*) < 8 ? 64 : 192} << 20,
                             most_timelines_bytes = (sizeof(void*) < 8 ? 2 : 4) * most_timeline_bytes;

/// One training: the trainer while it is the one at work, its states over time, its curves, and what happened in it.
/// Not thread-safe.
class TrainingRun {
public:
    /// A run of the model's world that begins at `model.start`; `origin` where that is of a kept run; `between` as
    /// initial_parameters has it. Throws Error as Trainer does.
    TrainingRun(int id, std::string name, std::shared_ptr<ActiveModel> model, TrainingSetup setup,
                RunOrigin origin = {}, const std::function<void()>& between = {});
    /// A branch: goes on from a kept state of another run, with another set-up.
    TrainingRun(int id, std::string name, const TrainingRun& parent, std::int64_t step, TrainingSetup setup,
                const TrainingState& state);

    int id() const { return id_; }
    const std::shared_ptr<ActiveModel>& model() const { return model_; }
    const TrainingSetup& setup() const { return setup_; }
    const RunOrigin& origin() const { return origin_; }
    /// To be told when a run starts over from step 0.
    void began_anew(int run);

    /// Makes its trainer, which has much memory, or gives it up; the state stays.
    void attach_trainer(CpuBackend& backend);
    void detach_trainer();
    /// Goes on on that device, or on the processor (null), from the same step. Throws Error, with nothing changed, when
    /// the device cannot train this model.
    void use(std::unique_ptr<TrainingDevice> device);
    /// Why the device was given up, in a sentence, once; "" else.
    std::string take_device_trouble();
    Trainer& trainer() { return *trainer_; }
    const Trainer* attached_trainer() const { return trainer_.get(); }

    /// One update. On a device nobody waits for it: the newest report that has arrived is returned, if any, and written
    /// into the curve. Throws Error as Trainer::step_async does, and when the run's folder cannot be written to.
    std::optional<StepReport> step();
    /// Waits for the steps that are on their way; to be called before anything else is asked of the run. Returns the
    /// newest step's report where there were any. Throws Error as step() does.
    std::optional<StepReport> catch_up();
    /// What was measured with the newest parameters; before the first step too.
    void measured(double metric, float held_out_loss, std::vector<HeadScore> heads);
    /// A kept step from before the run was opened, whose heads nobody has measured: what formed there is not known yet.
    /// −1: none.
    std::int64_t step_without_heads() const { return curve_.step_without_heads(timeline_.steps()); }
    /// Of such a step. Once there is none left, the events are those of the whole run.
    void heads_measured(std::int64_t step, std::vector<HeadScore> heads);
    /// Step 0 again, with fresh parameters of this seed.
    void reset(std::uint64_t seed);

    std::int64_t steps() const { return trainer_ ? trainer_->steps() : state_.step; }
    /// The newest parameters; the same pointer until they change.
    Parameters parameters();
    Timeline& timeline() { return timeline_; }
    const TrainingCurve& curve() const { return curve_; }
    /// Keeps the newest step where it is not kept yet: a pause is where people come back to.
    void keep_pause();
    /// Writes a metric into the curve, at a step that was travelled to.
    void note(std::int64_t step, double metric, float held_out_loss);

    void set_options(const TrainOptions& options);
    void set_dropout(float share);
    void rename(const std::string& name);
    int colour() const { return colour_; }
    void set_colour(int colour);
    void hide(bool hidden);

    /// Keeps the run in a folder from now on: whole, and then as it grows. Throws Error as RunFolder does.
    void keep_in(const std::filesystem::path& folder);
    /// A run that was kept: its curves and its newest state. `lost`: it is still nowhere but among the recoveries.
    void go_on(RunFolder folder, bool lost = false);
    /// It was trained elsewhere, up to there.
    void take_over(const EndedRun& left);
    /// From now on, while it is kept nowhere, it is kept up to date in a folder of its own there. Where that cannot be
    /// written the training goes on without: see take_disk_trouble().
    void recover_in(const std::filesystem::path& recovery) { recovery_ = recovery; }
    /// Takes that folder away: the run is saved, or not wanted.
    void drop_recovery();
    /// What is on screen while it is at work.
    void note_view(const SavedView& view);
    /// The folder's state is brought up to date, where there is one; throws Error as RunFolder does.
    void save();
    /// The timeline was changed from outside.
    void kept_elsewhere() { changed(); }
    /// What could not be put on disk and what becomes of it, once; "" else.
    std::string take_disk_trouble() { return std::exchange(disk_trouble_, {}); }
    void note_disk_trouble(const std::string& why) {
        disk_trouble_ = filled(tr("{1}; training continues, and some steps are dropped when memory is full"), {why});
    }
    void saved_elsewhere() {
        saved_step_ = steps();
        drop_recovery();
        changed();
    }

    /// For the window; made again only when something changed.
    std::shared_ptr<const RunInfo> info();

private:
    /// At that state, with what came before it.
    void begin_at(const TrainingState& state, std::vector<Timeline::Keyframe> keyframes);
    /// step_async() or next_report(), timed, and written into the curve.
    std::optional<StepReport> timed_step(std::optional<StepReport> (Trainer::*what)());
    void add_point(const StepReport& report);
    void note_device_trouble();
    void make_again();
    /// Waits for all there is, and fetches it from the device.
    void settle();
    TrainingState newest_state();
    /// Adds to the folder's log what it does not have yet.
    void write_log();
    void keep_newest();
    void begin_recovery();
    void fail_recovery(const std::string& why);
    void bring_up_to_date();
    RunSettings settings() const;
    /// The set-up is no longer the one given, and the folder is to know it.
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

    std::unique_ptr<Trainer> trainer_;
    TrainingState state_;  // while there is no trainer
    Parameters newest_;    // of newest_step_
    std::int64_t newest_step_ = -1;
    std::int64_t made_ = 0;  // steps, whatever a device that was lost has kept of them
    std::string device_trouble_;
    Timeline timeline_;

    TrainingCurve curve_;
    /// Of lately: older ones count ever less.
    struct Pace {
        double steps = 0.0, words = 0.0, seconds = 0.0;
        void add(double of_words, double of_seconds);
        double tokens_per_second() const;
        double seconds_per_step() const;
    };
    Pace pace_;
    double waited_ = 0.0;  // seconds since a report arrived

    std::optional<RunFolder> folder_;
    bool recovering_ = false;         // the folder is no place of the person's, but among the recoveries
    std::filesystem::path recovery_;  // their folder; empty: none is made
    std::optional<SavedView> looked_at_;
    bool settings_written_ = true;  // the folder has settings() as they are
    std::int64_t logged_ = -1;      // the newest step that its log has
    std::int64_t saved_step_ = 0;
    std::chrono::steady_clock::time_point saved_at_ = std::chrono::steady_clock::now();
    std::shared_ptr<const RunInfo> info_;
    std::string disk_trouble_;
};

}  // namespace glassformer::app
