#include "app/panels/meaning/running_senses.h"

#include "app/language/tr.h"
#include "core/base/error.h"
#include "core/base/seconds_since.h"

namespace glassformer::app {

RunningSenses::RunningSenses(SenseMeasurement asked, MeasuredOf of) : of_(std::move(of)) {
    thread_ = Background(
        "senses",
        [this, asked = std::move(asked)](const std::stop_token& stop) {
            run(asked, stop);
            return Turn::done;
        },
        [this](const std::string& why) { end(nullptr, why); });
}

void RunningSenses::run(const SenseMeasurement& asked, const std::stop_token& stop) {
    const auto start = std::chrono::steady_clock::now();
    std::optional<MeasuredSenses> measured = measure_senses(asked, [&](std::size_t done, std::size_t all) {
        const double rest = static_cast<double>(all - done) / static_cast<double>(done);
        const std::lock_guard lock(mutex_);
        state_.done = done, state_.all = all;
        state_.seconds_left = seconds_since(start) * rest;
        return !stop.stop_requested();
    });
    end(measured ? std::make_shared<const MeasuredSenses>(std::move(*measured)) : nullptr, {});
}

void RunningSenses::end(std::shared_ptr<const MeasuredSenses> found, const std::string& error) {
    const std::lock_guard lock(mutex_);
    state_.running = false;
    state_.found = std::move(found);
    state_.error = error;
}

RunningSenses::State RunningSenses::state() const {
    const std::lock_guard lock(mutex_);
    return state_;
}

}  // namespace glassformer::app
