#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/session/setup_preview.h"

namespace glassformer::app {

/// What is being typed into the one field that has the keyboard; the fields themselves show values.
struct FieldDraft {
    std::string field;  // its label; empty: none
    std::string text;
};

/// Whether two set-ups give the same training.
bool same_setup(const TrainingSetup& a, const TrainingSetup& b);

/// The set-up window: what is chosen in it, and what the worker was asked about it.
struct SetupState {
    bool open = false;
    TrainingSetup setup;                    // as chosen
    std::optional<TrainingSetup> proposal;  // the world's own; empty until the worker has answered
    std::string file, unit;                 // of a text that is to be learned, as typed
    int preset = -1;                        // that was chosen last and not changed since; −1: none
    std::string failure;                    // why there is no proposal for what was chosen last
    bool failure_is_new = false;            // not scrolled to yet

    // On its way to the worker.
    bool proposing = false;
    TrainingSetup wanted;                        // whose world and unit were asked about
    std::optional<TrainingSetup> then;           // to be chosen once its world is known
    std::shared_ptr<const SetupPreview> before;  // Snapshot::preview when it was asked
    std::uint64_t errors_before = 0;
    bool previewing = false;
    std::optional<TrainingSetup> asked;  // whose preview was asked for last
    double asked_at = -1.0;              // in ImGui's seconds
};

/// The cards above the running controls.
struct RunningState {
    std::string loss, metric, seconds, step;  // of "until", as typed; empty: does not count
    TrainingSetup changed;                    // of the settings' card
};

/// The set-up that a run was begun with last; remembered from start to start.
struct LastSetup {
    std::optional<TrainingSetup> setup;
};

}  // namespace glassformer::app
