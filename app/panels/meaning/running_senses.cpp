#include "app/panels/meaning/running_senses.h"

#include "app/language/tr.h"
#include "core/base/error.h"
#include "core/base/seconds_since.h"

namespace glassformer::app {

RunningSenses::RunningSenses(SenseMeasurement asked, MeasuredOf of) : of_(std::move(of)) {
    thread_ = std::jthread([this, asked = std::move(asked)](const std::stop_token& stop) { run(asked, stop); });
}

void RunningSenses::run(const SenseMeasurement& asked, const std::stop_token& stop) {
    const auto start = std::chrono::steady_clock::now();
    std::shared_ptr<const MeasuredSenses> found;
    std::string error;
    try {
        std::optional<MeasuredSenses> measured = measure_senses(asked, [&](std::size_t done, std::size_t all) {
            const double rest = static_cast<double>(all - done) / static_cast<double>(done);
            const std::lock_guard lock(mutex_);
            state_.done = done, state_.all = all;
            state_.seconds_left = seconds_since(start) * rest;
            return !stop.stop_requested();
        });
        if (measured) found = std::make_shared<const MeasuredSenses>(std::move(*measured));
    } catch (const Error& e) {
        error = e.what();
    } catch (const std::bad_alloc&) {
        error = tr("There is not enough memory to measure this model.");
    }
    const std::lock_guard lock(mutex_);
    state_.running = false;
    state_.found = std::move(found);
    state_.error = std::move(error);
}

RunningSenses::State RunningSenses::state() const {
    const std::lock_guard lock(mutex_);
    return state_;
}

}  // namespace glassformer::app
