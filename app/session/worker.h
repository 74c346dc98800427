#pragma once

#include <chrono>

#include "app/session/comparison.h"
#include "app/session/model_at_work.h"
#include "app/session/neuron_study.h"
#include "app/session/patch_study.h"
#include "app/session/session.h"

namespace glassformer::app {

/// The model's side of a session; used by one thread at a time.
class Session::Worker {
public:
    explicit Worker(const Options& options);

    /// Carries out one command; an Error becomes the snapshot's message.
    void handle(const Command& command);
    bool training() const { return state_ == RunState::training; }
    /// Whether a patch grid is being filled.
    bool patching() const { return study_ && study_->under_way(); }
    /// Goes on with it for about `seconds`.
    void patch_for(double seconds);
    /// Trains for about `seconds`.
    void train_for(double seconds);
    /// Traces the watched sentences at the shown step, measures the probe, and returns it all.
    std::shared_ptr<const Snapshot> snapshot();

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
    void perform(const command::ShowMeaning&);
    void perform(const command::Save&);
    void perform(const command::OpenModel&);
    void perform(const command::OpenWorld&);
    void perform(const command::SetWhatIf&);
    void perform(const command::AskPatchGrid&);
    void perform(const command::CompareWith&);
    void perform(const command::ShowNeurons&);

    /// Shows this model from now on; the old one goes when no snapshot shows it any more. The old one stays when this
    /// throws.
    void open(const OpenedModel& opened);
    std::filesystem::path worlds() const { return options_.assets / "worlds"; }
    Trainer& trainer();
    void keep_newest();
    void fail(const std::string& message);
    void tell(const std::string& message);
    void record(const StepReport& report);
    void thin_history();
    void choose_homonym(const Snapshot& snapshot);
    void measure();
    void measure_senses(const Parameters& parameters, bool moved);
    void measure_metric(const Parameters& parameters);
    void note(double value);
    float smoothed_loss_at(std::int64_t step) const;
    Parameters shown_parameters();

    Options options_;
    CpuBackend backend_;
    std::unique_ptr<ModelAtWork> model_;
    std::shared_ptr<const Shelf> shelf_;
    Timeline timeline_;
    Comparison comparison_;
    NeuronStudy neurons_;

    RunState state_ = RunState::paused;
    bool live_ = true;
    std::int64_t shown_step_ = 0;
    std::uint64_t next_seed_ = 1;
    std::array<std::string, 2> texts_;
    std::unique_ptr<PatchStudyAtWork> study_;
    std::string homonym_;
    std::vector<MetricPoint> history_;
    float smooth_loss_ = 0.0f, steps_per_second_ = 0.0f;
    Parameters live_parameters_;  // of step live_parameters_step_
    std::int64_t live_parameters_step_ = -1;
    Parameters measured_parameters_;  // that what is below belongs to
    std::string measured_homonym_;
    Clock::time_point measured_at_{};
    std::shared_ptr<const Measured> measured_;
    std::shared_ptr<const SenseProbeResult> probe_result_;
    std::shared_ptr<const MeaningMap> meaning_result_;
    std::string error_;
    std::uint64_t error_number_ = 0, snapshots_ = 0;
};

}  // namespace glassformer::app
