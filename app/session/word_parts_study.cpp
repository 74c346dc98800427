#include "app/session/word_parts_study.h"

#include <algorithm>
#include <chrono>

#include "app/session/masks.h"
#include "app/session/sentences.h"
#include "core/analysis/rollout.h"
#include "core/base/error.h"
#include "core/base/seconds_since.h"
#include "core/text/hf_tokenizer.h"

namespace glassformer::app {

namespace {

constexpr double at_once = 0.008;              // seconds that a small model gets before it is shown
constexpr std::int64_t small_model = 1 << 20;  // parameters

Answer answer_of(const AskedWordParts& asked, const Snapshot& snapshot, int slot) {
    Answer answer{.position = asked.position,
                  .word = asked.word,
                  .minus = asked.minus,
                  .less_mean = asked.less_mean,
                  .loss = asked.loss};
    if (asked.sense < 0) return answer;
    if (!snapshot.probe || !snapshot.is_measured(slot) || !snapshot.probe_of_shown())
        throw Error("the senses of this model are still being measured");
    const auto& last = snapshot.probe->centroids.back();
    answer.layer = static_cast<int>(snapshot.probe->centroids.size()) - 1;
    answer.sense = last.at(static_cast<std::size_t>(asked.sense));
    answer.other = last.at(static_cast<std::size_t>(asked.sense ^ 1));  // a homonym has the senses 2h and 2h + 1
    return answer;
}

/// The row of the rollout where the answer is read; for an answer of the whole sentence, the mean of all rows it is
/// read from.
std::vector<double> rollout_row(const Trace& trace, const AskedWordParts& asked) {
    const std::vector<double> all = attention_rollout(trace);
    const std::size_t n = static_cast<std::size_t>(trace.positions());
    const TransformerConfig& config = trace.model().config;
    const bool classes = config.output == OutputKind::classes && asked.sense < 0;
    std::vector<double> row(n);
    const std::size_t one = !classes                           ? static_cast<std::size_t>(asked.position)
                            : config.readout == Readout::first ? 0
                                                               : n - 1;
    std::size_t begin = one, end = one + 1;
    if (classes && config.readout == Readout::mean) begin = 0, end = n;
    if (asked.loss == AnswerLoss::of_next_words) begin = 0, end = std::max<std::size_t>(n, 2) - 1;
    for (std::size_t i = begin; i < end; ++i)
        for (std::size_t k = 0; k < n; ++k) row[k] += all[i * n + k] / static_cast<double>(end - begin);
    return row;
}

}  // namespace

void WordPartsStudy::start(Card& card, const Snapshot& snapshot, int slot, WordPartsShown& shown) {
    const WatchedSentence& sentence = snapshot.sentences[slot];
    const Trace& plain = *sentence.unaltered();
    const TransformerConfig& config = snapshot.model_of(slot).config;
    WordPartsOptions options;
    // Of our own models, only those trained to fill masks: the others have never seen the mask token.
    const ModelInfo& model = snapshot.model_of(slot);
    if (model.hides_words || dynamic_cast<const HfTokenizer*>(model.tokenizer.get())) options.mask = mask_of(model);
    options.gradients = shown.asked.gradients;
    const Answer answer = answer_of(shown.asked, snapshot, slot);
    if (sentence.original && !snapshot.what_if.empty()) {
        card.altered = std::make_unique<AlteredBackend>(backend_, config, snapshot.what_if);
        shown.leaves_out_own = std::ranges::any_of(
            snapshot.what_if, [&](const WhatIf& change) { return slot_of(change) == snapshot.text_slot(slot); });
        // The gradients are shown beside the numbers of the trace, which has these changes.
        if (shown.leaves_out_own) options.overwritten = sentence.trace->interventions();
        card.run = std::make_unique<WordPartsRun>(*card.altered, card.altered->config(),
                                                  card.altered->parameters(plain.parameters()), input_of(sentence),
                                                  answer, options);
    } else {
        card.run =
            std::make_unique<WordPartsRun>(backend_, config, plain.parameters(), input_of(sentence), answer, options);
    }
}

void WordPartsStudy::begin(Card& card, const Snapshot& snapshot, int slot) {
    const WatchedSentence& sentence = snapshot.sentences[slot];
    auto shown = std::make_shared<WordPartsShown>();
    card = {};
    shown->of = sentence.trace;
    shown->asked = *asked_[slot];
    card.probe = snapshot.probe;
    try {
        start(card, snapshot, slot, *shown);
        card.trace = sentence.trace;
        shown->found = card.run->found();
        shown->total = card.run->total();
    } catch (const Error& e) {
        shown->failure = e.what();
        shown->complete = true;
    }
    card.shown = std::move(shown);
    if (snapshot.model_of(slot).parameter_count > small_model) return;
    for (const auto start = std::chrono::steady_clock::now(); card.run && seconds_since(start) < at_once;) work(card);
}

void WordPartsStudy::ask(const AskedOfSentences& asked, bool go_on) {
    asked_ = asked;
    for (Card& card : cards_) {
        if (go_on && card.shown && card.shown->stopped) card = {};  // starts again
        if (go_on || !card.run) continue;
        auto stopped = std::make_shared<WordPartsShown>(*card.shown);
        stopped->complete = stopped->stopped = true;
        card.shown = std::move(stopped);
        end(card);
    }
}

void WordPartsStudy::show(Snapshot& snapshot, const Subject&) {
    for (int slot = 0; slot < 2; ++slot) {
        Card& card = cards_[slot];
        const WatchedSentence& sentence = snapshot.sentences[slot];
        const std::optional<AskedWordParts>& asked = asked_[slot];
        if (!asked || !sentence.trace) {
            card = {};
            continue;
        }
        const bool same = card.shown && card.shown->of.lock() == sentence.trace && card.shown->asked == *asked &&
                          (asked->sense < 0 || card.probe == snapshot.probe);
        if (!same) begin(card, snapshot, slot);
        snapshot.word_parts[slot] = card.shown;
    }
}

bool WordPartsStudy::under_way() const {
    return std::ranges::any_of(cards_, [](const Card& card) { return card.run != nullptr; });
}

void WordPartsStudy::work(const Subject&) {
    work(*std::ranges::find_if(cards_, [](const Card& card) { return card.run != nullptr; }));
}

void WordPartsStudy::work(Card& card) {
    auto next = std::make_shared<WordPartsShown>(*card.shown);
    std::vector<double> rollout = std::move(next->found.rollout);
    try {
        if (rollout.empty() && next->no_rollout.empty()) {
            next->no_rollout = rollout_refusal(card.trace->model().config);
            if (next->no_rollout.empty()) rollout = rollout_row(*card.trace, next->asked);
        }
        card.run->step();
        next->complete = card.run->complete();
    } catch (const Error& e) {
        next->failure = e.what();
        next->complete = true;
    }
    next->found = card.run->found();
    next->found.rollout = std::move(rollout);
    next->gradients = card.run->gradients();
    next->done = card.run->done();
    next->total = card.run->total();
    card.shown = next;
    if (next->complete) end(card);
}

void WordPartsStudy::end(Card& card) {
    card.run.reset();  // before the backend that it uses
    card.altered.reset();
    card.trace = nullptr;
}

}  // namespace glassformer::app
