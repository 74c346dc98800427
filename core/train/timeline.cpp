#include "core/train/timeline.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/error.h"

namespace glassformer {

bool Timeline::wants(std::int64_t step) const {
    if (step <= last_power) return (step & (step - 1)) == 0;  // 0 and the powers of two
    return step % distance_ == 0;
}

void Timeline::keep(std::int64_t step, Parameters parameters) {
    if (!keyframes_.empty() && step <= keyframes_.back().step) {
        if (step == keyframes_.back().step) return;
        throw Error("step " + std::to_string(step) + " comes before the timeline's last, " +
                    std::to_string(keyframes_.back().step));
    }
    keyframes_.push_back({step, std::move(parameters)});
    if (keyframes_.size() > most_) thin();
}

void Timeline::thin() {
    distance_ *= 2;
    const std::int64_t newest = keyframes_.back().step;
    std::erase_if(keyframes_, [&](const Keyframe& k) {
        return k.step > last_power && k.step % distance_ != 0 && k.step != newest;
    });
}

const Timeline::Keyframe& Timeline::nearest(std::int64_t step) const {
    if (keyframes_.empty()) throw Error("the timeline is empty");
    return *std::ranges::min_element(keyframes_, {}, [&](const Keyframe& k) { return std::abs(k.step - step); });
}

void Timeline::clear() {
    keyframes_.clear();
    distance_ = 32;
}

}  // namespace glassformer
