#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/nn/config.h"
#include "core/text/word_tokenizer.h"
#include "core/train/timeline.h"

namespace glassformer {

struct WorldSource;

/// A trained model with what is needed to show it and to continue training.
struct Checkpoint {
    TransformerConfig config;
    /// Null if the model reads numbers, or if its folder has no tokenizer; then the input is token ids.
    std::shared_ptr<const Tokenizer> tokenizer;
    /// For the source language; only for encoder–decoders, and null if both languages share one tokenizer.
    std::shared_ptr<const Tokenizer> source_tokenizer;
    std::string world;  // name of the world it was trained on ("homonyms"); empty for a model from elsewhere
    /// That world, if it comes from the user's own file; null if its name is enough to find it.
    std::shared_ptr<const WorldSource> source;
    std::uint64_t seed = 1;
    std::int64_t step = 0;
    std::int64_t planned_steps = 0;  // length of its learning-rate schedule
    Parameters parameters;
    std::vector<MetricPoint> log;               // may be empty
    std::vector<Timeline::Keyframe> keyframes;  // may be empty; oldest first

    /// False for a model that this program has not trained, such as a published one: its `step` then means nothing.
    bool has_training() const { return !world.empty() || step > 0; }
    /// The tokenizer if it is a word tokenizer, else null.
    const WordTokenizer* words() const { return dynamic_cast<const WordTokenizer*>(tokenizer.get()); }
};

/// Reads a model's folder: config.json, model.safetensors (or the shards of model.safetensors.index.json), its
/// tokenizer's files and, if present, log.jsonl, timeline.safetensors and world.json. config.json's "model_type"
/// selects the format:
///
///     glassformer_encoder    the small word encoders, in GPT-2's tensor names and layout
///     gpt2                   Hugging Face's GPT-2 family, F32, F16 or BF16, written by us or by others
///     llama, mistral, qwen2, qwen3, gemma, gemma3_text, gpt_neox, gpt_neo, bert, distilbert, roberta, xlm-roberta,
///     camembert              Hugging Face's models; F32, F16 or BF16
///     glassformer            any model; each tensor has the name of its parameter in the graph
///
/// Also reads a model in a single GGUF file (core/io/gguf_model.h).
///
/// Throws Error naming the file and what is wrong in it: a missing or malformed file, a field that is out of range or
/// not supported, all tensors that are missing, unknown or differ in shape from config.json, a tokenizer with more
/// tokens than the model, or a value that is not finite.
Checkpoint load_checkpoint(const std::filesystem::path& folder);

/// Writes the folder atomically: the old one survives any failure. Throws Error if a non-empty folder exists that holds
/// anything but a checkpoint written by this program: see require_checkpoint_place. A GPT-2-shaped model is written in
/// Hugging Face's format (see core/io/hugging_face.h), with a few more fields and files. If it learned from a text,
/// only the held-out part is saved with it.
void save_checkpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint);

/// Call this before a training: throws Error naming the entry for which save_checkpoint would refuse the folder.
void require_checkpoint_place(const std::filesystem::path& folder);

}  // namespace glassformer
