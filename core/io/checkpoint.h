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

/// A trained model with what is needed to show it and to train on.
struct Checkpoint {
    TransformerConfig config;
    /// Null where the model reads numbers, and where its folder came without one: then it is given token ids.
    std::shared_ptr<const Tokenizer> tokenizer;
    /// Of the source language; encoder–decoders only, and null where both languages share one.
    std::shared_ptr<const Tokenizer> source_tokenizer;
    std::string world;  // the world it was trained on ("homonyms"); empty for a model from elsewhere
    /// That world, where it is of a person's own file; null where it is found by its name.
    std::shared_ptr<const WorldSource> source;
    std::uint64_t seed = 1;
    std::int64_t step = 0;
    std::int64_t planned_steps = 0;  // the length of its learning-rate schedule
    Parameters parameters;
    std::vector<MetricPoint> log;               // may be empty
    std::vector<Timeline::Keyframe> keyframes;  // may be empty; oldest first

    /// The tokenizer, if it is one of whole words; else null.
    const WordTokenizer* words() const { return dynamic_cast<const WordTokenizer*>(tokenizer.get()); }
};

/// Reads a model's folder: config.json, model.safetensors (or the shards of model.safetensors.index.json), the files of
/// its tokenizer, and where they are there log.jsonl, timeline.safetensors and world.json. config.json's "model_type"
/// tells how:
///
///     glassformer_encoder    the small encoders of words, in GPT-2's tensor names and layout
///     gpt2                   Hugging Face's GPT-2 family, F32, F16 or BF16, ours or from elsewhere
///     llama, mistral, qwen2, qwen3, gemma, gemma3_text, gpt_neox, gpt_neo, bert, distilbert, roberta, xlm-roberta,
///     camembert              those of Hugging Face; F32, F16 or BF16
///     glassformer            any model, each parameter under its name in the graph
///
/// Or the one file that a GGUF model is (core/io/gguf_model.h).
///
/// Throws Error naming the file and what is wrong in it: a missing or malformed file, a field out of range or not
/// supported, every tensor that is missing, unknown or of another shape than config.json asks for, a tokenizer with
/// more tokens than the model knows, a value that is not a finite number.
Checkpoint load_checkpoint(const std::filesystem::path& folder);

/// Writes the folder whole: the old one survives any failure. Throws Error when there is a folder already that is not
/// empty and holds anything but a checkpoint that this program wrote: see require_checkpoint_place. A model with
/// GPT-2's shape is written as Hugging Face would (see core/io/hugging_face.h), with a few fields and files more. Of a
/// text that was learned, only the held-out part goes with the model.
void save_checkpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint);

/// Throws Error naming the entry for which save_checkpoint would refuse the folder: to be asked before a training.
void require_checkpoint_place(const std::filesystem::path& folder);

}  // namespace glassformer
