#include "core/io/run_folder.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/io/model_files.h"
#include "core/platform/atomic_file.h"
#include "core/platform/system_error.h"
#include "core/text/tokenizer.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

/// A longer log cannot be read, so beyond half of that only the steps at which the metric was measured are logged.
constexpr std::uint64_t max_log_bytes = std::uint64_t{1} << 30;
constexpr std::size_t kept_states = 2;
constexpr const char *settings_name = "run.json", *log_name = "log.jsonl", *lock_name = "run.lock",
                     *tokenizer_name = "tokenizer", *keyframes_name = "moments", *source_name = "source";

constexpr const char* state_kind = "state";

struct DamagedFile {
    fs::path path;
    std::string why;
};

struct NewestState {
    TrainingState state;
    std::vector<DamagedFile> damaged;  // newer than `state`
};

/// The newest state with an intact file. If the system cannot read one (no permission, a failing disk), that is not
/// damage: throws SystemError rather than returning an older state.
NewestState newest_state(const fs::path& folder) {
    constexpr int attempts = 3;  // a writer may remove one while we look
    for (int attempt = 1;; ++attempt) {
        std::vector<StepFile> files = step_files_in(folder, state_kind);
        std::ranges::reverse(files);
        std::vector<DamagedFile> damaged;
        bool gone = false;
        for (const StepFile& file : files) {
            try {
                return {read_state(file.path), std::move(damaged)};
            } catch (const SystemError& e) {
                if (e.code() != ENOENT || attempt == attempts) throw;
                gone = true;
                break;
            } catch (const Error& e) {
                damaged.push_back({file.path, e.what()});
            }
        }
        if (!gone)
            throw damaged.empty()
                ? Error("the run {1} has no complete state to continue from", folder)
                : Error("the run {1} has no complete state to continue from: {2}", folder, damaged.front().why);
    }
}

/// Renames the file and returns its new name. Throws Error.
fs::path set_aside(const fs::path& file, const std::string& suffix) {
    const fs::path name = platform::free_name(file, suffix);
    std::error_code error;
    fs::rename(file, name, error);
    if (error) platform::fail_to("rename", file, error.value());
    return name;
}

std::string log_text(const fs::path& folder) {
    return fs::exists(folder / log_name) ? read_file(folder / log_name, max_log_bytes) : std::string();
}

/// Removes what a killed program left half-written.
void remove_temporaries(const fs::path& folder) {
    std::error_code ignored;
    std::vector<fs::path> left;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        const bool ours = name.starts_with("state-") || name.starts_with("step-") || name.starts_with(settings_name) ||
                          name.starts_with(log_name);
        if (ours && platform::is_temporary(entry.path())) left.push_back(entry.path());
    }
    for (const fs::path& path : left) fs::remove(path, ignored);
}

/// A new run needs a new or empty folder.
const FolderKind& no_files() {
    static const FolderKind kind{N_("a new run"), {}, [](const fs::path&) { return false; }};
    return kind;
}

void save_tokenizers(const fs::path& folder, const Tokenizer* tokenizer, const Tokenizer* source) {
    if (!tokenizer && !source) return;
    fs::create_directory(folder / tokenizer_name);
    if (tokenizer) tokenizer->save_in(folder / tokenizer_name);
    if (!source) return;
    fs::create_directory(folder / tokenizer_name / source_name);
    source->save_in(folder / tokenizer_name / source_name);
}

std::shared_ptr<const Tokenizer> tokenizer_in(const fs::path& folder) {
    return fs::is_directory(folder) ? load_tokenizer(folder) : nullptr;
}

std::unique_ptr<platform::File> take_lock(const fs::path& folder) {
    auto lock = std::make_unique<platform::File>(folder / lock_name, platform::OpenFor::changing, "write", folder);
    bool taken = false;
    if (!lock->try_lock(taken)) platform::fail_to("lock", folder, errno);
    if (!taken) throw Error("another program is training in {1}; stop it first, or choose another folder", folder);
    return lock;
}

}  // namespace

Checkpoint checkpoint_of(const SavedRun& run) {
    Checkpoint c;
    c.config = run.settings.config;
    c.tokenizer = run.tokenizer;
    c.source_tokenizer = run.source_tokenizer;
    c.world = run.settings.world_name;
    c.source = run.settings.source;
    c.seed = run.state.seed;
    c.step = run.state.step;
    c.planned_steps = run.settings.options.schedule.total;
    const std::size_t count = parameter_graph(c.config)->parameter_count();
    if (run.state.parameters->size() != count)
        throw Error("the run's state holds {1} parameters; the model of its run.json has {2}",
                    run.state.parameters->size(), count);
    c.parameters = run.state.parameters;
    TrainingLog log = run.log;
    log.cut_after(c.step);
    c.log = thinned(log.points);
    return c;
}

RunFolder::RunFolder(fs::path folder, RunSettings settings) : path_(std::move(folder)), settings_(std::move(settings)) {
    lock_ = take_lock(path_);
    remove_temporaries(path_);
    remove_temporaries(path_ / keyframes_name);
    open_state_and_log();
}

RunFolder RunFolder::create(const fs::path& folder, const RunSettings& settings,
                            const std::shared_ptr<const Tokenizer>& tokenizer,
                            const std::shared_ptr<const Tokenizer>& source_tokenizer, const TrainingState& first) {
    if (is_run_folder(folder))
        throw Error("{1} already contains a run; continue it (glassformer train --resume {1}) or choose another folder",
                    folder);
    if (fs::exists(folder) && !(fs::is_directory(folder) && fs::is_empty(folder)))
        throw Error("cannot keep a run in {1}: the folder is not empty; choose another one", folder);
    write_folder_atomically(folder, no_files(), [&](const fs::path& staging) {
        write_run_settings(staging / settings_name, settings);
        if (settings.source) write_world(staging, *settings.source);
        save_tokenizers(staging, tokenizer.get(), source_tokenizer.get());
        write_state(step_path(staging, state_kind, first.step), first);
    });
    RunFolder run(folder, settings);
    run.take_state();
    return run;
}

RunFolder RunFolder::open(const fs::path& folder) { return RunFolder(folder, run_settings_in(folder)); }

/// Reads both before it changes either. Then truncates the log to its complete lines up to that state, and opens it for
/// appending.
void RunFolder::open_state_and_log() {
    const fs::path file = path_ / log_name;
    NewestState newest = newest_state(path_);
    std::vector<std::size_t> ends;
    log_ = parse_log(log_text(path_), file.string(), PartialLine::pass_over, &ends);
    saved_step_ = newest.state.step;
    parameter_count_ = newest.state.parameters->size();
    opened_ = std::move(newest.state);
    // A damaged state must not count towards those kept.
    for (const DamagedFile& damaged : newest.damaged)
        notes_.push_back(filled_with(N_("{1}; the file is now called {2}, and the run continues from step {3}"),
                                     damaged.why, set_aside(damaged.path, ".damaged").filename(), saved_step_));
    forget_keyframes_after(path_ / keyframes_name, saved_step_);
    const std::size_t logged = log_.points.size();
    log_.cut_after(saved_step_);
    if (logged > log_.points.size())
        notes_.push_back(filled_with(N_("the log is ahead of the saved state; its lines after step {1} are dropped, "
                                        "since those steps are run again"),
                                     saved_step_));
    log_bytes_ = log_.points.empty() ? 0 : ends[log_.points.size() - 1];
    last_logged_ = log_.points.empty() ? -1 : log_.points.back().step;
    open_log();
    if (const int error = log_file_->resize(log_bytes_)) platform::fail_to("write", file, error);
}

void RunFolder::open_log() {
    const fs::path file = path_ / log_name;
    log_file_ = std::make_unique<platform::File>(file, platform::OpenFor::appending, "write", file);
}

/// Someone deleted or replaced the log: the open file still has what this program has logged, and is put back in place.
/// A file that is there now is kept under another name.
void RunFolder::bring_log_back() {
    const fs::path file = path_ / log_name;
    if (log_file_->is_at(file)) return;
    std::string text(static_cast<std::size_t>(log_bytes_), '\0');
    std::size_t count = 0;
    if (const int error = log_file_->read(0, text, count)) platform::fail_to("read", file, error);
    text.resize(count);
    std::error_code error;
    if (fs::exists(fs::symlink_status(file, error))) set_aside(file, ".other");
    write_file_atomically(file, text);
    open_log();
}

void RunFolder::append(const MetricPoint& point, std::span<const HeadScore> heads) {
    if (point.step <= last_logged_)
        throw Error("the log of the run in {1} has step {2} already, so step {3} was not written", path_, last_logged_,
                    point.step);
    if (log_bytes_ > max_log_bytes / 2 && point.accuracy < 0.0f) {
        last_logged_ = point.step;
        return;
    }
    const std::string line = log_line(point, heads);
    if (const int error = log_file_->write(line)) {
        // Half a line in the middle of the log would corrupt it; at its end, if this fails, too, it does no harm.
        const bool mended = log_file_->resize(log_bytes_) == 0;
        platform::fail_to(mended ? "write" : "write or mend", path_ / log_name, error);
    }
    log_bytes_ += line.size();
    last_logged_ = point.step;
}

void RunFolder::save_state(const TrainingState& state) {
    // The log first: a state must never be ahead of it.
    bring_log_back();
    if (const int error = log_file_->sync()) platform::fail_to("write", path_ / log_name, error);
    write_state(step_path(path_, state_kind, state.step), state);
    saved_step_ = state.step;
    try {
        std::error_code ignored;
        const std::vector<StepFile> states = step_files_in(path_, state_kind);
        for (std::size_t i = 0; i + kept_states < states.size(); ++i) fs::remove(states[i].path, ignored);
    } catch (const SystemError&) {  // then the older ones stay
    }
}

TrainingState RunFolder::take_state() {
    if (!opened_) throw Error("the state of the run in {1} was taken before", path_);
    return *std::exchange(opened_, std::nullopt);
}

void RunFolder::save_keyframes(const Timeline& timeline) { write_keyframes(path_ / keyframes_name, timeline); }

std::vector<TrainingState> RunFolder::keyframes() const {
    return read_keyframes(path_ / keyframes_name, parameter_count_, saved_step_);
}

void RunFolder::set_settings(const RunSettings& settings) {
    write_run_settings(path_ / settings_name, settings);
    settings_ = settings;
}

bool is_run_folder(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder / settings_name, ignored);
}

RunSettings run_settings_in(const fs::path& folder) {
    if (!is_run_folder(folder)) {
        std::error_code ignored;
        const bool exists = fs::exists(folder, ignored);
        if (exists && !fs::is_directory(folder, ignored))
            throw Error(
                "{1} is a file, not the folder of a run; only such a folder, which glassformer train --world homonyms "
                "--run FOLDER makes, contains what a training continues from",
                folder);
        throw Error(
            "{1} is not a run's folder: it has no {2}; make one with: glassformer train --world homonyms --run {3}",
            folder, settings_name, exists ? "FOLDER" : folder.string());
    }
    RunSettings settings = read_run_settings(folder / settings_name);
    settings.source = read_world(folder);
    return settings;
}

std::int64_t newest_step_in(const fs::path& folder) {
    const std::vector<StepFile> states = step_files_in(folder, state_kind);
    if (states.empty()) throw Error("the run {1} has no complete state to continue from", folder);
    return states.back().step;
}

bool is_being_written(const fs::path& folder) {
    std::error_code ignored;
    if (!fs::exists(folder / lock_name, ignored)) return false;
    try {
        const platform::File lock(folder / lock_name, platform::OpenFor::reading, "read", folder);
        bool taken = false;
        return lock.try_lock(taken) && !taken;
    } catch (const Error&) {
        return false;
    }
}

SavedRun read_run(const fs::path& folder) {
    SavedRun run;
    run.settings = run_settings_in(folder);
    run.state = newest_state(folder).state;
    run.keyframes = read_keyframes(folder / keyframes_name, run.state.parameters->size(), run.state.step);
    run.log = parse_log(log_text(folder), (folder / log_name).string(), PartialLine::pass_over);
    run.tokenizer = tokenizer_in(folder / tokenizer_name);
    run.source_tokenizer = tokenizer_in(folder / tokenizer_name / source_name);
    return run;
}

}  // namespace glassformer
