#include "core/text/gpt2_vocabulary.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <unordered_map>

#include "core/base/error.h"
#include "core/text/byte_letters.h"
#include "core/text/json_file.h"
#include "core/text/merge_table.h"
#include "core/text/shown_bytes.h"
#include "core/text/text_file.h"

namespace glassformer {
namespace {

using nlohmann::json;
using std::filesystem::path;

constexpr std::size_t max_file_bytes = 64u << 20;
constexpr std::size_t max_tokens = 1u << 18, max_merges = 1u << 18, max_specials = 1024, max_special_bytes = 256;

[[noreturn]] void fail(const path& file, const std::string& problem) { throw Error(file.string() + ": " + problem); }

/// An id as the index of its token.
std::size_t index_of(const json& id, const std::string& name, const path& file) {
    if (!id.is_number_integer()) fail(file, "the id of " + name + " is not a whole number: " + in_quotes(id.dump()));
    if (!id.is_number_unsigned() || id.get<std::uint64_t>() >= max_tokens) {
        fail(file, "the id of " + name + " is " + id.dump() + "; ids from 0 to " + std::to_string(max_tokens - 1) +
                       " are possible");
    }
    return id.get<std::size_t>();
}

/// Puts a Gpt2Vocabulary together from the entries of hostile files. Each call throws Error naming the file that it is
/// given and what is wrong.
class Gpt2VocabularyBuilder {
public:
    /// A special token, written as its text. Before add_vocabulary.
    void add_special(const std::string& text, const json& id, const path& file);

    /// All the other tokens (and, with the same ids, any special ones): an object from token to id.
    void add_vocabulary(const json& object, const path& file);

    /// Of two tokens written in letters. `where` names the merge within its file: "line 3", "merge 2". After
    /// add_vocabulary.
    void add_merge(std::string_view left, std::string_view right, const path& file, const std::string& where);

    /// The same, for two tokens with a blank between them.
    void add_merge(std::string_view both, const path& file, const std::string& where);

    Gpt2Vocabulary take() { return std::move(vocabulary_); }

private:
    void put(const std::string& text, const json& id, bool special, const path& file);
    void check_complete(const path& file) const;

    Gpt2Vocabulary vocabulary_;
    std::unordered_map<std::string, int> ids_;                     // by the bytes, without the special tokens
    std::unordered_map<std::string, int> specials_;                // by the text
    std::unordered_map<std::uint64_t, std::string> merged_pairs_;  // where each stands
};

void Gpt2VocabularyBuilder::put(const std::string& text, const json& id, bool special, const path& file) {
    const std::string name = "the token " + in_quotes(text);
    if (text.empty()) fail(file, "a token is empty");
    const std::optional<std::string> bytes = special ? text : letter_bytes(text);
    if (!bytes) fail(file, name + " has a character that stands for no byte in GPT-2's letters");
    const std::size_t index = index_of(id, name, file);
    std::vector<Gpt2Vocabulary::Token>& tokens = vocabulary_.tokens;
    if (index >= tokens.size()) tokens.resize(index + 1);
    if (!tokens[index].bytes.empty()) {
        const std::string& other = tokens[index].bytes;
        fail(file, name + " has the id " + std::to_string(index) + ", which " +
                       in_quotes(tokens[index].special ? other : byte_letters(other)) + " has already");
    }
    if (!(special ? specials_ : ids_).emplace(*bytes, static_cast<int>(index)).second)
        fail(file, name + " appears twice");
    tokens[index] = {*bytes, special};
}

void Gpt2VocabularyBuilder::add_special(const std::string& text, const json& id, const path& file) {
    if (specials_.size() == max_specials) {
        fail(file, "has more than " + std::to_string(max_specials) + " special tokens");
    }
    if (text.size() > max_special_bytes) {
        fail(file, "the special token " + in_quotes(text) + " is longer than " + std::to_string(max_special_bytes) +
                       " bytes");
    }
    put(text, id, true, file);
}

void Gpt2VocabularyBuilder::add_vocabulary(const json& object, const path& file) {
    if (!object.is_object()) fail(file, "the vocabulary is not an object from tokens to ids");
    if (object.size() > max_tokens) {
        fail(file, "has " + std::to_string(object.size()) + " tokens; at most " + std::to_string(max_tokens) +
                       " are possible");
    }
    for (const auto& [text, id] : object.items()) {
        const auto special = specials_.find(text);
        if (special == specials_.end()) {
            put(text, id, text == end_of_text, file);
        } else if (index_of(id, "the token " + in_quotes(text), file) != static_cast<std::size_t>(special->second)) {
            fail(file, "the token " + in_quotes(text) + " has the id " + id.dump() + " in the vocabulary, but " +
                           std::to_string(special->second) + " as an added token");
        }
    }
    check_complete(file);
}

void Gpt2VocabularyBuilder::check_complete(const path& file) const {
    const auto gap = std::ranges::find_if(vocabulary_.tokens, [](const auto& token) { return token.bytes.empty(); });
    if (gap != vocabulary_.tokens.end()) {
        fail(file, "no token has the id " + std::to_string(gap - vocabulary_.tokens.begin()) + ", but one has " +
                       std::to_string(vocabulary_.tokens.size() - 1) + "; ids must have no gap");
    }
    for (int byte = 0; byte < 256; ++byte) {
        const std::string one(1, static_cast<char>(byte));
        if (ids_.contains(one)) continue;
        fail(file, "has no token for the byte " + std::to_string(byte) + " (" + in_quotes(byte_letters(one)) +
                       " in GPT-2's letters)");
    }
}

void Gpt2VocabularyBuilder::add_merge(std::string_view left, std::string_view right, const path& file,
                                      const std::string& where) {
    if (vocabulary_.merges.size() == max_merges) fail(file, "has more than " + std::to_string(max_merges) + " merges");
    const auto find = [&](std::string_view letters, const char* role) {
        const std::optional<std::string> bytes = letter_bytes(letters);
        const auto known = bytes ? ids_.find(*bytes) : ids_.end();
        if (known == ids_.end()) fail(file, where + " " + role + " " + in_quotes(letters) + ", which is no token");
        return known->second;
    };
    const int first = find(left, "joins"), second = find(right, "joins");
    const int token = find(std::string(left) + std::string(right), "makes");
    const auto [earlier, is_new] = merged_pairs_.emplace(pair_key(first, second), where);
    if (!is_new) {
        fail(file, where + " joins " + in_quotes(left) + " and " + in_quotes(right) + ", as " + earlier->second +
                       " does already");
    }
    vocabulary_.merges.push_back({first, second, token});
}

void Gpt2VocabularyBuilder::add_merge(std::string_view both, const path& file, const std::string& where) {
    const std::size_t blank = both.find(' ');
    const bool two = blank != std::string_view::npos && both.find(' ', blank + 1) == std::string_view::npos;
    if (!two || blank == 0 || blank + 1 == both.size()) {
        fail(file, where + " is " + in_quotes(both) + "; two tokens with one blank between them are needed");
    }
    add_merge(both.substr(0, blank), both.substr(blank + 1), file, where);
}

/// The setting, or null where the object does not have it.
const json& setting(const json& object, const char* key) {
    static const json null;
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found == object.end() ? null : *found;
}

/// Whether the setting is absent, null, false, 0 or "": what GPT-2 has for all that it does not use.
bool is_off(const json& value) { return value.is_null() || value == false || value == 0 || value == ""; }

/// Whether a stage of the tokenizer is absent or GPT-2's own.
bool is_absent_or_byte_level(const json& stage) { return stage.is_null() || setting(stage, "type") == "ByteLevel"; }

/// Other tokenizers come in the same format: text encoded by one that cuts otherwise would be silently wrong.
void check_cuts_as_gpt2(const json& root, const path& file) {
    const json& model = field_of(root, "model", file);
    // Early files leave the type out.
    if (const json& type = setting(model, "type"); !type.is_null() && type != "BPE") {
        fail(file, "the model's type is " + in_quotes(type.dump()) + "; only \"BPE\", as GPT-2 has it, is read");
    }
    for (const char* key :
         {"dropout", "continuing_subword_prefix", "end_of_word_suffix", "byte_fallback", "ignore_merges"}) {
        if (!is_off(setting(model, key)))
            fail(file, std::string("the model sets \"") + key + "\", which GPT-2 does not");
    }
    if (!setting(root, "normalizer").is_null()) fail(file, "has a \"normalizer\", which GPT-2 does not");
    for (const char* key : {"pre_tokenizer", "post_processor"}) {
        if (is_absent_or_byte_level(setting(root, key))) continue;
        fail(file, std::string("has a \"") + key + "\" that is not \"ByteLevel\", as GPT-2's is");
    }
    const json& cutting = setting(root, "pre_tokenizer");
    if (!is_off(setting(cutting, "add_prefix_space"))) fail(file, "sets \"add_prefix_space\", which GPT-2 does not");
    if (setting(cutting, "use_regex") == false) fail(file, "sets \"use_regex\" to false; GPT-2 cuts by its expression");
}

void add_added_tokens(Gpt2VocabularyBuilder& builder, const json& list, const path& file) {
    if (list.is_null()) return;
    if (!list.is_array()) fail(file, "\"added_tokens\" is not a list");
    for (const json& token : list) {
        const json& content = setting(token, "content");
        if (!content.is_string()) fail(file, "an added token has no \"content\" that is text");
        for (const char* key : {"single_word", "lstrip", "rstrip"}) {
            if (is_off(setting(token, key))) continue;
            fail(file, "the added token " + in_quotes(content.get_ref<const std::string&>()) + " sets \"" + key +
                           "\", which is not supported");
        }
        builder.add_special(content.get<std::string>(), setting(token, "id"), file);
    }
}

void add_merges(Gpt2VocabularyBuilder& builder, const json& list, const path& file) {
    if (!list.is_array()) fail(file, "the model's \"merges\" are not a list");
    std::size_t count = 0;
    for (const json& merge : list) {
        const std::string where = "merge " + std::to_string(count++);
        if (merge.is_string()) {
            builder.add_merge(merge.get_ref<const std::string&>(), file, where);
        } else if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string()) {
            builder.add_merge(merge[0].get_ref<const std::string&>(), merge[1].get_ref<const std::string&>(), file,
                              where);
        } else {
            fail(file, where + " is " + in_quotes(merge.dump()) + "; \"a b\" or [\"a\", \"b\"] is needed");
        }
    }
}

Gpt2Vocabulary read_fast_tokenizer(const path& file) {
    const json root = read_json_file(file, max_file_bytes);
    check_cuts_as_gpt2(root, file);
    const json& model = field_of(root, "model", file);
    Gpt2VocabularyBuilder builder;
    add_added_tokens(builder, setting(root, "added_tokens"), file);
    builder.add_vocabulary(field_of(model, "vocab", file), file);
    add_merges(builder, field_of(model, "merges", file), file);
    return builder.take();
}

void add_merge_lines(Gpt2VocabularyBuilder& builder, const path& file) {
    const std::string text = read_text_file(file, max_file_bytes);
    check_utf8(text, file.string());
    std::size_t number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string_view line = std::string_view(text).substr(begin, end - begin);
        if (line.ends_with('\r')) line.remove_suffix(1);
        begin = end + 1;
        const bool heading = ++number == 1 && line.starts_with("#version");
        const bool last = line.empty() && begin >= text.size();
        if (!heading && !last) builder.add_merge(line, file, "line " + std::to_string(number));
    }
}

Gpt2Vocabulary read_two_files(const path& folder) {
    const path vocabulary = folder / "vocab.json", merges = folder / "merges.txt", added = folder / "added_tokens.json";
    Gpt2VocabularyBuilder builder;
    if (file_exists(added)) {
        const json root = read_json_file(added, max_file_bytes);
        if (!root.is_object()) fail(added, "is not an object from tokens to ids");
        for (const auto& [text, id] : root.items()) builder.add_special(text, id, added);
    }
    builder.add_vocabulary(read_json_file(vocabulary, max_file_bytes), vocabulary);
    add_merge_lines(builder, merges);
    return builder.take();
}

}  // namespace

bool cuts_as_gpt2(const path& file) {
    const json root = read_json_file(file, max_file_bytes);
    // What is broken is left to the reader of GPT-2's files, which says what is wrong.
    const json& model = setting(root, "model");
    if (!model.is_object() || !setting(model, "merges").is_array()) return setting(model, "type").is_null();
    if (setting(root, "pre_tokenizer").is_null()) return false;  // it does not cut at all
    try {
        check_cuts_as_gpt2(root, file);
        const json& added = setting(root, "added_tokens");
        return !added.is_array() || std::ranges::none_of(added, [](const json& token) {
            return !is_off(setting(token, "single_word")) || !is_off(setting(token, "lstrip")) ||
                   !is_off(setting(token, "rstrip"));
        });
    } catch (const Error&) {
        return false;
    }
}

Gpt2Vocabulary read_gpt2_vocabulary(const path& folder) {
    const path fast = folder / "tokenizer.json";
    return file_exists(fast) ? read_fast_tokenizer(fast) : read_two_files(folder);
}

void write_gpt2_vocabulary(const Gpt2Vocabulary& vocabulary, const path& folder) {
    std::string tokens, added, merges = "#version: 0.2\n";
    for (std::size_t id = 0; id < vocabulary.tokens.size(); ++id) {
        const auto& [bytes, special] = vocabulary.tokens[id];
        std::string& list = special && bytes != end_of_text ? added : tokens;
        list += std::string(list.empty() ? "\n  " : ",\n  ") + json(special ? bytes : byte_letters(bytes)).dump() +
                ": " + std::to_string(id);
    }
    const auto letters = [&](int id) { return byte_letters(vocabulary.tokens[id].bytes); };
    for (const auto& merge : vocabulary.merges) merges += letters(merge.left) + " " + letters(merge.right) + "\n";
    write_text_file(folder / "vocab.json", "{" + tokens + "\n}\n");
    write_text_file(folder / "merges.txt", merges);
    const path extra = folder / "added_tokens.json";
    std::error_code failure;
    if (!added.empty()) {
        write_text_file(extra, "{" + added + "\n}\n");
    } else if (std::filesystem::remove(extra, failure); failure) {
        fail(extra, "cannot be removed: " + failure.message());
    }
}

}  // namespace glassformer
