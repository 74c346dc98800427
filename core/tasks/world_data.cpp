#include "core/tasks/world_data.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/error.h"
#include "core/base/rng.h"

namespace glassformer {

std::vector<int> word_ids(const WordTokenizer& tokenizer, std::span<const std::string> words) {
    std::vector<int> ids;
    ids.reserve(words.size());
    for (const std::string& word : words) {
        const std::optional<int> id = tokenizer.find(word);
        if (!id) throw Error("the word \"{1}\" is not in this world's vocabulary", word);
        ids.push_back(*id);
    }
    return ids;
}

void clear_rows(const BatchShape& shape, Batch& out) {
    const std::size_t rows = shape.batch;
    out.unmasked.clear();
    for (std::vector<float>* values : {&out.tokens, &out.key_mask, &out.targets, &out.loss_weights})
        values->assign(rows * static_cast<std::size_t>(shape.positions), 0.0f);
    if (shape.source_positions > 0)
        for (std::vector<float>* values : {&out.source_tokens, &out.source_key_mask})
            values->assign(rows * static_cast<std::size_t>(shape.source_positions), 0.0f);
}

void put_row(std::span<const int> ids, std::size_t row, int positions, std::vector<float>& values) {
    std::ranges::transform(ids, values.begin() + static_cast<std::ptrdiff_t>(row) * positions,
                           [](int id) { return static_cast<float>(id); });
}

void put_row(std::span<const int> ids, std::size_t row, int positions, std::vector<float>& values,
             std::vector<float>& mask) {
    put_row(ids, row, positions, values);
    std::fill_n(mask.begin() + static_cast<std::ptrdiff_t>(row) * positions, ids.size(), 1.0f);
}

std::vector<std::size_t> places_of_share(std::size_t count, double share) {
    constexpr std::uint64_t stream = held_out_stream - 1;  // used by nothing else
    std::vector<std::size_t> places(count);
    std::iota(places.begin(), places.end(), std::size_t{0});
    const auto wanted = static_cast<std::size_t>(std::llround(share * static_cast<double>(count)));
    const std::size_t kept = std::clamp<std::size_t>(wanted, std::min<std::size_t>(1, count), count);
    Rng rng(1, stream);
    for (std::size_t i = 0; i < kept; ++i) std::swap(places[i], places[i + rng.below(count - i)]);
    places.resize(kept);
    std::ranges::sort(places);
    return places;
}

namespace {

constexpr int drawn = 24;
constexpr std::uint64_t drawn_seed = 20011;  // a seed that no user would train with
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

MaskedWords::MaskedWords(std::vector<std::vector<int>> corpus, int positions)
    : corpus_(std::move(corpus)), positions_(positions) {
    if (corpus_.empty()) throw Error("there are no sentences to train on");
    for (const auto& sentence : corpus_)
        if (sentence.empty() || static_cast<int>(sentence.size()) > positions)
            throw Error("a training sentence has {1} words; it must have 1 to {2}", sentence.size(), positions);
}

void MaskedWords::draw(std::uint64_t seed, std::int64_t step, int batch, Batch& out) const {
    Rng rng(seed, batch_streams + static_cast<std::uint64_t>(step));
    clear_rows(shape(batch), out);
    out.unmasked.assign(out.tokens.size(), 0.0f);
    for (int b = 0; b < batch; ++b) {
        const std::vector<int>& sentence = corpus_[rng.below(corpus_.size())];
        for (std::size_t p = 0; p < sentence.size(); ++p) {
            const std::size_t cell = static_cast<std::size_t>(b) * static_cast<std::size_t>(positions_) + p;
            const bool predict = rng.uniform() < predicted, replace = rng.uniform() < replaced;
            out.targets[cell] = out.unmasked[cell] = static_cast<float>(sentence[p]);
            out.tokens[cell] = static_cast<float>(predict && replace ? WordTokenizer::mask : sentence[p]);
            out.key_mask[cell] = 1.0f;
            out.loss_weights[cell] = predict ? 1.0f : 0.0f;
        }
    }
}

}  // namespace glassformer
