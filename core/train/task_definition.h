#pragma once

#include <functional>

#include "core/train/task.h"

namespace glassformer {

/// Everything that a world's file says about its task. Each field is the Task's function of the same name.
struct TaskDefinition {
    std::string name, title;
    TransformerConfig config;
    TrainOptions options;
    std::shared_ptr<const BatchSource> batches;
    std::function<std::shared_ptr<const BatchSource>()> held_out = nullptr;  // made when asked for; null: batches
    std::shared_ptr<const Tokenizer> tokenizer = nullptr;
    std::shared_ptr<const Tokenizer> source_tokenizer = nullptr;
    std::string token_noun = "word";
    std::vector<std::string> units = {};
    std::vector<std::string> classes = {};
    std::vector<Sample> samples = {};
    std::shared_ptr<const World> senses = nullptr;
    std::shared_ptr<const WorldSource> source = nullptr;
    std::string why_not_trained = {};
    std::string metric_name;
    bool metric_is_share = true;
    bool metric_is_loss = false;  // the loss that training lowers, on data that it never saw
    double metric_level = 0.95;
    std::function<std::unique_ptr<Metric>(Backend&, const TransformerConfig&)> metric;
};

}  // namespace glassformer
