#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/session/command.h"
#include "app/session/run_info.h"
#include "app/ui/box.h"

namespace glassformer::app {

class RunCurves;  // run_curves.h

/// The training played as a film: one kept step after another.
struct Film {
    bool playing = false, loop = false;
    int speed = 1;            // which of film_seconds
    std::int64_t asked = -1;  // the step that it shows, or is about to show; −1 before the first
    bool arrived = false;     // that step has been on screen
    double next_at = 0.0;     // when it continues, in ImGui's seconds
    int run = -1;             // the run that it plays
};

/// A film being saved as a folder of pictures or a file; app/film/film_recorder.h makes it.
struct FilmRecording {
    std::string folder;  // as requested; empty: none
    int done = 0, total = 0;
    std::int64_t step = -1;  // of the next picture
    bool asked_to_stop = false;
    bool unseen = false;   // this frame is the picture itself: show no messages about the film on it
    bool forward = false;  // shows the forward pass, as the whole-model view plays it, instead of the training
    Box panel{};           // only this part of the window; empty: all of it
    float room = 0;        // height of the messages above the panels when the film was requested
    bool caption = false;  // draw model, step and sentences below it
};

/// The card that sets up a branch.
struct BranchDraft {
    bool open = false;
    int run = -1;                   // the parent
    std::int64_t step = 0;          // where it branches off
    TrainingSetup setup;            // the parent's, with the changes
    int rate = 2;                   // index of the factor; −1: a number of its own
    std::string own_rate;           // as typed
    int block = -1, head = 0;       // the removed head: index into removable_layers(), −1: none
    std::vector<RemovedHead> more;  // further removed heads
    std::string name;
};

/// The user's choices about the timeline and its runs. Plain values.
struct TimelineState {
    bool log_steps = false;   // logarithmic: early steps get as much room as late ones
    bool panel_open = false;  // runs and events, above the strip
    Film film;
    FilmRecording recording;
    BranchDraft branch;
    int renaming = -1, deleting = -1;  // a run being renamed; one whose deletion awaits an answer
    bool take_focus = false;           // the name field was just opened
    std::string new_name;
    std::shared_ptr<const Trouble> trouble_dismissed = nullptr;
    std::shared_ptr<RunCurves> curves;  // computed once per run's history
};

/// The step travelled to last: a drag asks once per step.
struct TravelState {
    std::int64_t step = -1;
    std::uint64_t at = 0;  // the snapshot on screen at that time
    void on_model_changed() { step = -1; }
};

}  // namespace glassformer::app
