#include "core/train/masked_words.h"

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/text/word_tokenizer.h"

namespace glassformer {

MaskedWords::MaskedWords(std::vector<std::vector<int>> corpus, int positions)
    : corpus_(std::move(corpus)), positions_(positions) {
    if (corpus_.empty()) throw Error("there are no sentences to train on");
    for (const auto& sentence : corpus_)
        if (sentence.empty() || static_cast<int>(sentence.size()) > positions)
            throw Error("a training sentence has " + std::to_string(sentence.size()) + " words; it must have 1 to " +
                        std::to_string(positions));
}

void MaskedWords::draw(std::uint64_t seed, std::int64_t step, int batch, Batch& out) const {
    Rng rng(seed, batch_streams + static_cast<std::uint64_t>(step));
    const auto cells = static_cast<std::size_t>(batch) * static_cast<std::size_t>(positions_);
    for (std::vector<float>* values : {&out.tokens, &out.key_mask, &out.targets, &out.loss_weights})
        values->assign(cells, 0.0f);
    for (int b = 0; b < batch; ++b) {
        const std::vector<int>& sentence = corpus_[rng.below(corpus_.size())];
        for (std::size_t p = 0; p < sentence.size(); ++p) {
            const std::size_t cell = static_cast<std::size_t>(b) * static_cast<std::size_t>(positions_) + p;
            const bool predict = rng.uniform() < predicted, replace = rng.uniform() < replaced;
            out.targets[cell] = static_cast<float>(sentence[p]);
            out.tokens[cell] = static_cast<float>(predict && replace ? WordTokenizer::mask : sentence[p]);
            out.key_mask[cell] = 1.0f;
            out.loss_weights[cell] = predict ? 1.0f : 0.0f;
        }
    }
}

}  // namespace glassformer
