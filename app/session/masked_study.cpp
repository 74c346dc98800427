#include "app/session/masked_study.h"

#include <algorithm>

#include "app/session/masks.h"
#include "core/base/error.h"
#include "core/text/special_tokens.h"

namespace glassformer::app {

namespace {

/// The positions whose token stands for part of the text and is not a mask.
std::vector<int> maskable(const ModelInfo& model, const WatchedSentence& sentence) {
    std::vector<int> positions;
    const auto* published = dynamic_cast<const HfTokenizer*>(model.tokenizer.get());
    const std::string text = published ? with_own_masks(*published, sentence.text) : std::string();
    for (int p = 0; p < static_cast<int>(sentence.tokens.size()); ++p)
        if (!is_mask(model, sentence.tokens[p].id) && (!published || replace_token(*published, text, p, "▢")))
            positions.push_back(p);
    return positions;
}

std::shared_ptr<const MaskedSurprise> begin(const ModelInfo& model, const WatchedSentence& sentence) {
    auto found = std::make_shared<MaskedSurprise>();
    found->of = sentence.trace;
    found->tokens.resize(sentence.tokens.size());
    found->left = maskable(model, sentence);
    return found;
}

}  // namespace

void MaskedStudy::show(Snapshot& snapshot, const Subject& of) {
    const ModelInfo& model = *of.model.info;
    if (!asked_ || !fills_masks(model)) return forget();
    for (std::size_t slot = 0; slot < 2; ++slot) {
        const WatchedSentence& sentence = of.model.runs.watched()[slot];
        if (!sentence.trace || !sentence.masked_probabilities.empty())
            shown_[slot] = nullptr;
        else if (!shown_[slot] || shown_[slot]->of.lock() != sentence.trace)
            shown_[slot] = begin(model, sentence);
    }
    snapshot.masked_surprise = shown_;
}

bool MaskedStudy::under_way() const {
    return std::ranges::any_of(shown_, [](const auto& words) { return words && !words->left.empty(); });
}

void MaskedStudy::work(const Subject& of) {
    const int slot = shown_[0] && !shown_[0]->left.empty() ? 0 : 1;
    auto next = std::make_shared<MaskedSurprise>(*shown_[slot]);
    const int position = next->left.front(), mask = *mask_of(*of.model.info);
    next->left.erase(next->left.begin());
    try {
        const MaskedRun run = of.model.runs.masked(slot, position, mask);
        const SliceView row = run.trace->part_uncached(run.trace->model().logits, {position, 1});
        next->tokens[position] = surprise_of_logits(row.values(), run.token);
    } catch (const Error& e) {
        next->failure = e.what();
        next->left.clear();
    }
    shown_[slot] = std::move(next);
}

}  // namespace glassformer::app
