#include "core/io/checkpoint.h"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/base/error.h"
#include "core/io/atomic_file.h"
#include "core/io/gpt2_names.h"
#include "core/io/safetensors.h"
#include "core/nn/transformer.h"

namespace glassformer {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::size_t max_json_bytes = std::size_t{1} << 20, max_log_bytes = std::size_t{64} << 20;
constexpr const char* model_type = "glassformer_encoder";

json parse_object(const std::string& text, const std::string& file) {
    json value = json::parse(text, nullptr, false);
    if (value.is_discarded() || !value.is_object()) throw Error(file + " is not a JSON object");
    return value;
}

template <class T>
T field(const json& object, const char* name, const std::string& file) {
    const auto found = object.find(name);
    if (found == object.end()) throw Error(file + ": the field \"" + name + "\" is missing");
    if constexpr (std::is_same_v<T, std::string>) {
        if (!found->is_string()) throw Error(file + ": \"" + name + "\" must be a text");
        return found->get<std::string>();
    } else if constexpr (std::is_floating_point_v<T>) {
        if (!found->is_number()) throw Error(file + ": \"" + name + "\" must be a number");
        return found->get<T>();
    } else {
        if (!found->is_number_integer()) throw Error(file + ": \"" + name + "\" must be a whole number");
        const auto wide = found->get<std::int64_t>();
        const T value = static_cast<T>(wide);
        if (static_cast<std::int64_t>(value) != wide || wide < 0)
            throw Error(file + ": \"" + name + "\" is out of range");
        return value;
    }
}

json to_json(const Checkpoint& c) {
    return {{"model_type", model_type},
            {"activation_function", "gelu"},
            {"tie_word_embeddings", true},
            {"vocab_size", c.config.d_vocab},
            {"n_positions", c.config.n_ctx},
            {"n_embd", c.config.d_model},
            {"n_head", c.config.n_heads},
            {"n_layer", c.config.n_layers},
            {"n_inner", c.config.d_mlp},
            {"layer_norm_epsilon", c.config.layer_norm_epsilon},
            {"initializer_range", c.config.init_std},
            {"world", c.world},
            {"seed", c.seed},
            {"step", c.step},
            {"planned_steps", c.planned_steps}};
}

void read_config(Checkpoint& c, const fs::path& path) {
    const std::string file = path.string();
    const json object = parse_object(read_file(path, max_json_bytes), file);
    if (const auto type = field<std::string>(object, "model_type", file); type != model_type)
        throw Error(file + ": \"model_type\" is \"" + type + "\"; this program reads \"" + model_type + "\"");
    c.config.d_vocab = field<int>(object, "vocab_size", file);
    c.config.n_ctx = field<int>(object, "n_positions", file);
    c.config.d_model = field<int>(object, "n_embd", file);
    c.config.n_heads = field<int>(object, "n_head", file);
    c.config.n_layers = field<int>(object, "n_layer", file);
    c.config.d_mlp = field<int>(object, "n_inner", file);
    c.config.layer_norm_epsilon = field<float>(object, "layer_norm_epsilon", file);
    c.config.init_std = field<float>(object, "initializer_range", file);
    c.world = field<std::string>(object, "world", file);
    c.seed = field<std::uint64_t>(object, "seed", file);
    c.step = field<std::int64_t>(object, "step", file);
    c.planned_steps = field<std::int64_t>(object, "planned_steps", file);
    try {
        validate(c.config);
    } catch (const Error& e) {
        throw Error(file + ": " + e.what());
    }
}

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

std::vector<MetricPoint> read_log(const fs::path& path) {
    std::vector<MetricPoint> log;
    if (!fs::exists(path)) return log;
    std::istringstream lines(read_file(path, max_log_bytes));
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        const std::string where = path.string() + ":" + std::to_string(number);
        const json object = parse_object(line, where);
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

Safetensors timeline_file(const std::vector<Timeline::Keyframe>& keyframes) {
    Safetensors file;
    for (const Timeline::Keyframe& k : keyframes)
        file.tensors.push_back({"step." + std::to_string(k.step),
                                Tensor(Shape{static_cast<std::int64_t>(k.parameters->size())}, *k.parameters)});
    return file;
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

}  // namespace

Checkpoint load_checkpoint(const fs::path& folder) {
    Checkpoint c;
    if (!fs::is_directory(folder))
        throw Error(folder.string() +
                    " is not a checkpoint folder; make one with: glassformer train --world homonyms --out " +
                    folder.string());
    read_config(c, folder / "config.json");
    c.tokenizer = WordTokenizer::load(folder / "vocab.txt");
    if (c.tokenizer.size() != c.config.d_vocab)
        throw Error((folder / "vocab.txt").string() + " has " + std::to_string(c.tokenizer.size()) +
                    " tokens; config.json says " + std::to_string(c.config.d_vocab));
    const fs::path model = folder / "model.safetensors";
    const Safetensors tensors = read_safetensors(model);
    require_finite(tensors, model.string());
    c.parameters = std::make_shared<std::vector<float>>(from_gpt2(c.config, tensors, model.string()));
    c.log = read_log(folder / "log.jsonl");
    c.keyframes = read_timeline(folder / "timeline.safetensors", c.parameters->size());
    return c;
}

void save_checkpoint(const fs::path& folder, const Checkpoint& c) {
    write_folder_atomically(folder, [&](const fs::path& staging) {
        write_file_atomically(staging / "config.json", to_json(c).dump(2) + "\n");
        c.tokenizer.save(staging / "vocab.txt");
        write_safetensors(staging / "model.safetensors", to_gpt2(c.config, *c.parameters));
        if (!c.log.empty()) write_file_atomically(staging / "log.jsonl", log_text(c.log));
        if (!c.keyframes.empty()) write_safetensors(staging / "timeline.safetensors", timeline_file(c.keyframes));
    });
}

}  // namespace glassformer
