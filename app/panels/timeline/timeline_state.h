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
    std::int64_t asked = -1;  // the step that it shows, or is about to; −1 before the first
    bool arrived = false;     // that step was on screen
    double next_at = 0.0;     // when it goes on, in ImGui's seconds
    int run = -1;             // that it is of
};

/// A film on its way to a folder of pictures; app/film/film_recorder.h makes it.
struct FilmRecording {
    std::string folder;  // asked for, then made; empty: none
    int done = 0, total = 0;
    std::int64_t step = -1;  // of the next picture
    bool asked_to_stop = false;
    bool unseen = false;   // this frame is the picture itself: nothing is said about the film on it
    bool forward = false;  // of the forward pass, as the whole model plays it; else of the training
    Box panel{};           // this part of the window alone; empty: all of it
    float room = 0;        // that the messages had above the panels when it was chosen
    bool caption = false;  // model, step and sentences stand below it
};

/// The card on which a branch is set up.
struct BranchDraft {
    bool open = false;
    int run = -1;                   // the parent
    std::int64_t step = 0;          // where it branches off
    TrainingSetup setup;            // the parent's with what was changed
    int rate = 2;                   // which of the factors; −1: a number of its own
    std::string own_rate;           // as typed
    int block = -1, head = 0;       // the head that is removed: which of removable_layers(), −1 none
    std::vector<RemovedHead> more;  // removed as well
    std::string name;
};

/// What the person has chosen about the timeline and its runs. Plain values.
struct TimelineState {
    bool log_steps = false;   // early steps get as much room as late ones
    bool panel_open = false;  // runs and events, above the strip
    Film film;
    FilmRecording recording;
    BranchDraft branch;
    int renaming = -1, deleting = -1;  // a run whose name is typed; one that is asked about
    bool take_focus = false;           // the field of its name was just opened
    std::string new_name;
    std::shared_ptr<const Trouble> trouble_dismissed = nullptr;
    std::shared_ptr<RunCurves> curves;  // made once from each run's history
};

/// The step that was travelled to last: a drag asks once a step.
struct TravelState {
    std::int64_t step = -1;
    std::uint64_t at = 0;  // the snapshot on screen then
    void on_model_changed() { step = -1; }
};

}  // namespace glassformer::app
