#include "core/io/state_file.h"

#include <charconv>
#include <string_view>

#include "core/base/error.h"
#include "core/io/safetensors.h"
#include "core/train/optimizer.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

const std::string parameters_name = "parameters", m_name = "moment.m", v_name = "moment.v";

NamedTensor tensor_of(const std::string& name, const std::vector<float>& values) {
    return {name, Tensor(Shape{static_cast<std::int64_t>(values.size())}, values)};
}

Parameters values_of(const Tensor& tensor) {
    return std::make_shared<const ParameterValues>(tensor.values().begin(), tensor.values().end());
}

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

}  // namespace

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

}  // namespace glassformer
