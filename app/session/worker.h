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

/// The model's side of a session; must be used by one thread at a time.
class Session::Worker {
public:
    /// Work that becomes unwanted (`unwanted`) is abandoned. `wake` is called on other threads when an experiment has
    /// something new to show.
    Worker(const Options& options, ContextSource& contexts, Unwanted& unwanted, std::function<void()> wake);

    /// Carries out one command; an Error becomes the snapshot's message.
    void handle(const Command& command);
    void handle(const HandOn& asked);
    /// Returns what came with the open model.
    const std::shared_ptr<const LessonBundle>& handed_on() const { return model_->handed_on; }
    bool training() const { return state_ == RunState::training; }
    /// Whether the newest step is shown, not an earlier one.
    bool live() const { return live_; }
    /// Whether choose_backend() must be called, which may take seconds.
    bool choosing() const { return compute_.testing(); }
    void choose_backend();
    /// Whether there is work to do without a command.
    bool busy() const {
        return has_news_ || training() || choosing() || std::ranges::any_of(studies_, &Study::under_way);
    }
    /// Continues the studies, for a short while each.
    void study();
    /// Releases OpenGL. Must be the last call, on the thread that made the others.
    void leave();
    /// Trains for about `seconds`, but only to the end of the step once `asked` is set.
    void train_for(double seconds, const std::atomic<bool>& asked);
    /// Traces the watched sentences at the step shown, measures the probe, and returns everything.
    std::shared_ptr<const Snapshot> snapshot();
    /// Returns the previous snapshot with an error message, when a new one could not be made; reports the reason once.
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

    /// Shows this model from now on. The old one is freed once no snapshot shows it, unless its runs are set aside. If
    /// this throws, the old one stays.
    void open(const OpenedModel& opened, bool set_aside = false);
    /// Returns what the model reads first: the sentences on screen if it knows the same words, otherwise its own
    /// samples.
    std::array<std::string, 2> texts_for(const ActiveModel& model) const;
    void show(std::shared_ptr<ActiveModel> model);
    /// Makes this the run on screen, at its newest step.
    void show(TrainingRun& run);
    std::filesystem::path worlds() const { return options_.assets / "worlds"; }
    /// Returns the model at its newest step, with its curves but without its kept steps.
    Checkpoint newest_model();
    /// Returns the active run; throws Error saying why there is none.
    TrainingRun& run();
    std::int64_t newest_step() { return runs_.current() ? runs_.current()->steps() : model_->start.step; }
    std::int64_t shown_step() { return live_ ? newest_step() : kept_step_; }
    Parameters shown_parameters();
    /// Calls `what`; an Error becomes the snapshot's message, as for a command of that kind.
    void attempt(std::size_t kind, const std::function<void()>& what);
    void fail(const std::string& message);
    void tell(const std::string& message);
    Subject subject();

    /// Opens a run's folder beside the other runs; returns, in sentences, what had to be repaired.
    std::vector<std::string> open_run(const std::filesystem::path& folder, bool lost);
    /// Records what is on screen with the active run.
    void note_view();
    /// Restores what was last on screen with a run.
    void look_as(const SavedView& last);
    void start_training(const StopAt& stop_at);
    void pause();
    /// Pauses before the active run goes. Returns false, with the error told, if its folder turns out not to be
    /// writable: the window did not know, so that nobody was asked what to do with the training.
    bool pause_to_leave();
    void train_steps(double seconds, const std::atomic<bool>& asked);
    /// Moves the active run to the chosen backend; if that is impossible, says why.
    void equip();
    void look_for_device_trouble();
    void make_resident(Snapshot& snapshot);
    bool reached(const StopAt& at);
    /// Waits until the speed limit allows a step; returns false if that is later than `end`.
    bool wait_for_turn(std::chrono::steady_clock::time_point end);
    void show_training(Snapshot& snapshot);
    Running running();

    Options options_;
    Unwanted& unwanted_;
    std::atomic<bool> opening_{false}, drawing_{false};  // the current work may become unwanted
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
    /// The first one's results are in the snapshot when the others are shown.
    const std::array<Study*, 9> studies_{&measuring_, &patching_, &masked_,     &uses_,      &tuned_lens_,
                                         &heads_,     &neurons_,  &embeddings_, &word_parts_};

    RunState state_ = RunState::paused;
    bool live_ = true;
    std::int64_t kept_step_ = 0;  // that is shown, if it is not the newest one
    Parameters kept_parameters_;  // at kept_step_
    std::uint64_t next_seed_ = 1;
    StopAt stop_at_;
    std::int64_t stop_from_ = 0;    // the step at which it was asked for
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
    int layer_ = -1, head_ = -1;      // on screen, once the window has reported them for this model
    std::vector<LostRun> lost_;
    std::function<void()> wake_;
    std::atomic<bool> has_news_{false};  // from the experiment
    std::string error_;
    std::size_t failed_ = std::variant_npos;  // kind of the command it came from
    std::uint64_t error_number_ = 0, given_up_ = 0, snapshots_ = 0;
    std::unique_ptr<ExperimentAtWork> experiment_;  // last, like the next one: their threads use has_news_ and wake_
    std::optional<std::unique_ptr<ExperimentAtWork>> experiment_aside_;  // to be brought back; may be null
};

}  // namespace glassformer::app
