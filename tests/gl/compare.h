#pragma once

#include <span>
#include <string>

#include "core/backend/gl/gl_backend.h"
#include "tests/ops/op_cases.h"

/// Compares two backends. Each check returns "" or a sentence saying where they differ.
namespace glassformer::testing {

/// How far values may differ, as a share of the cell's size and of the tensor's root mean square.
constexpr double gl_tolerance = 1e-4;

/// `size` is the least root mean square assumed: a tensor whose cells cancel to nothing (the gradient of a bias that
/// softmax ignores) is no more accurate than the terms it is made of.
std::string difference(std::span<const float> expected, std::span<const float> given, double size = 0.0);
/// Returns the root mean square of the finite cells.
double root_mean_square(std::span<const float> values);

/// Compares an op on the CPU and with OpenGL: its output, its gradients for a random upstream gradient, and the
/// gradients of two uses added up. Also checks that no cell between the tensors is written; the backend must be made
/// with `guard`.
std::string backend_error(const OpCase& c, GlBackend& backend);

}  // namespace glassformer::testing
