#include "core/io/training_files.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <string_view>

#include "core/base/error.h"
#include "core/io/safetensors.h"
#include "core/io/training_log.h"
#include "core/platform/atomic_file.h"
#include "core/platform/system_error.h"
#include "core/train/optimizer.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_curve_bytes = std::size_t{64} << 20;

std::string log_text(const std::vector<MetricPoint>& log) {
    std::string text;
    for (const MetricPoint& p : log) text += log_line(p);
    return text;
}

NamedTensor tensor_of(const std::string& name, const std::vector<float>& values) {
    return {name, Tensor(Shape{static_cast<std::int64_t>(values.size())}, values)};
}

Parameters values_of(const Tensor& tensor) {
    return std::make_shared<const ParameterValues>(tensor.values().begin(), tensor.values().end());
}

Safetensors timeline_file(const std::vector<Timeline::Keyframe>& keyframes) {
    Safetensors file;
    for (const Timeline::Keyframe& k : keyframes)
        file.tensors.push_back(tensor_of("step." + std::to_string(k.step), *k.parameters));
    return file;
}

const std::string parameters_name = "parameters", m_name = "moment.m", v_name = "moment.v";

const std::string& text(const Safetensors& content, std::string_view name, const fs::path& file) {
    const auto found = content.metadata.find(std::string(name));
    if (found == content.metadata.end())
        throw Error(file.string() + ": its metadata lacks \"" + std::string(name) + "\"");
    return found->second;
}

template <class Whole>
Whole whole_number(const Safetensors& content, std::string_view name, const fs::path& file) {
    const std::string& digits = text(content, name, file);
    Whole value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || digits.starts_with('-'))
        throw Error(file.string() + ": \"" + std::string(name) + "\" is \"" + digits + "\", not a whole number");
    return value;
}

OptimizerKind kind_in(const Safetensors& content, const fs::path& file) {
    const std::string& name = text(content, "optimizer", file);
    try {
        return optimizer_kind(name);
    } catch (const Error& e) {
        throw Error(file.string() + ": " + e.what());
    }
}

/// All the moments of the method, or none.
void read_moments(const Safetensors& content, std::size_t parameters, OptimizerState& state, const fs::path& file) {
    const bool has_m = state.kind != OptimizerKind::sgd, has_v = has_m && state.kind != OptimizerKind::momentum;
    for (const auto& [name, tensor] : content.tensors) {
        if (name == parameters_name) continue;
        if (!(has_m && name == m_name) && !(has_v && name == v_name))
            throw Error(file.string() + ": the tensor \"" + name + "\" is not a moment of the optimizer " +
                        std::string(name_of(state.kind)));
        if (tensor.values().size() != parameters)
            throw Error(file.string() + ": the tensor \"" + name + "\" has not a value for each parameter");
        (name == m_name ? state.m : state.v) = values_of(tensor);
    }
    if ((state.m || state.v) && !state.complete())
        throw Error(file.string() + ": the tensor \"" + (state.m ? v_name : m_name) + "\" is missing");
}

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

void write_log(const fs::path& file, const std::vector<MetricPoint>& log) {
    if (!log.empty()) write_file_atomically(file, log_text(log));
}

std::vector<MetricPoint> read_log(const fs::path& path) {
    if (!fs::exists(path)) return {};
    return parse_log(read_file(path, max_curve_bytes), path.string(), PartialLine::refuse).points;
}

void write_timeline(const fs::path& file, const std::vector<Timeline::Keyframe>& keyframes) {
    if (!keyframes.empty()) write_safetensors(file, timeline_file(keyframes));
}

std::vector<Timeline::Keyframe> read_timeline(const fs::path& path, std::size_t parameter_count) {
    std::vector<Timeline::Keyframe> keyframes;
    if (!fs::exists(path)) return keyframes;
    const Safetensors file = read_safetensors(path);
    require_finite(file, path.string());
    for (const NamedTensor& tensor : file.tensors) {
        long long step = -1;
        int used = 0;
        if (std::sscanf(tensor.name.c_str(), "step.%18lld%n", &step, &used) != 1 ||
            static_cast<std::size_t>(used) != tensor.name.size() || step < 0)
            throw Error(path.string() + ": the tensor \"" + tensor.name + "\" is not called step.N");
        if (tensor.tensor.values().size() != parameter_count)
            throw Error(path.string() + ": " + tensor.name + " holds " + std::to_string(tensor.tensor.values().size()) +
                        " values; the model has " + std::to_string(parameter_count));
        if (!keyframes.empty() && step <= keyframes.back().step)
            throw Error(path.string() + ": " + tensor.name + " comes after a later step");
        keyframes.push_back({step, values_of(tensor.tensor)});
    }
    return keyframes;
}

void write_state(const fs::path& file, const TrainingState& state) {
    if (!state.parameters) throw Error(file.string() + " was not written: the state has no parameters");
    Safetensors content;
    content.metadata = {{"step", std::to_string(state.step)},
                        {"seed", std::to_string(state.seed)},
                        {"optimizer", std::string(name_of(state.optimizer.kind))},
                        {"updates", std::to_string(state.optimizer.updates)}};
    content.tensors.push_back(tensor_of(parameters_name, *state.parameters));
    if (state.optimizer.m) content.tensors.push_back(tensor_of(m_name, *state.optimizer.m));
    if (state.optimizer.v) content.tensors.push_back(tensor_of(v_name, *state.optimizer.v));
    write_safetensors(file, content);
}

TrainingState read_state(const fs::path& file) {
    const Safetensors content = read_safetensors(file);
    require_finite(content, file.string());
    const Tensor* parameters = content.find(parameters_name);
    if (!parameters) throw Error(file.string() + ": the tensor \"" + parameters_name + "\" is missing");
    TrainingState state;
    state.step = whole_number<std::int64_t>(content, "step", file);
    state.seed = whole_number<std::uint64_t>(content, "seed", file);
    state.parameters = values_of(*parameters);
    state.optimizer.kind = kind_in(content, file);
    state.optimizer.updates = whole_number<std::int64_t>(content, "updates", file);
    read_moments(content, state.parameters->size(), state.optimizer, file);
    return state;
}

void write_keyframes(const fs::path& folder, const Timeline& timeline) {
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

std::vector<Timeline::Keyframe> read_keyframes(const fs::path& folder, std::size_t parameter_count,
                                               std::int64_t up_to) {
    std::vector<Timeline::Keyframe> keyframes;
    for (const MomentFile& file : files_in(folder)) {
        if (file.step > up_to) break;
        try {
            Timeline::Keyframe keyframe = read_state(file.path);
            if (keyframe.step == file.step && keyframe.parameters->size() == parameter_count)
                keyframes.push_back(std::move(keyframe));
        } catch (const SystemError& e) {
            if (e.code() != ENOENT) throw;  // write_keyframes would take away what is only not readable now
        } catch (const Error&) {
            // A step that cannot be looked back at any more is no reason to refuse the run.
        }
    }
    return keyframes;
}

void forget_keyframes_after(const fs::path& folder, std::int64_t step) {
    for (const MomentFile& file : files_in(folder))
        if (file.step > step) take_away(file.path);
}

}  // namespace glassformer
