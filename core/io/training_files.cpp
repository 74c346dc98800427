#include "core/io/training_files.h"

#include <cmath>
#include <cstdio>
#include <sstream>

#include "core/io/atomic_file.h"
#include "core/io/json_fields.h"
#include "core/io/safetensors.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_log_bytes = std::size_t{64} << 20;

std::string log_text(const std::vector<MetricPoint>& log) {
    std::string text;
    char line[96];
    for (const MetricPoint& p : log) {
        const auto step = static_cast<long long>(p.step);
        const auto loss = static_cast<double>(p.loss), accuracy = static_cast<double>(p.accuracy);
        if (p.accuracy >= 0.0f)
            std::snprintf(line, sizeof line, "{\"step\":%lld,\"loss\":%.9g,\"accuracy\":%.9g}\n", step, loss, accuracy);
        else
            std::snprintf(line, sizeof line, "{\"step\":%lld,\"loss\":%.9g}\n", step, loss);
        text += line;
    }
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
    std::vector<MetricPoint> log;
    if (!fs::exists(path)) return log;
    std::istringstream lines(read_file(path, max_log_bytes));
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        const std::string where = path.string() + ":" + std::to_string(number);
        const nlohmann::json object = parse_object(line, where);
        MetricPoint p;
        p.step = field<std::int64_t>(object, "step", where);
        p.loss = field<float>(object, "loss", where);
        if (object.contains("accuracy")) p.accuracy = field<float>(object, "accuracy", where);
        if (!std::isfinite(p.loss)) throw Error(where + ": \"loss\" is not a finite number");
        if (!log.empty() && p.step <= log.back().step) throw Error(where + ": steps must grow");
        log.push_back(p);
    }
    return log;
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
            {step, std::make_shared<std::vector<float>>(tensor.tensor.values().begin(), tensor.tensor.values().end())});
    }
    return keyframes;
}

}  // namespace glassformer
