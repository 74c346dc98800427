#include "core/io/model_tensors.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/base/error.h"
#include "core/io/json_fields.h"
#include "core/io/safetensors_file.h"
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
        if (!shard.is_string()) fail_in_field(file, "weight_map", "has no file name for " + tensor);
        files[tensor] = shard.get<std::string>();
        // A path would let the index read files from anywhere.
        if (const fs::path name = files[tensor]; name.filename() != name || name.empty() || name == "..")
            fail_in_field(file, "weight_map",
                          "puts " + tensor + " in \"" + files[tensor] + "\", which is no file name");
    }
    return files;
}

}  // namespace

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
    name_ = (folder / "model.safetensors").string();
    open(name_);  // which says that it is not there
}

std::vector<std::string> ModelTensors::files() const {
    std::vector<std::string> names;
    for (const auto& file : files_) names.push_back(file->name());
    return names;
}

void ModelTensors::open(const fs::path& file) {
    if (file.extension() == ".bin")
        files_.push_back(std::make_unique<TorchFile>(file));
    else
        files_.push_back(std::make_unique<SafetensorsFile>(file));
    for (const TensorEntry& entry : files_.back()->entries()) entries_.push_back({files_.back().get(), &entry});
}

void ModelTensors::open_shards(const fs::path& folder) {
    const std::map<std::string, std::string> listed = read_weight_map(name_);
    std::set<std::string> shards, missing;
    for (const auto& [tensor, shard] : listed) {
        shards.insert(shard);
        if (!fs::exists(folder / shard)) missing.insert(shard);
    }
    std::string list;
    for (const std::string& shard : missing) list += (list.empty() ? "" : ", ") + shard;
    if (!missing.empty()) throw Error(name_ + " names files that are not in the folder: " + list);
    for (const std::string& shard : shards) open(folder / shard);

    std::string wrong;
    std::set<std::string> found;
    for (const Entry& entry : entries_) {
        const std::string shard = fs::path(entry.file->name()).filename().string();
        const auto at = listed.find(entry.name());
        if (at == listed.end())
            wrong += "\n  " + entry.name() + " is in " + shard + "; the index does not list it";
        else if (at->second != shard)
            wrong += "\n  " + entry.name() + " is in " + shard + "; the index says " + at->second;
        else
            found.insert(entry.name());
    }
    for (const auto& [tensor, shard] : listed)
        if (!found.contains(tensor)) wrong += "\n  " + tensor + " is not in " + shard;
    if (!wrong.empty()) throw Error(name_ + " does not fit its files:" + wrong);
}

}  // namespace glassformer
