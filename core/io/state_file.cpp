#include "core/io/state_file.h"

#include <charconv>

#include "core/base/error.h"
#include "core/io/safetensors.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

const std::string moment_prefix = "moment.", parameters_name = "parameters";

NamedTensor tensor_of(const std::string& name, const std::vector<float>& values) {
    return {name, Tensor(Shape{static_cast<std::int64_t>(values.size())}, values)};
}

std::vector<float> values_of(const Tensor& tensor) { return {tensor.values().begin(), tensor.values().end()}; }

std::int64_t whole_number(const Safetensors& content, const std::string& name, const fs::path& file) {
    const auto found = content.metadata.find(name);
    if (found == content.metadata.end()) throw Error(file.string() + ": its metadata lacks \"" + name + "\"");
    const std::string& text = found->second;
    std::int64_t value = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0)
        throw Error(file.string() + ": \"" + name + "\" is \"" + text + "\", not a whole number");
    return value;
}

}  // namespace

void write_state(const fs::path& file, const TrainingState& state) {
    Safetensors content;
    content.metadata = {{"step", std::to_string(state.step)}, {"updates", std::to_string(state.updates)}};
    content.tensors.push_back(tensor_of(parameters_name, state.parameters));
    for (const TrainingState::Moment& moment : state.moments)
        content.tensors.push_back(tensor_of(moment_prefix + moment.name, moment.values));
    write_safetensors(file, content);
}

TrainingState read_state(const fs::path& file) {
    const Safetensors content = read_safetensors(file);
    require_finite(content, file.string());
    const Tensor* parameters = content.find(parameters_name);
    if (!parameters) throw Error(file.string() + ": the tensor \"" + parameters_name + "\" is missing");
    TrainingState state{
        whole_number(content, "step", file), whole_number(content, "updates", file), values_of(*parameters), {}};
    for (const auto& [name, tensor] : content.tensors) {
        if (name == parameters_name) continue;
        if (!name.starts_with(moment_prefix) || tensor.values().size() != state.parameters.size())
            throw Error(file.string() + ": the tensor \"" + name +
                        "\" is not a moment of the optimizer with a value for each parameter");
        state.moments.push_back({name.substr(moment_prefix.size()), values_of(tensor)});
    }
    return state;
}

}  // namespace glassformer
