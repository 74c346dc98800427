#include "app/panels/sentence/prompt_numbers.h"

#include <algorithm>

#include "app/common/explanation.h"
#include "core/base/join.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

/// Empty if the prompt has no such row.
std::span<const float> row_at(const WatchedSentence& sentence, int d_input, int position) {
    if (position < 0 || d_input < 1 || sentence.values.size() < static_cast<std::size_t>((position + 1) * d_input))
        return {};
    return std::span(sentence.values).subspan(position * d_input, d_input);
}

bool is_point(int position) { return position % 2 == 0; }

std::string in_brackets(std::span<const float> numbers) {
    return typographic("(" + join(numbers, ", ", [](float number) { return significant(number); }) + ")");
}

}  // namespace

std::string row_of_prompt(const WatchedSentence& sentence, int d_input, int position) {
    const std::span<const float> row = row_at(sentence, d_input, position);
    if (row.empty()) return {};
    const std::span<const float> point = row.first(row.size() - 1);
    const bool has_point = std::ranges::any_of(point, [](float x) { return x != 0; });
    if (is_point(position)) return in_brackets(row.back() == 0 && !point.empty() ? point : row);
    return has_point ? in_brackets(row) : typographic(significant(row.back()));
}

std::optional<double> textbook_answer(const WatchedSentence& sentence, int d_input, int position,
                                      const Regressor& method) {
    const std::span<const float> asked = row_at(sentence, d_input, position);
    if (asked.size() < 2 || !is_point(position)) return {};
    std::vector<float> xs, ys;
    for (int i = 0; i < position; ++i) {
        const std::span<const float> row = row_at(sentence, d_input, i);
        if (is_point(i))
            xs.insert(xs.end(), row.begin(), row.end() - 1);
        else
            ys.push_back(row.back());
    }
    return method(xs, ys, asked.first(asked.size() - 1));
}

std::optional<double> value_in_prompt(const WatchedSentence& sentence, int d_input, int position) {
    const std::span<const float> value = row_at(sentence, d_input, position + 1);
    if (!is_point(position) || value.empty()) return {};
    return value.back();
}

}  // namespace glassformer::app
