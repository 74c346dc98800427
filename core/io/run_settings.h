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

// TrainOptions as the fields of run.json.

/// Every field under its C++ name: {"schedule": {"peak": 0.005, "kind": "cosine", …}, "optimizer": {"kind": "adamw",
/// …}, "clip": 1.0, …, "held_at_zero": [{"offset": 0, "count": 64}]}.
nlohmann::json train_options_to_json(const TrainOptions& options);

/// The way back. Throws Error naming `file` and the field that is missing, has another type or is out of range.
TrainOptions train_options_from_json(const nlohmann::json& object, const std::string& file);

/// What was on screen with a run last: with it the run opens as it was left.
struct SavedView {
    std::array<std::string, 2> sentences;
    int layer = 0, head = 0;
    bool operator==(const SavedView&) const = default;
};

/// What a run's metric is called and how it is read, as in Task.
struct MetricDescription {
    std::string name;
    bool is_share = true;
    double level = 0.0;
    bool operator==(const MetricDescription&) const = default;
};

/// What a run is: everything but its numbers. It can be done again with this alone.
struct RunSettings {
    std::string name;     // as people call it
    std::string colour;   // of its curves, "#rrggbb"; empty: the window's own choice
    bool hidden = false;  // its curves are not drawn
    std::string world;    // a name; of a world of one's own, its file's
    /// That world, where it is of one's own; null where it is found by its name. It lies in a file beside run.json.
    std::shared_ptr<const WorldSource> source = nullptr;
    std::optional<std::string> unit = {};  // of a text
    std::string world_name;                // as the task calls itself, for checkpoints
    std::uint64_t data_mark = 0;           // data_mark_of() the world's batches when the run began
    MetricDescription metric;
    TransformerConfig config;
    TrainOptions options;  // schedule.total is how far it is to go

    std::optional<SavedView> saved_view = {};

    /// The run that this one branched off, and where.
    struct Parent {
        std::string run;
        std::int64_t step = 0;
        bool operator==(const Parent&) const = default;
    };
    std::optional<Parent> started_from = {};
    /// What was changed under way, or when it branched off, in words; empty: nothing. Such a run cannot be done again
    /// from its seed.
    std::string changed = {};
};

/// A number that another first batch of the same seed would change: so it shows when a world is no longer what it was.
std::uint64_t data_mark_of(const BatchSource& batches, const TrainOptions& options);

/// run.json, without the source. Reading throws Error naming the file, the field and what is wrong with it.
void write_run_settings(const std::filesystem::path& file, const RunSettings& settings);
RunSettings read_run_settings(const std::filesystem::path& file);

}  // namespace glassformer
