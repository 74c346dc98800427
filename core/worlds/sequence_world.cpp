#include "core/worlds/sequence_world.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/text/word_tokenizer.h"

namespace glassformer {

namespace {

constexpr int first_word = WordTokenizer::unknown + 1;
constexpr std::string_view consonants = "bdfgklmn", vowels = "aeio";

/// "ba", "be" … "no".
std::vector<std::string> syllables() {
    std::vector<std::string> words;
    for (const char consonant : consonants)
        for (const char vowel : vowels) words.push_back({consonant, vowel});
    return words;
}

std::vector<std::string> letters() {
    std::vector<std::string> words;
    for (char letter = 'a'; letter <= 'z'; ++letter) words.push_back({letter});
    return words;
}

}  // namespace

SequenceWorld::SequenceWorld(SequenceRule rule, int shortest, int longest)
    : rule_(rule),
      shortest_(shortest),
      longest_(longest),
      vocabulary_(rule == SequenceRule::repeated ? syllables() : letters()) {
    symbols_ = static_cast<int>(vocabulary_.size());
    const int most = rule == SequenceRule::repeated ? symbols_ : (SequenceSentence::most - 1) / 2;
    if (shortest < 1 || longest < shortest || longest > most)
        throw Error("sequences of {1} to {2} symbols are not possible; the lengths must be between 1 and {3}", shortest,
                    longest, most);
    if (rule != SequenceRule::repeated) vocabulary_.push_back(":");
}

Split SequenceWorld::split_of(std::span<const int> sequence) {
    // FNV-1a, with a final mix so that every symbol affects the deciding bits.
    std::uint64_t hash = 0xCBF29CE484222325u;
    for (const int symbol : sequence) hash = (hash ^ static_cast<std::uint64_t>(symbol)) * 0x100000001B3u;
    hash ^= hash >> 32;
    return (hash * 0x9E3779B97F4A7C15u) >> 61 == 0 ? Split::held_out : Split::train;
}

void SequenceWorld::draw_symbols(std::span<int> sequence, Rng& rng) const {
    for (std::size_t i = 0; i < sequence.size(); ++i) {
        const auto earlier = sequence.first(i);
        do {
            sequence[i] = first_word + static_cast<int>(rng.below(static_cast<std::uint64_t>(symbols_)));
        } while (rule_ == SequenceRule::repeated && std::ranges::find(earlier, sequence[i]) != earlier.end());
    }
}

SequenceSentence SequenceWorld::generate(Split split, Rng& rng) const {
    const auto lengths = static_cast<std::uint64_t>(longest_ - shortest_ + 1);
    const int n = shortest_ + static_cast<int>(rng.below(lengths));
    SequenceSentence sentence;
    const std::span<int> sequence(sentence.words.data(), static_cast<std::size_t>(n));
    do {
        draw_symbols(sequence, rng);
    } while (split_of(sequence) != split);
    sentence.answer = n;
    if (rule_ != SequenceRule::repeated) sentence.words[sentence.answer++] = first_word + symbols_;
    const auto answer = sentence.words.begin() + sentence.answer;
    std::ranges::copy(sequence, answer);
    if (rule_ == SequenceRule::sorted) std::sort(answer, answer + n);
    sentence.length = sentence.answer + n;
    return sentence;
}

}  // namespace glassformer
