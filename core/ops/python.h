#pragma once

#include <string>

#include "core/ops/op.h"

namespace glassformer::ops {

/// What a program in Python computes with.
enum class PythonLibrary { torch, numpy };

/// An op as an expression of Python, for one sentence: no tensor has a batch axis.
struct PythonLine {
    std::string expression;     ///< {0}, {1} … stand for the inputs that it needs; empty where there is none
    std::string function = {};  ///< the source of what it calls; may be empty
};

/// `output`: its shape without the batch axis. Ops of the loss and of generating, which no trace has, have no line.
PythonLine python_line(const Op& op, std::size_t inputs, const Shape& output, PythonLibrary library);

/// Source that was written for NumPy ("np.exp(x)") as the library has it ("torch.exp(x)").
std::string in_library(std::string source, PythonLibrary library);

/// A number as short as it can be and still be the same float: "0.17677669".
std::string python_number(float value);

}  // namespace glassformer::ops
