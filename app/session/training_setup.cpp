#include "app/session/training_setup.h"

#include <algorithm>
#include <vector>

#include "app/language/tr.h"
#include "core/base/number_text.h"
#include "core/nn/config.h"
#include "core/nn/transformer.h"

namespace glassformer::app {

namespace {

std::string number(double value) { return typed_number(value); }
std::string percent(float share) { return number(100.0 * static_cast<double>(share)) + " %"; }

/// Collects differences, separated by commas.
class Changes {
public:
    void add(bool differs, const std::string& what) {
        if (!differs) return;
        text_ = text_.empty() ? what : filled(tr("{1}, {2}"), {text_, what});
    }
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

void compare_schedules(Changes& changes, const Schedule& from, const Schedule& to) {
    changes.add(from.peak != to.peak, filled(tr("learning rate {1}"), {number(static_cast<double>(to.peak))}));
    changes.add(from.kind != to.kind, filled(tr("{1} schedule"), {tr(std::string(name_of(to.kind)))}));
    changes.add(from.warmup != to.warmup, to.warmup == 0
                                              ? tr("no warm-up")
                                              : filled(tr("warm-up of {1} step", "warm-up of {1} steps", to.warmup),
                                                       {std::to_string(to.warmup)}));
    changes.add(from.total != to.total, filled(tr("{1} step", "{1} steps", to.total), {std::to_string(to.total)}));
    changes.add(from.floor != to.floor, filled(tr("down to {1} %"), {number(100.0 * static_cast<double>(to.floor))}));
}

void compare_optimizers(Changes& changes, const OptimizerOptions& from, const OptimizerOptions& to) {
    changes.add(from.kind != to.kind, std::string(name_of(to.kind)));
    changes.add(from.momentum != to.momentum, filled(tr("momentum {1}"), {number(static_cast<double>(to.momentum))}));
    changes.add(from.beta1 != to.beta1, "β₁ " + number(static_cast<double>(to.beta1)));
    changes.add(from.beta2 != to.beta2, "β₂ " + number(static_cast<double>(to.beta2)));
    changes.add(from.weight_decay != to.weight_decay,
                filled(tr("weight decay {1}"), {number(static_cast<double>(to.weight_decay))}));
}

void compare_sentences(Changes& changes, const TrainOptions& from, const TrainOptions& to) {
    changes.add(from.longest != to.longest, to.longest == 0 ? tr("sentences of any length")
                                                            : filled(tr("sentences of at most {1} token",
                                                                        "sentences of at most {1} tokens", to.longest),
                                                                     {std::to_string(to.longest)}));
    changes.add(from.data_share != to.data_share,
                filled(tr("{1} of the training sentences"), {percent(to.data_share)}));
}

std::string seed_text(const TrainOptions& options) { return filled(tr("seed {1}"), {std::to_string(options.seed)}); }

/// "0.1"; "source 1.2" for attention to the source; "encoder 0.0" for the encoder.
std::string name_of(const RemovedHead& head) {
    std::string layer = head.attention.substr(0, head.attention.rfind('.'));  // "encoder.blocks.0"
    layer = layer.substr(layer.rfind('.') + 1);
    const std::string name = layer + "." + std::to_string(head.head);
    if (head.attention.starts_with("encoder.")) return filled(tr("encoder {1}"), {name});
    return head.attention.ends_with("cross_attn") ? filled(tr("source {1}"), {name}) : name;
}

/// "head 0.1 removed": names only the heads that were not removed before.
std::string removed_text(const TrainingSetup& from, const TrainingSetup& to) {
    if (from.options.frozen_zero == to.options.frozen_zero) return {};
    std::vector<ParameterRange> more = to.options.frozen_zero;
    std::erase_if(more, [&](const ParameterRange& range) {
        return std::ranges::find(from.options.frozen_zero, range) != from.options.frozen_zero.end();
    });
    if (more.empty()) return tr("no head removed");
    std::vector<std::string> names;
    for (const RemovedHead& head : heads_at(*parameter_graph(to.config), to.config, more))
        names.push_back(name_of(head));
    return filled(names.size() == 1 ? tr("head {1} removed") : tr("heads {1} removed"), {listed(names)});
}

}  // namespace

TrainingSetup without_heads(TrainingSetup setup, std::span<const RemovedHead> heads) {
    if (heads.empty()) return setup;
    const std::shared_ptr<const Graph> graph = parameter_graph(setup.config);
    std::vector<ParameterRange>& held = setup.options.frozen_zero;
    for (const RemovedHead& removed : heads) {
        const ParameterRange range = head_output(*graph, setup.config, removed.attention, removed.head);
        if (std::ranges::find(held, range) == held.end()) held.push_back(range);
    }
    return setup;
}

TrainingSetup without_heads_of(TrainingSetup setup, const TrainingSetup& from) {
    const std::vector<ParameterRange>& held = from.options.frozen_zero;
    if (held.empty() || setup.config == from.config) return setup;
    setup.options.frozen_zero.clear();
    return without_heads(std::move(setup), heads_at(*parameter_graph(from.config), from.config, held));
}

std::string describe_removed(const TrainingSetup& setup) {
    TrainingSetup whole = setup;
    whole.options.frozen_zero.clear();
    return describe_change(whole, setup);
}

std::string describe_drawing(const TrainOptions& options) {
    Changes changes;
    changes.add(true, seed_text(options));
    compare_sentences(changes, TrainOptions(), options);
    return changes.text();
}

std::string describe_change(const TrainingSetup& from, const TrainingSetup& to) {
    Changes changes;
    changes.add(from.world != to.world, filled(tr("world {1}"), {to.world}));
    compare_schedules(changes, from.options.schedule, to.options.schedule);
    compare_optimizers(changes, from.options.optimizer, to.options.optimizer);
    changes.add(from.options.batch != to.options.batch, filled(tr("batch {1}"), {std::to_string(to.options.batch)}));
    changes.add(from.options.clip != to.options.clip,
                filled(tr("clip {1}"), {number(static_cast<double>(to.options.clip))}));
    compare_sentences(changes, from.options, to.options);
    changes.add(from.options.seed != to.options.seed, seed_text(to.options));
    changes.add(from.options.frozen_zero != to.options.frozen_zero, removed_text(from, to));
    changes.add(from.config.dropout != to.config.dropout,
                filled(tr("dropout {1}"), {number(static_cast<double>(to.config.dropout))}));
    TransformerConfig built = to.config;
    built.dropout = from.config.dropout;
    changes.add(from.config != built, tr("another model"));
    return changes.text();
}

}  // namespace glassformer::app
