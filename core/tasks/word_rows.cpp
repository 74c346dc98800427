#include "core/tasks/word_rows.h"

#include <algorithm>

#include "core/base/error.h"

namespace glassformer {

std::vector<int> word_ids(const WordTokenizer& tokenizer, std::span<const std::string> words) {
    std::vector<int> ids;
    ids.reserve(words.size());
    for (const std::string& word : words) {
        const std::optional<int> id = tokenizer.find(word);
        if (!id) throw Error("the word \"" + word + "\" is not in this world's vocabulary");
        ids.push_back(*id);
    }
    return ids;
}

void clear_rows(std::size_t rows, std::size_t positions, Batch& out) {
    for (std::vector<float>* values : {&out.tokens, &out.key_mask, &out.targets, &out.loss_weights})
        values->assign(rows * positions, 0.0f);
}

void put_row(std::span<const int> ids, std::size_t row, std::size_t positions, std::vector<float>& values) {
    std::ranges::transform(ids, values.begin() + static_cast<std::ptrdiff_t>(row * positions),
                           [](int id) { return static_cast<float>(id); });
}

void put_ones(std::size_t count, std::size_t row, std::size_t positions, std::vector<float>& values) {
    std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(row * positions), count, 1.0f);
}

}  // namespace glassformer
