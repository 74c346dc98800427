#include "core/io/model_files.h"

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/io/config_json.h"
#include "core/io/hugging_face.h"
#include "core/io/hugging_face_family.h"
#include "core/io/json_fields.h"
#include "core/ops/python.h"
#include "core/text/tokenizer.h"

namespace glassformer {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr int format = 1;
/// Room for a text of 16 MB with every byte escaped as six.
constexpr std::uint64_t most_bytes = std::uint64_t{100} << 20;

json to_json(const WorldSource& s) {
    json object{{"format", format}, {"kind", s.kind}, {"file", s.file}, {"content", s.content}};
    if (!s.is_text()) return object;
    object["unit"] = s.unit;
    object["bytes"] = s.bytes;
    object["mark"] = s.mark;
    object["training_tokens"] = s.training_tokens;
    object["unigram_loss"] = s.unigram_loss;
    object["held_out"] = s.held_out;
    object["samples"] = s.samples;
    return object;
}

/// Must be a bare file name: it must not point to a file of whoever opens the model.
std::string file_name(const json& object, const std::string& file) {
    const auto name = field<std::string>(object, "file", file);
    if (name.empty() || fs::path(name).filename() != name || name == "." || name == "..")
        fail_in_field(file, "file", "must be a file's name without folders");
    return name;
}

std::vector<std::string> samples(const json& object, const std::string& file) {
    const auto found = object.find("samples");
    if (found == object.end() || !found->is_array()) fail_in_field(file, "samples", "must be a list of strings");
    std::vector<std::string> texts;
    for (const json& sample : *found) {
        if (!sample.is_string()) fail_in_field(file, "samples", "must be a list of strings");
        texts.push_back(sample.get<std::string>());
    }
    return texts;
}

/// True if save_checkpoint wrote the folder's config.json: foreign ones name no world.
bool is_own_checkpoint(const fs::path& folder) {
    try {
        const nlohmann::json object = read_object(folder / "config.json");
        return object.contains("model_type") && object.contains("world");
    } catch (const Error&) {
        return false;
    }
}

std::string index(std::int64_t from, std::int64_t to) { return std::to_string(from) + ":" + std::to_string(to); }

/// Part `part` of parts interleaved by head: head 0 of every part, then head 1 of every part, …
std::string part_of_heads(const StoredTensor& stored, std::size_t part, const Shape& shape) {
    const bool matrix = shape.rank() == 2;
    const std::string rest = matrix ? ", -1" : "", width = std::to_string(shape.back());
    return std::string(matrix && !stored.transposed ? ".T" : "") + ".reshape(" + std::to_string(stored.heads) + ", " +
           std::to_string(stored.parts.size()) + ", " + std::to_string(shape.back() / stored.heads) + rest + ")[:, " +
           std::to_string(part) + "].reshape(" + width + rest + ")" + (matrix ? ".T" : "");
}

/// Python code for a parameter: its tensor's array, sliced and transposed.
std::string part_in_python(const StoredTensor& stored, std::size_t part, std::int64_t column, const Shape& shape) {
    const std::string text = "w[\"" + stored.name + "\"]";
    if (stored.heads > 0) return text + part_of_heads(stored, part, shape);
    const std::string rows = stored.unused_rows > 0 ? "[" + std::to_string(stored.unused_rows) + ":]" : "",
                      turned = stored.transposed && shape.rank() == 2 ? ".T" : "",
                      columns = (shape.rank() > 1 ? "[:, " : "[") + index(column, column + shape.back()) + "]";
    return text + rows + turned + (stored.parts.size() > 1 ? columns : "");
}

}  // namespace

void write_world(const fs::path& folder, const WorldSource& source) {
    write_file_atomically(folder / world_file_name,
                          to_json(source).dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

std::shared_ptr<const WorldSource> read_world(const fs::path& folder) {
    const fs::path path = folder / world_file_name;
    const std::string file = path.string();
    if (!fs::exists(path)) return nullptr;
    const json object = parse_object(read_file(path, most_bytes), file);
    require_format(object, format, file);
    WorldSource s;
    s.kind = field<std::string>(object, "kind", file);
    s.file = file_name(object, file);
    s.content = field<std::string>(object, "content", file);
    if (s.is_text()) {
        s.unit = field<std::string>(object, "unit", file);
        s.bytes = field<std::uint64_t>(object, "bytes", file);
        s.mark = field<std::uint64_t>(object, "mark", file);
        s.training_tokens = field<std::uint64_t>(object, "training_tokens", file);
        s.unigram_loss = field<double>(object, "unigram_loss", file);
        s.held_out = field<std::string>(object, "held_out", file);
        s.samples = samples(object, file);
    }
    return std::make_shared<const WorldSource>(std::move(s));
}

const FolderKind& checkpoint_files() {
    static const FolderKind kind = [] {
        FolderKind k{N_("a checkpoint"),
                     {"config.json", "model.safetensors", "log.jsonl", "timeline.safetensors", world_file_name},
                     is_own_checkpoint};
        for (const std::string& name : tokenizer_file_names()) {
            k.files.push_back(name);
            k.files.push_back(std::string(source_folder) + "/" + name);
        }
        return k;
    }();
    return kind;
}

void write_model_files(const fs::path& folder, const Checkpoint& checkpoint, const nlohmann::json& config,
                       const Graph& graph, const TensorLayout& layout) {
    // A world's name is that of its file, which need not be UTF-8.
    const std::string text = config.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
    write_file_atomically(folder / "config.json", text + "\n");
    if (checkpoint.tokenizer) checkpoint.tokenizer->save_in(folder);
    if (checkpoint.source_tokenizer) {
        fs::create_directory(folder / source_folder);
        checkpoint.source_tokenizer->save_in(folder / source_folder);
    }
    Safetensors tensors = store(graph, layout, *checkpoint.parameters);
    tensors.metadata["format"] = "pt";
    write_safetensors(folder / "model.safetensors", tensors);
}

TensorLayout saved_layout(const TransformerConfig& config, bool of_words, const Graph& graph) {
    const bool gpt2 = (is_plain_encoder(config) && of_words) || is_gpt2_shaped(config);
    return gpt2 ? find_family(gpt2_type)->layout(config) : own_layout(graph);
}

std::map<std::string, std::string> parameters_in_python(const Graph& graph, const TensorLayout& layout) {
    std::map<std::string, std::string> python;
    for (const StoredTensor& stored : layout) {
        if (stored.repeated) continue;
        std::int64_t column = 0;
        for (std::size_t part = 0; part < stored.parts.size(); ++part) {
            const Shape& shape = graph[graph.at(stored.parts[part])].shape;
            std::string& text = python[stored.parts[part]] = part_in_python(stored, part, column, shape);
            if (stored.added != 0.0f) text += " + " + ops::python_number(stored.added);
            column += shape.back();
        }
    }
    return python;
}

}  // namespace glassformer
