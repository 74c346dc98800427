#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "core/base/error.h"
#include "core/text/hf_tokenizer.h"
#include "core/text/shown_bytes.h"

namespace glassformer {

namespace {

using nlohmann::json;

constexpr const char* blank_mark = "▁";

/// How Llama 3 cuts text into words (tokenizer.json of meta-llama/Meta-Llama-3-8B).
constexpr const char* llama3_words =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

class Listing {
public:
    Listing(const ListedTokens& listed, const std::string& where) : listed_(listed), where_(where) {
        if (listed.tokens.empty()) fail("\"tokenizer.ggml.tokens\" has no token");
        if (!listed.kinds.empty() && listed.kinds.size() != listed.tokens.size())
            fail("\"tokenizer.ggml.token_type\" has {1} values for {2} tokens", listed.kinds.size(),
                 listed.tokens.size());
        for (const int id : {listed.begin, listed.end, listed.mask})
            if (id >= static_cast<int>(listed.tokens.size()))
                fail("a special token has the id {1}; there are {2} tokens", id, listed.tokens.size());
    }

    json spec() const {
        if (listed_.model == "gpt2") return byte_level_pairs();
        if (listed_.model == "llama") return sentence_pieces();
        if (listed_.model == "bert") return word_pieces();
        fail("\"tokenizer.ggml.model\" is {1}, which is not supported; those known are gpt2, llama and bert",
             in_quotes(listed_.model));
    }

private:
    template <typename... Places>
    [[noreturn]] void fail(std::string_view problem, const Places&... places) const {
        throw Error("{1}: {2}", where_, filled_with(problem, places...));
    }

    int kind(std::size_t id) const { return listed_.kinds.empty() ? ListedTokens::normal : listed_.kinds[id]; }

    /// Maps texts to ids; if two tokens have the same text, as reserved slots of a vocabulary do, the first one wins.
    json vocabulary() const {
        json all = json::object();
        for (std::size_t id = 0; id < listed_.tokens.size(); ++id) all.emplace(listed_.tokens[id], id);
        return all;
    }

    json added_tokens() const {
        json added = json::array();
        for (std::size_t id = 0; id < listed_.tokens.size(); ++id) {
            const bool special = kind(id) == ListedTokens::control;
            if (!special && kind(id) != ListedTokens::user_defined) continue;
            const bool mask = static_cast<int>(id) == listed_.mask;
            added.push_back({{"id", id},
                             {"content", listed_.tokens[id]},
                             {"single_word", false},
                             {"lstrip", mask && listed_.model == "gpt2"},
                             {"rstrip", false},
                             {"normalized", false},
                             {"special", special}});
        }
        return added;
    }

    /// The special tokens to add before and after a text.
    json around(int before, int after) const {
        json single = json::array(), special = json::object();
        const auto put = [&](int id) {
            if (id < 0) return;
            const std::string& text = listed_.tokens[id];
            single.push_back({{"SpecialToken", {{"id", text}, {"type_id", 0}}}});
            special[text] = {
                {"id", text}, {"ids", json::array({static_cast<unsigned>(id)})}, {"tokens", json::array({text})}};
        };
        put(before);
        single.push_back({{"Sequence", {{"id", "A"}, {"type_id", 0}}}});
        put(after);
        if (single.size() == 1) return nullptr;
        return {{"type", "TemplateProcessing"}, {"single", single}, {"special_tokens", special}};
    }

    json byte_level_pairs() const {
        const std::string& pre = listed_.pre;
        const json plain{{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", true}};
        json spec{
            {"added_tokens", added_tokens()},
            {"normalizer", nullptr},
            {"pre_tokenizer", plain},
            {"post_processor", around(listed_.adds_begin ? listed_.begin : -1, listed_.adds_end ? listed_.end : -1)},
            {"decoder", {{"type", "ByteLevel"}}},
            {"model", {{"type", "BPE"}, {"vocab", vocabulary()}, {"merges", listed_.merges}}}};
        if (pre == "llama-bpe" || pre == "llama3" || pre == "llama-v3") {
            spec["pre_tokenizer"] = cut_by(llama3_words);
            spec["model"]["ignore_merges"] = true;
        } else if (pre == "qwen2") {
            spec["normalizer"] = {{"type", "NFC"}};
            spec["pre_tokenizer"] = cut_by(qwen2_words);
        } else if (pre == "smollm") {
            spec["pre_tokenizer"] = {{"type", "Sequence"},
                                     {"pretokenizers", {{{"type", "Digits"}, {"individual_digits", true}}, plain}}};
        } else if (pre == "olmo") {  // also GPT-NeoX's
            spec["normalizer"] = {{"type", "NFC"}};
        } else if (!pre.empty() && pre != "default" && pre != "gpt-2" && pre != "roberta-bpe") {
            fail(
                "\"tokenizer.ggml.pre\" is {1}, which is not supported; those known are gpt-2, roberta-bpe, olmo, "
                "llama-bpe, qwen2 and smollm",
                in_quotes(pre));
        }
        return spec;
    }

    /// In SentencePiece, a merge is a token that two others form; the one with the highest score is merged first.
    json merges_of_scores(const json& vocabulary) const {
        std::vector<std::size_t> order;
        for (std::size_t id = 0; id < listed_.tokens.size(); ++id)
            if (kind(id) == ListedTokens::normal || kind(id) == ListedTokens::user_defined) order.push_back(id);
        std::ranges::stable_sort(order, std::greater{}, [&](std::size_t id) { return listed_.scores[id]; });
        std::unordered_map<std::string_view, std::size_t> ids;
        for (std::size_t id = 0; id < listed_.tokens.size(); ++id) ids.emplace(listed_.tokens[id], id);
        json merges = json::array();
        constexpr std::size_t longest = 512;
        for (const std::size_t id : order) {
            const std::string& whole = listed_.tokens[id];
            if (whole.size() > longest || vocabulary[whole] != id) continue;
            std::vector<std::pair<std::size_t, std::size_t>> cuts;  // id of the left part, and its length
            for (std::size_t cut = character_length(whole, 0); cut < whole.size();
                 cut += character_length(whole, cut)) {
                const auto left = ids.find(std::string_view(whole).substr(0, cut));
                if (left != ids.end() && ids.contains(std::string_view(whole).substr(cut)))
                    cuts.emplace_back(left->second, cut);
            }
            std::ranges::sort(cuts);
            for (const auto& [left, cut] : cuts) merges.push_back({whole.substr(0, cut), whole.substr(cut)});
        }
        return merges;
    }

    json sentence_pieces() const {
        if (listed_.scores.size() != listed_.tokens.size())
            fail("\"tokenizer.ggml.scores\" has {1} values for {2} tokens", listed_.scores.size(),
                 listed_.tokens.size());
        if (std::ranges::any_of(listed_.scores, [](float score) { return std::isnan(score); }))
            fail("\"tokenizer.ggml.scores\" contains NaN");
        const json words = vocabulary(),
                   spaces{{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", blank_mark}};
        json before = json::array(), after = json::array();
        if (listed_.adds_space) before.push_back({{"type", "Prepend"}, {"prepend", blank_mark}});
        before.push_back(spaces);
        after.push_back({{"type", "Replace"}, {"pattern", {{"String", blank_mark}}}, {"content", " "}});
        after.push_back({{"type", "ByteFallback"}});
        after.push_back({{"type", "Fuse"}});
        if (listed_.adds_space) after.push_back({{"type", "Strip"}, {"content", " "}, {"start", 1u}, {"stop", 0u}});
        json model{{"type", "BPE"},
                   {"vocab", words},
                   {"merges", merges_of_scores(words)},
                   {"byte_fallback", true},
                   {"fuse_unk", true}};
        for (std::size_t id = 0; id < listed_.tokens.size(); ++id)
            if (kind(id) == ListedTokens::unknown) model["unk_token"] = listed_.tokens[id];
        return {
            {"added_tokens", added_tokens()},
            {"normalizer", {{"type", "Sequence"}, {"normalizers", before}}},
            {"pre_tokenizer", nullptr},
            {"post_processor", around(listed_.adds_begin ? listed_.begin : -1, listed_.adds_end ? listed_.end : -1)},
            {"decoder", {{"type", "Sequence"}, {"decoders", after}}},
            {"model", model}};
    }

    /// In the file, a token that begins a word has a leading ▁, and a token that continues one has lost its ##.
    json word_pieces() const {
        json words = json::object(), added = json::array();
        bool capitals = false;
        const auto is_special = [&](std::size_t id) {
            const std::string& text = listed_.tokens[id];
            return kind(id) == ListedTokens::control || (text.starts_with('[') && text.ends_with(']'));
        };
        for (std::size_t id = 0; id < listed_.tokens.size(); ++id) {
            const std::string& text = listed_.tokens[id];
            if (is_special(id)) {
                words.emplace(text, id);
                if (text.find("unused") == std::string::npos)
                    added.push_back({{"id", id}, {"content", text}, {"normalized", false}, {"special", true}});
                continue;
            }
            capitals = capitals || std::ranges::any_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
            const std::string_view mark = blank_mark;
            words.emplace(text.starts_with(mark) ? text.substr(mark.size()) : "##" + text, id);
        }
        for (const char* special : {"[UNK]", "[CLS]", "[SEP]"})
            if (!words.contains(special)) fail("\"tokenizer.ggml.tokens\" has no {1}", special);
        return bert_spec({{"handle_chinese_chars", true}, {"strip_accents", nullptr}, {"lowercase", !capitals}},
                         std::move(added), std::move(words));
    }

    const ListedTokens& listed_;
    const std::string& where_;
};

}  // namespace

json tokenizer_spec(const ListedTokens& listed, const std::string& where) { return Listing(listed, where).spec(); }

std::shared_ptr<const HfTokenizer> make_tokenizer(const ListedTokens& listed, const std::string& where) {
    const std::string mask = listed.mask >= 0 ? listed.tokens[listed.mask] : "";
    return std::make_shared<HfTokenizer>(HfTokenizer::from_spec(tokenizer_spec(listed, where), where, mask));
}

}  // namespace glassformer
