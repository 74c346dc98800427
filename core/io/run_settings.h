#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/nn/config.h"
#include "core/train/task.h"
#include "core/train/train_options.h"
#include "core/train/trainer.h"

namespace glassformer {

// TrainOptions as fields of run.json.

/// Every field under its C++ name: {"schedule": {"peak": 0.005, "kind": "cosine", …}, "optimizer": {"kind": "adamw",
/// …}, "clip": 1.0, …, "held_at_zero": [{"offset": 0, "count": 64}]}.
nlohmann::json train_options_to_json(const TrainOptions& options);

/// The inverse. Throws Error naming `file` and a field that is missing, of the wrong type or out of range.
TrainOptions train_options_from_json(const nlohmann::json& object, const std::string& file);

/// What was last on screen with a run, so that it reopens as it was left.
struct SavedView {
    std::array<std::string, 2> sentences;
    int layer = 0, head = 0;
    bool operator==(const SavedView&) const = default;
};

/// The name of a run's metric and how to read it, as in Task.
struct MetricDescription {
    std::string name;
    bool is_share = true;
    double level = 0.0;
    bool operator==(const MetricDescription&) const = default;
};

/// Everything that defines a run except its numbers; enough to repeat it.
struct RunSettings {
    std::string name;     // the name shown
    std::string colour;   // of its curves, "#rrggbb"; empty: the window chooses
    bool hidden = false;  // its curves are not drawn
    std::string world;    // the world's name or, for the user's own world, its file's
    /// That world, if it is the user's own; null if it is found by name. Stored in a file beside run.json.
    std::shared_ptr<const WorldSource> source = nullptr;
    std::optional<std::string> unit = {};  // for a text
    std::string world_name;                // the task's own name, for checkpoints
    std::uint64_t data_mark = 0;           // data_mark_of() the world's batches when the run began
    MetricDescription metric;
    TransformerConfig config;
    TrainOptions options;  // schedule.total is the step to train to

    int keyframes = 0;  // how many are kept at most; 0: as many as there is memory for
    std::optional<SavedView> saved_view = {};

    /// The run that this one branched from, and the step.
    struct Parent {
        std::string run;
        std::int64_t step = 0;
        bool operator==(const Parent&) const = default;
    };
    std::optional<Parent> started_from = {};
    /// A description of what was changed during the run or when it branched; empty if nothing. Such a run cannot be
    /// repeated from its seed.
    std::string changed = {};
};

/// A hash of the first batch for the seed: it reveals whether a world has changed since.
std::uint64_t data_mark_of(const BatchSource& batches, const TrainOptions& options);

/// run.json, without the source. Reading throws Error naming the file, the field and what is wrong with it.
void write_run_settings(const std::filesystem::path& file, const RunSettings& settings);
RunSettings read_run_settings(const std::filesystem::path& file);

}  // namespace glassformer
