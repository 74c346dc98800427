#include "core/train/update_explanation.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/ops/op.h"

namespace glassformer {

namespace {

const NodeInfo& parameter_with(const Graph& graph, std::int64_t cell) {
    for (const int id : graph.parameters())
        if (cell >= graph[id].offset && cell < graph[id].offset + graph[id].shape.elements()) return graph[id];
    throw Error("the model has parameters 0 to {1}; there is no {2}", graph.parameter_count() - 1, cell);
}

double value_at(std::span<const float> values, std::int64_t cell) {
    return values.empty() ? 0.0 : static_cast<double>(values[cell]);
}

bool held(const Trainer& trainer, std::int64_t cell) {
    return std::ranges::any_of(trainer.options().frozen_zero,
                               [&](const ParameterRange& r) { return cell >= r.offset && cell < r.offset + r.count; });
}

void explain_held(UpdateExplanation& life) {
    life.formula = "w = 0";
    life.numbers = {N_("w = 0, because it is held there")};
}

void explain_running(UpdateExplanation& life, double of_batch) {
    const double share = RunningStatistics::momentum;
    life.formula = "r ← r + 0.1 · (r of the batch − r)";
    life.after_recomputed = life.before + share * (of_batch - life.before);
    life.numbers = {"r = " + format_number(life.before) + " + " + format_number(share) + " · (" +
                    format_number(of_batch) + " − " + format_number(life.before) +
                    ") = " + format_number(life.after_recomputed)};
}

void explain_learned(UpdateExplanation& life, const Optimizer& optimizer) {
    CellBefore before;
    before.weight = life.before;
    before.gradient = life.gradient;
    before.factor = life.clip_factor;
    before.m = life.m_before;
    before.v = life.v_before;
    before.weight_decay = life.weight_decay;
    before.learning_rate = life.learning_rate;
    before.update = optimizer.updates();
    CellUpdate update = optimizer.explain(before);
    life.formula = optimizer.formula();
    life.numbers = std::move(update.numbers);
    life.m_recomputed = update.m;
    life.v_recomputed = update.v;
    life.after_recomputed = update.weight;
}

}  // namespace

UpdateExplanation explain_update(const Trainer& trainer, std::int64_t cell) {
    const NodeInfo& info = parameter_with(trainer.graph(), cell);
    const StepInside inside = trainer.inside();
    if (inside.parameters_before.empty())
        throw Error("the newest update was not watched: switch watching on and run a step");
    UpdateExplanation life;
    life.parameter = info.name;
    life.cell = cell;
    life.in_parameter = cell - info.offset;
    life.step = inside.report.step;
    life.before = value_at(inside.parameters_before, cell);
    life.after = value_at(trainer.parameters(), cell);
    life.change = life.after - life.before;
    life.gradient = value_at(inside.gradients, cell);
    life.clip_factor = static_cast<double>(inside.report.clip_factor);
    life.m_before = value_at(inside.m_before, cell);
    life.m = value_at(inside.m, cell);
    life.v_before = value_at(inside.v_before, cell);
    life.v = value_at(inside.v, cell);
    life.learning_rate = static_cast<double>(inside.report.learning_rate);
    life.weight_decay = static_cast<double>(trainer.optimizer().weight_decay_of(info));
    const std::optional<double> of_batch =
        trainer.running_statistics().of_batch(trainer.execution(), *inside.batch, cell);
    if (held(trainer, cell))
        explain_held(life);
    else if (of_batch)
        explain_running(life, *of_batch);
    else
        explain_learned(life, trainer.optimizer());
    return life;
}

}  // namespace glassformer
