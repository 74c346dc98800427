#include "core/text/tokenizer_spec.h"

#include <algorithm>
#include <vector>

#include "core/base/number_text.h"
#include "core/text/json_file.h"
#include "core/text/shown_bytes.h"
#include "core/text/text_file.h"

namespace glassformer {

namespace {

using nlohmann::json;
using std::filesystem::path;

constexpr std::size_t max_spec_bytes = std::size_t{64} << 20, most_lines = std::size_t{1} << 21;

/// The lines of a file, ending in LF or CRLF.
std::vector<std::string> spec_lines(const path& file) {
    const std::string text = read_text_file(file, max_spec_bytes);
    check_utf8(text, file.string());
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string line = text.substr(begin, end - begin);
        if (line.ends_with('\r')) line.pop_back();
        if (lines.size() == most_lines) throw Error("{1}: has more than {2} lines", file, most_lines);
        lines.push_back(std::move(line));
        begin = end + 1;
    }
    return lines;
}

constexpr const char* settings_file = "tokenizer_config.json";

json object_in(const path& file) {
    if (!file_exists(file)) return json::object();
    json object = read_json_file(file, max_spec_bytes);
    return object.is_object() ? object : json::object();
}

json settings_in(const path& folder) { return object_in(folder / settings_file); }

/// Qwen 2 cuts text in its own way, although its files look like GPT-2's.
bool is_qwen2(const json& settings) {
    const json name = settings.value("tokenizer_class", json());
    return name.is_string() && name.get_ref<const std::string&>().starts_with("Qwen2Tokenizer");
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
    for (const std::string& line : spec_lines(file)) vocabulary[line] = id++;  // of equal lines, the last one counts
    for (const char* special : {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"})
        if (const auto found = vocabulary.find(special); found != vocabulary.end())
            tokens.push_back(added(special, *found));
    for (const char* special : {"[UNK]", "[CLS]", "[SEP]"})
        if (!vocabulary.contains(special)) throw Error("{1}: has no line {2}", file, special);
    const json object = settings_in(folder);
    const TokenizerSpec settings(object, (folder / settings_file).string());
    return bert_spec({{"handle_chinese_chars", settings.flag("tokenize_chinese_chars", true)},
                      {"strip_accents", settings["strip_accents"]},
                      {"lowercase", settings.flag("do_lower_case", true)}},
                     std::move(tokens), std::move(vocabulary));
}

/// The special tokens in addition to a vocabulary of byte-level BPE: as tokenizer_config.json lists them by id;
/// otherwise those known by name, and those of added_tokens.json.
json pair_tokens(const path& folder, const json& vocabulary, const json& settings) {
    json tokens = json::array();
    if (const auto listed = settings.find("added_tokens_decoder"); listed != settings.end() && listed->is_object()) {
        for (const auto& [text, entry] : listed->items()) {
            const auto id = whole_in_text<std::uint32_t>(text);
            if (!id || !entry.is_object())
                throw Error("{1}: \"added_tokens_decoder\" has {2}, which is not the id of a token",
                            folder / settings_file, in_quotes(text));
            json token = entry;
            token["id"] = *id;
            tokens.push_back(std::move(token));
        }
        return tokens;
    }
    for (const char* special : {"<s>", "<pad>", "</s>", "<unk>", "<mask>", "<|endoftext|>"})
        if (const auto found = vocabulary.find(special); found != vocabulary.end() && found->is_number_integer())
            tokens.push_back(added(special, *found));
    const path extra = folder / "added_tokens.json";
    if (!file_exists(extra)) return tokens;
    const json more = read_json_file(extra, max_spec_bytes);
    if (!more.is_object()) throw Error("{1}: is not an object from tokens to ids", extra);
    for (const auto& [token, id] : more.items()) {
        if (!whole_number(id)) throw Error("{1}: the id of \"{2}\" is not a number", extra, token);
        tokens.push_back(added(token, id));
    }
    return tokens;
}

/// GPT-2's stages around vocab.json and merges.txt, or those of RoBERTa or Qwen 2 if the folder is one of theirs.
json byte_pair_spec(const path& folder) {
    const path file = folder / "vocab.json", merge_file = folder / "merges.txt";
    const json vocabulary = read_json_file(file, max_spec_bytes);
    if (!vocabulary.is_object()) throw Error("{1}: is not an object from tokens to ids", file);
    json merges = json::array();
    std::vector<std::string> lines = spec_lines(merge_file);
    if (!lines.empty() && lines[0].starts_with("#version")) lines.erase(lines.begin());
    for (const std::string& line : lines)
        if (!line.empty()) merges.push_back(line);
    const auto known = [&](const char* token) { return vocabulary.value(token, json()).is_number_integer(); };
    const json settings = settings_in(folder);
    const bool roberta = known("<s>") && known("</s>") && known("<mask>"),
               space = settings.contains("add_prefix_space") && settings["add_prefix_space"] == true;
    json spec{{"added_tokens", pair_tokens(folder, vocabulary, settings)},
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
    if (is_qwen2(settings)) {
        spec["normalizer"] = {{"type", "NFC"}};
        spec["pre_tokenizer"] = cut_by(qwen2_words);
    }
    return spec;
}

}  // namespace

json bert_spec(json normalizer, json added_tokens, json words) {
    normalizer["type"] = "BertNormalizer";
    normalizer["clean_text"] = true;
    return {{"added_tokens", std::move(added_tokens)},
            {"normalizer", std::move(normalizer)},
            {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
            {"post_processor",
             {{"type", "BertProcessing"}, {"sep", {"[SEP]", words["[SEP]"]}}, {"cls", {"[CLS]", words["[CLS]"]}}}},
            {"decoder", {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}}},
            {"model",
             {{"type", "WordPiece"},
              {"unk_token", "[UNK]"},
              {"continuing_subword_prefix", "##"},
              {"max_input_chars_per_word", 100u},
              {"vocab", std::move(words)}}}};
}

json cut_by(const char* expression) {
    return {{"type", "Sequence"},
            {"pretokenizers",
             {{{"type", "Split"}, {"pattern", {{"Regex", expression}}}, {"behavior", "Isolated"}},
              {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}}}}};
}

const json& TokenizerSpec::operator[](const char* name) const {
    static const json null;
    return object_.is_object() && object_.contains(name) ? object_[name] : null;
}

std::string TokenizerSpec::text(const char* name) const {
    const json& value = (*this)[name];
    if (!value.is_string()) fail("{1} has no \"{2}\" that is a text", name);
    return value.get<std::string>();
}

std::string TokenizerSpec::text_or(const char* name, const std::string& otherwise) const {
    return (*this)[name].is_null() ? otherwise : text(name);
}

bool TokenizerSpec::flag(const char* name, bool otherwise) const {
    const json& value = (*this)[name];
    if (value.is_null()) return otherwise;
    if (!value.is_boolean()) fail("{1} has a \"{2}\" that is neither true nor false", name);
    return value.get<bool>();
}

int TokenizerSpec::number(const char* name) const {
    const std::optional<int> value = whole_number((*this)[name]);
    if (!value) fail("{1} has no \"{2}\" that is a whole number", name);
    return *value;
}

std::string mask_token_in(const path& folder) {
    for (const char* file : {settings_file, special_tokens_file}) {
        const json object = object_in(folder / file);
        // The token's text, or an object with more details.
        const json mask = object.value("mask_token", json());
        const json& text = mask.is_object() && mask.contains("content") ? mask["content"] : mask;
        if (text.is_string()) return text.get<std::string>();
    }
    return "";
}

bool is_word_piece_vocabulary(const path& file) {
    const std::vector<std::string> lines = spec_lines(file);
    return std::ranges::count(lines, "[UNK]") > 0 && std::ranges::count(lines, "[CLS]") > 0;
}

json read_tokenizer_spec(const path& folder) {
    const auto has = [&](const char* name) { return file_exists(folder / name); };
    if (has("tokenizer.json")) {
        json spec = read_json_file(folder / "tokenizer.json", max_spec_bytes);
        if (!spec.is_object()) throw Error("{1} is not a JSON object", folder / "tokenizer.json");
        return spec;
    }
    if (has("vocab.txt")) return word_piece_spec(folder);
    if (has("vocab.json") || has("merges.txt")) return byte_pair_spec(folder);
    return nullptr;
}

}  // namespace glassformer
