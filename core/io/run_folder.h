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

/// A saved training run, in a folder:
///
///     run.json                    RunSettings
///     log.jsonl                   one line per step (core/io/training_files.h)
///     state-<step>.safetensors    the newest two complete states, the optimizer's moments included
///     moments/                    the keyframes, steps to travel back to (core/io/training_files.h)
///     world.json                  the world, if it is the user's own (core/io/model_files.h)
///     tokenizer/                  the model's, if it has one; tokenizer/source/ for a source language
///     run.lock                    held while a program writes here
///
/// However the program is killed, the folder opens with the last complete state: a state gets its name only once all of
/// it is on the disk, it is removed only once two newer ones exist, and the log ends at the last complete line. If a
/// write fails (disk full, no permission), Error says so and the existing files are kept. A state counts as damaged
/// only if its content is wrong: if the system cannot read it, SystemError says why and nothing in the folder is
/// changed.
class RunFolder {
public:
    /// Creates the folder atomically, with its first state. Throws Error if anything exists there, and as
    /// write_folder_atomically does.
    static RunFolder create(const std::filesystem::path& folder, const RunSettings& settings,
                            const std::shared_ptr<const Tokenizer>& tokenizer,
                            const std::shared_ptr<const Tokenizer>& source_tokenizer, const TrainingState& first);
    /// Opens the run to continue from the newest intact state; newer damaged ones are renamed. Drops log lines beyond
    /// that state, since those steps will run again. notes() reports all this. Throws Error, changing nothing, if
    /// another program is writing there, and as read_run does.
    static RunFolder open(const std::filesystem::path& folder);

    /// What open() had to rename or drop, one sentence each, for the user; empty if all was well.
    const std::vector<std::string>& notes() const { return notes_; }

    const std::filesystem::path& path() const { return path_; }
    const RunSettings& settings() const { return settings_; }
    /// The log up to the state that open() found; append() does not extend it.
    const TrainingLog& log() const { return log_; }

    /// Appends a line to the log; to a very long one only if the metric was measured. Throws Error, leaving the log
    /// unchanged, also if the step does not increase.
    void append(const MetricPoint& point, std::span<const HeadScore> heads = {});
    /// The newest step given to append(); −1 if there is none.
    std::int64_t last_logged() const { return last_logged_; }
    /// Saves a state and keeps only the newest of the older ones. Restores the log if someone deleted it. On Error the
    /// old states are kept.
    void save_state(const TrainingState& state);
    /// The step of the newest saved state.
    std::int64_t saved_step() const { return saved_step_; }
    /// Moves out the state that open() read, so that it is not held in memory twice. Call this only once.
    TrainingState take_state();
    /// Saves the timeline's keyframes, to look back at when the run is opened again. Throws Error.
    void save_keyframes(const Timeline& timeline);
    /// The saved keyframes up to the newest state, oldest first. Throws SystemError as read_keyframes does.
    std::vector<TrainingState> keyframes() const;
    /// Writes name, colour, hidden and the rest of run.json. On Error the old settings are kept.
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

/// A run on the disk, to be viewed.
struct SavedRun {
    RunSettings settings;
    TrainingLog log;  // may extend beyond the state
    TrainingState state;
    std::vector<TrainingState> keyframes;  // up to the state, oldest first
    std::shared_ptr<const Tokenizer> tokenizer, source_tokenizer;
};

/// True if the folder contains a run.json.
bool is_run_folder(const std::filesystem::path& folder);

/// The settings in its run.json, with its world. Throws Error as read_run does.
RunSettings run_settings_in(const std::filesystem::path& folder);
/// The step of its newest state, which is not read. Throws Error if there is none.
std::int64_t newest_step_in(const std::filesystem::path& folder);

/// True if a program, maybe this one, has the run open for writing.
bool is_being_written(const std::filesystem::path& folder);

/// Reads a run, even while another program is writing it. Throws Error naming the file and what is wrong in it: there
/// is no run, none of its states can be read, or the state does not fit its model.
SavedRun read_run(const std::filesystem::path& folder);

/// The run's model at its newest state, with the log up to there; a very long log is thinned evenly.
Checkpoint checkpoint_of(const SavedRun& run);

}  // namespace glassformer
