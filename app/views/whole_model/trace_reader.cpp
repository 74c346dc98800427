#include "app/views/whole_model/trace_reader.h"

#include <algorithm>
#include <utility>

#include "core/base/guarded.h"

namespace glassformer::app::views::whole_model {

TraceReader::TraceReader() : thread_("canvas", [this](const std::stop_token& stop) { return go_on(stop); }) {}

bool TraceReader::is_there(const CanvasReading* reading, const WishKey& key) const {
    if (now_ && now_->reading == reading && now_->wish.key == key) return true;
    return std::ranges::any_of(done_, [&](const Done& d) { return d.reading == reading && d.key == key; });
}

void TraceReader::want(const CanvasReading* reading, const std::weak_ptr<const Trace>& trace,
                       std::vector<Wish> wishes) {
    const std::scoped_lock lock(mutex_);
    std::erase_if(wanted_, [&](const Job& job) { return job.reading == reading; });
    for (auto wish = wishes.rbegin(); wish != wishes.rend(); ++wish)
        if (!is_there(reading, wish->key)) wanted_.push_back({reading, trace, std::move(*wish)});
    if (!wanted_.empty()) thread_.wake();
}

std::vector<TraceReader::Keep> TraceReader::take(const CanvasReading* reading) {
    const std::scoped_lock lock(mutex_);
    std::vector<Keep> taken;
    for (Done& d : done_)
        if (d.reading == reading) taken.push_back(std::move(d.keep));
    std::erase_if(done_, [&](const Done& d) { return d.reading == reading; });
    return taken;
}

void TraceReader::forget(const CanvasReading* reading) {
    const std::scoped_lock lock(mutex_);
    std::erase_if(wanted_, [&](const Job& job) { return job.reading == reading; });
    std::erase_if(done_, [&](const Done& d) { return d.reading == reading; });
    if (now_ && now_->reading == reading) now_->reading = nullptr;
}

Turn TraceReader::go_on(const std::stop_token& stop) {
    Job job;
    {
        const std::scoped_lock lock(mutex_);
        if (stop.stop_requested()) return Turn::done;
        if (wanted_.empty()) return Turn::wait;
        job = std::move(wanted_.back());
        wanted_.pop_back();
        now_ = Job{job.reading, {}, {job.wish.key, {}}};
    }
    Keep keep;
    // If this fails, the coarser tile stays, and the next frame asks again. The window reports a changed weights file.
    guarded([&] {
        fault_point("canvas turn");
        if (const std::shared_ptr<const Trace> trace = job.trace.lock()) keep = job.wish.read(*trace);
    });
    const std::scoped_lock lock(mutex_);
    // The reading may have ended in the meantime.
    if (keep && now_->reading) done_.push_back({now_->reading, job.wish.key, std::move(keep)});
    now_.reset();
    return Turn::more;
}

}  // namespace glassformer::app::views::whole_model
