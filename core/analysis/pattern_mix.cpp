#include "core/analysis/pattern_mix.h"

#include <algorithm>
#include <numeric>

#include "core/base/error.h"
#include "core/text/hf_tokenizer.h"

namespace glassformer {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/// Uses the byte ranges that a published tokenizer reports.
std::vector<int> words_by_place(const HfTokenizer& tokenizer, std::string_view text, std::span<const int> tokens) {
    const std::vector<TokenOfText> made = tokenizer.encode(text);
    if (!std::ranges::equal(made, tokens, {}, &TokenOfText::id)) return {};
    std::vector<int> words;
    for (std::size_t i = 0; i < made.size(); ++i) {
        const TokenOfText& token = made[i];
        const std::size_t end = i > 0 ? made[i - 1].source.end : 0, begin = std::max(end, token.source.begin);
        const std::string_view between = text.substr(std::min(end, text.size()), begin - std::min(end, begin));
        const bool blank = std::ranges::any_of(between, is_blank) ||
                           (token.source.begin < text.size() && is_blank(text[token.source.begin]));
        const bool begins = i == 0 || token.added || made[i - 1].added || blank;
        words.push_back(i == 0 ? 0 : words.back() + (begins ? 1 : 0));
    }
    return words;
}

}  // namespace

MixedPatterns PatternMixer::add_block(std::span<const float> pattern) {
    rollout_.add_block(pattern);
    const auto n = static_cast<std::size_t>(rollout_.positions()), cells = n * n, heads = pattern.size() / cells;
    MixedPatterns block{
        std::vector<float>(cells), std::vector<float>(cells), {rollout_.shares().begin(), rollout_.shares().end()}};
    sum_.resize(cells), largest_.resize(cells);
    for (std::size_t cell = 0; cell < cells; ++cell) {
        double sum = 0.0;
        float most = 0.0f;
        for (std::size_t head = 0; head < heads; ++head) {
            sum += static_cast<double>(pattern[head * cells + cell]);
            most = std::max(most, pattern[head * cells + cell]);
        }
        sum_[cell] += sum;
        block.mean[cell] = static_cast<float>(sum / static_cast<double>(heads));
        block.largest[cell] = most;
        largest_[cell] = std::max(largest_[cell], most);
    }
    heads_ += static_cast<int>(heads);
    return block;
}

MixedPatterns PatternMixer::all() const {
    MixedPatterns all{std::vector<float>(sum_.size()), largest_, {rollout_.shares().begin(), rollout_.shares().end()}};
    std::ranges::transform(sum_, all.mean.begin(), [&](double sum) { return static_cast<float>(sum / heads_); });
    return all;
}

std::optional<double> weight_on_first(std::span<const float> pattern, int length) {
    const auto n = static_cast<std::size_t>(length);
    if (length < 1 || pattern.size() != n * n)
        throw Error("a pattern of {1} queries and {2} keys cannot have {3} cells", length, length, pattern.size());
    if (length < 2) return std::nullopt;
    double sum = 0.0;
    for (std::size_t query = 1; query < n; ++query) sum += static_cast<double>(pattern[query * n]);
    return sum / static_cast<double>(n - 1);
}

std::vector<float> without_first_key(std::span<const float> weights, int length) {
    std::vector<float> found(weights.begin(), weights.end());
    const auto n = static_cast<std::size_t>(length);
    for (std::size_t query = 0; query < n; ++query) {
        const std::span<float> row = std::span(found).subspan(query * n, n);
        row[0] = 0.0f;
        const double sum = std::accumulate(row.begin(), row.end(), 0.0);
        for (float& weight : row) weight = sum > 0.0 ? static_cast<float>(static_cast<double>(weight) / sum) : 0.0f;
    }
    return found;
}

std::vector<float> weights_of_words(std::span<const float> weights, std::span<const int> word_of) {
    const std::size_t n = word_of.size(), words = n == 0 ? 0 : static_cast<std::size_t>(word_of.back()) + 1;
    std::vector<double> sums(words * words);
    std::vector<int> tokens(words);
    for (std::size_t query = 0; query < n; ++query) {
        const auto row = static_cast<std::size_t>(word_of[query]);
        ++tokens[row];
        for (std::size_t key = 0; key < n; ++key)
            sums[row * words + static_cast<std::size_t>(word_of[key])] += static_cast<double>(weights[query * n + key]);
    }
    std::vector<float> found(sums.size());
    for (std::size_t cell = 0; cell < sums.size(); ++cell)
        found[cell] = static_cast<float>(sums[cell] / tokens[cell / words]);
    return found;
}

std::optional<double> weight_between(std::span<const float> weights, std::span<const int> group_of, int from, int to) {
    double sum = 0.0;
    const auto queries = std::ranges::count(group_of, from);
    if (queries == 0) return std::nullopt;
    for (std::size_t query = 0; query < group_of.size(); ++query)
        for (std::size_t key = 0; key < group_of.size(); ++key)
            if (group_of[query] == from && group_of[key] == to)
                sum += static_cast<double>(weights[query * group_of.size() + key]);
    return sum / static_cast<double>(queries);
}

std::vector<int> written_words(const Tokenizer& tokenizer, std::string_view text, std::span<const int> tokens) {
    std::vector<int> words;
    try {
        if (const auto* published = dynamic_cast<const HfTokenizer*>(&tokenizer))
            return words_by_place(*published, text, tokens);
        const bool whole = tokenizer.kind() == "words";
        for (const int token : tokens) {
            const std::string letters = tokenizer.decode(std::span(&token, 1));
            const bool begins = whole || letters.empty() || is_blank(letters.front());
            words.push_back(words.empty() ? 0 : words.back() + (begins ? 1 : 0));
        }
    } catch (const Error&) {
        return {};  // a text that it cannot read, or tokens that are not its own
    }
    return words;
}

}  // namespace glassformer
