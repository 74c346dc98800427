#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/io/saved_view.h"
#include "core/nn/config.h"
#include "core/train/trainer.h"
#include "core/train/world_source.h"

namespace glassformer {

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
