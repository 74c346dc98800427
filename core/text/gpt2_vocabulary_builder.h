#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/text/gpt2_vocabulary.h"

namespace glassformer {

/// Puts a Gpt2Vocabulary together from the entries of hostile files. Each call throws Error naming the file that it is
/// given and what is wrong.
class Gpt2VocabularyBuilder {
public:
    /// A special token, written as its text. Before add_vocabulary.
    void add_special(const std::string& text, const nlohmann::json& id, const std::filesystem::path& file);

    /// All the other tokens (and, with the same ids, any special ones): an object from token to id.
    void add_vocabulary(const nlohmann::json& object, const std::filesystem::path& file);

    /// Of two tokens written in letters. `where` names the merge within its file: "line 3", "merge 2". After
    /// add_vocabulary.
    void add_merge(std::string_view left, std::string_view right, const std::filesystem::path& file,
                   const std::string& where);

    /// The same, for two tokens with a blank between them.
    void add_merge(std::string_view both, const std::filesystem::path& file, const std::string& where);

    Gpt2Vocabulary take() { return std::move(vocabulary_); }

private:
    void put(const std::string& text, const nlohmann::json& id, bool special, const std::filesystem::path& file);
    void check_complete(const std::filesystem::path& file) const;

    Gpt2Vocabulary vocabulary_;
    std::unordered_map<std::string, int> ids_;                     // by the bytes, without the special tokens
    std::unordered_map<std::string, int> specials_;                // by the text
    std::unordered_map<std::uint64_t, std::string> merged_pairs_;  // where each stands
};

}  // namespace glassformer
