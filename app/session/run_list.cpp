#include "app/session/run_list.h"

#include <algorithm>
#include <iterator>

#include "core/base/error.h"

namespace glassformer::app {

void RunList::share(const DiskSteps& steps) {
    const std::size_t runs = std::max<std::size_t>(runs_.size(), 1);
    for (const auto& run : runs_) {
        run->timeline().limit_memory(std::min(most_timeline_bytes, most_timelines_bytes / runs));
        run->timeline().spill_to(steps.on ? disk_steps_folder() : std::filesystem::path(), steps.bytes() / runs);
        run->kept_elsewhere();
    }
}

void RunList::share_again() {
    try {
        share(disk_steps_);
    } catch (const Error& e) {
        if (current_) current_->note_disk_trouble(e.what());
    }
}

void RunList::drop_recoveries() {
    for (const auto& run : runs_) run->drop_recovery();
}

void RunList::clear() {
    current_ = nullptr;
    runs_.clear();
}

void RunList::set_aside() {
    if (current_) worked_aside_ = current_->id(), current_->detach_trainer();
    current_ = nullptr;
    std::ranges::move(runs_, std::back_inserter(aside_));
    runs_.clear();
}

void RunList::bring_back() {
    for (auto& run : aside_) {
        if (taken(run->colour())) run->set_colour(free_colour());
        runs_.push_back(std::move(run));
    }
    aside_.clear();
    share_again();
}

std::vector<std::shared_ptr<const RunInfo>> RunList::infos_aside() {
    std::vector<std::shared_ptr<const RunInfo>> infos;
    for (const auto& run : aside_) infos.push_back(run->info());
    return infos;
}

TrainingRun& RunList::anywhere(int id) {
    const auto found = std::ranges::find_if(aside_, [&](const auto& run) { return run->id() == id; });
    return found == aside_.end() ? at(id) : **found;
}

TrainingRun& RunList::add(std::unique_ptr<TrainingRun> run) {
    run->attach_trainer(backend_);
    if (current_) current_->detach_trainer();
    run->set_colour(free_colour());
    run->recover_in(recovery_);
    runs_.push_back(std::move(run));
    current_ = runs_.back().get();
    ++next_id_;
    share_again();
    return *current_;
}

bool RunList::taken(int colour) const {
    return std::ranges::any_of(runs_, [&](const auto& run) { return run->colour() == colour; });
}

int RunList::free_colour() const {
    int colour = 0;
    while (taken(colour)) ++colour;
    return colour;
}

TrainingRun& RunList::at(int id) {
    const auto found = std::ranges::find_if(runs_, [&](const auto& run) { return run->id() == id; });
    if (found == runs_.end()) throw Error("run {1} no longer exists", std::to_string(id));
    return **found;
}

TrainingRun& RunList::choose(int id) {
    TrainingRun& run = at(id);
    if (&run == current_) return run;
    run.attach_trainer(backend_);
    if (current_) current_->detach_trainer();
    current_ = &run;
    return run;
}

void RunList::remove(int id) {
    TrainingRun& run = at(id);
    if (runs_.size() == 1) throw Error("the last run cannot be deleted: start another one first");
    if (&run == current_) {
        const std::size_t other = runs_.front().get() == &run ? 1 : 0;
        choose(runs_[other]->id());
    }
    run.drop_recovery();
    std::erase_if(runs_, [&](const auto& r) { return r.get() == &run; });
    share_again();
}

void RunList::keep_on_disk(const DiskSteps& steps) {
    if (steps.on && !disk_steps_.on) DiskCache::remove_abandoned(disk_steps_folder());
    share(steps);
    disk_steps_ = steps;
}

std::shared_ptr<const WorldSource> RunList::source_of(const std::string& world) const {
    if (current_ && current_->setup().world == world) return current_->setup().source;
    const auto found = std::ranges::find_if(runs_, [&](const auto& run) { return run->setup().world == world; });
    return found == runs_.end() ? nullptr : (*found)->setup().source;
}

std::vector<std::shared_ptr<const RunInfo>> RunList::infos() {
    std::vector<std::shared_ptr<const RunInfo>> infos;
    for (const auto& run : runs_) infos.push_back(run->info());
    return infos;
}

void RunList::current_began_anew() {
    for (const auto& run : runs_) run->began_anew(current_->id());
}

}  // namespace glassformer::app
