#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/train/task.h"

namespace glassformer {

/// Everything that a Task has to say, gathered by the file of each world; the fields are Task's functions.
struct TaskParts {
    std::string name, title;
    TransformerConfig config;
    TrainOptions options;
    std::shared_ptr<const BatchSource> batches;
    std::shared_ptr<const BatchSource> held_out = nullptr;  // null: batches
    std::shared_ptr<const Tokenizer> tokenizer;
    std::string metric_name;
    bool metric_is_share = true;
    double metric_level = 0.95;
    std::function<std::unique_ptr<Metric>(Backend&, const TransformerConfig&)> metric;
};

std::unique_ptr<Task> assemble_task(TaskParts parts);

}  // namespace glassformer
