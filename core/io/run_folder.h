#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/io/checkpoint.h"
#include "core/io/run_settings.h"
#include "core/io/training_files.h"
#include "core/platform/file.h"
#include "core/train/timeline.h"

namespace glassformer {

/// A training that is kept, in a folder:
///
///     run.json                    RunSettings
///     log.jsonl                   a line for each step (core/io/training_files.h)
///     state-<step>.safetensors    the newest two complete states, the optimizer's moments included
///     moments/                    the steps that can be travelled to (core/io/training_files.h)
///     world.json                  the world, where it is of one's own (core/io/model_files.h)
///     tokenizer/                  of the model, where it has one; tokenizer/source/ of a source language
///     run.lock                    held while a program writes here
///
/// Whatever kills the program, and whenever, the folder opens with the last complete state: a state takes its name only
/// when all of it is on the disk, one is removed only when two newer ones are there, and the log ends at the last whole
/// line. When a write fails (disk full, no permission), Error says so and what was there stays. A state counts as
/// damaged only when its content is wrong: where the system does not let it be read, SystemError says why, and nothing
/// in the folder is changed.
class RunFolder {
public:
    /// Makes the folder, whole or not at all, with its first state. Throws Error when there is something already, and
    /// as write_folder_atomically does.
    static RunFolder create(const std::filesystem::path& folder, const RunSettings& settings,
                            const std::shared_ptr<const Tokenizer>& tokenizer,
                            const std::shared_ptr<const Tokenizer>& source_tokenizer, const TrainingState& first);
    /// Opens it to go on, from the newest state that is whole; a newer one that is damaged gets another name. What the
    /// log says beyond that state is left out, since it will be done again. notes() says what of this was done. Throws
    /// Error, with nothing changed, when another program is writing there, and as read_run does.
    static RunFolder open(const std::filesystem::path& folder);

    /// What open() had to set aside or leave out, a sentence each, for the person; empty where all was well.
    const std::vector<std::string>& notes() const { return notes_; }

    const std::filesystem::path& path() const { return path_; }
    const RunSettings& settings() const { return settings_; }
    /// The log up to the state that open() found; append() does not add to it.
    const TrainingLog& log() const { return log_; }

    /// Adds a line to the log. Throws Error, with the log as it was, also when steps do not grow.
    void append(const MetricPoint& point, std::span<const HeadScore> heads = {});
    /// Keeps a state, and of the older ones the newest. Brings the log back when it was deleted meanwhile. Throws
    /// Error, with the old ones still there.
    void save_state(const TrainingState& state);
    /// The step of the newest state.
    std::int64_t saved_step() const { return saved_step_; }
    /// The state that open() read, once: it is not held twice in memory.
    TrainingState take_state();
    /// Keeps the steps that a timeline has, to be looked back at when the run is opened again. Throws Error.
    void save_keyframes(const Timeline& timeline);
    /// Those that were kept, up to the newest state; the oldest first. Throws SystemError as read_moments does.
    std::vector<TrainingState> keyframes() const;
    /// Name, colour, hidden and the rest of run.json. Throws Error, with the old ones still there.
    void set_settings(const RunSettings& settings);

private:
    RunFolder(std::filesystem::path folder, RunSettings settings);
    void open_state_and_log();
    void open_log();
    void bring_log_back();

    std::filesystem::path path_;
    RunSettings settings_;
    TrainingLog log_;
    std::unique_ptr<platform::File> lock_, log_file_;
    std::uint64_t log_bytes_ = 0;
    std::int64_t last_logged_ = -1, saved_step_ = 0;
    std::size_t parameter_count_ = 0;
    std::optional<TrainingState> opened_;
    std::vector<std::string> notes_;
};

/// A run as it lies on the disk, for looking at it.
struct SavedRun {
    RunSettings settings;
    TrainingLog log;  // may go on beyond the state
    TrainingState state;
    std::vector<TrainingState> keyframes;  // that can be travelled to, up to the state; the oldest first
    std::shared_ptr<const Tokenizer> tokenizer, source_tokenizer;
};

/// Whether the folder holds a run.json.
bool is_run_folder(const std::filesystem::path& folder);

/// What its run.json says, with the world that it carries. Throws Error as read_run does.
RunSettings run_settings_in(const std::filesystem::path& folder);
/// The step of its newest state, which is not read. Throws Error where it has none.
std::int64_t newest_step_in(const std::filesystem::path& folder);

/// Whether a program has the run open to write to it, this one perhaps.
bool is_being_written(const std::filesystem::path& folder);

/// Reads a run that another program may be writing. Throws Error naming the file and what is wrong in it: there is no
/// run, no state of it can be read, or the state is not of its model.
SavedRun read_run(const std::filesystem::path& folder);

/// The run's model at its newest state, with its log up to there; of a very long log, an even part of the points.
Checkpoint checkpoint_of(const SavedRun& run);

}  // namespace glassformer
