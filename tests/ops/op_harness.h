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

/// What every op is held to. Each check returns "" or a sentence saying what is wrong and where, so that the harness
/// can itself be tested with ops that are wrong on purpose (op_harness_test.cpp).
namespace glassformer::testing {

/// One op on given inputs. Inputs with a gradient become parameters of a tiny graph, the others its inputs.
struct OpCase {
    OpPtr op;
    std::vector<Tensor> tensors;
    /// Step of the finite differences. An op that is linear in each input is exact at any step; the curved ones need a
    /// smaller one.
    double step = 0.1;
    /// Which tensor each input of the op reads; empty: tensor i is input i. {0, 0} feeds one node to both.
    std::vector<int> reads = {};
};

/// The tensors of a case in a graph: parameters where the op has a gradient for them, inputs where not.
struct CaseNodes {
    std::vector<Node> tensors;
    std::vector<Node> reads;        // by input of the op
    std::vector<float> parameters;  // the values of all parameters, in their flat order
};
CaseNodes declare(Graph& graph, const OpCase& c);
/// The values of those that are inputs.
void set_inputs(Execution& run, const OpCase& c, const CaseNodes& nodes);

/// The op's output, from a graph with this op alone.
Tensor forward(const OpCase& c, int threads = 1);
/// The gradients of Σ weights · output, one tensor after the other; those without a gradient are left out.
std::vector<float> backward(const OpCase& c, const Tensor& weights, int threads = 1);

/// The backward kernel against central finite differences of a random linear functional of the output.
std::string gradient_error(const OpCase& c);
/// Two uses of the same inputs: the second gradient must be added to the first.
std::string accumulation_error(const OpCase& c);
/// Every cell of a small output and `cells` random ones of a large one, explained and compared with the kernel.
std::string explanation_error(const OpCase& c, int cells = 120);
/// The same bytes, forward and backward, from 1, 2 and 3 threads.
std::string thread_error(const OpCase& c);
/// The first of all of these that is not "".
std::string any_error(const OpCase& c);

/// Whether the op refuses these shapes with an Error that names it.
bool refuses(const OpPtr& op, std::initializer_list<Shape> shapes);

/// Compares an explanation with the cell `offset` of the output that the kernel gave: value, operands, and how the
/// terms make up the value, as TermReading says. Used on whole models too.
std::string compare_explanation(const OpExplanation& e, std::span<const ConstView> inputs, const ConstView& output,
                                std::int64_t offset);

/// Cells from N(mean, spread).
Tensor normal(const Shape& shape, std::uint64_t seed, double spread = 1.0, double mean = 0.0);
/// Whole numbers 0 … n − 1.
Tensor whole(const Shape& shape, std::uint64_t seed, std::uint64_t n);
/// Ones and, about one in four, zeros.
Tensor keep_most(const Shape& shape, std::uint64_t seed);

}  // namespace glassformer::testing
