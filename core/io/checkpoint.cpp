#include "core/io/checkpoint.h"

#include <exception>
#include <set>

#include "core/base/background.h"
#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/io/config_json.h"
#include "core/io/gguf_model.h"
#include "core/io/hugging_face.h"
#include "core/io/hugging_face_family.h"
#include "core/io/json_fields.h"
#include "core/io/model_files.h"
#include "core/io/training_files.h"
#include "core/platform/atomic_file.h"
#include "core/text/hf_tokenizer.h"
#include "core/text/special_tokens.h"
#include "core/text/tokenizer.h"

namespace glassformer {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr const char *encoder_type = "glassformer_encoder", *own_type = "glassformer";

/// Fields of config.json that do not belong to the model.
const std::vector<std::string> training_fields{"model_type", "tokenizer", "world", "seed", "step", "planned_steps"};

std::string type_for(const Checkpoint& c) {
    if (is_plain_encoder(c.config) && c.words()) return encoder_type;
    return is_gpt2_shaped(c.config) ? gpt2_type : own_type;
}

json to_json(const Checkpoint& c, const std::string& type) {
    json object = type == encoder_type ? encoder_to_json(c.config)
                  : type == gpt2_type  ? gpt2_to_json(c.config, c.tokenizer.get())
                                       : config_to_json(c.config);
    object["model_type"] = type;
    if (type != encoder_type) object["tokenizer"] = c.tokenizer ? json(c.tokenizer->kind()) : json(nullptr);
    object["world"] = c.world;
    object["seed"] = c.seed;
    object["step"] = c.step;
    object["planned_steps"] = c.planned_steps;
    return object;
}

/// Foreign files may lack a model_type and name the class instead.
std::string read_type(const json& object, const std::string& file) {
    if (!object.contains("model_type") && object.contains("architectures")) {
        for (const HuggingFaceFamily& family : hugging_face_families())
            if (object["architectures"] == json{family.architecture}) return family.model_type;
    }
    auto type = field<std::string>(object, "model_type", file);
    if (type == encoder_type || type == own_type || find_family(type)) return type;
    std::string known = std::string("\"") + encoder_type + "\"";
    for (const HuggingFaceFamily& family : hugging_face_families()) known += ", \"" + family.model_type + "\"";
    fail_in_field(file, "model_type", "is \"{1}\"; this program reads {2} and \"{3}\"", type, known, own_type);
}

TransformerConfig read_config(const json& object, const std::string& file, const std::string& type) {
    if (type == encoder_type) return encoder_from_json(object, file);
    if (type == own_type) return config_from_json(object, file, training_fields);
    HuggingFaceConfig fields(object, file);
    return find_family(type)->config(fields);
}

/// A folder's tensors, and how to read them.
struct StoredModel {
    ModelTensors tensors;
    std::shared_ptr<const Graph> graph;
    TensorLayout layout;
    TensorNaming naming;
};

/// Prefixes that torch.compile and PyTorch's multi-processor wrappers add to every name.
std::string without_wrapper(std::string name) {
    for (bool found = true; found;) {
        found = false;
        for (const std::string_view wrapper : {"_orig_mod.", "module."})
            if (name.starts_with(wrapper)) name.erase(0, wrapper.size()), found = true;
    }
    return name;
}

/// Completes `config` with what only the tensors reveal.
StoredModel stored_model(TransformerConfig& config, const fs::path& folder, const std::string& type) {
    StoredModel model{ModelTensors(folder), nullptr, {}, {}};
    const HuggingFaceFamily* family = find_family(type == encoder_type ? gpt2_type : type);
    model.naming = [family](const std::string& in_file) {
        return family ? family->name(without_wrapper(in_file)) : in_file;
    };
    std::set<std::string> names;
    for (const ModelTensors::Entry& entry : model.tensors.entries()) names.insert(model.naming(entry.name()));
    if (family && family->complete) family->complete(config, names);
    model.graph = parameter_graph(config);
    model.layout = family ? family->layout(config) : own_layout(*model.graph);
    return model;
}

/// Reads our own fields; a foreign model has none.
void read_training(Checkpoint& c, const json& object, const std::string& file, bool required) {
    if (!required && !object.contains("world")) return;
    c.world = field<std::string>(object, "world", file);
    c.seed = field<std::uint64_t>(object, "seed", file);
    c.step = field<std::int64_t>(object, "step", file);
    c.planned_steps = field<std::int64_t>(object, "planned_steps", file);
}

/// Throws Error if the tokenizer does not fit the model's embedding matrix. A published one may have more tokens than
/// the matrix has rows, as where tokens were added later: only a text with such a token cannot be read.
void check_vocabulary(const Checkpoint& c, const fs::path& folder, bool exact) {
    const int size = c.tokenizer->size(), rows = c.config.d_vocab;
    const bool published = dynamic_cast<const HfTokenizer*>(c.tokenizer.get()) != nullptr;
    if (size == rows || (!exact && (size < rows || published))) return;
    throw Error("{1} has {2} tokens; config.json says {3}", c.words() ? folder / "vocab.txt" : folder, size, rows);
}

std::shared_ptr<const Tokenizer> read_tokenizer(const json& object, const fs::path& folder, const std::string& type) {
    const std::string file = (folder / "config.json").string();
    if (type == encoder_type) return std::make_shared<WordTokenizer>(WordTokenizer::load(folder / "vocab.txt"));
    // Foreign files have no such field; ours contains the kind, or null if there is none.
    if (object.contains("tokenizer") && object["tokenizer"].is_null()) return nullptr;
    std::shared_ptr<const Tokenizer> tokenizer = load_tokenizer(folder);
    if (!object.contains("tokenizer")) return tokenizer;
    const auto kind = field<std::string>(object, "tokenizer", file);
    const bool former_name = kind == "gpt2" && tokenizer && tokenizer->kind() == "tokenizer_json";
    if (!former_name && !tokenizer)
        fail_in_field(file, "tokenizer", "is \"{1}\", but the folder has none of its files", kind);
    if (!former_name && tokenizer->kind() != kind)
        fail_in_field(file, "tokenizer", "is \"{1}\", but the folder has the files of \"{2}\"", kind,
                      tokenizer->kind());
    return tokenizer;
}

/// The token between two sentences, if the model has token types; -1 if there is none.
int sentence_end_in(const Tokenizer* tokenizer, const TransformerConfig& config) {
    const auto end = tokenizer && config.d_token_types > 1 ? sentence_end_id(*tokenizer) : std::nullopt;
    return end && *end < config.d_vocab ? *end : -1;
}

std::shared_ptr<const Tokenizer> read_source_tokenizer(const TransformerConfig& config, const fs::path& folder) {
    const fs::path source = folder / source_folder;
    if (!fs::is_directory(source)) return nullptr;
    std::shared_ptr<const Tokenizer> tokenizer = load_tokenizer(source);
    const int rows = config.d_source_vocab > 0 ? config.d_source_vocab : config.d_vocab;
    if (tokenizer && tokenizer->size() != rows)
        throw Error("{1} has {2} tokens; the model reads {3} words of the source language", source, tokenizer->size(),
                    rows);
    return tokenizer;
}

}  // namespace

Checkpoint load_checkpoint(const fs::path& folder) {
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) {
        require_readable(folder);
        if (is_gguf_file(folder) && fs::exists(folder, ignored)) return load_gguf(folder);
        if (!fs::exists(folder, ignored))
            throw Error("{1} is not a checkpoint folder; make one with: glassformer train --world homonyms --out {1}",
                        folder);
        const std::string other = what_to_do_with(folder, N_("it"));
        if (!other.empty()) throw Error("{1} is not a checkpoint folder; {2}", folder, other);
        throw Error("{1} is not a checkpoint folder; give the folder that contains config.json and model.safetensors",
                    folder);
    }
    if (!fs::exists(folder / "config.json", ignored)) fail_without(folder, "config.json");
    const std::string file = (folder / "config.json").string();
    const json object = read_object(file);
    const std::string type = read_type(object, file);
    Checkpoint c;
    c.config = read_config(object, file, type);
    read_training(c, object, file, type == encoder_type || type == own_type);
    // A large vocabulary takes as long as the weights. Its errors are reported first.
    auto tokenizer = compute_beside("tokenizer", [&] { return read_tokenizer(object, folder, type); });
    std::exception_ptr wrong;
    try {
        const StoredModel stored = stored_model(c.config, folder, type);
        c.parameters = restore(*stored.graph, stored.layout, stored.tensors, stored.naming);
    } catch (...) {
        wrong = std::current_exception();
    }
    c.tokenizer = tokenizer.get();
    if (c.tokenizer) check_vocabulary(c, folder, type == encoder_type);
    if (c.config.sentence_end < 0) c.config.sentence_end = sentence_end_in(c.tokenizer.get(), c.config);
    if (c.config.family == Family::encoder_decoder) c.source_tokenizer = read_source_tokenizer(c.config, folder);
    if (wrong) std::rethrow_exception(wrong);
    c.log = read_log(folder / "log.jsonl");
    c.source = read_world(folder);
    c.keyframes = read_timeline(folder / "timeline.safetensors", c.parameters->size());
    return c;
}

FolderLayout layout_in(const fs::path& folder, const Graph& graph) {
    const std::string file = (folder / "config.json").string();
    const json object = read_object(file);
    const std::string type = read_type(object, file);
    TransformerConfig config = read_config(object, file, type);
    const StoredModel stored = stored_model(config, folder, type);
    return {layout_by_file(graph, stored.layout, stored.tensors, stored.naming), stored.tensors.files()};
}

void require_checkpoint_place(const fs::path& folder) { require_replaceable(folder, checkpoint_files()); }

void save_checkpoint(const fs::path& folder, const Checkpoint& c) {
    const std::string type = type_for(c);
    const std::shared_ptr<const Graph> graph = parameter_graph(c.config);
    const TensorLayout layout = saved_layout(c.config, c.words() != nullptr, *graph);
    write_folder_atomically(folder, checkpoint_files(), [&](const fs::path& staging) {
        write_model_files(staging, c, to_json(c, type), *graph, layout);
        write_log(staging / "log.jsonl", c.log);
        write_timeline(staging / "timeline.safetensors", c.keyframes);
        if (c.source) write_world(staging, for_checkpoint(*c.source));
    });
}

}  // namespace glassformer
