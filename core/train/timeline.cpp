#include "core/train/timeline.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <exception>
#include <tuple>

#include "core/base/error.h"

namespace glassformer {

namespace {

constexpr int logarithmic = 1000;  // above every even level

}  // namespace

Timeline::Timeline(const TimelineLimits& limits) : limits_(limits) {
    if (limits.spill.empty()) return;
    folder_ = std::make_unique<DiskCache>(limits.spill);
    spilling_ = true;
}

bool Timeline::wants(std::int64_t step) const {
    if (step <= last_power) return (step & (step - 1)) == 0;  // 0 and the powers of two
    return step % distance_ == 0;
}

/// How many halvings a step survives; −1 if it lies between the evenly spaced steps.
int Timeline::level(std::int64_t step) {
    if (step <= last_power && (step & (step - 1)) == 0) return logarithmic;
    if (step % first_distance != 0) return -1;
    return std::countr_zero(static_cast<std::uint64_t>(step / first_distance));
}

void Timeline::keep(Keyframe state) {
    if (!kept_.empty() && state.step <= kept_.back().step) {
        if (state.step == kept_.back().step) return;
        throw Error("step {1} comes before the timeline's last, {2}", state.step, kept_.back().step);
    }
    Kept kept{state.step, std::move(state), 0, false};
    kept.bytes = kept.state.bytes();
    memory_bytes_ += kept.bytes;
    kept_.push_back(std::move(kept));
    thin();
}

void Timeline::thin() {
    if (kept_.size() > limits_.most) halve();
    free_memory();
}

void Timeline::free_memory() {
    std::exception_ptr trouble;
    while (memory_bytes_ > limits_.memory_bytes) {
        const Place goes = next_to_go(false);
        if (goes == kept_.end()) break;
        try {
            if (spilling_)
                spill(*goes);
            else
                give_up(goes);
        } catch (const Error&) {
            spilling_ = false;  // not retried; what was spilled stays readable
            trouble = std::current_exception();
        }
    }
    free_spill();
    if (trouble) std::rethrow_exception(trouble);
}

void Timeline::free_spill() {
    while (spill_bytes_ > limits_.spill_bytes) {
        const Place goes = next_to_go(true);
        if (goes == kept_.end()) break;
        give_up(goes);
    }
}

void Timeline::halve() {
    distance_ *= 2;
    const std::int64_t newest = kept_.back().step;
    const auto goes = [&](const Kept& k) {
        const bool gone = k.step > last_power && k.step % distance_ != 0 && k.step != newest;
        if (gone) drop_bytes(k);
        return gone;
    };
    std::erase_if(kept_, goes);
}

// First the evenly spaced steps that the earliest pass removes, oldest first. Only when none are left does the
// logarithmic start go, from its end, so that step 0 stays longest.
Timeline::Place Timeline::next_to_go(bool spilled) {
    Place best = kept_.end();
    const auto order = [](const Kept& k) {
        const int l = level(k.step);
        return std::tuple(l, l == logarithmic ? -k.step : k.step);
    };
    for (Place k = kept_.begin(); k != kept_.end(); ++k) {
        const bool newest = !spilled && k + 1 == kept_.end();
        if (k->spilled == spilled && !newest && (best == kept_.end() || order(*k) < order(*best))) best = k;
    }
    return best;
}

void Timeline::spill(Kept& kept) {
    folder_->write(kept.state);
    memory_bytes_ -= kept.bytes;
    spill_bytes_ += kept.bytes;
    kept.spilled = true;
    kept.state = {};
}

void Timeline::give_up(Place kept) {
    const int l = level(kept->step);
    if (l != logarithmic && l >= 0) distance_ = std::max(distance_, first_distance << l);
    drop_bytes(*kept);
    kept_.erase(kept);
}

void Timeline::drop_bytes(const Kept& kept) {
    if (!kept.spilled) {
        memory_bytes_ -= kept.bytes;
        return;
    }
    spill_bytes_ -= kept.bytes;
    folder_->remove(kept.step);
}

Timeline::Keyframe Timeline::nearest(std::int64_t step) {
    if (kept_.empty()) throw Error("the timeline is empty");
    const Place found = std::ranges::min_element(kept_, {}, [&](const Kept& k) { return std::abs(k.step - step); });
    if (!found->spilled) return found->state;
    if (read_back_ && read_back_->step == found->step) return *read_back_;
    try {
        read_back_ = folder_->read(found->step);
    } catch (const Error&) {
        drop_bytes(*found);
        kept_.erase(found);
        throw;
    }
    return *read_back_;
}

void Timeline::give_up_spilled() {
    std::erase_if(kept_, [&](const Kept& k) {
        if (k.spilled) drop_bytes(k);
        return k.spilled;
    });
    read_back_.reset();
}

void Timeline::spill_to(const std::filesystem::path& parent, std::uint64_t bytes) {
    if (parent.empty() || parent != limits_.spill) {
        std::unique_ptr<DiskCache> fresh = parent.empty() ? nullptr : std::make_unique<DiskCache>(parent);
        give_up_spilled();
        folder_ = std::move(fresh);
    }
    limits_.spill = parent;
    limits_.spill_bytes = bytes;
    spilling_ = folder_ != nullptr;
    free_spill();
}

void Timeline::limit_memory(std::size_t bytes) {
    limits_.memory_bytes = bytes;
    free_memory();
}

std::vector<Timeline::Keyframe> Timeline::keyframes() const {
    std::vector<Keyframe> in_memory;
    for (const Kept& k : kept_)
        if (!k.spilled) in_memory.push_back(k.state);
    return in_memory;
}

std::vector<std::int64_t> Timeline::steps() const {
    std::vector<std::int64_t> steps;
    for (const Kept& k : kept_) steps.push_back(k.step);
    return steps;
}

void Timeline::forget_after(std::int64_t step) {
    while (!kept_.empty() && kept_.back().step > step) {
        drop_bytes(kept_.back());
        kept_.pop_back();
    }
    if (read_back_ && read_back_->step > step) read_back_.reset();
}

void Timeline::clear() {
    forget_after(std::numeric_limits<std::int64_t>::min());
    distance_ = first_distance;
}

}  // namespace glassformer
