#include "tests/ops/op_harness.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/backend/cpu/cpu_backend.h"
#include "core/base/aligned.h"
#include "core/base/error.h"
#include "tests/ops/guarded_run.h"
#include "tests/same_bytes.h"

namespace glassformer::testing {

namespace {

constexpr double gradient_tolerance = 2e-3;
constexpr double explanation_tolerance = 1e-5;
constexpr int cells_per_tensor = 40;
constexpr int directions_per_tensor = 2;

/// Inputs y₀, w₀, y₁, w₁, … → Σ w·y: turns an op's output into a scalar that has a gradient.
class WeightedSum final : public Op {
public:
    std::string_view name() const override { return "weighted_sum"; }
    Shape infer_shape(std::span<const Shape>) const override { return {}; }

    void forward(const ForwardArgs& a) const override {
        double sum = 0.0;
        for (std::size_t i = 0; i + 1 < a.inputs.size(); i += 2)
            for (std::int64_t j = 0; j < a.inputs[i].shape.elements(); ++j)
                sum += static_cast<double>(a.inputs[i].data[j]) * static_cast<double>(a.inputs[i + 1].data[j]);
        *a.output.data = static_cast<float>(sum);
    }

    void backward(const BackwardArgs& a) const override {
        for (std::size_t i = 0; i + 1 < a.inputs.size(); i += 2) {
            const GradientSlot slot = a.input_gradients[i];
            for (std::int64_t j = 0; slot.data && j < a.inputs[i].shape.elements(); ++j)
                slot.data[j] =
                    (slot.accumulate ? slot.data[j] : 0.0f) + *a.output_gradient.data * a.inputs[i + 1].data[j];
        }
    }

    OpExplanation explain(const ExplainArgs&) const override { return {}; }
    bool has_gradient(int input) const override { return input % 2 == 0; }
};

/// The tiny graph of a case: its op once or twice, and a weighted sum of what comes out.
struct Bench {
    Bench(const OpCase& c, int uses, int threads) : backend(threads) {
        const auto graph = std::make_shared<Graph>();
        Graph& g = *graph;
        const CaseNodes nodes = declare(g, c);
        parameters.assign(nodes.parameters.begin(), nodes.parameters.end());
        std::vector<Node> outputs, weights;
        for (int use = 0; use < uses; ++use) {
            outputs.push_back(g.apply(c.op, nodes.reads));
            weights.push_back(g.input("w" + std::to_string(use), outputs.back().shape()));
            weight_ids.push_back(weights.back().id);
        }
        const OpPtr sum = std::make_shared<WeightedSum>();
        const Node loss = uses == 1 ? g.apply(sum, {outputs[0], weights[0]})
                                    : g.apply(sum, {outputs[0], weights[0], outputs[1], weights[1]});
        output = outputs[0].id;
        output_shape = outputs[0].shape();
        execution = backend.prepare(graph, {{output}, loss.id});
        set_inputs(*execution, c, nodes);
    }

    Tensor run() { return run(parameters); }
    Tensor run(std::span<const float> values) {
        execution->forward(values);
        Tensor result(output_shape);
        execution->read(output, result.values());
        return result;
    }

    AlignedFloats gradients(const std::vector<Tensor>& weights) {
        for (std::size_t i = 0; i < weights.size(); ++i) execution->set_input(weight_ids[i], weights[i].values());
        execution->forward(parameters);
        // A cell that is not written stays visible as NaN.
        AlignedFloats result(parameters.size(), std::numeric_limits<float>::quiet_NaN());
        execution->backward(result);
        return result;
    }

    CpuBackend backend;
    AlignedFloats parameters;
    std::vector<int> weight_ids;
    int output = -1;
    Shape output_shape;
    std::unique_ptr<Execution> execution;
};

/// Returns Σ weights · values in double, over the finite cells.
double functional(const Tensor& weights, const Tensor& values) {
    double sum = 0.0;
    for (std::size_t i = 0; i < values.values().size(); ++i)
        if (std::isfinite(values.values()[i]))
            sum += static_cast<double>(weights.values()[i]) * static_cast<double>(values.values()[i]);
    return sum;
}

double norm(std::span<const float> values) {
    double sum = 0.0;
    for (const float v : values) sum += static_cast<double>(v) * static_cast<double>(v);
    return std::sqrt(sum);
}

double largest_finite(std::span<const float> values) {
    double largest = 0.0;
    for (const float v : values)
        if (std::isfinite(v)) largest = std::max(largest, std::abs(static_cast<double>(v)));
    return largest;
}

std::string label(const OpCase& c) {
    std::string text(c.op->name());
    for (const Tensor& t : c.tensors) text += " " + t.shape().to_string();
    return text + ": ";
}

double sum_of_magnitudes(const OpExplanation& e) {
    double sum = 0.0;
    for (const Term& term : e.terms) sum += std::abs(term.contribution);
    return sum;
}

/// Returns what 1e-5 is relative to: the size of the float32 numbers that were rounded on the way.
double magnitude(const OpExplanation& e) {
    // The terms of a share can be huge (e^s), so only the share counts.
    if (e.reading.kind == TermKind::share) return std::abs(e.value) + 1e-30;
    const double terms = e.reading.kind == TermKind::summand ? sum_of_magnitudes(e) : 0.0;
    return std::max({terms, std::abs(e.value), e.reading.rounded});
}

/// Derivatives along a direction (one weight per cell of the range) by central differences.
class FiniteDifference {
public:
    FiniteDifference(const OpCase& c, const Tensor& weights)
        : bench_(c, 1, 1), weights_(weights), plus_(bench_.parameters), minus_(plus_), step_(c.step) {}

    /// Returns the derivative, and Σ gradient · the direction actually taken in float, over the same step.
    std::pair<double, double> along(std::size_t begin, std::span<const double> direction,
                                    std::span<const float> gradient) {
        double expected = 0.0;
        for (std::size_t i = 0; i < direction.size(); ++i) {
            const double x = bench_.parameters[begin + i];
            plus_[begin + i] = static_cast<float>(x + step_ * direction[i]);
            minus_[begin + i] = static_cast<float>(x - step_ * direction[i]);
            expected += static_cast<double>(gradient[begin + i]) *
                        (static_cast<double>(plus_[begin + i]) - static_cast<double>(minus_[begin + i]));
        }
        const double difference = functional(weights_, bench_.run(plus_)) - functional(weights_, bench_.run(minus_));
        for (std::size_t i = 0; i < direction.size(); ++i)
            plus_[begin + i] = minus_[begin + i] = bench_.parameters[begin + i];
        return {difference / (2 * step_), expected / (2 * step_)};
    }

private:
    Bench bench_;
    const Tensor& weights_;
    AlignedFloats plus_, minus_;
    double step_;
};

}  // namespace

CaseNodes declare(Graph& graph, const OpCase& c) {
    std::vector<int> reads = c.reads;
    if (reads.empty()) {
        reads.resize(c.tensors.size());
        std::iota(reads.begin(), reads.end(), 0);
    }
    CaseNodes nodes;
    for (std::size_t t = 0; t < c.tensors.size(); ++t) {
        const auto input = std::ranges::find(reads, static_cast<int>(t)) - reads.begin();
        const Tensor& tensor = c.tensors[t];
        const std::string name = "t" + std::to_string(t);
        if (c.op->has_gradient(static_cast<int>(input))) {
            nodes.tensors.push_back(graph.parameter(name, tensor.shape(), {}));
            nodes.parameters.insert(nodes.parameters.end(), tensor.values().begin(), tensor.values().end());
        } else {
            nodes.tensors.push_back(graph.input(name, tensor.shape()));
        }
    }
    for (const int t : reads) nodes.reads.push_back(nodes.tensors[t]);
    return nodes;
}

void set_inputs(Execution& run, const OpCase& c, const CaseNodes& nodes) {
    for (std::size_t t = 0; t < c.tensors.size(); ++t)
        if (run.graph()[nodes.tensors[t].id].kind == NodeInfo::Kind::input)
            run.set_input(nodes.tensors[t].id, c.tensors[t].values());
}

Tensor forward(const OpCase& c, int threads) { return Bench(c, 1, threads).run(); }

std::vector<float> backward(const OpCase& c, const Tensor& weights, int threads) {
    const AlignedFloats gradients = Bench(c, 1, threads).gradients({weights});
    return {gradients.begin(), gradients.end()};
}

std::string gradient_error(const OpCase& c) {
    Bench bench(c, 1, 1);
    if (bench.parameters.empty()) return "";
    const Tensor values = bench.run(), weights = normal(bench.output_shape, 91);
    const AlignedFloats gradient = bench.gradients({weights});
    if (std::ranges::any_of(gradient, [](float g) { return !std::isfinite(g); }))
        return label(c) + "backward left a cell of the gradient unwritten, or not finite";
    if (!same_bytes(gradient, bench.gradients({weights})))
        return label(c) + "a second backward pass gives another gradient";
    // The error that the rounding of the float32 outputs alone makes in a difference quotient.
    const double noise = 1.2e-7 * largest_finite(values.values()) * norm(weights.values()) / c.step;
    FiniteDifference difference(c, weights);
    Rng rng(17);
    std::size_t begin = 0;
    for (std::size_t t = 0; t < bench.execution->graph().parameters().size(); ++t) {
        const NodeInfo& info = bench.execution->graph()[bench.execution->graph().parameters()[t]];
        const std::size_t count = info.shape.elements();
        const double size = norm({gradient.data() + begin, count}), rms = size / std::sqrt(static_cast<double>(count));
        const auto wrong = [&](std::size_t at, std::span<const double> direction, double scale) -> std::string {
            const auto [found, expected] = difference.along(at, direction, gradient);
            if (std::abs(found - expected) <= gradient_tolerance * std::max(scale, std::abs(expected)) + noise)
                return "";
            return label(c) + "gradient of " + info.name +
                   (direction.size() == 1 ? " cell " + std::to_string(at - begin) : " along a direction") + " is " +
                   std::to_string(expected) + ", finite differences give " + std::to_string(found);
        };
        const bool all = count <= static_cast<std::size_t>(cells_per_tensor);
        for (std::size_t i = 0; i < (all ? count : static_cast<std::size_t>(cells_per_tensor)); ++i) {
            const double one = 1.0;
            const std::string error = wrong(begin + (all ? i : rng.below(count)), {&one, 1}, rms);
            if (!error.empty()) return error;
        }
        for (int d = 0; d < directions_per_tensor; ++d) {
            std::vector<double> direction(count);
            for (double& cell : direction) cell = rng.normal();
            const std::string error = wrong(begin, direction, size);
            if (!error.empty()) return error;
        }
        begin += count;
    }
    return "";
}

std::string accumulation_error(const OpCase& c) {
    Bench once(c, 1, 1), twice(c, 2, 1);
    if (once.parameters.empty()) return "";
    const Tensor w0 = normal(once.output_shape, 92), w1 = normal(once.output_shape, 93);
    const AlignedFloats g0 = once.gradients({w0}), g1 = once.gradients({w1}), both = twice.gradients({w0, w1});
    const double largest = std::max(largest_finite(g0), largest_finite(g1));
    for (std::size_t i = 0; i < both.size(); ++i) {
        const double sum = static_cast<double>(g0[i]) + static_cast<double>(g1[i]);
        if (!(std::abs(static_cast<double>(both[i]) - sum) <= 1e-5 * largest))
            return label(c) + "two uses give the gradient " + std::to_string(both[i]) + " in cell " +
                   std::to_string(i) + ", the sum of both is " + std::to_string(sum);
    }
    return "";
}

std::string compare_explanation(const OpExplanation& e, std::span<const ConstView> inputs, const ConstView& output,
                                std::int64_t offset) {
    const double kernel = static_cast<double>(output.data[offset]);
    const std::string cell = "cell " + std::to_string(offset) + ": ";
    const auto close = [](double a, double b, double tolerance) { return a == b || std::abs(a - b) <= tolerance; };
    if (!close(e.value, kernel, explanation_tolerance * magnitude(e)))
        return cell + "the explanation gives " + std::to_string(e.value) + ", the kernel " + std::to_string(kernel);
    double sum = 0.0;
    for (const Term& term : e.terms) {
        for (const OperandCell& o : term.operands) {
            const bool from_output = o.input == OperandCell::own_output;
            if (!from_output && (o.input < 0 || o.input >= static_cast<int>(inputs.size())))
                return cell + "an operand has no such input";
            const ConstView& input = from_output ? output : inputs[o.input];
            if (o.offset < 0 || o.offset >= input.shape.elements()) return cell + "an operand lies outside its input";
            if (o.value != static_cast<double>(input.data[o.offset]))
                return cell + "an operand says " + std::to_string(o.value) + ", its cell holds " +
                       std::to_string(input.data[o.offset]);
        }
        sum += term.contribution;
    }
    const TermReading& r = e.reading;
    if (r.main_term < -1 || r.main_term >= static_cast<int>(e.terms.size())) return cell + "there is no such main term";
    if (r.kind == TermKind::summand && r.inside.empty() && !close(sum, e.value, 1e-9 * sum_of_magnitudes(e)))
        return cell + "the terms add up to " + std::to_string(sum) + ", the value is " + std::to_string(e.value);
    if (r.kind == TermKind::share && !e.terms.empty()) {
        if (r.main_term < 0) return cell + "a share has no term of its own";
        const double own = e.terms[r.main_term].contribution;
        if (!close(own / sum, e.value, 1e-9))
            return cell + "the share is " + std::to_string(own / sum) + ", the value is " + std::to_string(e.value);
    }
    if (e.formula.empty() || e.terms_title.empty()) return cell + "the explanation has no formula or title";
    return "";
}

std::string explanation_error(const OpCase& c, int cells) {
    const Tensor output = forward(c);
    std::vector<ConstView> inputs;
    for (std::size_t i = 0; i < (c.reads.empty() ? c.tensors.size() : c.reads.size()); ++i) {
        const Tensor& t = c.tensors[c.reads.empty() ? i : static_cast<std::size_t>(c.reads[i])];
        inputs.push_back({t.data(), t.shape()});
    }
    const std::int64_t count = output.shape().elements();
    const bool all = count <= 2 * cells;
    Rng rng(29);
    for (std::int64_t i = 0; i < (all ? count : cells); ++i) {
        const auto offset = all ? i : static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(count)));
        const OpExplanation e = c.op->explain({inputs, output.shape(), offset, {output.data(), output.shape()}});
        const std::string error = compare_explanation(e, inputs, {output.data(), output.shape()}, offset);
        if (!error.empty()) return label(c) + error;
    }
    return "";
}

std::string thread_error(const OpCase& c) {
    Bench one(c, 1, 1);
    const Tensor output = one.run(), weights = normal(one.output_shape, 94);
    const AlignedFloats gradient = one.gradients({weights});
    for (const int threads : {2, 3}) {
        Bench many(c, 1, threads);
        for (int repeat = 0; repeat < 3; ++repeat) {
            const std::string who = label(c) + std::to_string(threads) + " threads give another ";
            if (!same_bytes(many.run().values(), output.values())) return who + "output";
            if (!same_bytes(many.gradients({weights}), gradient)) return who + "gradient";
        }
    }
    return "";
}

std::string any_error(const OpCase& c) {
    for (const auto check : {+[](const OpCase& x) { return explanation_error(x); }, &gradient_error,
                             &accumulation_error, &thread_error, &guard_error}) {
        const std::string error = check(c);
        if (!error.empty()) return error;
    }
    return "";
}

bool refuses(const OpPtr& op, std::initializer_list<Shape> shapes) {
    try {
        op->infer_shape({shapes.begin(), shapes.size()});
    } catch (const Error& e) {
        return std::string_view(e.what()).starts_with(std::string(op->name()) + ": ");
    }
    return false;
}

Tensor normal(const Shape& shape, std::uint64_t seed, double spread, double mean) {
    Tensor t(shape);
    Rng rng(seed);
    for (float& v : t.values()) v = static_cast<float>(mean + spread * rng.normal());
    return t;
}

Tensor whole(const Shape& shape, std::uint64_t seed, std::uint64_t n) {
    Tensor t(shape);
    Rng rng(seed);
    for (float& v : t.values()) v = static_cast<float>(rng.below(n));
    return t;
}

Tensor keep_most(const Shape& shape, std::uint64_t seed) {
    Tensor t(shape);
    Rng rng(seed);
    for (float& v : t.values()) v = rng.below(4) == 0 ? 0.0f : 1.0f;
    return t;
}

}  // namespace glassformer::testing
