#include <doctest/doctest.h>

#include "tests/ops/op_harness.h"

using namespace glassformer;
using namespace glassformer::testing;

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/backend/cpu/cpu_backend.h"
#include "core/nn/layers.h"

namespace {

constexpr float epsilon = 1e-5f;

struct Stages {
    Tensor x, mean, scale, normalized;
};

Stages stages(const Tensor& x) {
    Stages s{x, forward({ops::layer_norm_mean(), {x}}), {}, {}};
    s.scale = forward({ops::layer_norm_scale(epsilon), {x, s.mean}});
    s.normalized = forward({ops::layer_norm_normalize(), {x, s.mean, s.scale}});
    return s;
}

/// The four stages as one op, so that the gradient of the first three is checked as that of the whole.
class Whole final : public Op {
public:
    std::string_view name() const override { return "layer_norm"; }
    Shape infer_shape(std::span<const Shape> in) const override { return in[0]; }

    void forward(const ForwardArgs& a) const override {
        run(a.inputs);
        const auto out = execution_->graph().at("ln.hook_out");
        execution_->read(out, {a.output.data, static_cast<std::size_t>(a.output.shape.elements())});
    }

    void backward(const BackwardArgs& a) const override {
        run(a.inputs);
        const std::size_t count = a.output_gradient.shape.elements();
        execution_->set_input(execution_->graph().at("weights"), {a.output_gradient.data, count});
        execution_->forward(parameters_);
        std::vector<float> gradients(parameters_.size());
        execution_->backward(gradients);
        std::size_t from = 0;
        for (std::size_t i = 0; i < 3; ++i)
            for (std::int64_t j = 0; j < a.inputs[i].shape.elements(); ++j, ++from)
                a.input_gradients[i].data[j] =
                    (a.input_gradients[i].accumulate ? a.input_gradients[i].data[j] : 0.0f) + gradients[from];
    }

    OpExplanation explain(const ExplainArgs&) const override { return {}; }

private:
    void run(std::span<const ConstView> in) const {
        if (!execution_) {
            const auto g = std::make_shared<Graph>();
            const Node x = g->parameter("x", in[0].shape, {});
            TransformerConfig config;
            config.norm_epsilon = epsilon;
            nn::BuildContext assembly{*g, config};
            const Node out = nn::norm(assembly, "ln", x, {});
            const Node weights = g->input("weights", in[0].shape);
            // Σ weights·out, from ops that are tested on their own: a product of two rows.
            const std::int64_t n = in[0].shape.elements();
            const Node row = g->apply(ops::reshape({1, 1, 1, n}), {out}),
                       other = g->apply(ops::reshape({1, 1, 1, n}), {weights});
            const Node loss = g->apply(ops::attention_scores(), {row, other});
            execution_ = backend_.prepare(g, {{out.id}, loss.id});
        }
        parameters_.clear();
        for (const ConstView& v : in) parameters_.insert(parameters_.end(), v.data, v.data + v.shape.elements());
        execution_->forward(parameters_);
    }

    mutable CpuBackend backend_{1};
    mutable std::unique_ptr<Execution> execution_;
    mutable std::vector<float> parameters_;
};

OpCase whole_layer(const Shape& shape, double spread = 1.0, double mean = 0.0) {
    const Shape width{shape.back()};
    return {std::make_shared<Whole>(), {normal(shape, 1, spread, mean), normal(width, 2), normal(width, 3)}, 1e-2};
}

const std::vector<Shape> shapes{{1, 2}, {3, 3}, {2, 3, 5}, {17}, {5, 17}, {33, 33}, {2, 5, 65}};

}  // namespace

TEST_CASE("layer_norm: [100, 200, 100, 0] has mean 100 and variance 5000") {
    const Stages s = stages(Tensor({4}, {100, 200, 100, 0}));
    CHECK(s.mean.data()[0] == 100.0f);
    CHECK(s.scale.data()[0] == doctest::Approx(std::sqrt(5000.0)));
    const std::vector<float> expected{0.0f, 1.41421356f, 0.0f, -1.41421356f};
    for (std::size_t i = 0; i < 4; ++i) CHECK(s.normalized.values()[i] == doctest::Approx(expected[i]));
}

TEST_CASE("layer_norm: the gradient of the whole layer") {
    for (const Shape& shape : shapes) {
        if (shape.back() == 2) continue;  // two features become ±1 whatever they are: only rounding is left
        CHECK(gradient_error(whole_layer(shape)) == "");
        CHECK(gradient_error(whole_layer(shape, 2.0, 5.0)) == "");
    }
    CHECK(gradient_error(whole_layer({3, 1})) == "");
}

TEST_CASE("layer_norm_mean: explanation and threads") {
    for (const Shape& shape : shapes) CHECK(any_error({ops::layer_norm_mean(), {normal(shape, 1)}}) == "");
    CHECK(any_error({ops::layer_norm_mean(), {normal({3, 1}, 1)}}) == "");
    CHECK(thread_error({ops::layer_norm_mean(), {normal({1000, 65}, 1)}}) == "");
}

TEST_CASE("layer_norm_scale: explanation and threads") {
    for (Shape shape : shapes) {
        const Stages s = stages(normal(shape, 1, 2.0, 3.0));
        CHECK(any_error({ops::layer_norm_scale(epsilon), {s.x, s.mean}, 1e-2}) == "");
    }
    const Stages s = stages(normal({1000, 65}, 1));
    CHECK(thread_error({ops::layer_norm_scale(epsilon), {s.x, s.mean}}) == "");
}

TEST_CASE("layer_norm_normalize: explanation, accumulation and threads") {
    for (Shape shape : shapes) {
        const Stages s = stages(normal(shape, 1, 2.0, 3.0));
        const OpCase c{ops::layer_norm_normalize(), {s.x, s.mean, s.scale}, 1e-2};
        CHECK(explanation_error(c) == "");
        CHECK(accumulation_error(c) == "");
    }
    const Stages s = stages(normal({1000, 65}, 1));
    CHECK(thread_error({ops::layer_norm_normalize(), {s.x, s.mean, s.scale}}) == "");
}

TEST_CASE("layer_norm: wrong shapes are refused") {
    CHECK(refuses(ops::layer_norm_mean(), {{}}));
    CHECK(refuses(ops::layer_norm_mean(), {{3, 0}}));
    CHECK(refuses(ops::layer_norm_scale(epsilon), {{2, 3}, {3}}));
    CHECK(refuses(ops::layer_norm_scale(epsilon), {{2, 3}}));
    CHECK(refuses(ops::layer_norm_normalize(), {{2, 3}, {2}}));
    CHECK(refuses(ops::layer_norm_normalize(), {{2, 3}, {2}, {3}}));
}
