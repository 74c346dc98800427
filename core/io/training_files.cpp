#include "core/io/training_files.h"

#include <cstdio>

#include "core/base/error.h"
#include "core/io/safetensors.h"
#include "core/io/training_log.h"
#include "core/platform/atomic_file.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_curve_bytes = std::size_t{64} << 20;

std::string log_text(const std::vector<MetricPoint>& log) {
    std::string text;
    for (const MetricPoint& p : log) text += log_line(p);
    return text;
}

Safetensors timeline_file(const std::vector<Timeline::Keyframe>& keyframes) {
    Safetensors file;
    for (const Timeline::Keyframe& k : keyframes)
        file.tensors.push_back({"step." + std::to_string(k.step),
                                Tensor(Shape{static_cast<std::int64_t>(k.parameters->size())}, *k.parameters)});
    return file;
}

}  // namespace

void write_log(const fs::path& file, const std::vector<MetricPoint>& log) {
    if (!log.empty()) write_file_atomically(file, log_text(log));
}

std::vector<MetricPoint> read_log(const fs::path& path) {
    if (!fs::exists(path)) return {};
    return parse_log(read_file(path, max_curve_bytes), path.string(), TornLine::refuse).points;
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
        keyframes.push_back(
            {step, std::make_shared<ParameterValues>(tensor.tensor.values().begin(), tensor.tensor.values().end())});
    }
    return keyframes;
}

}  // namespace glassformer
