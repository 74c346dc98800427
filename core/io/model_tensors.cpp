#include <algorithm>
#include <map>
#include <set>

#include "core/base/error.h"
#include "core/base/join.h"
#include "core/base/mark_text.h"
#include "core/io/json_fields.h"
#include "core/io/safetensors.h"
#include "core/io/tensor_layout.h"
#include "core/io/torch_file.h"
#include "core/platform/atomic_file.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_index_bytes = std::size_t{16} << 20;

/// Tensor → file name, from an index's "weight_map".
std::map<std::string, std::string> read_weight_map(const fs::path& index) {
    const std::string file = index.string();
    const nlohmann::json object = parse_object(read_file(index, max_index_bytes), file);
    const auto map = object.find("weight_map");
    if (map == object.end() || !map->is_object() || map->empty())
        fail_in_field(file, "weight_map", "must be an object that gives every tensor's file");
    std::map<std::string, std::string> files;
    for (const auto& [tensor, shard] : map->items()) {
        if (!shard.is_string()) fail_in_field(file, "weight_map", "has no file name for {1}", tensor);
        files[tensor] = shard.get<std::string>();
        // A path would let the index read files anywhere.
        if (const fs::path name = files[tensor]; name.filename() != name || name.empty() || name == "..")
            fail_in_field(file, "weight_map", "puts {1} in \"{2}\", which is not a file name", tensor, files[tensor]);
    }
    return files;
}

/// Unsupported model formats, by the endings of file names, and what to do about them.
struct OtherFile {
    std::string_view ending;
    const char* sentence;
};
constexpr const char* of_pytorch =
    N_("{1} is in a PyTorch format that is not supported: load it there and save the model with "
       "save_pretrained(\"FOLDER\")");
constexpr const char* of_llama_cpp =
    N_("{1} is a llama.cpp file from before GGUF, which is not supported: use the Hugging Face folder it was converted "
       "from");
constexpr OtherFile other_files[] = {
    {".gguf", N_("{1} is a GGUF file, which is opened itself and not by its folder")},
    {".ggml", of_llama_cpp},
    {"adapter_model.safetensors", N_("{1} is an adapter (PEFT, LoRA), not a whole model: merge it into its model with "
                                     "merge_and_unload() and save that with save_pretrained(\"FOLDER\")")},
    {".pt", of_pytorch},
    {".pth", of_pytorch},
    {".ckpt", of_pytorch},
    {".h5", N_("{1} is a TensorFlow file, which is not supported: load it with from_tf=True and save it with "
               "save_pretrained(\"FOLDER\")")},
    {".msgpack", N_("{1} is a Flax file, which is not supported: load it with from_flax=True and save it with "
                    "save_pretrained(\"FOLDER\")")},
    {".onnx", N_("{1} is an ONNX file, which is not supported: use the Hugging Face folder it was converted from")},
};

/// True if the name is one of several shards, "model-00001-of-00002.safetensors", which need an index to say where the
/// tensors are.
bool is_shard(const std::string& name, const std::string& whole, const std::string& ending) {
    return name.starts_with(whole + "-") && name.find("-of-") != std::string::npos && name.ends_with(ending);
}

/// Throws Error with the system's reason.
[[noreturn]] void fail_to_read(const fs::path& path, const std::error_code& why) {
    throw Error("{1} cannot be read: {2}", path, why.message());
}

/// The sorted names of a folder's files, at most 1000.
std::vector<std::string> names_in(const fs::path& folder, std::error_code& error) {
    constexpr std::size_t most = 1000;
    std::vector<std::string> names;
    for (fs::directory_iterator at(folder, error), end; !error && at != end && names.size() < most; at.increment(error))
        names.push_back(at->path().filename().string());
    std::ranges::sort(names);
    return names;
}

}  // namespace

std::string what_to_do_with(const fs::path& file, std::string_view called) {
    const std::string name = file.filename().string();
    for (const OtherFile& other : other_files)
        if (name.ends_with(other.ending)) return filled_with(other.sentence, called);
    return {};
}

std::string what_lies_in(const fs::path& folder) {
    std::error_code ignored;
    for (const std::string& name : names_in(folder, ignored))
        if (const std::string what = what_to_do_with(name, name); !what.empty()) return what;
    return {};
}

void require_readable(const fs::path& path) {
    std::error_code error;
    if (!fs::exists(path, error) && error) fail_to_read(path, error);
}

void fail_without(const fs::path& folder, const std::string& needed) {
    require_readable(folder / needed);
    std::error_code error;
    const std::vector<std::string> names = names_in(folder, error);
    if (error) fail_to_read(folder, error);
    if (needed != "config.json")
        for (const auto& [whole, ending] : {std::pair("model", ".safetensors"), {"pytorch_model", ".bin"}})
            for (const std::string& name : names)
                if (is_shard(name, whole, ending))
                    throw Error(
                        "{1}: there is no {2}; {3} is a part of it, and {4}, which lists what is in which part, is "
                        "missing: get that file as well",
                        folder, needed, name, std::string(whole) + ending + ".index.json");
    if (const std::string what = what_lies_in(folder); !what.empty())
        throw Error("{1}: there is no {2}; {3}", folder, needed, what);
    if (names.empty()) throw Error("{1}: there is no {2}; the folder is empty", folder, needed);
    constexpr std::size_t most = 8;
    std::string list = join(std::span(names).first(std::min(names.size(), most)), ", ");
    if (names.size() > most) list += " …";
    throw Error("{1}: there is no {2}; the folder has {3}", folder, needed, list);
}

ModelTensors::ModelTensors(const fs::path& folder) {
    for (const char* whole : {"model.safetensors", "pytorch_model.bin"}) {
        const fs::path file = folder / whole, index = folder / (whole + std::string(".index.json"));
        name_ = (fs::exists(file) ? file : index).string();
        if (!fs::exists(file) && !fs::exists(index)) continue;
        if (fs::exists(file))
            open(file);
        else
            open_shards(folder);
        return;
    }
    fail_without(folder, "model.safetensors");
}

std::vector<std::string> ModelTensors::files() const {
    std::vector<std::string> names;
    for (const auto& file : files_) names.push_back(file->name());
    return names;
}

ModelTensors::ModelTensors(std::unique_ptr<TensorFile> file, std::string described_by)
    : name_(file->name()), described_by_(std::move(described_by)) {
    add(std::move(file));
}

void ModelTensors::open(const fs::path& file) {
    if (file.extension() == ".bin")
        add(std::make_unique<TorchFile>(file));
    else
        add(std::make_unique<SafetensorsFile>(file));
}

void ModelTensors::add(std::unique_ptr<TensorFile> file) {
    files_.push_back(std::move(file));
    for (const TensorEntry& entry : files_.back()->entries()) entries_.push_back({files_.back().get(), &entry});
}

void ModelTensors::open_shards(const fs::path& folder) {
    const std::map<std::string, std::string> listed = read_weight_map(name_);
    std::set<std::string> shards, missing;
    for (const auto& [tensor, shard] : listed) {
        shards.insert(shard);
        if (!fs::exists(folder / shard)) missing.insert(shard);
    }
    if (!missing.empty()) throw Error("{1} names files that are not in the folder: {2}", name_, join(missing, ", "));
    for (const std::string& shard : shards) open(folder / shard);

    std::string wrong;
    std::set<std::string> found;
    for (const Entry& entry : entries_) {
        const std::string shard = fs::path(entry.file->name()).filename().string();
        const auto at = listed.find(entry.name());
        if (at == listed.end())
            wrong += "\n  " + filled_with(N_("{1} is in {2}; the index does not list it"), entry.name(), shard);
        else if (at->second != shard)
            wrong += "\n  " + filled_with(N_("{1} is in {2}; the index says {3}"), entry.name(), shard, at->second);
        else
            found.insert(entry.name());
    }
    for (const auto& [tensor, shard] : listed)
        if (!found.contains(tensor)) wrong += "\n  " + filled_with(N_("{1} is not in {2}"), tensor, shard);
    if (!wrong.empty()) throw Error("{1} does not fit its files:{2}", name_, wrong);
}

}  // namespace glassformer
