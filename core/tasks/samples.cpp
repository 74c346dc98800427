#include "core/tasks/samples.h"

#include <algorithm>

namespace glassformer {

namespace {

constexpr int drawn = 24;
constexpr std::uint64_t drawn_seed = 20011;  // of no training that a person would start
constexpr std::size_t longest_drawn = 32;    // in tokens: what a card can show

}  // namespace

std::vector<std::vector<int>> drawn_sentences(const BatchSource& batches) {
    Batch batch;
    const std::size_t positions = batches.shape(drawn).positions;
    batches.draw(drawn_seed, 1, drawn, batch);
    std::vector<std::vector<int>> sentences(drawn);
    for (std::size_t row = 0; row < sentences.size(); ++row)
        for (std::size_t p = 0; p < positions && sentences[row].size() < longest_drawn; ++p)
            if (const std::size_t cell = row * positions + p; batch.key_mask[cell] != 0.0f)
                sentences[row].push_back(static_cast<int>(batch.tokens[cell]));
    const auto as_long = std::find_if(sentences.begin() + 1, sentences.end(),
                                      [&](const auto& ids) { return ids.size() == sentences.front().size(); });
    if (as_long != sentences.end()) std::rotate(sentences.begin() + 1, as_long, as_long + 1);
    return sentences;
}

std::vector<Sample> numbered_samples() {
    std::vector<Sample> samples;
    for (int i = 1; i <= drawn; ++i) samples.push_back({"sample " + std::to_string(i)});
    return samples;
}

}  // namespace glassformer
