#include "app/panels/runs/run_branch.h"

#include <algorithm>
#include <cstdlib>

#include "app/language/tr.h"
#include "app/panels/runs/run_panel.h"
#include "app/panels/timeline/timeline_state.h"

namespace glassformer::app {

std::int64_t branch_step(const Snapshot& snapshot) {
    if (snapshot.kept_steps.empty()) return snapshot.step;
    const auto after = std::ranges::lower_bound(snapshot.kept_steps, snapshot.step);
    if (after == snapshot.kept_steps.begin()) return *after;
    const std::int64_t before = *(after - 1);
    if (after == snapshot.kept_steps.end()) return before;
    return snapshot.step - before <= *after - snapshot.step ? before : *after;
}

std::vector<RemovableLayer> removable_layers(const TransformerConfig& config) {
    std::vector<RemovableLayer> layers;
    if (config.recurrent() || config.n_heads < 1 || config.attention.projections == Projections::none) return layers;
    const bool translates = config.family == Family::encoder_decoder;
    for (int i = 0; translates && i < config.n_layers; ++i) {
        const std::string n = std::to_string(i);
        layers.push_back({"encoder.blocks." + n + ".attn", filled(tr("encoder block {1}"), {n})});
    }
    for (int i = 0; i < config.n_layers; ++i) {
        const std::string n = std::to_string(i);
        layers.push_back({"blocks." + n + ".attn", filled(tr("block {1}"), {n})});
        if (translates) layers.push_back({"blocks." + n + ".cross_attn", filled(tr("block {1}, source"), {n})});
    }
    return layers;
}

std::vector<RemovedHead> removed_heads(const BranchDraft& draft, const TransformerConfig& config) {
    std::vector<RemovedHead> heads = draft.more;
    const std::vector<RemovableLayer> layers = removable_layers(config);
    if (draft.block < 0 || draft.block >= int_size(layers)) return heads;
    const std::string& attention = layers[draft.block].attention;
    const auto same = [&](const RemovedHead& h) { return h.attention == attention && h.head == draft.head; };
    if (std::ranges::none_of(heads, same)) heads.push_back({attention, draft.head});
    return heads;
}

void choose_another_head(BranchDraft& draft, const TransformerConfig& config) {
    draft.more = removed_heads(draft, config);
    draft.block = -1;
    draft.head = 0;
}

void open_branch(const Frame& frame) {
    const RunInfo* parent = frame.snapshot.current_run();
    if (!parent) return;
    stop_film(frame.state);
    BranchDraft draft;
    draft.open = true;
    draft.run = parent->id;
    draft.step = branch_step(frame.snapshot);
    draft.setup = parent->setup;
    frame.state.own<TimelineState>().branch = std::move(draft);
    frame.state.own<TimelineState>().panel_open = false;
}

std::optional<float> branch_rate(const BranchDraft& draft, const TrainingSetup& parent) {
    if (draft.rate >= 0) return parent.options.schedule.peak * branch_factors[draft.rate];
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

std::string branch_words(const BranchDraft& draft, const RunInfo& from) {
    const TrainingSetup& parent = from.setup;
    const TrainingSetup branch = without_heads(branch_setup(draft, parent), removed_heads(draft, parent.config));
    const std::string words = describe_change(parent, branch);
    // A change made during the parent's run applies to the branch from its first step on.
    return words.empty() && !from.origin.branched() && draft.step < from.step ? from.origin.change : words;
}

void make_branch(const Frame& frame) {
    BranchDraft& draft = frame.state.own<TimelineState>().branch;
    const RunInfo* parent = frame.snapshot.current_run();
    draft.open = false;
    if (!parent || parent->id != draft.run) return;
    command::Branch branch{draft.step, branch_setup(draft, parent->setup), {}, draft.name};
    branch.removed = removed_heads(draft, parent->setup.config);
    frame.send(std::move(branch));
}

void branch_ten_times_as_fast(const Frame& frame) {
    constexpr float most_rate = 10.0f;
    const RunInfo* parent = frame.snapshot.current_run();
    if (!parent) return;
    stop_film(frame.state);
    TrainingSetup setup = parent->setup;
    setup.options.schedule.peak = std::min(10 * setup.options.schedule.peak, most_rate);
    frame.send(command::Branch{branch_step(frame.snapshot), std::move(setup), {}, tr("10 × the learning rate"), true});
}

void branch_from_trouble(const Frame& frame, const Trouble& trouble) {
    const RunInfo* parent = frame.snapshot.current_run();
    if (!parent) return;
    TrainingSetup setup = parent->setup;
    setup.options.schedule.peak /= 10;
    frame.send(command::Branch{trouble.last_kept, std::move(setup), {}, {}});
}

}  // namespace glassformer::app
