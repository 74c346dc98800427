#include "core/tasks/text_tokenizers.h"

#include <algorithm>
#include <map>

#include "core/base/error.h"
#include "core/text/byte_pair_tokenizer.h"
#include "core/text/character_tokenizer.h"
#include "core/text/word_tokenizer.h"
#include "core/text/words.h"

namespace glassformer {

namespace {

constexpr std::size_t most_words = 4000;
constexpr std::size_t bytes_per_merge = 40, most_merges = 1000;

std::shared_ptr<const Tokenizer> word_tokenizer(std::string_view text) {
    std::map<std::string, std::size_t> counts;
    for (std::string& word : split_words(text)) ++counts[std::move(word)];
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
