#include "core/tasks/text_tokenizers.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/error.h"
#include "core/text/byte_pair_tokenizer.h"
#include "core/text/character_tokenizer.h"
#include "core/text/unicode.h"
#include "core/text/utf8.h"
#include "core/text/word_tokenizer.h"
#include "core/text/words.h"

namespace glassformer {

namespace {

constexpr std::size_t most_words = 4000;
constexpr std::size_t bytes_per_merge = 40, most_merges = 1000;

/// Whether somebody put blanks between the words of a script that needs none ("猫 喜欢 鱼").
bool has_blanks_put_in(std::string_view text) {
    const std::u32string points = code_points(text);
    std::size_t apart = 0, together = 0;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        if (!is_unspaced_script(points[i])) continue;
        if (is_unspaced_script(points[i + 1])) ++together;
        if (points[i + 1] == U' ' && i + 2 < points.size() && is_unspaced_script(points[i + 2])) ++apart;
    }
    return 8 * apart > together;
}

/// The words of a text, with their counts. Where a script has no blanks, nothing tells where its words end: then each
/// of its characters is one.
std::map<std::string, std::size_t> counted_words(std::string_view text) {
    std::map<std::string, std::size_t> counts;
    const bool whole = has_blanks_put_in(text);
    for (std::string& word : split_words(text)) {
        if (whole || !std::ranges::any_of(code_points(word), is_unspaced_script)) {
            ++counts[std::move(word)];
            continue;
        }
        std::string rest;  // letters of other scripts stay together
        const auto add_rest = [&] {
            if (!rest.empty()) ++counts[std::exchange(rest, {})];
        };
        for (const ByteRange c : graphemes(word)) {
            const std::string character = word.substr(c.begin, c.end - c.begin);
            if (is_unspaced_script(code_points(character).front()))
                add_rest(), ++counts[character];
            else
                rest += character;
        }
        add_rest();
    }
    return counts;
}

std::shared_ptr<const Tokenizer> word_tokenizer(std::string_view text) {
    const std::map<std::string, std::size_t> counts = counted_words(text);
    std::vector<std::pair<std::size_t, std::string>> ranked;
    for (const auto& [word, count] : counts)
        if (count >= 2) ranked.emplace_back(count, word);
    std::ranges::stable_sort(ranked, std::greater{}, [](const auto& entry) { return entry.first; });
    ranked.resize(std::min(ranked.size(), most_words));
    std::vector<std::string> words;
    for (auto& [count, word] : ranked) words.push_back(std::move(word));
    return std::make_shared<const WordTokenizer>(words);
}

std::shared_ptr<const Tokenizer> byte_pair_tokenizer(std::string_view text) {
    BytePairTraining training(text);
    const std::size_t merges = std::min(text.size() / bytes_per_merge, most_merges);
    while (training.merges().size() < merges && training.step()) {
    }
    return std::make_shared<const BytePairTokenizer>(training.merges());
}

}  // namespace

std::shared_ptr<const Tokenizer> tokenizer_from_text(const std::string& unit, std::string_view text) {
    if (unit == "characters") return std::make_shared<const CharacterTokenizer>(CharacterTokenizer::from_text(text));
    if (unit == "byte_pairs") return byte_pair_tokenizer(text);
    if (unit == "words") return word_tokenizer(text);
    throw Error("there is no unit \"" + unit + "\" to cut a text into; there are characters, words, byte_pairs");
}

}  // namespace glassformer
