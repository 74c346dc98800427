#include "core/base/mark_text.h"
#include "core/tasks/regression_batches.h"
#include "core/tasks/samples.h"
#include "core/tasks/world_kind.h"
#include "core/train/fixed_batch.h"
#include "core/train/task.h"

namespace glassformer {

namespace {

constexpr int dimensions = 2, pairs = 8, held_out_prompts = 512;
/// The metric is the mean over the pairs from this one on (counted from 1): the last half.
constexpr std::size_t first_counted = pairs / 2 + 1;

/// The model's error at each prompt length, beside those of the textbook's methods on the same prompts.
class RegressionMetric final : public Metric {
public:
    RegressionMetric(Backend& backend, const TransformerConfig& config,
                     std::shared_ptr<const RegressionBatches> prompts)
        : prompts_(std::move(prompts)),
          held_out_(backend, config, prompts_->shape(held_out_prompts), prompts_->held_out(held_out_prompts)) {
        const auto add = [&](const char* name, const Regressor& regressor) {
            textbook_.emplace_back(name, errors_by_pair(*prompts_, held_out_.batch(), regressor));
        };
        add(N_("least squares"), least_squares);
        add(N_("ridge"), [](auto xs, auto ys, auto x) { return ridge(ridge_lambda, xs, ys, x); });
        add(N_("mean"), [](auto, auto, auto) { return 0.0; });
    }

    Measurement measure(std::span<const float> parameters) override {
        held_out_.run(parameters);
        const std::vector<double> model = errors_by_pair(*prompts_, held_out_.batch(), held_out_.values("logits"));
        Measurement found;
        for (std::size_t pair = first_counted; pair <= model.size(); ++pair)
            found.value += model[pair - 1] / static_cast<double>(model.size() + 1 - first_counted);
        list(N_("model"), model, found);
        for (const auto& [name, errors] : textbook_) list(name, errors, found);
        return found;
    }

private:
    static void list(const std::string& name, const std::vector<double>& errors, Measurement& found) {
        for (std::size_t pair = 1; pair <= errors.size(); ++pair)
            found.details.emplace_back(name + ", pair " + std::to_string(pair), errors[pair - 1]);
    }

    std::shared_ptr<const RegressionBatches> prompts_;
    FixedBatch held_out_;
    std::vector<std::pair<std::string, std::vector<double>>> textbook_;
};

TransformerConfig regression_config(const RegressionBatches& prompts) {
    TransformerConfig config;
    config.family = Family::decoder;
    config.n_ctx = prompts.positions();
    config.n_layers = 3;
    config.input = InputKind::values;
    config.d_input = prompts.d_input();
    config.output = OutputKind::values;
    config.d_output = 1;
    config.tied = false;
    return config;
}

TaskDefinition make_regression(const WorldFile&) {
    const auto prompts = std::make_shared<const RegressionBatches>(LinearFunctions(dimensions, pairs));
    TaskDefinition task;
    task.name = "regression";
    task.title = N_("Regression in context: a linear function, learned from its points while reading");
    task.config = regression_config(*prompts);
    task.options.schedule = {1e-3f, 200, 6000, 0.05f};
    task.options.optimizer.weight_decay = 0.0f;
    task.batches = prompts;
    task.token_noun = N_("number");
    task.samples = numbered_samples();
    task.metric_name = std::string("held-out ") + N_("squared error ÷ d") + ", last half of the pairs";
    task.metric_is_share = false;
    task.metric_level = 0.02;
    task.metric = [prompts](Backend& backend, const TransformerConfig& config) {
        return std::make_unique<RegressionMetric>(backend, config, prompts);
    };
    return task;
}

}  // namespace

extern constinit const WorldKind regression_world{
    .name = "regression",
    .summary = N_("Learn a linear function from its points, while reading."),
    .reads = "points (x, f(x)) of a linear function",
    .learns = "predict f at a new x, while reading",
    .make = make_regression,
};

}  // namespace glassformer
