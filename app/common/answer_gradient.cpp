#include "app/common/answer_gradient.h"

#include "app/language/tr.h"
#include "app/ui/memo.h"

namespace glassformer::app {

namespace {

const WordPartsShown* current(const Frame& frame, int slot, const Cell& cell) {
    const auto& shown = frame.snapshot.word_parts[slot];
    const WatchedSentence& sentence = frame.sentence(slot);
    const bool known = frame.own<GradientsEverywhere>().on && shown && shown->gradients && sentence.trace &&
                       cell.node >= 0 && shown->of.lock() == sentence.trace;
    return known ? shown.get() : nullptr;
}

/// Caches the ways of the explained number.
struct KeptWays {
    Memo<std::tuple<SharedKey<NodeGradients>, int, std::int64_t>, std::vector<NodeGradients::Way>, 2> of;
};

}  // namespace

std::string answer_name(const Frame& frame, int slot, const AskedWordParts& asked) {
    const ModelInfo& model = frame.model(slot);
    const auto name = [&](int id) {
        return model.config.output == OutputKind::classes ? model.class_name(id) : model.token_text(id);
    };
    if (asked.sense >= 0)
        return filled(tr("“{1}” rather than “{2}” (cosines, last block)"),
                      {model.senses[asked.sense].name, model.senses[asked.sense ^ 1].name});
    if (asked.loss == AnswerLoss::of_next_words) return tr("loss: the mean of −ln P of each next word");
    if (asked.loss == AnswerLoss::of_word) return filled(tr("loss: −ln P of “{1}”"), {name(asked.word)});
    std::string text = filled(tr("logit of “{1}”"), {name(asked.word)});
    if (asked.less_mean) text += std::string(" ") + tr("− mean");
    if (asked.minus >= 0) text += filled(tr(" − logit of “{1}”"), {name(asked.minus)});
    return text;
}

std::optional<AnswerGradient> answer_gradient(const Frame& frame, int slot, const Cell& cell) {
    const WordPartsShown* shown = current(frame, slot, cell);
    if (!shown) return std::nullopt;
    const std::span<const float> gradient = shown->gradients->of(frame.trace(slot)->graph(), cell.node);
    if (cell.offset < 0 || cell.offset >= static_cast<std::int64_t>(gradient.size())) return std::nullopt;
    std::string answer = answer_name(frame, slot, shown->asked);
    if (frame.model(slot).config.output != OutputKind::classes && shown->asked.loss != AnswerLoss::of_next_words)
        answer = filled(tr("{1}, at “{2}”"), {answer, std::string(frame.word(slot, shown->asked.position))});
    return AnswerGradient{gradient[static_cast<std::size_t>(cell.offset)], std::move(answer), {}};
}

std::optional<AnswerGradient> answer_gradient_ways(const Frame& frame, int slot, const Cell& cell) {
    std::optional<AnswerGradient> found = answer_gradient(frame, slot, cell);
    if (!found) return found;
    const std::shared_ptr<const NodeGradients>& gradients = frame.snapshot.word_parts[slot]->gradients;
    found->ways = frame.own<KeptWays>().of({gradients, cell.node, cell.offset},
                                           [&] { return gradients->ways(*frame.trace(slot), cell); });
    return found;
}

}  // namespace glassformer::app
