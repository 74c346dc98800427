#include "core/tasks/sequence_metric.h"

#include "core/base/error.h"
#include "core/base/mark_text.h"

namespace glassformer {

RightShare right_share(std::span<const float> logits, int d_vocab, int positions, const Batch& batch) {
    const auto width = static_cast<std::size_t>(d_vocab), length = static_cast<std::size_t>(positions);
    if (logits.size() != batch.targets.size() * width || batch.loss_weights.size() != batch.targets.size())
        throw Error("the logits are not of this batch");
    std::size_t tokens = 0, right_tokens = 0, sentences = 0, right_sentences = 0;
    for (std::size_t begin = 0; begin < batch.targets.size(); begin += length) {
        std::size_t counted = 0, right = 0;
        for (std::size_t cell = begin; cell < begin + length; ++cell) {
            if (batch.loss_weights[cell] == 0.0f) continue;
            ++counted;
            right += largest(logits.subspan(cell * width, width)) == static_cast<int>(batch.targets[cell]);
        }
        tokens += counted;
        right_tokens += right;
        sentences += counted > 0;
        right_sentences += counted > 0 && right == counted;
    }
    if (tokens == 0) throw Error("the batch has no token to be predicted");
    return {static_cast<double>(right_tokens) / static_cast<double>(tokens),
            static_cast<double>(right_sentences) / static_cast<double>(sentences)};
}

Measurement RightTokens::measure(std::span<const float> parameters) {
    held_out_.run(parameters);
    const TransformerGraph& model = held_out_.model();
    const RightShare share =
        right_share(held_out_.values("logits"), model.config.d_vocab, model.positions, held_out_.batch());
    return {share.tokens, {{N_("sequences right as a whole"), share.sentences}}};
}

}  // namespace glassformer
