#include "core/text/word_tokenizer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/text/text_file.h"
#include "core/text/unicode.h"
#include "core/text/utf8.h"
#include "core/text/words.h"

namespace glassformer {
namespace {

constexpr std::array<const char*, 3> special_tokens = {"<pad>", "<mask>", "<unk>"};
constexpr std::array<std::pair<std::string_view, int>, 5> special_spellings = {{{"▢", WordTokenizer::mask},
                                                                                {"□", WordTokenizer::mask},
                                                                                {"[mask]", WordTokenizer::mask},
                                                                                {"<mask>", WordTokenizer::mask},
                                                                                {"<unk>", WordTokenizer::unknown}}};
constexpr std::size_t max_words_bytes = 16u << 20;
constexpr std::size_t max_compared_letters = 64;

/// Why the word cannot be in a vocabulary; empty if it can.
std::string fault_of(const std::string& word) {
    if (word.empty()) return N_("an empty word");
    if (!is_valid_utf8(word)) return N_("a word that is not UTF-8");
    const auto is_blank = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == 0x7F; };
    if (std::any_of(word.begin(), word.end(), is_blank))
        return filled_with(N_("the word '{1}' contains a space"), word);
    return {};
}

/// The special token spelled at the start of the text, and the length of its spelling; length 0 if there is none.
std::pair<int, std::size_t> special_at(std::string_view text) {
    for (const auto& [spelling, id] : special_spellings) {
        if (text.starts_with(spelling)) return {id, spelling.size()};
    }
    return {WordTokenizer::mask, std::min(text.find_first_not_of('_'), text.size())};
}

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        if (lines.back().ends_with('\r')) lines.back().pop_back();
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

}  // namespace

WordTokenizer::WordTokenizer(const std::vector<std::string>& words) {
    for (const char* token : special_tokens) words_.emplace_back(token);
    words_.insert(words_.end(), words.begin(), words.end());
    for (std::size_t i = 0; i < words_.size(); ++i) {
        if (const std::string fault = fault_of(words_[i]); !fault.empty()) throw Error("vocabulary: {1}", fault);
        if (!ids_.emplace(words_[i], static_cast<int>(i)).second)
            throw Error("vocabulary: the word '{1}' appears twice", words_[i]);
        longest_ = std::max(longest_, code_points(words_[i]).size());
    }
}

WordTokenizer WordTokenizer::load(const std::filesystem::path& path) {
    const std::string name = path.string();
    const std::string text = read_text_file(path, max_words_bytes);
    check_utf8(text, name);
    const std::vector<std::string> lines = lines_of(text);
    std::unordered_map<std::string, std::size_t> seen;
    for (std::size_t i = 0; i < std::max(lines.size(), special_tokens.size()); ++i) {
        const std::size_t line = i + 1;
        if (i < special_tokens.size() && (i >= lines.size() || lines[i] != special_tokens[i]))
            throw Error("{1}:{2}: expected the special token {3}", name, line, special_tokens[i]);
        if (const std::string fault = fault_of(lines[i]); !fault.empty())
            throw Error("{1}:{2}: {3}", name, line, fault);
        const auto [earlier, is_new] = seen.emplace(lines[i], line);
        if (!is_new)
            throw Error("{1}:{2}: the word '{3}' is already in line {4}", name, line, lines[i], earlier->second);
    }
    return WordTokenizer(std::vector<std::string>(lines.begin() + special_tokens.size(), lines.end()));
}

void WordTokenizer::save(const std::filesystem::path& path) const {
    std::string lines;
    for (const std::string& word : words_) lines += word + '\n';
    write_text_file(path, lines);
}

const std::string& WordTokenizer::word(int id) const {
    if (id < 0 || id >= size()) throw Error("there is no word with id {1}; the vocabulary has {2}", id, size());
    return words_[id];
}

std::optional<int> WordTokenizer::find(std::string_view word) const {
    const auto found = ids_.find(std::string(word));
    return found == ids_.end() ? std::nullopt : std::optional<int>(found->second);
}

std::vector<WordTokenizer::Token> WordTokenizer::encode(std::string_view utf8) const {
    const std::string text = lower_case(utf8);
    std::vector<Token> tokens;
    const auto add_words = [&](std::string_view stretch) {
        for (std::string& word : split_words(stretch)) {
            std::optional<int> id = find(word);
            // A letter and its accent may be typed as one character or two, whichever form the vocabulary has.
            for (const NormalForm form : {NormalForm::nfc, NormalForm::nfd}) {
                if (id) break;
                std::string other = in_normal_form(AlignedText(word), form).text();
                if ((id = find(other))) word = std::move(other);
            }
            if (!id && std::ranges::any_of(code_points(word), is_unspaced_script))
                cut_into_words(word, tokens);
            else
                tokens.push_back({id.value_or(unknown), std::move(word)});
        }
    };
    std::size_t begin = 0;
    for (std::size_t i = 0; i < text.size();) {
        const auto [id, length] = special_at(std::string_view(text).substr(i));
        if (length == 0) {
            ++i;
            continue;
        }
        add_words(std::string_view(text).substr(begin, i - begin));
        tokens.push_back({id, special_tokens[id]});
        begin = i += length;
    }
    add_words(std::string_view(text).substr(begin));
    if (tokens.empty()) throw Error("the text has no word; write at least one");
    return tokens;
}

void WordTokenizer::cut_into_words(const std::string& run, std::vector<Token>& tokens) const {
    const std::u32string points = code_points(run);
    // Going from the end: the fewest characters of the rest that belong to no known word, and then the fewest words.
    struct Best {
        std::size_t strange = 0, words = 0, length = 0;  // of the word that begins here
        int id = unknown;
    };
    std::vector<Best> best(points.size() + 1);
    for (std::size_t i = points.size(); i-- > 0;) {
        best[i] = {best[i + 1].strange + 1, best[i + 1].words + 1, 1, unknown};
        std::string word;
        for (std::size_t length = 1; length <= std::min(longest_, points.size() - i); ++length) {
            word += to_utf8({&points[i + length - 1], 1});
            const std::optional<int> id = find(word);
            const Best& rest = best[i + length];
            if (id && std::pair(rest.strange, rest.words + 1) < std::pair(best[i].strange, best[i].words))
                best[i] = {rest.strange, rest.words + 1, length, *id};
        }
    }
    for (std::size_t i = 0; i < points.size(); i += best[i].length) {
        std::string word = to_utf8(std::u32string_view(points).substr(i, best[i].length));
        const bool goes_on = best[i].id == unknown && i > 0 && tokens.back().id == unknown;
        if (goes_on)
            tokens.back().text += word;  // adjacent unknown characters stay together
        else
            tokens.push_back({best[i].id, std::move(word)});
    }
}

std::vector<int> WordTokenizer::ids(std::string_view utf8) const {
    std::vector<int> found;
    for (const Token& token : encode(utf8)) found.push_back(token.id);
    return found;
}

std::string WordTokenizer::decode(std::span<const int> ids) const {
    std::vector<std::string> words;
    for (const int id : ids) {
        if (id != pad) words.push_back(word(id));
    }
    return join_words(words);
}

std::vector<std::string> WordTokenizer::nearest(std::string_view word, std::size_t n) const {
    const std::u32string wanted = code_points(lower_case(word)).substr(0, max_compared_letters);
    std::vector<std::pair<std::size_t, std::string>> ranked;
    for (std::size_t i = special_tokens.size(); i < words_.size(); ++i) {
        const std::u32string known = code_points(words_[i]).substr(0, max_compared_letters);
        const std::size_t errors = edit_distance(wanted, known);
        if (errors < std::max(wanted.size(), known.size())) ranked.emplace_back(errors, words_[i]);
    }
    std::sort(ranked.begin(), ranked.end());
    ranked.resize(std::min(n, ranked.size()));
    std::vector<std::string> words;
    for (auto& [distance, known] : ranked) words.push_back(std::move(known));
    return words;
}

}  // namespace glassformer
