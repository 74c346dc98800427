#include "app/common/answer_gradient.h"

namespace glassformer::app {

std::optional<double> answer_gradient(const Frame& frame, int slot, const Cell& cell) {
    const auto& shown = frame.snapshot.word_parts[slot];
    const WatchedSentence& sentence = frame.sentence(slot);
    if (!frame.own<GradientsEverywhere>().on || !shown || !shown->gradients || !sentence.trace || cell.node < 0 ||
        shown->of.lock() != sentence.trace)
        return std::nullopt;
    const std::span<const float> gradient = shown->gradients->of(sentence.trace->graph(), cell.node);
    if (cell.offset < 0 || cell.offset >= static_cast<std::int64_t>(gradient.size())) return std::nullopt;
    return gradient[static_cast<std::size_t>(cell.offset)];
}

}  // namespace glassformer::app
