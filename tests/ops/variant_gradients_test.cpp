// Every architecture must pass the checks of the encoder: gradients, explanations, plans, threads.
#include <doctest/doctest.h>

#include <cmath>

#include "core/backend/cpu/cpu_backend.h"
#include "tests/ops/op_harness.h"
#include "tests/ops/variants.h"
#include "tests/same_bytes.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

/// Moves a parameter slightly, one cell or one direction at a time, and compares the change of the loss with the
/// gradient.
class Differences {
public:
    Differences(const VariantModel& m, Execution& run) : m_(m), run_(run), gradient_(m.parameters.size()) {
        run_.forward(m_.parameters);
        run_.backward(gradient_);
    }

    /// Returns the largest error over a few cells and directions of parameter `id`, in units of what is allowed.
    double worst(int id) {
        const NodeInfo& info = m_.graph[id];
        begin_ = static_cast<std::size_t>(info.offset), count_ = static_cast<std::size_t>(info.shape.elements());
        double error = 0.0;
        for (int trial = 0; trial < 5; ++trial) error = std::max(error, trial < 3 ? cell() : direction());
        return error;
    }

private:
    static constexpr double step = 2e-3;

    double cell() {
        start();
        move(begin_ + rng_.below(count_), 1.0);
        return compare(1.0);
    }

    double direction() {
        start();
        const double each = 1.0 / std::sqrt(static_cast<double>(count_));
        for (std::size_t i = 0; i < count_; ++i) move(begin_ + i, each * rng_.normal());
        return compare(std::sqrt(static_cast<double>(count_)));
    }

    void start() {
        plus_ = minus_ = m_.parameters;
        expected_ = 0.0;
    }

    void move(std::size_t i, double by) {
        plus_[i] = static_cast<float>(static_cast<double>(plus_[i]) + step * by);
        minus_[i] = static_cast<float>(static_cast<double>(minus_[i]) - step * by);
        expected_ +=
            static_cast<double>(gradient_[i]) * (static_cast<double>(plus_[i]) - static_cast<double>(minus_[i]));
    }

    double compare(double reach) {
        run_.forward(plus_);
        const double high = m_.loss(run_);
        run_.forward(minus_);
        double size = 0.0;
        for (std::size_t i = 0; i < count_; ++i)
            size += static_cast<double>(gradient_[begin_ + i]) * static_cast<double>(gradient_[begin_ + i]);
        const double rms = std::sqrt(size / static_cast<double>(count_));
        // Where the gradient is small, only the rounding of the logits is left.
        const double allowed = 1e-2 * 2 * step * rms * reach + 1.5e-6;
        return std::abs(high - m_.loss(run_) - expected_) / allowed;
    }

    const VariantModel& m_;
    Execution& run_;
    AlignedFloats gradient_, plus_, minus_;
    Rng rng_{13};
    std::size_t begin_ = 0, count_ = 0;
    double expected_ = 0.0;
};

}  // namespace

TEST_CASE("variants: the gradient of every parameter agrees with finite differences") {
    CpuBackend backend(1);
    for (const Variant& variant : variants()) {
        const VariantModel m(variant, 3);
        const auto run = m.prepare(backend, {{m.model.logits}, m.model.loss});
        run->forward(m.parameters);
        INFO(variant.name);
        CHECK(static_cast<double>(run->loss()) == doctest::Approx(m.loss(*run)).epsilon(1e-5));
        Differences differences(m, *run);
        for (const int id : m.graph.parameters()) {
            // The running statistics have no gradient on purpose: training does not read them.
            INFO(m.graph[id].name);
            CHECK(differences.worst(id) <= 1.0);
        }
    }
}

TEST_CASE("variants: every number is explained by its operands") {
    CpuBackend backend(1);
    for (const Variant& variant : variants())
        for (const bool training : {false, true}) {
            const VariantModel m(variant, 2, training);
            const auto run = m.prepare(backend, {m.all_nodes(), m.model.loss});
            run->forward(m.parameters);
            std::vector<std::vector<float>> values;
            for (const int id : m.all_nodes()) values.push_back(m.read(*run, id));
            const auto view = [&](int id) { return ConstView{values[id].data(), m.graph[id].shape}; };
            Rng rng(11);
            for (const int id : m.all_nodes()) {
                const NodeInfo& node = m.graph[id];
                if (node.kind != NodeInfo::Kind::op) continue;
                std::vector<ConstView> inputs;
                for (const int input : node.inputs) inputs.push_back(view(input));
                for (int i = 0; i < 12; ++i) {
                    const auto cell =
                        static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(node.shape.elements())));
                    INFO(variant.name, " ", node.name);
                    CHECK(compare_explanation(node.op->explain({inputs, node.shape, cell, view(id)}), inputs, view(id),
                                              cell) == "");
                }
            }
        }
}

TEST_CASE("variants: neither the plan nor the threads change a byte") {
    CpuBackend one(1);
    for (const Variant& variant : variants()) {
        const VariantModel m(variant, 3);
        const auto all = m.prepare(one, {m.all_nodes(), m.model.loss});
        AlignedFloats expected(m.parameters.size()), found(m.parameters.size());
        all->forward(m.parameters);
        const float loss = all->loss();
        all->backward(expected);
        INFO(variant.name);
        for (const int threads : {1, 2, 3}) {
            CpuBackend backend(threads);
            const auto lean = m.prepare(backend, {{}, m.model.loss});
            for (int repeat = 0; repeat < 2; ++repeat) {
                lean->forward(m.parameters);
                CHECK(lean->loss() == loss);
                lean->backward(found);
                CHECK(same_bytes(expected, found));
            }
        }
    }
}
