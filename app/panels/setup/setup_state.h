#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/session/setup_preview.h"

namespace glassformer::app {

/// The text being typed into the one field with the keyboard; all other fields show values.
struct FieldDraft {
    std::string field;  // its label; empty: none
    std::string text;
};

/// Returns true if two setups give the same training.
bool same_setup(const TrainingSetup& a, const TrainingSetup& b);

/// The setup window: the user's choices, and what the worker was asked about them.
struct SetupState {
    bool open = false;
    TrainingSetup setup;                    // as chosen
    std::optional<TrainingSetup> proposal;  // the world's own; nullopt until the worker has answered
    std::string file, unit;                 // of a text to be learned, as typed
    int preset = -1;                        // the last one chosen, if nothing changed since; −1: none
    std::string failure;                    // why there is no proposal for the last choice
    bool failure_is_new = false;            // not scrolled to yet

    // Requests to the worker.
    bool proposing = false;
    TrainingSetup wanted;                        // whose world and unit were asked about
    std::optional<TrainingSetup> then;           // the setup to choose once its world is known
    std::shared_ptr<const SetupPreview> before;  // Snapshot::preview at the time of the request
    std::uint64_t errors_before = 0;
    bool previewing = false;
    std::optional<TrainingSetup> asked;  // whose preview was requested last
    double asked_at = -1.0;              // in ImGui's seconds
};

/// The cards above the running controls.
struct RunningState {
    std::string loss, metric, seconds, step;  // of "until", as typed; empty: ignored
    TrainingSetup changed;                    // of the settings card
};

/// The setup that started the last run; remembered across program starts.
struct LastSetup {
    std::optional<TrainingSetup> setup;
};

}  // namespace glassformer::app
