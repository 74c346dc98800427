#include "core/io/run_moments.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "core/base/error.h"
#include "core/io/state_file.h"
#include "core/platform/system_error.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

struct MomentFile {
    std::int64_t step = 0;
    fs::path path;
};

fs::path moment_path(const fs::path& folder, std::int64_t step) {
    return folder / ("step-" + std::to_string(step) + ".safetensors");
}

/// The oldest first: one that is being written has another name. Throws SystemError where the folder is there and
/// cannot be looked into: to take it for empty would lose what is in it.
std::vector<MomentFile> files_in(const fs::path& folder) {
    std::vector<MomentFile> files;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        long long step = -1;
        const std::string name = entry->path().filename().string();
        if (std::sscanf(name.c_str(), "step-%18lld.", &step) == 1 && step >= 0 &&
            entry->path() == moment_path(folder, step))
            files.push_back({step, entry->path()});
    }
    if (error && error != std::errc::no_such_file_or_directory) platform::fail("read", folder, error.value());
    std::ranges::sort(files, {}, &MomentFile::step);
    return files;
}

void take_away(const fs::path& file) {
    std::error_code ignored;
    fs::remove(file, ignored);
}

}  // namespace

void write_moments(const fs::path& folder, const Timeline& timeline) {
    const std::vector<std::int64_t> steps = timeline.steps();
    const std::vector<MomentFile> there = files_in(folder);
    for (const MomentFile& file : there)
        if (!std::ranges::binary_search(steps, file.step)) take_away(file.path);
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw Error("the folder " + folder.string() + " cannot be made: " + error.message());
    for (const Timeline::Keyframe& kept : timeline.keyframes())
        if (!std::ranges::binary_search(there, kept.step, {}, &MomentFile::step))
            write_state(moment_path(folder, kept.step), {kept.step, kept.parameters, {}, kept.seed});
}

std::vector<Timeline::Keyframe> read_moments(const fs::path& folder, std::size_t parameter_count, std::int64_t up_to) {
    std::vector<Timeline::Keyframe> moments;
    for (const MomentFile& file : files_in(folder)) {
        if (file.step > up_to) break;
        try {
            Timeline::Keyframe moment = read_state(file.path);
            if (moment.step == file.step && moment.parameters->size() == parameter_count)
                moments.push_back(std::move(moment));
        } catch (const SystemError& e) {
            if (e.code() != ENOENT) throw;  // write_moments would take away what is only not readable now
        } catch (const Error&) {
            // A step that cannot be looked back at any more is no reason to refuse the run.
        }
    }
    return moments;
}

void forget_moments_after(const fs::path& folder, std::int64_t step) {
    for (const MomentFile& file : files_in(folder))
        if (file.step > step) take_away(file.path);
}

}  // namespace glassformer
