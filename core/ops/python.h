#pragma once

#include <string>

#include "core/ops/op.h"

namespace glassformer::ops {

/// The library that an exported Python program computes with.
enum class PythonLibrary { torch, numpy };

/// An op as a Python expression for one sentence: no tensor has a batch axis.
struct PythonLine {
    std::string expression;     ///< {0}, {1} … stand for the inputs that it needs; empty if there is none
    std::string function = {};  ///< source of the function that it calls; may be empty
};

/// `output` is the shape without the batch axis. Ops for the loss and for generation, which no trace contains, have no
/// line.
PythonLine python_line(const Op& op, std::size_t inputs, const Shape& output, PythonLibrary library);

/// Translates source written for NumPy ("np.exp(x)") to the library ("torch.exp(x)").
std::string in_library(std::string source, PythonLibrary library);

/// The shortest text that reads back as the same float: "0.17677669".
std::string python_number(float value);

}  // namespace glassformer::ops
