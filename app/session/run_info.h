#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/training_setup.h"
#include "core/io/run_settings.h"
#include "core/train/timeline.h"
#include "core/train/training_events.h"

namespace glassformer::app {

/// Where a run branched off.
struct RunOrigin {
    int parent = -1;       // id of the parent run; −1: none, or it is not open
    std::string saved_as;  // the parent's name in the folder that this run was opened from; empty: none
    std::int64_t step = 0;
    std::string change;              // the changes made there or later, in words; empty: none
    bool parent_began_anew = false;  // the parent restarted since: the step branched off is gone

    bool branched() const { return parent >= 0 || !saved_as.empty(); }
};

struct ModelInfo;

/// One training as the window knows it: its curves, its events, the steps that can be visited. Immutable.
struct RunInfo {
    int id = 0;
    std::string name;
    int colour = 0;  // index into the colours of the curves
    bool hidden = false;
    std::shared_ptr<const ModelInfo> model;  // the model that is trained, for its metric
    TrainingSetup setup;
    RunOrigin origin;
    int restarts = 0;                            // since each, the same steps are others
    std::int64_t step = 0;                       // newest
    std::optional<std::int64_t> opened_at = {};  // step of the model that it continued; none: started untrained
    std::shared_ptr<const std::vector<MetricPoint>> history;
    std::shared_ptr<const std::vector<TrainingEvent>> events;
    std::vector<std::int64_t> kept_steps;  // ascending
    std::string folder;                    // where it is kept; empty: in memory only
    std::int64_t saved_step = 0;           // newest step on disk, or the step it started with
    bool unsaved = false;                  // trained since it was last saved
    bool folder_fails = false;             // the folder could not be written to when it was last brought up to date
    std::optional<SavedView> saved_view;   // what was last on screen with it

    /// True if all of it is in its folder, or will be as soon as it pauses.
    bool kept() const { return !folder.empty() && !folder_fails; }
    /// True if some of its training would be lost with it.
    bool only_in_memory() const { return unsaved && !kept(); }

    /// True if this step has only values inherited from the parent, and the branch removed a head: loss and gradient
    /// norm were measured with that head.
    bool lost_a_head_at(std::int64_t at) const {
        return origin.branched() && origin.step == at && !setup.options.frozen_zero.empty();
    }
};

/// When a training should pause by itself; every number that is set applies.
struct StopAt {
    std::optional<std::int64_t> step = {};
    std::optional<double> loss = {};     // smoothed; pause at or below
    std::optional<double> metric = {};   // pause at or above for a share, at or below for an error
    std::optional<double> seconds = {};  // of training, from now
    bool any() const { return step || loss || metric || seconds; }
    bool operator==(const StopAt&) const = default;
};

/// The current state of the training.
struct Running {
    float gradient_norm = -1.0f, learning_rate = -1.0f, held_out_loss = -1.0f;  // newest; −1: not known yet
    float clip_factor = -1.0f;                                                  // the same
    double tokens_per_second = 0.0;
    double seconds_left = -1.0;          // to the end of the schedule; −1: unknown
    double steps_per_second_most = 0.0;  // the limit; 0: none
    StopAt stop_at;
};

/// Why a training stopped by itself.
struct Trouble {
    std::int64_t step = 0;       // the step that failed
    std::string text;            // names the op and the parameter where the first number broke
    std::int64_t last_kept = 0;  // the newest step to which one can return
};

}  // namespace glassformer::app
