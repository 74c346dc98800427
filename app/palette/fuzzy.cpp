#include "app/palette/fuzzy.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

namespace glassformer::app {

namespace {

// Scores for the ways to match a word of the query, from best to worst.
constexpr float whole = 100, start = 80, keyword = 60, keyword_start = 50, inside = 40, scattered = 15;
constexpr float in_order = 4, per_letter_left = 0.5f, plural_share = 0.95f;

/// Returns the length of the character at `at` if it separates words; otherwise 0. Beyond ASCII, separators are the
/// dashes, quotes and dots from U+2010 to U+203F, encoded as E2 80 90 … E2 80 BF.
std::size_t separator(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) {
        return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0;
    };
    if (byte(0) < 0x80) return std::isalnum(byte(0)) ? 0 : 1;
    return byte(0) == 0xe2 && byte(1) == 0x80 && byte(2) >= 0x90 ? 3 : 0;
}

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    bool within = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (const std::size_t length = separator(text, i)) {
            within = false;
            i += length - 1;
            continue;
        }
        if (!within) words.emplace_back();
        within = true;
        words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
    }
    return words;
}

/// Returns true if `text` contains all letters of `word` in order, and starts with the first.
bool with_letters_left_out(std::string_view word, std::string_view text) {
    if (word.size() < 3 || text.empty() || text[0] != word[0]) return false;
    std::size_t at = 0;
    for (const char c : text)
        if (at < word.size() && c == word[at]) ++at;
    return at == word.size();
}

float in_title(const std::string& word, const std::string& of_title) {
    const float longer = std::min(10.0f, per_letter_left * static_cast<float>(of_title.size()));
    if (word == of_title) return whole;
    if (of_title.starts_with(word)) return start - longer;
    if (word.size() > 1 && of_title.find(word) != std::string::npos) return inside - longer;
    return with_letters_left_out(word, of_title) ? scattered - longer / 2 : 0;
}

float in_keywords(const std::string& word, const std::string& of_keywords) {
    if (word == of_keywords) return keyword;
    return of_keywords.starts_with(word) ? keyword_start : 0;
}

/// "parameters" matches "parameter" too, slightly worse than "parameters" itself.
float singular_or(const std::string& word, const auto& score) {
    const float found = score(word);
    const bool plural = word.size() > 3 && word.back() == 's' && word[word.size() - 2] != 's';
    return plural ? std::max(found, score(word.substr(0, word.size() - 1)) * plural_share) : found;
}

float in_title_or_singular(const std::string& word, const std::string& of_title) {
    return singular_or(word, [&](const std::string& one) { return in_title(one, of_title); });
}

}  // namespace

float match(std::string_view query, std::string_view title, std::string_view keywords) {
    const std::vector<std::string> asked = words_of(query), titles = words_of(title), others = words_of(keywords);
    if (asked.empty()) return 1;
    float sum = 0;
    std::size_t last = titles.size();  // where the previous word matched
    for (const std::string& word : asked) {
        float best = 0;
        std::size_t place = titles.size();
        for (std::size_t i = 0; i < titles.size(); ++i) {
            const float alone = in_title_or_singular(word, titles[i]), found = alone + (i == last + 1 ? in_order : 0);
            if (alone > 0 && found > best) best = found, place = i;
        }
        for (const std::string& other : others) {
            const float found = singular_or(word, [&](const std::string& one) { return in_keywords(one, other); });
            if (found > best) best = found, place = titles.size();
        }
        if (best <= 0) return 0;
        sum += best;
        last = place;
    }
    const float mean = sum / static_cast<float>(asked.size());
    return mean + 5.0f / static_cast<float>(1 + titles.size());  // of two equal matches, the shorter title wins
}

std::string subject_of(std::string_view query) {
    static constexpr std::array asking = {"what", "how", "why", "which", "where", "when", "who", "can", "explain"};
    static constexpr std::array beside = {"is",  "are", "was", "do",   "does",  "did",   "a",    "an",    "the",
                                          "i",   "you", "we",  "it",   "this",  "my",    "of",   "in",    "to",
                                          "for", "me",  "s",   "mean", "means", "meant", "work", "works", "happens"};
    const std::vector<std::string> words = words_of(query);
    if (words.empty() || std::ranges::find(asking, words.front()) == asking.end()) return {};
    std::string subject;
    for (const std::string& word : words)
        if (std::ranges::find(asking, word) == asking.end() && std::ranges::find(beside, word) == beside.end())
            subject += (subject.empty() ? "" : " ") + word;
    return subject;
}

}  // namespace glassformer::app
