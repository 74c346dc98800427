#include "app/session/training_setup.h"

#include <cstdio>

#include "core/base/number_text.h"
#include "core/nn/config_names.h"

namespace glassformer::app {

namespace {

std::string number(double value) { return typed_number(value); }

/// Collects what differs, separated by commas.
class Changes {
public:
    void add(bool differs, const std::string& what) {
        if (!differs) return;
        text_ += (text_.empty() ? "" : ", ") + what;
    }
    std::string text() const { return text_.empty() ? "nothing" : text_; }

private:
    std::string text_;
};

void compare_schedules(Changes& changes, const Schedule& from, const Schedule& to) {
    changes.add(from.peak != to.peak, "learning rate " + number(static_cast<double>(to.peak)));
    changes.add(from.kind != to.kind, std::string(name_of(to.kind)) + " schedule");
    changes.add(from.warmup != to.warmup,
                to.warmup == 0 ? "no warm-up" : "warm-up of " + std::to_string(to.warmup) + " steps");
    changes.add(from.total != to.total, std::to_string(to.total) + " steps");
    changes.add(from.floor != to.floor, "down to " + number(100.0 * static_cast<double>(to.floor)) + " %");
}

void compare_optimizers(Changes& changes, const OptimizerOptions& from, const OptimizerOptions& to) {
    changes.add(from.kind != to.kind, std::string(name_of(to.kind)));
    changes.add(from.momentum != to.momentum, "momentum " + number(static_cast<double>(to.momentum)));
    changes.add(from.beta1 != to.beta1, "β₁ " + number(static_cast<double>(to.beta1)));
    changes.add(from.beta2 != to.beta2, "β₂ " + number(static_cast<double>(to.beta2)));
    changes.add(from.weight_decay != to.weight_decay, "weight decay " + number(static_cast<double>(to.weight_decay)));
}

}  // namespace

std::string describe_change(const TrainingSetup& from, const TrainingSetup& to) {
    Changes changes;
    changes.add(from.world != to.world, "world " + to.world);
    compare_schedules(changes, from.options.schedule, to.options.schedule);
    compare_optimizers(changes, from.options.optimizer, to.options.optimizer);
    changes.add(from.options.batch != to.options.batch, "batch " + std::to_string(to.options.batch));
    changes.add(from.options.clip != to.options.clip, "clip " + number(static_cast<double>(to.options.clip)));
    changes.add(from.options.seed != to.options.seed, "seed " + std::to_string(to.options.seed));
    changes.add(from.options.held_at_zero != to.options.held_at_zero,
                to.options.held_at_zero.empty() ? "no head removed" : "a head removed");
    changes.add(from.config.dropout != to.config.dropout, "dropout " + number(static_cast<double>(to.config.dropout)));
    TransformerConfig built = to.config;
    built.dropout = from.config.dropout;
    changes.add(from.config != built, "another model");
    return changes.text();
}

}  // namespace glassformer::app
