#include "app/session/masked_study.h"

#include <algorithm>
#include <chrono>

#include "app/session/masks.h"
#include "core/base/error.h"
#include "core/text/special_tokens.h"

namespace glassformer::app {

namespace {

/// The positions whose token stands for a part of the text, and is no mask.
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

std::array<std::shared_ptr<const MaskedSurprise>, 2> MaskedStudy::words(const WatchedRuns::Both& sentences,
                                                                        bool looked_at) {
    if (!looked_at || !fills_masks(*model_)) return shown_ = {};
    for (std::size_t slot = 0; slot < 2; ++slot) {
        const WatchedSentence& sentence = sentences[slot];
        if (!sentence.trace || !sentence.masked_probabilities.empty())
            shown_[slot] = nullptr;
        else if (!shown_[slot] || shown_[slot]->of.lock() != sentence.trace)
            shown_[slot] = begin(*model_, sentence);
    }
    return shown_;
}

bool MaskedStudy::under_way() const {
    return std::ranges::any_of(shown_, [](const auto& words) { return words && !words->left.empty(); });
}

void MaskedStudy::work_for(double seconds, WatchedRuns& runs) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    for (std::size_t slot = 0; slot < 2; ++slot) {
        if (!shown_[slot] || shown_[slot]->left.empty()) continue;
        auto next = std::make_shared<MaskedSurprise>(*shown_[slot]);
        do {
            const int position = next->left.front(), mask = *mask_id(*model_->tokenizer);
            next->left.erase(next->left.begin());
            try {
                const MaskedRun run = runs.masked(static_cast<int>(slot), position, mask);
                const SliceView row = run.trace->part_uncached(run.trace->model().logits, {position, 1});
                next->tokens[position] = surprise_of_logits(row.values(), run.token);
            } catch (const Error& e) {
                next->failure = e.what();
                next->left.clear();
            }
        } while (!next->left.empty() && std::chrono::duration<double>(Clock::now() - start).count() < seconds);
        shown_[slot] = std::move(next);
        return;
    }
}

}  // namespace glassformer::app
