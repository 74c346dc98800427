#include "app/views/run_branch.h"

#include <algorithm>
#include <cstdlib>

#include "app/views/run_parts.h"
#include "app/views/timeline_parts.h"

namespace glassformer::app {

namespace {

/// Where a branch of the step on screen begins: at a step that was kept.
std::int64_t branch_step(const Snapshot& snapshot) {
    if (snapshot.kept_steps.empty()) return snapshot.step;
    const auto after = std::ranges::lower_bound(snapshot.kept_steps, snapshot.step);
    if (after == snapshot.kept_steps.begin()) return *after;
    const std::int64_t before = *(after - 1);
    if (after == snapshot.kept_steps.end()) return before;
    return snapshot.step - before <= *after - snapshot.step ? before : *after;
}

}  // namespace

void open_branch(const Frame& frame) {
    const RunInfo* parent = frame.snapshot.current_run();
    if (!parent) return;
    stop_film(frame.state);
    BranchDraft draft;
    draft.open = true;
    draft.run = parent->id;
    draft.step = branch_step(frame.snapshot);
    draft.setup = parent->setup;
    frame.state.timeline.branch = std::move(draft);
    frame.state.timeline.panel_open = false;
}

std::optional<float> branch_rate(const BranchDraft& draft, const TrainingSetup& parent) {
    if (draft.rate >= 0) return parent.options.schedule.peak * branch_factors[static_cast<std::size_t>(draft.rate)];
    char* end = nullptr;
    const float own = std::strtof(draft.own_rate.c_str(), &end);
    const bool read = end != draft.own_rate.c_str() && *end == '\0' && own > 0.0f && own <= 10.0f;
    return read ? std::optional(own) : std::nullopt;
}

TrainingSetup branch_setup(const BranchDraft& draft, const TrainingSetup& parent) {
    TrainingSetup setup = draft.setup;
    setup.options.schedule.peak = branch_rate(draft, parent).value_or(parent.options.schedule.peak);
    return setup;
}

std::string branch_words(const BranchDraft& draft, const TrainingSetup& parent) {
    std::string words = describe_change(parent, branch_setup(draft, parent));
    if (draft.block < 0) return words;
    if (words == "nothing") words.clear();
    if (!words.empty()) words += ", ";
    return words + "head " + std::to_string(draft.block) + "." + std::to_string(draft.head) + " removed";
}

void make_branch(const Frame& frame) {
    BranchDraft& draft = frame.state.timeline.branch;
    const RunInfo* parent = frame.snapshot.current_run();
    draft.open = false;
    if (!parent || parent->id != draft.run) return;
    command::Branch branch{draft.step, branch_setup(draft, parent->setup), {}, draft.name};
    if (draft.block >= 0) branch.removed.push_back({"blocks." + std::to_string(draft.block) + ".attn", draft.head});
    frame.send(std::move(branch));
}

void branch_from_trouble(const Frame& frame, const Trouble& trouble) {
    const RunInfo* parent = frame.snapshot.current_run();
    if (!parent) return;
    TrainingSetup setup = parent->setup;
    setup.options.schedule.peak /= 10;
    frame.send(command::Branch{trouble.last_kept, std::move(setup), {}, {}});
}

}  // namespace glassformer::app
