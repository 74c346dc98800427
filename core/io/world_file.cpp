#include "core/io/world_file.h"

#include "core/io/json_fields.h"
#include "core/platform/atomic_file.h"

namespace glassformer {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr int format = 1;
/// A text of 16 MB, every byte of it written as six.
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

/// A name alone: it must lead to no file of the person who opens the model.
std::string file_name(const json& object, const std::string& file) {
    const auto name = field<std::string>(object, "file", file);
    if (name.empty() || fs::path(name).filename() != name || name == "." || name == "..")
        fail_in_field(file, "file", "must be a file's name without folders");
    return name;
}

std::vector<std::string> samples(const json& object, const std::string& file) {
    const auto found = object.find("samples");
    if (found == object.end() || !found->is_array()) fail_in_field(file, "samples", "must be a list of texts");
    std::vector<std::string> texts;
    for (const json& sample : *found) {
        if (!sample.is_string()) fail_in_field(file, "samples", "must be a list of texts");
        texts.push_back(sample.get<std::string>());
    }
    return texts;
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

}  // namespace glassformer
