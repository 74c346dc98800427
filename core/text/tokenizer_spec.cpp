#include "core/text/tokenizer_spec.h"

#include <algorithm>
#include <vector>

#include "core/base/error.h"
#include "core/text/json_file.h"
#include "core/text/text_file.h"

namespace glassformer {

namespace {

using nlohmann::json;
using std::filesystem::path;

constexpr std::size_t max_file_bytes = std::size_t{64} << 20;

/// The lines of a file, ended by LF or CRLF.
std::vector<std::string> lines_of(const path& file) {
    const std::string text = read_text_file(file, max_file_bytes);
    check_utf8(text, file.string());
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string line = text.substr(begin, end - begin);
        if (line.ends_with('\r')) line.pop_back();
        lines.push_back(std::move(line));
        begin = end + 1;
    }
    return lines;
}

json settings_in(const path& folder) {
    const path file = folder / "tokenizer_config.json";
    if (!file_exists(file)) return json::object();
    json object = read_json_file(file, max_file_bytes);
    return object.is_object() ? object : json::object();
}

json added(const std::string& text, const json& id) {
    return {{"id", id},        {"content", text},     {"single_word", false}, {"lstrip", text == "<mask>"},
            {"rstrip", false}, {"normalized", false}, {"special", true}};
}

/// BERT's stages around the words of vocab.txt.
json word_piece_spec(const path& folder) {
    const path file = folder / "vocab.txt";
    json vocabulary = json::object(), tokens = json::array();
    std::size_t id = 0;
    for (const std::string& line : lines_of(file)) {
        if (!vocabulary.contains(line)) vocabulary[line] = id;
        for (const char* special : {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"})
            if (line == special) tokens.push_back(added(line, id));
        ++id;
    }
    for (const char* special : {"[UNK]", "[CLS]", "[SEP]"})
        if (!vocabulary.contains(special)) throw Error(file.string() + ": has no line " + special);
    const json settings = settings_in(folder);
    const bool lower = settings.value("do_lower_case", true);
    return {{"added_tokens", tokens},
            {"normalizer",
             {{"type", "BertNormalizer"},
              {"clean_text", true},
              {"handle_chinese_chars", settings.value("tokenize_chinese_chars", true)},
              {"strip_accents", settings.contains("strip_accents") ? settings["strip_accents"] : json(nullptr)},
              {"lowercase", lower}}},
            {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
            {"post_processor",
             {{"type", "BertProcessing"},
              {"sep", {"[SEP]", vocabulary["[SEP]"]}},
              {"cls", {"[CLS]", vocabulary["[CLS]"]}}}},
            {"decoder", {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}}},
            {"model",
             {{"type", "WordPiece"},
              {"unk_token", "[UNK]"},
              {"continuing_subword_prefix", "##"},
              {"max_input_chars_per_word", 100u},
              {"vocab", vocabulary}}}};
}

/// GPT-2's stages around vocab.json and merges.txt, or RoBERTa's where its tokens are there.
json byte_pair_spec(const path& folder) {
    const path file = folder / "vocab.json", merge_file = folder / "merges.txt", extra = folder / "added_tokens.json";
    const json vocabulary = read_json_file(file, max_file_bytes);
    if (!vocabulary.is_object()) throw Error(file.string() + ": is not an object from tokens to ids");
    json merges = json::array(), tokens = json::array();
    bool first = true;
    for (const std::string& line : lines_of(merge_file)) {
        const bool heading = first && line.starts_with("#version");
        first = false;
        if (!heading && !line.empty()) merges.push_back(line);
    }
    const auto known = [&](const char* token) {
        const auto found = vocabulary.find(token);
        return found != vocabulary.end() && found->is_number_integer();
    };
    for (const char* special : {"<s>", "<pad>", "</s>", "<unk>", "<mask>", "<|endoftext|>"})
        if (known(special)) tokens.push_back(added(special, vocabulary[special]));
    if (file_exists(extra)) {
        const json more = read_json_file(extra, max_file_bytes);
        if (!more.is_object()) throw Error(extra.string() + ": is not an object from tokens to ids");
        for (const auto& [token, id] : more.items()) {
            if (!id.is_number_unsigned()) throw Error(extra.string() + ": the id of \"" + token + "\" is no number");
            tokens.push_back(added(token, id));
        }
    }
    const json settings = settings_in(folder);
    const bool roberta = known("<s>") && known("</s>") && known("<mask>"),
               space = settings.contains("add_prefix_space") && settings["add_prefix_space"] == true;
    json spec{{"added_tokens", tokens},
              {"normalizer", nullptr},
              {"pre_tokenizer", {{"type", "ByteLevel"}, {"add_prefix_space", space}, {"use_regex", true}}},
              {"post_processor", {{"type", "ByteLevel"}, {"trim_offsets", false}}},
              {"decoder", {{"type", "ByteLevel"}}},
              {"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", merges}}}};
    if (roberta)
        spec["post_processor"] = {{"type", "RobertaProcessing"},
                                  {"sep", {"</s>", vocabulary["</s>"]}},
                                  {"cls", {"<s>", vocabulary["<s>"]}},
                                  {"trim_offsets", true},
                                  {"add_prefix_space", space}};
    return spec;
}

}  // namespace

void TokenizerSpec::fail(const std::string& problem) const { throw Error(where_ + " " + problem); }

const json& TokenizerSpec::operator[](const char* name) const {
    static const json null;
    const auto found = object_.is_object() ? object_.find(name) : object_.end();
    return object_.is_object() && found != object_.end() ? *found : null;
}

std::string TokenizerSpec::text(const char* name) const {
    const json& value = (*this)[name];
    if (!value.is_string()) fail(std::string("has no \"") + name + "\" that is a text");
    return value.get<std::string>();
}

std::string TokenizerSpec::text_or(const char* name, const std::string& otherwise) const {
    return (*this)[name].is_null() ? otherwise : text(name);
}

bool TokenizerSpec::flag(const char* name, bool otherwise) const {
    const json& value = (*this)[name];
    if (value.is_null()) return otherwise;
    if (!value.is_boolean()) fail(std::string("has a \"") + name + "\" that is neither true nor false");
    return value.get<bool>();
}

int TokenizerSpec::number(const char* name) const {
    const json& value = (*this)[name];
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > 1u << 30)
        fail(std::string("has no \"") + name + "\" that is a whole number");
    return value.get<int>();
}

bool is_word_piece_vocabulary(const path& file) {
    bool unknown = false, begin = false;
    for (const std::string& line : lines_of(file)) {
        unknown = unknown || line == "[UNK]";
        begin = begin || line == "[CLS]";
    }
    return unknown && begin;
}

bool is_roberta_vocabulary(const path& file) {
    const std::string text = read_text_file(file, max_file_bytes);
    return text.find("\"<mask>\"") != std::string::npos && text.find("\"</s>\"") != std::string::npos;
}

json read_tokenizer_spec(const path& folder) {
    const auto has = [&](const char* name) { return file_exists(folder / name); };
    if (has("tokenizer.json")) {
        json spec = read_json_file(folder / "tokenizer.json", max_file_bytes);
        if (!spec.is_object()) throw Error((folder / "tokenizer.json").string() + " is not a JSON object");
        return spec;
    }
    if (has("vocab.txt")) return word_piece_spec(folder);
    if (has("vocab.json") || has("merges.txt")) return byte_pair_spec(folder);
    return nullptr;
}

}  // namespace glassformer
