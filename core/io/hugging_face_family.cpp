#include "core/io/hugging_face_family.h"

#include <algorithm>

namespace glassformer {

const std::vector<HuggingFaceFamily>& hugging_face_families() {
    static const std::vector<HuggingFaceFamily> all = [] {
        std::vector<HuggingFaceFamily> list;
        for (const auto& some : {llama_families(), gpt_families(), bert_families()})
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
    list_.push_back({.name = theirs_ + name + ".weight", .parts = weights, .transposed = true, .heads = heads});
    if (bias) list_.push_back({.name = theirs_ + name + ".bias", .parts = biases, .heads = heads});
}

void BlockTensors::norm(const std::string& name, const std::string& part, bool bias, float added) {
    const std::string prefix = ours_.empty() ? part : ours_ + "." + part;
    list_.push_back({.name = theirs_ + name + ".weight", .parts = {prefix + ".w"}, .added = added});
    if (bias) list_.push_back({.name = theirs_ + name + ".bias", .parts = {prefix + ".b"}});
}

bool is_of_layer(const std::string& name, const std::string& prefix, const std::string& ending) {
    if (!name.starts_with(prefix) || !name.ends_with(ending) || name.size() <= prefix.size() + ending.size())
        return false;
    return std::all_of(name.begin() + static_cast<std::ptrdiff_t>(prefix.size()),
                       name.end() - static_cast<std::ptrdiff_t>(ending.size()),
                       [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace glassformer
