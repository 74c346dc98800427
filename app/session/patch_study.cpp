#include "app/session/patch_study.h"

#include <chrono>

#include "app/language/tr.h"
#include "core/base/error.h"

namespace glassformer::app {

namespace {

std::shared_ptr<const Trace> original_of(const WatchedSentence& sentence) {
    if (!sentence.trace) throw Error("patching needs two sentences that the model can read: {1}", sentence.error);
    return sentence.original ? sentence.original : sentence.trace;
}

}  // namespace

PatchStudyAtWork::PatchStudyAtWork(Backend& backend, const command::AskPatchGrid& asked,
                                   const std::array<WatchedSentence, 2>& sentences, std::int64_t step) {
    auto study = std::make_shared<PatchStudy>();
    study->places = asked.places;
    study->slot = asked.slot;
    study->position = asked.position;
    study->word = asked.word;
    study->minus = asked.minus;
    study->partners = asked.partners;
    study->step = step;
    study->texts = {sentences[0].text, sentences[1].text};
    try {
        start(backend, sentences, *study);
    } catch (const Error& e) {
        study->refusal = e.what();
    }
    shown_ = std::move(study);
}

void PatchStudyAtWork::start(Backend& backend, const std::array<WatchedSentence, 2>& sentences, PatchStudy& study) {
    if (study.slot != 0 && study.slot != 1) throw Error("there is no sentence {1}", std::to_string(study.slot));
    a_ = original_of(sentences[study.slot]);
    b_ = original_of(sentences[1 - study.slot]);
    run_.emplace(backend, *a_, *b_, study.places, LogitDifference{study.position, study.word, study.minus},
                 study.partners);
    study.grid = run_->grid();
    study.total = run_->total();
}

void PatchStudyAtWork::work_for(double seconds) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    do run_->step();
    while (run_->done() < run_->total() && std::chrono::duration<double>(Clock::now() - start).count() < seconds);
    auto next = std::make_shared<PatchStudy>(*shown_);
    next->grid = run_->grid();
    next->done = run_->done();
    shown_ = std::move(next);
    if (under_way()) return;
    run_.reset();  // the activations are not needed any more
    a_ = b_ = nullptr;
}

}  // namespace glassformer::app
