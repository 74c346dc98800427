#include "app/session/patch_study.h"

#include <utility>

#include "core/base/error.h"

namespace glassformer::app {

namespace {

std::shared_ptr<const Trace> original_of(const WatchedSentence& sentence) {
    if (!sentence.trace) throw Error("patching needs two sentences that the model can read: {1}", sentence.error);
    return sentence.unaltered();
}

}  // namespace

void PatchStudyAtWork::show(Snapshot& snapshot, const Subject& of) {
    if (asked_) begin(*std::exchange(asked_, {}), of);
    snapshot.patch_study = shown_;
}

void PatchStudyAtWork::begin(const command::AskPatchGrid& asked, const Subject& of) {
    const WatchedRuns::Both& sentences = of.model.runs.watched();
    auto study = std::make_shared<PatchStudy>();
    static_cast<command::AskPatchGrid&>(*study) = asked;
    study->step = of.step;
    study->texts = {sentences[0].text, sentences[1].text};
    end();
    try {
        const auto* head = std::get_if<PatchedHead>(&asked.places);
        start(of.backend, sentences,
              head && head->source == PatchSource::world ? of.model.sentences.tracer().world()
                                                         : std::span<const TraceInput>(),
              *study);
    } catch (const Error& e) {
        study->refusal = e.what();
    }
    if (!study->under_way()) end();
    shown_ = std::move(study);
}

void PatchStudyAtWork::start(Backend& backend, const WatchedRuns::Both& sentences, std::span<const TraceInput> world,
                             PatchStudy& study) {
    if (study.slot != 0 && study.slot != 1) throw Error("there is no sentence {1}", std::to_string(study.slot));
    a_ = original_of(sentences[study.slot]);
    b_ = original_of(sentences[1 - study.slot]);
    run_.emplace(backend, *a_, *b_, study.places, LogitDifference{study.position, study.word, study.minus},
                 PatchAlignment{study.partners, study.source_partners}, world);
    study.grid = run_->grid();
    study.total = run_->total();
}

void PatchStudyAtWork::work(const Subject&) {
    auto next = std::make_shared<PatchStudy>(*shown_);
    try {
        run_->step();
        next->grid = run_->grid();
        next->done = run_->done();
    } catch (const Error& e) {
        next->refusal = e.what();
        next->done = next->total = 0;
    }
    if (!next->under_way()) end();
    shown_ = std::move(next);
}

void PatchStudyAtWork::end() {
    run_.reset();  // frees the activations
    a_ = b_ = nullptr;
}

void PatchStudyAtWork::forget() {
    end();
    asked_.reset();
    shown_ = nullptr;
}

}  // namespace glassformer::app
