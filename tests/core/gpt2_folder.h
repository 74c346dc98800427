#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/text/text_file.h"
#include "core/text/utf8.h"

namespace glassformer {

/// A small byte-level vocabulary as GPT-2's files hold it. The byte tokens run backwards (255 has id 0), so that a test
/// notices when an id is taken for a byte; then come the tokens of the merges, and "<|endoftext|>" last.
struct SmallGpt2 {
    nlohmann::json vocabulary = nlohmann::json::object();
    std::vector<std::pair<std::string, std::string>> merges;

    explicit SmallGpt2(std::vector<std::pair<std::string, std::string>> of_letters) : merges(std::move(of_letters)) {
        for (int byte = 255; byte >= 0; --byte) add(byte_letters(std::string(1, static_cast<char>(byte))));
        for (const auto& [left, right] : merges) add(left + right);
        add("<|endoftext|>");
    }

    /// Adds a token with the next id.
    void add(const std::string& letters) { vocabulary[letters] = vocabulary.size(); }

    void write_two_files(const std::filesystem::path& folder, const std::string& heading = "#version: 0.2\n") const {
        std::string lines = heading;
        for (const auto& [left, right] : merges) lines += left + " " + right + "\n";
        write_text_file(folder / "vocab.json", vocabulary.dump());
        write_text_file(folder / "merges.txt", lines);
    }

    /// Returns tokenizer.json as Hugging Face's fast tokenizer writes it.
    nlohmann::json fast_tokenizer(bool merges_as_pairs) const {
        nlohmann::json list = nlohmann::json::array();
        for (const auto& [left, right] : merges) {
            if (merges_as_pairs)
                list.push_back(nlohmann::json::array({left, right}));
            else
                list.push_back(left + " " + right);
        }
        const nlohmann::json end{{"id", vocabulary["<|endoftext|>"]},
                                 {"content", "<|endoftext|>"},
                                 {"special", true},
                                 {"single_word", false},
                                 {"lstrip", false},
                                 {"rstrip", false}};
        const nlohmann::json byte_level{
            {"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", true}};
        return {{"version", "1.0"},
                {"normalizer", nullptr},
                {"pre_tokenizer", byte_level},
                {"post_processor", byte_level},
                {"decoder", byte_level},
                {"added_tokens", nlohmann::json::array({end})},
                {"model",
                 {{"type", "BPE"},
                  {"dropout", nullptr},
                  {"unk_token", nullptr},
                  {"continuing_subword_prefix", ""},
                  {"end_of_word_suffix", ""},
                  {"vocab", vocabulary},
                  {"merges", list}}}};
    }
};

}  // namespace glassformer
