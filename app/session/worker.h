#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>

#include "app/session/comparison.h"
#include "app/session/compute.h"
#include "app/session/embedding_study.h"
#include "app/session/experiment.h"
#include "app/session/heads_study.h"
#include "app/session/masked_study.h"
#include "app/session/measuring.h"
#include "app/session/nearest_uses.h"
#include "app/session/neuron_study.h"
#include "app/session/patch_study.h"
#include "app/session/resident_traces.h"
#include "app/session/run_list.h"
#include "app/session/session.h"
#include "app/session/tuned_lens_study.h"
#include "app/session/word_parts_study.h"

namespace glassformer::app {

/// The model's side of a session; used by one thread at a time.
class Session::Worker {
public:
    /// What becomes unwanted while it is computed is not computed to the end.
    /// `wake` is called on other threads, where an experiment has something new to show.
    Worker(const Options& options, ContextSource& contexts, Unwanted& unwanted, std::function<void()> wake);

    /// Carries out one command; an Error becomes the snapshot's message.
    void handle(const Command& command);
    void handle(const HandOn& asked);
    /// What came with the model that is open.
    const std::shared_ptr<const LessonBundle>& handed_on() const { return model_->handed_on; }
    bool training() const { return state_ == RunState::training; }
    /// Whether the newest step is shown, and not an earlier one.
    bool live() const { return live_; }
    /// Whether choose_backend() is to be called: it may take seconds.
    bool choosing() const { return compute_.testing(); }
    void choose_backend();
    /// Whether there is something to do without a command.
    bool busy() const {
        return has_news_ || training() || choosing() || std::ranges::any_of(studies_, &Study::under_way);
    }
    /// Goes on with what is studied, for a while with each.
    void study();
    /// The last call, on the thread that made the others: OpenGL is let go of.
    void leave();
    /// Trains for about `seconds`; only to the end of the step once somebody has asked for something.
    void train_for(double seconds, const std::atomic<bool>& asked);
    /// Traces the watched sentences at the shown step, measures the probe, and returns it all.
    std::shared_ptr<const Snapshot> snapshot();
    /// What was shown before, where a new one could not be made; says why, once.
    std::shared_ptr<const Snapshot> snapshot_after(const Snapshot& before, const std::string& why);

private:
    using Clock = std::chrono::steady_clock;

    void perform(const command::Train&);
    void perform(const command::Pause&);
    void perform(const command::Reset&);
    void perform(const command::SetLearningRate&);
    void perform(const command::SetBatch&);
    void perform(const command::SetSeed&);
    void perform(const command::Watch&);
    void perform(const command::LookAt&);
    void perform(const command::FollowLive&);
    void perform(const command::ShowMeaning& c) { measuring_.choose(c.homonym); }
    void perform(const command::Save&);
    void perform(const command::OpenModel&);
    void perform(const command::OpenWorld&);
    void perform(const command::GiveUpOpening&);
    void perform(const command::BringBack&);
    void perform(const command::SetWhatIf&);
    void perform(const command::AskPatchGrid& c) { patching_.ask(c); }
    void perform(const command::CompareWith&);
    void perform(const command::MakeSteps&);
    void perform(const command::TrainUntil&);
    void perform(const command::LimitSpeed&);
    void perform(const command::Propose&);
    void perform(const command::Preview&);
    void perform(const command::NewRun&);
    void perform(const command::Branch&);
    void perform(const command::ChangeSetup&);
    void perform(const command::ChooseRun&);
    void perform(const command::RenameRun&);
    void perform(const command::ColourRun&);
    void perform(const command::HideRun&);
    void perform(const command::DeleteRun&);
    void perform(const command::StartExperiment&);
    void perform(const command::StopExperiment&);
    void perform(const command::OpenExperimentRun&);
    void perform(const command::Inspect&);
    void perform(const command::KeepRun&);
    void perform(const command::OpenRun&);
    void perform(const command::OpenLostRuns&);
    void perform(const command::RemoveLostRuns&);
    void perform(const command::NoteView&);
    void perform(const command::EndCleanly&);
    void perform(const command::KeepOnDisk& c);
    void perform(const command::SaveMetrics&);
    void perform(const command::ShowNeurons& c) { neurons_.look_at(c.block); }
    void perform(const command::MaskEveryWord& c) { masked_.ask(c.on); }
    void perform(const command::AskWordParts& c) { word_parts_.ask(c.of, c.go_on); }
    void perform(const command::ShowNearestUses& c) { uses_.ask(c); }
    void perform(const command::TuneLens& c) { tuned_lens_.ask(c.go); }
    void perform(const command::ChooseBackend&);
    void perform(const command::ShowEmbeddings& c) { embeddings_.look_at(c); }

    /// Shows this model from now on; the old one goes when no snapshot shows it any more, unless its runs are set
    /// aside. The old one stays when this throws.
    void open(const OpenedModel& opened, bool set_aside = false);
    /// What it reads first: the sentences on screen where it knows the same words, else its own samples.
    std::array<std::string, 2> texts_for(const ActiveModel& model) const;
    void show(std::shared_ptr<ActiveModel> model);
    /// The run at work from now on, at its newest step.
    void show(TrainingRun& run);
    std::filesystem::path worlds() const { return options_.assets / "worlds"; }
    /// The model at its newest step, with its curves and without the steps that can be travelled to.
    Checkpoint newest_model();
    /// The run at work; throws Error saying why there is none.
    TrainingRun& run();
    std::int64_t newest_step() { return runs_.current() ? runs_.current()->steps() : model_->start.step; }
    std::int64_t shown_step() { return live_ ? newest_step() : kept_step_; }
    Parameters shown_parameters();
    /// Does it; an Error becomes the snapshot's message, as of a command of that kind.
    void attempt(std::size_t kind, const std::function<void()>& what);
    void fail(const std::string& message);
    void tell(const std::string& message);
    Subject subject();

    /// Opens a run's folder beside the others; what had to be done for it, in sentences.
    std::vector<std::string> open_run(const std::filesystem::path& folder, bool lost);
    /// Tells the run at work what is on screen.
    void note_view();
    /// What was on screen with a run last is on it again.
    void look_as(const SavedView& last);
    void start_training(const StopAt& stop_at);
    void pause();
    void train_steps(double seconds, const std::atomic<bool>& asked);
    /// Moves the run at work to what was chosen; where that cannot be, says why.
    void equip();
    void look_for_device_trouble();
    void make_resident(Snapshot& snapshot);
    bool reached(const StopAt& at);
    /// Waits until the speed limit allows a step; false when that is later than `end`.
    bool wait_for_turn(std::chrono::steady_clock::time_point end);
    void show_training(Snapshot& snapshot);
    Running running();

    Options options_;
    Unwanted& unwanted_;
    std::atomic<bool> opening_{false}, drawing_{false};  // what is computed now may become unwanted
    CpuBackend backend_;
    Compute compute_;  // before what it trains
    std::shared_ptr<ActiveModel> model_;
    RunList runs_{backend_};
    std::shared_ptr<const ModelCatalog> catalog_;
    Comparison comparison_;
    ResidentTraces residents_;

    Measuring measuring_;
    PatchStudyAtWork patching_;
    MaskedStudy masked_;
    NearestUseStudy uses_;
    TunedLensStudy tuned_lens_;
    HeadsStudy heads_;
    NeuronStudy neurons_;
    EmbeddingStudy embeddings_;
    WordPartsStudy word_parts_{backend_};
    /// The first one's figures are in the snapshot when the others are shown.
    const std::array<Study*, 9> studies_{&measuring_, &patching_, &masked_,     &uses_,      &tuned_lens_,
                                         &heads_,     &neurons_,  &embeddings_, &word_parts_};

    RunState state_ = RunState::paused;
    bool live_ = true;
    std::int64_t kept_step_ = 0;  // that is looked at, when it is not the newest one
    Parameters kept_parameters_;  // of it
    std::uint64_t next_seed_ = 1;
    StopAt stop_at_;
    double most_per_second_ = 0.0;  // steps; 0: no limit
    Clock::time_point next_step_at_{}, training_since_{};
    float steps_per_second_ = 0.0f;
    std::shared_ptr<const Trouble> trouble_;
    std::shared_ptr<const SetupPreview> preview_;
    Inspected inspected_ = Inspected::nothing;
    std::int64_t inspected_cell_ = 0;
    std::shared_ptr<const Inspection> inspection_;

    std::array<std::string, 2> texts_;
    struct Refused {
        std::string text, why;
    };
    std::array<Refused, 2> refused_;  // newer than texts_
    int layer_ = -1, head_ = -1;      // on screen, once the window has said it of this model
    std::vector<LostRun> lost_;
    std::function<void()> wake_;
    std::atomic<bool> has_news_{false};  // of the experiment
    std::string error_;
    std::size_t failed_ = std::variant_npos;  // kind of the command that it is of
    std::uint64_t error_number_ = 0, given_up_ = 0, snapshots_ = 0;
    std::unique_ptr<ExperimentAtWork> experiment_;  // last, with the next: their threads use has_news_ and wake_
    std::optional<std::unique_ptr<ExperimentAtWork>> experiment_aside_;  // to be brought back; may be none
};

}  // namespace glassformer::app
