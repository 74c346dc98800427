#include "app/common/lens_curves_reading.h"

#include "core/analysis/logit_lens.h"

namespace glassformer::app {

namespace {

constexpr std::int64_t at_once = 1 << 19;  // logits read in one frame; more, or logits not kept, in the background

}  // namespace

LensCurvesReading::LensCurvesReading(const std::shared_ptr<const Trace>& trace, int position,
                                     std::shared_ptr<const TunedLens> tuned)
    : trace_(trace), position_(position), tuned_(std::move(tuned)) {
    const auto fail = [this](const std::string& why) {
        failure_ = why;
        done_.store(true, std::memory_order_release);
    };
    const TransformerGraph& model = trace->model();
    const std::int64_t all = std::int64_t{model.config.n_layers + 1} * trace->shape(model.logits).back();
    if (!trace->kept(model.logits) || all * model.config.d_model > 16 * at_once) {
        thread_ = Background(
            "lens curves", [this](const std::stop_token& stop) { return read_next(stop); }, fail);
        return;
    }
    try {
        while (read_next({}) == Turn::more) {
        }
    } catch (const std::exception& error) {
        fail(error.what());
    }
}

Turn LensCurvesReading::read_next(const std::stop_token& stop) {
    const std::shared_ptr<const Trace> trace = trace_.lock();
    if (stop.stop_requested() || !trace) return Turn::done;
    ThreadPool pool(1);
    const LogitLens lens(trace, pool, tuned_);
    logits_.push_back(lens.rows(static_cast<int>(logits_.size()), {position_, 1}).logits);
    if (static_cast<int>(logits_.size()) < lens.layers()) return Turn::more;
    curves_.emplace(std::move(logits_));
    done_.store(true, std::memory_order_release);
    return Turn::done;
}

const LensCurves* LensCurvesReading::curves() {
    return done_.load(std::memory_order_acquire) && curves_ ? &*curves_ : nullptr;
}

const LensCurves* lens_curves(std::shared_ptr<LensCurvesReading>& reading, const std::shared_ptr<const Trace>& trace,
                              int position, const std::shared_ptr<const TunedLens>& tuned) {
    if (!trace) return nullptr;
    if (!reading || !reading->of(trace, position, tuned))
        reading = std::make_shared<LensCurvesReading>(trace, position, tuned);
    return reading->curves();
}

}  // namespace glassformer::app
