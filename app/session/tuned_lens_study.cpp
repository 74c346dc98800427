#include "app/session/tuned_lens_study.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/mark_text.h"

namespace glassformer::app {

namespace {

constexpr double collecting = 0.1;  // share of the progress bar

std::string why_not(const ActiveModel& model) {
    if (!model.task)
        return N_(
            "A tuned lens is trained on sentences like those that the model learned from, and the training data of "
            "this model is not known.");
    return model.task->why_not_trained;
}

/// Fewer steps for large models, so that training takes seconds.
TunedLensTraining::Options options_for(const TransformerConfig& c, std::uint64_t seed) {
    TunedLensTraining::Options options;
    options.seed = seed;
    const double d = c.d_model, words = c.d_vocab;
    const double step = options.rows * (6 * d * words + 6 * d * d) * c.n_layers, most = 6e10;
    options.steps = static_cast<int>(std::clamp(most / step, 100.0, static_cast<double>(options.steps)));
    return options;
}

}  // namespace

void TunedLensStudy::show(Snapshot& snapshot, const Subject& of) {
    TrainOptions drawing = drawing_of(of);
    drawing.batch = of_a_batch;
    if (shown_ && (shown_->parameters.lock() != of.parameters || shown_->drawing != drawing)) forget();
    if (std::exchange(asked_, false) && !shown_) begin(of, drawing);
    snapshot.tuned_lens = shown_;
}

void TunedLensStudy::begin(const Subject& of, const TrainOptions& drawing) {
    shown_ = std::make_shared<TunedLensShown>();
    shown_->parameters = of.parameters;
    shown_->drawing = drawing;
    shown_->step = of.step;
    shown_->why_not = why_not(of.model);
    if (!shown_->why_not.empty()) return;
    try {
        Running& r = running_.emplace();
        r.task = of.model.task;
        r.config = of.model.start.config;
        r.sentences = training_batches(r.task->batches, drawing);
        r.seed = drawing.seed;
        r.parameters = of.parameters;
        r.collector.emplace(of.backend, r.config, r.sentences->shape(of_a_batch));
    } catch (const Error& e) {
        running_.reset();
        shown_->why_not = e.what();
    }
}

void TunedLensStudy::collect(Running& r, CpuBackend& backend) {
    Batch batch;
    if (r.batches < batches && r.learn.rows < most_rows) {
        r.sentences->draw(r.seed, ++r.batches, of_a_batch, batch);
        return r.collector->add(batch, *r.parameters, most_rows, r.learn);
    }
    const std::shared_ptr<const BatchSource> source = r.task->held_out();
    const int count = source->eval_batch(of_a_batch, batch);
    StreamCollector other(backend, r.config, source->shape(count));
    StreamRows held_out;
    other.add(batch, *r.parameters, most_held_out, held_out);
    shown_->learned = r.learn.sentences;
    shown_->held_out = held_out.sentences;
    r.training.emplace(r.collector->head(), r.parameters, std::move(r.learn), std::move(held_out), backend.pool(),
                       options_for(r.config, r.seed));
}

void TunedLensStudy::work(const Subject& of) {
    Running& r = *running_;
    shown_ = std::make_shared<TunedLensShown>(*shown_);
    try {
        if (r.training)
            r.training->work();
        else
            collect(r, of.backend);
    } catch (const Error& e) {
        shown_->why_not = e.what();
        return running_.reset();
    }
    shown_->share = r.training ? collecting + (1 - collecting) * r.training->share()
                               : collecting * r.batches / static_cast<double>(batches + 1);
    if (!r.training || !r.training->done()) return;
    shown_->lens = std::make_shared<TunedLens>(r.training->lens());
    running_.reset();
}

}  // namespace glassformer::app
