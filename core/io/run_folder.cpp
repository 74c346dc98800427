#include "core/io/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "core/base/error.h"
#include "core/io/atomic_file.h"
#include "core/io/run_moments.h"
#include "core/io/state_file.h"
#include "core/text/tokenizer_files.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_log_bytes = std::size_t{1} << 30, kept_states = 2;
constexpr const char *settings_name = "run.json", *log_name = "log.jsonl", *lock_name = "run.lock",
                     *tokenizer_name = "tokenizer", *moments_name = "moments", *source_name = "source";

struct StateFile {
    std::int64_t step = 0;
    fs::path path;
};

fs::path state_path(const fs::path& folder, std::int64_t step) {
    return folder / ("state-" + std::to_string(step) + ".safetensors");
}

/// Complete states, the newest first: one that is being written has another name.
std::vector<StateFile> states_in(const fs::path& folder) {
    std::vector<StateFile> states;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        long long step = -1;
        const std::string name = entry.path().filename().string();
        if (std::sscanf(name.c_str(), "state-%18lld.", &step) == 1 && step >= 0 &&
            entry.path() == state_path(folder, step))
            states.push_back({step, entry.path()});
    }
    std::ranges::sort(states, std::greater{}, &StateFile::step);
    return states;
}

/// The newest that can be read; a writer may take one away while it is looked at.
TrainingState newest_state(const fs::path& folder) {
    std::string first_problem;
    for (int attempt = 0; attempt < 3; ++attempt)
        for (const StateFile& file : states_in(folder)) {
            try {
                return read_state(file.path);
            } catch (const Error& e) {
                if (first_problem.empty()) first_problem = e.what();
            }
        }
    throw Error("the run " + folder.string() + " has no complete state to go on from" +
                (first_problem.empty() ? "" : ": " + first_problem));
}

/// States beyond the newest that can be read are damaged: they must not count as one of those kept.
void set_aside_newer(const fs::path& folder, std::int64_t step) {
    std::error_code ignored;
    for (const StateFile& file : states_in(folder))
        if (file.step > step) fs::rename(file.path, file.path.string() + ".damaged", ignored);
}

std::string log_text(const fs::path& folder) {
    return fs::exists(folder / log_name) ? read_file(folder / log_name, max_log_bytes) : std::string();
}

RunSettings settings_in(const fs::path& folder) {
    if (!is_run_folder(folder))
        throw Error(folder.string() + " is not a run's folder: it has no " + settings_name +
                    "; make one with: glassformer train --world homonyms --run " + folder.string());
    return read_run_settings(folder / settings_name);
}

/// What a killed program left half-written.
void remove_temporaries(const fs::path& folder) {
    std::error_code ignored;
    std::vector<fs::path> left;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
        if (entry.path().filename().string().find(".tmp-") != std::string::npos) left.push_back(entry.path());
    for (const fs::path& path : left) fs::remove(path, ignored);
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

std::unique_ptr<posix::Descriptor> take_lock(const fs::path& folder) {
    auto lock = std::make_unique<posix::Descriptor>(folder / lock_name, O_RDWR | O_CREAT, 0666, "write", folder);
    if (::flock(lock->get(), LOCK_EX | LOCK_NB) == 0) return lock;
    if (errno == EWOULDBLOCK)
        throw Error("another program is training in " + folder.string() + "; stop it first, or choose another folder");
    posix::fail("lock", folder, errno);
}

}  // namespace

RunFolder::RunFolder(fs::path folder, RunSettings settings) : path_(std::move(folder)), settings_(std::move(settings)) {
    lock_ = take_lock(path_);
    remove_temporaries(path_);
    remove_temporaries(path_ / moments_name);
    cut_log();
}

RunFolder RunFolder::create(const fs::path& folder, const RunSettings& settings,
                            const std::shared_ptr<const Tokenizer>& tokenizer,
                            const std::shared_ptr<const Tokenizer>& source_tokenizer, const TrainingState& first) {
    if (is_run_folder(folder))
        throw Error(folder.string() + " holds a run already; go on with it (glassformer train --resume " +
                    folder.string() + ") or choose another folder");
    if (fs::exists(folder) && !(fs::is_directory(folder) && fs::is_empty(folder)))
        throw Error("cannot keep a run in " + folder.string() + ": it is not an empty folder; choose another one");
    write_folder_atomically(folder, [&](const fs::path& staging) {
        write_run_settings(staging / settings_name, settings);
        save_tokenizers(staging, tokenizer.get(), source_tokenizer.get());
        write_state(state_path(staging, first.step), first);
    });
    return RunFolder(folder, settings);
}

RunFolder RunFolder::open(const fs::path& folder) { return RunFolder(folder, settings_in(folder)); }

/// Leaves the log's whole lines up to the newest state, and opens it for those to come.
void RunFolder::cut_log() {
    const fs::path file = path_ / log_name;
    std::vector<std::size_t> ends;
    log_ = parse_log(log_text(path_), file.string(), TornLine::pass_over, &ends);
    const std::int64_t step = latest().step;
    set_aside_newer(path_, step);
    forget_moments_after(path_ / moments_name, step);
    log_.cut_after(step);
    log_bytes_ = log_.points.empty() ? 0 : ends[log_.points.size() - 1];
    log_file_ = std::make_unique<posix::Descriptor>(file, O_WRONLY | O_CREAT | O_APPEND, 0666, "write", file);
    if (::ftruncate(log_file_->get(), static_cast<off_t>(log_bytes_)) != 0) posix::fail("write", file, errno);
}

void RunFolder::append(const MetricPoint& point, std::span<const HeadScore> heads) {
    const std::string line = log_line(point, heads);
    if (const int error = log_file_->write(line)) {
        // Half a line in the middle of the log would spoil it; half a line at its end, should this fail too, does not.
        const bool mended = ::ftruncate(log_file_->get(), static_cast<off_t>(log_bytes_)) == 0;
        posix::fail(mended ? "write" : "write or mend", path_ / log_name, error);
    }
    log_bytes_ += line.size();
}

void RunFolder::save_state(const TrainingState& state) {
    // The log first: a state never knows more than the log.
    if (const int error = log_file_->sync()) posix::fail("write", path_ / log_name, error);
    write_state(state_path(path_, state.step), state);
    const std::vector<StateFile> states = states_in(path_);
    std::error_code ignored;
    for (std::size_t i = kept_states; i < states.size(); ++i) fs::remove(states[i].path, ignored);
}

TrainingState RunFolder::latest() const { return newest_state(path_); }

void RunFolder::save_moments(const Timeline& timeline) { write_moments(path_ / moments_name, timeline); }

std::vector<TrainingState> RunFolder::moments() const {
    const TrainingState newest = latest();
    return read_moments(path_ / moments_name, newest.parameters->size(), newest.step);
}

void RunFolder::set_settings(const RunSettings& settings) {
    write_run_settings(path_ / settings_name, settings);
    settings_ = settings;
}

bool is_run_folder(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder / settings_name, ignored);
}

SavedRun read_run(const fs::path& folder) {
    SavedRun run;
    run.settings = settings_in(folder);
    run.state = newest_state(folder);
    run.moments = read_moments(folder / moments_name, run.state.parameters->size(), run.state.step);
    run.log = parse_log(log_text(folder), (folder / log_name).string(), TornLine::pass_over);
    run.tokenizer = tokenizer_in(folder / tokenizer_name);
    run.source_tokenizer = tokenizer_in(folder / tokenizer_name / source_name);
    return run;
}

}  // namespace glassformer
