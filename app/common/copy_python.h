#pragma once

#include <string>

#include "app/common/frame.h"
#include "core/ops/python.h"

namespace glassformer::app {

/// Puts a short program on the clipboard that computes a number from the model's file with Python and that library, and
/// says so in a notice; or why there is none.
void copy_python(const Frame& frame, const TracedCell& at, ops::PythonLibrary library);
/// The program itself; throws Error where there is none.
std::string python_of(const Frame& frame, const TracedCell& at, ops::PythonLibrary library);

}  // namespace glassformer::app
