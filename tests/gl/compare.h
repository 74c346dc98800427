#pragma once

#include <span>
#include <string>

#include "core/backend/gl/gl_backend.h"
#include "tests/ops/op_cases.h"

/// Answers of two backends, side by side. Each check returns "" or a sentence saying where they differ.
namespace glassformer::testing {

/// How far values may lie apart, as a share of the cell's size and of the tensor's root mean square.
constexpr double gl_tolerance = 1e-4;

/// `size`, where it is given, stands for the root mean square: a tensor whose cells cancel to nothing (the gradient of
/// a bias that softmax does not feel) is no better known than those that it is made of.
std::string difference(std::span<const float> expected, std::span<const float> given, double size = 0.0);
/// √ of the mean of the squares of the finite cells.
double root_mean_square(std::span<const float> values);

/// An op on the CPU and with OpenGL: output, gradients for a random upstream gradient, gradients of two uses added up;
/// and no cell between the tensors written. The backend must have been made with guard.
std::string backend_error(const OpCase& c, GlBackend& backend);

}  // namespace glassformer::testing
