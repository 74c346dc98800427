#pragma once

#include <memory>

#include "core/train/task.h"

namespace glassformer {

/// The worlds that need no file, each defined in the file of its name.
std::unique_ptr<Task> induction_task();
std::unique_ptr<Task> copying_task();
std::unique_ptr<Task> sorting_task();
std::unique_ptr<Task> regression_task();

}  // namespace glassformer
