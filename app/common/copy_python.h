#pragma once

#include <string>

#include "app/common/frame.h"
#include "core/ops/python.h"

namespace glassformer::app {

/// Copies a short Python program to the clipboard that computes a number from the model's file with that library. A
/// notice says so, or why there is no program.
void copy_python(const Frame& frame, const TracedCell& at, ops::PythonLibrary library);
/// Returns the program. Throws Error if there is none.
std::string python_of(const Frame& frame, const TracedCell& at, ops::PythonLibrary library);

}  // namespace glassformer::app
