#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/nn/config.h"
#include "core/text/word_tokenizer.h"
#include "core/train/timeline.h"

namespace glassformer {

/// A trained model with what is needed to show it and to train on.
struct Checkpoint {
    TransformerConfig config;
    WordTokenizer tokenizer{{}};
    std::string world;  // the world it was trained on ("homonyms")
    std::uint64_t seed = 1;
    std::int64_t step = 0;
    std::int64_t planned_steps = 0;  // the length of its learning-rate schedule
    Parameters parameters;
    std::vector<MetricPoint> log;               // may be empty
    std::vector<Timeline::Keyframe> keyframes;  // may be empty; oldest first
};

/// Reads a checkpoint folder: config.json, model.safetensors (GPT-2's tensor names and layout), vocab.txt, and where
/// they are there log.jsonl and timeline.safetensors. Throws Error naming the file and what is wrong in it: a missing
/// or malformed file, a field out of range, every missing tensor, a shape that contradicts config.json, a value that is
/// not a number.
Checkpoint load_checkpoint(const std::filesystem::path& folder);

/// Writes the folder whole: the old one survives any failure.
void save_checkpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint);

}  // namespace glassformer
