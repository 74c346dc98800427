#include "core/io/hugging_face_family.h"

#include <algorithm>

#include "core/base/join.h"
#include "core/io/config_json.h"

namespace glassformer {

using nlohmann::json;

void HuggingFaceConfig::refuse_if_on(const char* name) {
    if (get_or(name, false)) refuse_field(name, "is true, which is not supported");
}

Activation HuggingFaceConfig::activation(const char* name, const char* otherwise,
                                         const std::map<std::string, Activation>& known) {
    const auto called = get_or<std::string>(name, otherwise);
    if (const auto found = known.find(called); found != known.end()) return found->second;
    refuse_field(name, "is \"{1}\"; this model may have {2}", called,
                 join(known, ", ", [](const auto& named) { return named.first; }));
    return known.begin()->second;
}

void HuggingFaceConfig::read_scaling(const json& from, const char* name, RotaryOptions& options) {
    const std::string where = file_ + ": \"" + name + "\"";
    // Missing values are not guessed: Transformers does not open such a folder either.
    const auto number = [&](const char* key) { return read<float>([&] { return field<float>(from, key, where); }); };
    std::string type = "default";
    for (const char* key : {"type", "rope_type"})  // the older name first
        if (has_field(from, key) && from[key].is_string()) type = from[key].get<std::string>();
    options.base = read<float>([&] { return field_or(from, "rope_theta", options.base, where); });
    if (type == "default") return;
    if (type == name_of(RotaryScaling::linear)) {
        options.scaling = RotaryScaling::linear;
        options.factor = number("factor");
    } else if (type == name_of(RotaryScaling::llama3)) {
        options.scaling = RotaryScaling::llama3;
        options.factor = number("factor");
        options.low_frequency_factor = number("low_freq_factor");
        options.high_frequency_factor = number("high_freq_factor");
        options.original_length =
            read<int>([&] { return field<int>(from, "original_max_position_embeddings", where); });
    } else {
        refuse_field(name, "has the type \"{1}\"; those known are default, linear and llama3", type);
    }
}

RotaryOptions HuggingFaceConfig::rotary(const char* layer_type, float default_base) {
    RotaryOptions options{.base = get_or("rope_theta", default_base), .halves = true};
    for (const char* name : {"rope_scaling", "rope_parameters"}) {
        if (!has(name)) continue;
        const json& all = object_[name];
        if (!all.is_object()) {
            refuse_field(name, "must be an object");
            continue;
        }
        const auto of_type = all.find(layer_type);
        read_scaling(of_type != all.end() && of_type->is_object() ? *of_type : all, name, options);
    }
    return options;
}

std::string HuggingFaceConfig::weight_type() const {
    for (const char* name : {"dtype", "torch_dtype"})
        if (has(name) && object_[name].is_string()) return object_[name].get<std::string>();
    return "float32";
}

void HuggingFaceConfig::finish(const TransformerConfig& config) const {
    if (problems_.empty() && !has_field(object_, "quantization_config")) return validate_in(file_, config);
    std::vector<std::string> all = problems_;
    if (has_field(object_, "quantization_config"))
        all.emplace_back(N_("\"quantization_config\" is there; quantized weights are not supported"));
    if (all.size() == 1) throw Error("{1}: {2}", file_, all[0]);
    std::string list = file_ + ":";
    for (const std::string& problem : all) list += "\n  " + problem;
    throw Error(list);
}

const std::map<std::string, Activation>& plain_activations() {
    static const std::map<std::string, Activation> known{{"gelu", Activation::gelu},
                                                         {"gelu_new", Activation::gelu_tanh},
                                                         {"gelu_fast", Activation::gelu_tanh},
                                                         {"gelu_pytorch_tanh", Activation::gelu_tanh},
                                                         {"relu", Activation::relu}};
    return known;
}

const std::vector<HuggingFaceFamily>& hugging_face_families() {
    static const std::vector<HuggingFaceFamily> all = [] {
        std::vector<HuggingFaceFamily> list;
        for (const auto& some : {gpt_families(), llama_families(), bert_families()})
            list.insert(list.end(), some.begin(), some.end());
        return list;
    }();
    return all;
}

const HuggingFaceFamily* find_family(const std::string& model_type) {
    const auto& all = hugging_face_families();
    const auto found = std::ranges::find(all, model_type, &HuggingFaceFamily::model_type);
    return found == all.end() ? nullptr : &*found;
}

void BlockTensors::linear(const std::string& name, const std::string& part, const std::vector<std::string>& letters,
                          bool bias, int heads) {
    std::vector<std::string> weights, biases;
    const std::string prefix = ours_.empty() ? part : ours_ + "." + part;
    for (const std::string& letter : letters) {
        weights.push_back(prefix + ".W_" + letter);
        biases.push_back(prefix + ".b_" + letter);
    }
    list_.push_back({.name = theirs_ + name + ".weight", .parts = weights, .transposed = !conv1d_, .heads = heads});
    if (bias) list_.push_back({.name = theirs_ + name + ".bias", .parts = biases, .heads = heads});
}

void BlockTensors::norm(const std::string& name, const std::string& part, bool bias, float added) {
    const std::string prefix = ours_.empty() ? part : ours_ + "." + part;
    list_.push_back({.name = theirs_ + name + ".weight", .parts = {prefix + ".w"}, .added = added});
    if (bias) list_.push_back({.name = theirs_ + name + ".bias", .parts = {prefix + ".b"}});
}

void add_unembedding(TensorLayout& list, const std::string& name, bool tied) {
    if (tied)
        list.push_back({.name = name, .parts = {"embed.W_E"}, .repeated = true});
    else
        list.push_back({.name = name, .parts = {"unembed.W_U"}, .transposed = true});
}

bool is_of_layer(const std::string& name, const std::string& prefix, const std::string& ending) {
    if (!name.starts_with(prefix) || !name.ends_with(ending) || name.size() <= prefix.size() + ending.size())
        return false;
    return std::all_of(name.begin() + static_cast<std::ptrdiff_t>(prefix.size()),
                       name.end() - static_cast<std::ptrdiff_t>(ending.size()),
                       [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace glassformer
