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
    int parent = -1;       // id of the run; −1: it began by itself, or its parent is not open
    std::string saved_as;  // what its parent is called in the folder that it was opened from; empty: in none
    std::int64_t step = 0;
    std::string change;              // what was changed there, or under way, in words; empty: nothing
    bool parent_began_anew = false;  // since then: what it branched off is gone

    bool branched() const { return parent >= 0 || !saved_as.empty(); }
};

struct ModelInfo;

/// One training, as the window knows it: its curves, what happened in it, where one can travel to. Immutable.
struct RunInfo {
    int id = 0;
    std::string name;
    int colour = 0;  // which of the curves' colours
    bool hidden = false;
    std::shared_ptr<const ModelInfo> model;  // that is trained: what its metric is
    TrainingSetup setup;
    RunOrigin origin;
    std::int64_t step = 0;                       // the newest
    std::optional<std::int64_t> opened_at = {};  // the step of the model that it went on from; none: it began untrained
    std::shared_ptr<const std::vector<MetricPoint>> history;
    std::shared_ptr<const std::vector<TrainingEvent>> events;
    std::vector<std::int64_t> kept_steps;  // ascending
    std::string folder;                    // where it is kept; empty: in memory only
    std::int64_t saved_step = 0;           // that it has on disk, or began with
    bool unsaved = false;                  // it was trained since it was saved last
    std::optional<SavedView> saved_view;   // on screen with it last

    /// Whether all of it is in its folder.
    bool kept() const { return !folder.empty() && !unsaved; }

    /// Whether at this step it has only what its parent left it, without a head: its loss and gradient norm were
    /// measured with that head.
    bool lost_a_head_at(std::int64_t at) const {
        return origin.branched() && origin.step == at && !setup.options.frozen_zero.empty();
    }
};

/// When a training is to pause by itself; each number counts when it is there.
struct StopAt {
    std::optional<std::int64_t> step = {};
    std::optional<double> loss = {};     // smoothed, at or below
    std::optional<double> metric = {};   // a share at or above, an error at or below
    std::optional<double> seconds = {};  // of training, from now
    bool any() const { return step || loss || metric || seconds; }
    bool operator==(const StopAt&) const = default;
};

/// How the training goes at the moment.
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
    std::int64_t step = 0;       // that was not made
    std::string text;            // names the op and the parameter where the first number broke
    std::int64_t last_kept = 0;  // the newest step that can be gone back to
};

}  // namespace glassformer::app
