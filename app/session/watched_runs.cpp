#include "app/session/watched_runs.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/mark_text.h"

namespace glassformer::app {

namespace {

/// Describes the run of a sentence, with the other sentence's input for patches.
WhatIfRun run_of(const WatchedRuns::Both& sentences, int slot) {
    WhatIfRun run{input_of(sentences[slot]), slot, {}};
    const WatchedSentence& other = sentences[1 - slot];
    if (other.trace) run.other = input_of(other);
    return run;
}

bool concerns(const WhatIf& change, int slot) { return slot_of(change) < 0 || slot_of(change) == slot; }

/// True if the words of one sentence were paired with those of the other.
bool has_partners(const WhatIf& change) {
    const auto* patch = std::get_if<what_if::HeadPatch>(&change);
    return patch && !(patch->partners.empty() && patch->source_partners.empty());
}

}  // namespace

void WatchedRuns::read(const Texts& texts, const Parameters& parameters) {
    for (std::size_t slot = 0; slot < texts.size(); ++slot) {
        if (read_[slot] && plain_[slot].text == texts[slot] && parameters_ == parameters) continue;
        words_changed_ = words_changed_ || (read_[slot] && plain_[slot].text != texts[slot]);
        plain_[slot] = sentences_.watch(texts[slot], parameters);
        read_[slot] = true;
        shown_is_current_ = false;
    }
    parameters_ = parameters;
}

std::string WatchedRuns::why_not(const WhatIf& change, const std::vector<WhatIf>& all, int slot) {
    const WatchedSentence& sentence = plain_[slot];
    if (sentence.trace) return sentences_.tracer().refusal(run_of(plain_, slot), change, all);
    return slot_of(change) == slot ? N_("its sentence is missing") : "";
}

std::string WatchedRuns::why_not(const WhatIf& change, const std::vector<WhatIf>& all) {
    std::string why = refusal(change, sentences_.model().config);
    for (int slot = 0; slot < 2 && why.empty(); ++slot) why = why_not(change, all, slot);
    return why;
}

void WatchedRuns::take_back_misfits() {
    const std::vector<WhatIf> all = changes_;
    const bool other_words = std::exchange(words_changed_, false);
    std::erase_if(changes_, [&](const WhatIf& change) {
        const std::string why = other_words && has_partners(change) ? N_("it pairs words of an earlier sentence")
                                : slot_of(change) < 0               ? ""
                                                                    : why_not(change, all);
        if (!why.empty())
            notice_ = notice_.empty() ? filled_with(N_("Undone: {1}: {2}"), describe(change), why)
                                      : filled_with(N_("{1}; {2}: {3}"), notice_, describe(change), why);
        return !why.empty();
    });
}

void WatchedRuns::alter(WatchedSentence& sentence, int slot, const Parameters& parameters) {
    if (changes_.empty() || !sentence.trace) return;
    sentence.original = sentence.trace;
    sentence.original_masked_probabilities = sentence.masked_probabilities;
    if (std::ranges::none_of(changes_, [&](const WhatIf& change) { return concerns(change, slot); })) return;
    WhatIfRun run = run_of(plain_, slot);
    sentence.trace = sentences_.tracer().trace(run, parameters, changes_);
    sentence.masked_probabilities = sentences_.guess_masked(sentence, [&](TraceInput masked) {
        run.input = std::move(masked);
        return sentences_.tracer().trace(run, parameters, changes_);
    });
}

WatchedSentence WatchedRuns::first_with(const Parameters& parameters) {
    OtherStep& last = other_step_;
    const Texts texts{plain_[0].text, plain_[1].text};
    if (last.parameters != parameters || last.texts != texts || last.changes != changes_) {
        last = {texts, parameters, changes_, sentences_.watch(texts[0], parameters)};
        alter(last.sentence, 0, parameters);
    }
    return last.sentence;
}

MaskedRun WatchedRuns::masked(int slot, int position, int mask) {
    WhatIfRun run = run_of(plain_, slot);
    const int token = std::exchange(run.input.tokens.at(static_cast<std::size_t>(position)), mask);
    return {sentences_.tracer().trace(run, parameters_, changes_), token};
}

const WatchedRuns::Both& WatchedRuns::watch(const Texts& texts, const Parameters& parameters) {
    read(texts, parameters);
    if (shown_is_current_) return shown_;
    take_back_misfits();
    shown_ = plain_;
    try {
        for (int slot = 0; slot < 2; ++slot) alter(shown_[slot], slot, parameters_);
    } catch (const Error& e) {  // each change fits, but not all together
        notice_ = filled_with(N_("All changes were undone: {1}"), e.what());
        changes_.clear();
        shown_ = plain_;
    }
    shown_is_current_ = true;
    return shown_;
}

void WatchedRuns::change(std::vector<WhatIf> changes, const Texts& texts, const Parameters& parameters) {
    read(texts, parameters);
    for (const WhatIf& change : changes)
        if (const std::string why = why_not(change, changes); !why.empty())
            throw Error("{1}: {2}", describe(change), why);
    changes_ = std::move(changes);
    words_changed_ = false;
    shown_is_current_ = false;
}

std::string WatchedRuns::take_notice() { return std::exchange(notice_, {}); }

}  // namespace glassformer::app
