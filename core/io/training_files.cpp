#include "core/io/training_files.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/io/json_fields.h"
#include "core/io/safetensors.h"
#include "core/platform/atomic_file.h"
#include "core/platform/system_error.h"
#include "core/train/optimizer.h"

namespace glassformer {

namespace {

/// A line's optional numbers, by their names in the file.
struct OptionalNumber {
    const char* name;
    float MetricPoint::*value;
};
constexpr OptionalNumber optional_numbers[] = {{"accuracy", &MetricPoint::accuracy},
                                               {"held_out_loss", &MetricPoint::held_out_loss},
                                               {"gradient_norm", &MetricPoint::gradient_norm},
                                               {"learning_rate", &MetricPoint::learning_rate},
                                               {"tokens_per_second", &MetricPoint::tokens_per_second},
                                               {"clip_factor", &MetricPoint::clip_factor}};

/// Block, head and scores; older logs lack the last score.
constexpr std::size_t numbers_of_a_head = 6, least_of_a_head = 5;

/// Nine digits restore every float exactly.
std::string number(float value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", static_cast<double>(value));
    return text;
}

/// JSON has no NaN, which the scores of a diverging model may be.
bool is_finite(const HeadScore& h) {
    return std::isfinite(h.previous_word) && std::isfinite(h.induction) && std::isfinite(h.duplicate_token) &&
           std::isfinite(h.telling_word);
}

std::string heads_text(std::span<const HeadScore> heads) {
    std::string text = ",\"heads\":[";
    for (const HeadScore& h : heads) {
        if (&h != heads.data()) text += ',';
        text += "[" + std::to_string(h.block) + "," + std::to_string(h.head) + "," + number(h.previous_word) + "," +
                number(h.induction) + "," + number(h.duplicate_token) +
                (h.telling_word > 0.0f ? "," + number(h.telling_word) : std::string()) + "]";
    }
    return text + "]";
}

HeadScore head_of(const nlohmann::json& numbers, const std::string& where) {
    const auto is_number = [](const nlohmann::json& n) { return n.is_number(); };
    if (!numbers.is_array() || numbers.size() < least_of_a_head || numbers.size() > numbers_of_a_head ||
        !std::all_of(numbers.begin(), numbers.end(), is_number) || !numbers[0].is_number_unsigned() ||
        !numbers[1].is_number_unsigned())
        fail_in_field(where, "heads", "must be lists of block, head and three or four scores");
    return {numbers[0].get<int>(),   numbers[1].get<int>(),
            numbers[2].get<float>(), numbers[3].get<float>(),
            numbers[4].get<float>(), numbers.size() > least_of_a_head ? numbers[5].get<float>() : 0.0f};
}

void read_heads(const nlohmann::json& object, std::int64_t step, TrainingLog& log, const std::string& where) {
    if (!has_field(object, "heads")) return;
    if (!object["heads"].is_array()) fail_in_field(where, "heads", "must be a list");
    HeadScoresAt at{step, {}};
    for (const nlohmann::json& numbers : object["heads"]) at.scores.push_back(head_of(numbers, where));
    log.heads.push_back(std::move(at));
}

void read_line(const std::string& line, TrainingLog& log, const std::string& where) {
    const nlohmann::json object = parse_object(line, where);
    MetricPoint p;
    p.step = field<std::int64_t>(object, "step", where);
    p.loss = field<float>(object, "loss", where);
    for (const OptionalNumber& o : optional_numbers)
        if (has_field(object, o.name)) p.*o.value = field<float>(object, o.name, where);
    if (!log.points.empty() && p.step <= log.points.back().step) throw Error("{1}: steps must grow", where);
    log.points.push_back(p);
    read_heads(object, p.step, log, where);
}

namespace fs = std::filesystem;

constexpr std::size_t max_curve_bytes = std::size_t{64} << 20;
constexpr std::size_t most_points = 100'000;  // twice that many lines are within max_curve_bytes

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
    if (found == content.metadata.end()) throw Error("{1}: its metadata lacks \"{2}\"", file, name);
    return found->second;
}

template <class Whole>
Whole whole_number(const Safetensors& content, std::string_view name, const fs::path& file) {
    const std::string& digits = text(content, name, file);
    const std::optional<Whole> value = whole_in_text<Whole>(digits);
    if (!value || digits.starts_with('-'))
        throw Error("{1}: \"{2}\" is \"{3}\", not a whole number", file, name, digits);
    return *value;
}

OptimizerKind kind_in(const Safetensors& content, const fs::path& file) {
    const std::string& name = text(content, "optimizer", file);
    try {
        return optimizer_kind(name);
    } catch (const Error& e) {
        throw Error("{1}: {2}", file, e.what());
    }
}

/// Reads all the moments of the optimizer, or none.
void read_moments(const Safetensors& content, std::size_t parameters, OptimizerState& state, const fs::path& file) {
    const bool has_m = state.kind != OptimizerKind::sgd, has_v = has_m && state.kind != OptimizerKind::momentum;
    for (const auto& [name, tensor] : content.tensors) {
        if (name == parameters_name) continue;
        if (!(has_m && name == m_name) && !(has_v && name == v_name))
            throw Error("{1}: the tensor \"{2}\" is not a moment of the optimizer {3}", file, name,
                        name_of(state.kind));
        if (tensor.values().size() != parameters)
            throw Error("{1}: the tensor \"{2}\" does not have a value for each parameter", file, name);
        (name == m_name ? state.m : state.v) = values_of(tensor);
    }
    if ((state.m || state.v) && !state.complete())
        throw Error("{1}: the tensor \"{2}\" is missing", file, (state.m ? v_name : m_name));
}

constexpr const char* keyframe = "step";

void take_away(const fs::path& file) {
    std::error_code ignored;
    fs::remove(file, ignored);
}

}  // namespace

void TrainingLog::cut_after(std::int64_t step) {
    while (!points.empty() && points.back().step > step) points.pop_back();
    while (!heads.empty() && heads.back().step > step) heads.pop_back();
}

std::string log_line(const MetricPoint& point, std::span<const HeadScore> heads) {
    std::string line = "{\"step\":" + std::to_string(point.step) + ",\"loss\":" + number(point.loss);
    for (const OptionalNumber& o : optional_numbers)
        if (point.*o.value >= 0.0f && std::isfinite(point.*o.value))
            line += std::string(",\"") + o.name + "\":" + number(point.*o.value);
    if (!heads.empty() && std::ranges::all_of(heads, is_finite)) line += heads_text(heads);
    return line + "}\n";
}

TrainingLog parse_log(std::string_view text, const std::string& file, PartialLine last,
                      std::vector<std::size_t>* ends) {
    TrainingLog log;
    int number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t found = text.find('\n', begin);
        if (found == std::string_view::npos && last == PartialLine::pass_over) break;
        const std::size_t end = found == std::string_view::npos ? text.size() : found;
        read_line(std::string(text.substr(begin, end - begin)), log, file + ":" + std::to_string(++number));
        begin = end + 1;
        if (ends) ends->push_back(begin);
    }
    return log;
}

std::string log_as_csv(std::span<const MetricPoint> points) {
    std::string text = "step,loss,held_out_loss,metric,gradient_norm,learning_rate,tokens_per_second,clip_factor\n";
    for (const MetricPoint& p : points) {
        text += std::to_string(p.step) + "," + number(p.loss);
        for (const float value :
             {p.held_out_loss, p.accuracy, p.gradient_norm, p.learning_rate, p.tokens_per_second, p.clip_factor})
            text += "," + (value >= 0.0f ? number(value) : std::string());
        text += "\n";
    }
    return text;
}

std::vector<MetricPoint> thinned(const std::vector<MetricPoint>& points) {
    const auto is_measured = [](const MetricPoint& p) { return p.accuracy >= 0.0f; };
    const auto measured = static_cast<std::size_t>(std::ranges::count_if(points, is_measured));
    const std::size_t stride = points.size() / most_points + 1, measured_stride = measured / most_points + 1;
    std::vector<MetricPoint> kept;
    for (std::size_t i = 0, m = 0; i < points.size(); ++i)
        if (const bool wanted = is_measured(points[i]) && m++ % measured_stride == 0;
            wanted || i % stride == 0 || i + 1 == points.size())
            kept.push_back(points[i]);
    return kept;
}

void write_log(const fs::path& file, const std::vector<MetricPoint>& log) {
    if (!log.empty()) write_file_atomically(file, log_text(thinned(log)));
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
            throw Error("{1}: the tensor \"{2}\" is not called step.N", path, tensor.name);
        if (tensor.tensor.values().size() != parameter_count)
            throw Error("{1}: {2} holds {3} values; the model has {4}", path, tensor.name,
                        tensor.tensor.values().size(), parameter_count);
        if (!keyframes.empty() && step <= keyframes.back().step)
            throw Error("{1}: {2} comes after a later step", path, tensor.name);
        keyframes.push_back({step, values_of(tensor.tensor)});
    }
    return keyframes;
}

void write_state(const fs::path& file, const TrainingState& state) {
    if (!state.parameters) throw Error("{1} was not written: the state has no parameters", file);
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
    if (!parameters) throw Error("{1}: the tensor \"{2}\" is missing", file, parameters_name);
    TrainingState state;
    state.step = whole_number<std::int64_t>(content, "step", file);
    state.seed = whole_number<std::uint64_t>(content, "seed", file);
    state.parameters = values_of(*parameters);
    state.optimizer.kind = kind_in(content, file);
    state.optimizer.updates = whole_number<std::int64_t>(content, "updates", file);
    read_moments(content, state.parameters->size(), state.optimizer, file);
    return state;
}

fs::path step_path(const fs::path& folder, const char* kind, std::int64_t step) {
    return folder / (std::string(kind) + "-" + std::to_string(step) + ".safetensors");
}

std::vector<StepFile> step_files_in(const fs::path& folder, const char* kind) {
    std::vector<StepFile> files;
    const std::string start = std::string(kind) + "-";
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        long long step = -1;
        const std::string name = entry->path().filename().string();
        if (name.starts_with(start) && std::sscanf(name.c_str() + start.size(), "%18lld.", &step) == 1 && step >= 0 &&
            entry->path() == step_path(folder, kind, step))
            files.push_back({step, entry->path()});
    }
    if (error && error != std::errc::no_such_file_or_directory) platform::fail_to("read", folder, error.value());
    std::ranges::sort(files, {}, &StepFile::step);
    return files;
}

void write_keyframes(const fs::path& folder, const Timeline& timeline) {
    const std::vector<std::int64_t> steps = timeline.steps();
    const std::vector<StepFile> there = step_files_in(folder, keyframe);
    for (const StepFile& file : there)
        if (!std::ranges::binary_search(steps, file.step)) take_away(file.path);
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw Error("the folder {1} cannot be created: {2}", folder, error.message());
    for (const Timeline::Keyframe& kept : timeline.keyframes())
        if (!std::ranges::binary_search(there, kept.step, {}, &StepFile::step))
            write_state(step_path(folder, keyframe, kept.step), {kept.step, kept.parameters, {}, kept.seed});
}

std::vector<Timeline::Keyframe> read_keyframes(const fs::path& folder, std::size_t parameter_count,
                                               std::int64_t up_to) {
    std::vector<Timeline::Keyframe> keyframes;
    for (const StepFile& file : step_files_in(folder, keyframe)) {
        if (file.step > up_to) break;
        try {
            Timeline::Keyframe keyframe = read_state(file.path);
            if (keyframe.step == file.step && keyframe.parameters->size() == parameter_count)
                keyframes.push_back(std::move(keyframe));
        } catch (const SystemError& e) {
            if (e.code() != ENOENT) throw;  // write_keyframes would delete a file that is merely unreadable now
        } catch (const Error&) {
            // A step that can no longer be looked at is no reason to refuse the run.
        }
    }
    return keyframes;
}

void forget_keyframes_after(const fs::path& folder, std::int64_t step) {
    for (const StepFile& file : step_files_in(folder, keyframe))
        if (file.step > step) take_away(file.path);
}

}  // namespace glassformer
