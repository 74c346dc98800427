#include "core/tasks/regression_task.h"

#include <Eigen/Dense>
#include <string>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/base/rng.h"
#include "core/tasks/world_data.h"
#include "core/tasks/world_kind.h"
#include "core/train/fixed_batch.h"
#include "core/train/task.h"

namespace glassformer {

float LinearFunction::at(std::span<const float> x) const {
    double value = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) value += w[i] * static_cast<double>(x[i]);
    return static_cast<float>(value);
}

LinearFunctions::LinearFunctions(int d, int pairs) : d_(d), pairs_(pairs) {
    if (d < 1 || d > LinearFunction::most_dimensions)
        throw Error("linear functions in {1} dimensions are not possible; there must be 1 to {2}", d,
                    LinearFunction::most_dimensions);
    if (pairs < 1) throw Error("a linear function needs at least one point to be seen at");
}

LinearFunction LinearFunctions::draw(Rng& rng) const {
    LinearFunction function;
    for (std::size_t i = 0; i < static_cast<std::size_t>(d_); ++i) function.w[i] = rng.normal();
    return function;
}

void LinearFunctions::draw_point(Rng& rng, std::span<float> x) {
    for (float& coordinate : x) coordinate = static_cast<float>(rng.normal());
}

namespace {

using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::MatrixXd matrix(std::span<const float> xs, std::size_t d) {
    return Eigen::Map<const RowMajor>(xs.data(), static_cast<Eigen::Index>(xs.size() / d), static_cast<Eigen::Index>(d))
        .cast<double>();
}

Eigen::VectorXd vector(std::span<const float> values) {
    return Eigen::Map<const Eigen::VectorXf>(values.data(), static_cast<Eigen::Index>(values.size())).cast<double>();
}

/// Calls error(prompt, pair) for every pair, and averages the squares, ÷ d, over the prompts.
template <class ErrorAt>
std::vector<double> mean_squares(const RegressionBatches& prompts, const Batch& batch, const ErrorAt& error) {
    const std::size_t pairs = prompts.functions().pairs();
    const std::size_t count = batch.target_values.size() / (2 * pairs);
    std::vector<double> errors(pairs);
    for (std::size_t prompt = 0; prompt < count; ++prompt)
        for (std::size_t pair = 0; pair < pairs; ++pair) {
            const double e = error(prompt, pair);
            errors[pair] += e * e;
        }
    for (double& e : errors) e /= static_cast<double>(count) * prompts.functions().d();
    return errors;
}

constexpr int dimensions = 2, pairs = 8, held_out_prompts = 512;
/// The metric is the mean over the pairs from this one on (counted from 1): the second half.
constexpr std::size_t first_counted = pairs / 2 + 1;

/// The model's error at each prompt length, beside those of textbook methods on the same prompts.
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
            found.details.emplace_back(filled_with(N_("{1}, pair {2}"), name, pair), errors[pair - 1]);
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

Task make_regression(const WorldFile&) {
    const auto prompts = std::make_shared<const RegressionBatches>(LinearFunctions(dimensions, pairs));
    Task task;
    task.name = "regression";
    task.title = N_("Regression in context: a linear function, learned from its points");
    task.config = regression_config(*prompts);
    task.options.schedule = {1e-3f, 200, 6000, 0.05f};
    task.options.optimizer.weight_decay = 0.0f;
    task.batches = prompts;
    task.token_noun = N_("number");
    task.samples = numbered_samples();
    task.metric_name =
        filled_with(N_("{1}, last half of the pairs"), filled_with(N_("held-out {1}"), N_("squared error ÷ d")));
    task.metric_is_share = false;
    task.metric_level = 0.02;
    task.make_metric = [prompts](Backend& backend, const TransformerConfig& config) {
        return std::make_unique<RegressionMetric>(backend, config, prompts);
    };
    return task;
}

}  // namespace

void RegressionBatches::fill(Rng& rng, int batch, Batch& out) const {
    const auto d = static_cast<std::size_t>(functions_.d()), pairs = static_cast<std::size_t>(functions_.pairs());
    const std::size_t prompts = static_cast<std::size_t>(batch), cells = prompts * 2 * pairs, width = d + 1;
    out.values.assign(cells * width, 0.0f);
    out.key_mask.assign(cells, 1.0f);
    out.target_values.assign(cells, 0.0f);
    out.loss_weights.assign(cells, 0.0f);
    for (std::size_t prompt = 0; prompt < prompts; ++prompt) {
        const LinearFunction function = functions_.draw(rng);
        for (std::size_t pair = 0; pair < pairs; ++pair) {
            const std::size_t cell = 2 * (prompt * pairs + pair);
            const std::span<float> x(out.values.data() + cell * width, d);
            LinearFunctions::draw_point(rng, x);
            out.target_values[cell] = out.values[(cell + 1) * width + d] = function.at(x);
            out.loss_weights[cell] = 1.0f;
        }
    }
}

void RegressionBatches::draw(std::uint64_t seed, std::int64_t step, int batch, Batch& out) const {
    Rng rng(seed, batch_streams + static_cast<std::uint64_t>(step));
    fill(rng, batch, out);
}

Batch RegressionBatches::held_out(int prompts) const {
    Rng rng(held_out_seed, held_out_stream);
    Batch batch;
    fill(rng, prompts, batch);
    return batch;
}

double least_squares(std::span<const float> xs, std::span<const float> ys, std::span<const float> x) {
    if (ys.empty()) return 0.0;
    const Eigen::VectorXd w = matrix(xs, x.size()).completeOrthogonalDecomposition().solve(vector(ys));
    return w.dot(vector(x));
}

double ridge(double lambda, std::span<const float> xs, std::span<const float> ys, std::span<const float> x) {
    if (ys.empty()) return 0.0;
    const Eigen::MatrixXd m = matrix(xs, x.size());
    Eigen::MatrixXd gram = m.transpose() * m;
    gram.diagonal().array() += lambda;
    const Eigen::VectorXd w = gram.ldlt().solve(m.transpose() * vector(ys));
    return w.dot(vector(x));
}

std::vector<double> errors_by_pair(const RegressionBatches& prompts, const Batch& batch, const Regressor& regressor) {
    const std::size_t d = prompts.functions().d();
    const std::size_t pairs = prompts.functions().pairs();
    const std::size_t width = d + 1;
    std::vector<float> xs(pairs * d), ys(pairs);
    return mean_squares(prompts, batch, [&](std::size_t prompt, std::size_t pair) {
        const std::size_t cell = 2 * (prompt * pairs + pair);
        std::copy_n(batch.values.begin() + static_cast<std::ptrdiff_t>(cell * width), d,
                    xs.begin() + static_cast<std::ptrdiff_t>(pair * d));
        ys[pair] = batch.target_values[cell];
        const double guess =
            regressor(std::span(xs).first(pair * d), std::span(ys).first(pair), std::span(xs).subspan(pair * d, d));
        return guess - static_cast<double>(ys[pair]);
    });
}

std::vector<double> errors_by_pair(const RegressionBatches& prompts, const Batch& batch,
                                   std::span<const float> predictions) {
    if (predictions.size() != batch.target_values.size()) throw Error("the predictions are not of this batch");
    const std::size_t pairs = prompts.functions().pairs();
    return mean_squares(prompts, batch, [&](std::size_t prompt, std::size_t pair) {
        const std::size_t cell = 2 * (prompt * pairs + pair);
        return static_cast<double>(predictions[cell]) - static_cast<double>(batch.target_values[cell]);
    });
}

extern constinit const WorldKind regression_world{
    .name = "regression",
    .summary = N_("Learn a linear function from its points, in context."),
    .reads = "points (x, f(x)) of a linear function",
    .learns = "predict f at a new x, in context",
    .make = make_regression,
};

}  // namespace glassformer
