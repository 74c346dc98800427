#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/base/rng.h"
#include "core/graph/graph.h"
#include "core/ops/ops.h"
#include "core/tensor/tensor.h"

/// The checks that every op must pass. Each returns "" or a sentence saying what is wrong and where, so that the
/// harness itself can be tested with ops that are wrong on purpose (op_harness_test.cpp).
namespace glassformer::testing {

/// One op on given inputs. Inputs with a gradient become parameters of a tiny graph, the others its inputs.
struct OpCase {
    OpPtr op;
    std::vector<Tensor> tensors;
    /// Step of the finite differences. An op that is linear in each input is exact at any step; curved ones need a
    /// smaller one.
    double step = 0.1;
    /// Which tensor each input of the op reads; if empty, input i reads tensor i. {0, 0} feeds one node to both inputs.
    std::vector<int> reads = {};
};

/// The tensors of a case in a graph: parameters if the op has a gradient for them, otherwise inputs.
struct CaseNodes {
    std::vector<Node> tensors;
    std::vector<Node> reads;        // by input of the op
    std::vector<float> parameters;  // the values of all parameters, in their flat order
};
CaseNodes declare(Graph& graph, const OpCase& c);
/// Sets the values of the tensors that are inputs.
void set_inputs(Execution& run, const OpCase& c, const CaseNodes& nodes);

/// Returns the op's output, from a graph with this op alone.
Tensor forward(const OpCase& c, int threads = 1);
/// Returns the gradients of Σ weights · output, tensor by tensor; those without a gradient are left out.
std::vector<float> backward(const OpCase& c, const Tensor& weights, int threads = 1);

/// Checks the backward kernel against central finite differences of a random linear functional of the output.
std::string gradient_error(const OpCase& c);
/// Checks that with two uses of the same inputs the second gradient is added to the first.
std::string accumulation_error(const OpCase& c);
/// Compares the explanations of all cells of a small output, or of `cells` random cells of a large one, with the
/// kernel.
std::string explanation_error(const OpCase& c, int cells = 120);
/// Checks that 1, 2 and 3 threads give the same bytes, forward and backward.
std::string thread_error(const OpCase& c);
/// Returns the first error of all these checks.
std::string any_error(const OpCase& c);

/// Whether the op refuses these shapes with an Error that names it.
bool refuses(const OpPtr& op, std::initializer_list<Shape> shapes);

/// Compares an explanation with cell `offset` of the kernel's output: its value, its operands, and how the terms make
/// up the value, as TermReading says. Also used on whole models.
std::string compare_explanation(const OpExplanation& e, std::span<const ConstView> inputs, const ConstView& output,
                                std::int64_t offset);

/// Returns cells from N(mean, spread²).
Tensor normal(const Shape& shape, std::uint64_t seed, double spread = 1.0, double mean = 0.0);
/// Returns whole numbers 0 … n − 1.
Tensor whole(const Shape& shape, std::uint64_t seed, std::uint64_t n);
/// Returns ones with, about one in four, zeros.
Tensor keep_most(const Shape& shape, std::uint64_t seed);

}  // namespace glassformer::testing
