#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/text/hf_tokenizer.h"

namespace glassformer {

/// A tokenizer as GGUF's metadata tell it ("tokenizer.ggml.…"): its tokens in the order of their ids, and what kind of
/// model makes them.
struct ListedTokens {
    /// What a token is; the numbers are the file's.
    enum Kind { normal = 1, unknown = 2, control = 3, user_defined = 4, unused = 5, byte = 6 };

    std::string model;  // "gpt2": byte-level pairs; "llama": SentencePiece's pairs; "bert": WordPiece
    std::string pre;    // how a text is cut into words before pairs are merged: "gpt-2", "llama-bpe", "qwen2" …
    std::vector<std::string> tokens;
    std::vector<int> kinds;               // as many, or none
    std::vector<float> scores;            // llama: as many
    std::vector<std::string> merges;      // gpt2: "a b"
    int begin = -1, end = -1, mask = -1;  // ids; −1: none
    bool adds_begin = false, adds_end = false, adds_space = true;
};

/// The same as a tokenizer.json would tell it. Throws Error starting with `where` for what is not known or wrong.
nlohmann::json tokenizer_spec(const ListedTokens& listed, const std::string& where);

/// The tokenizer. Throws Error as that does, and as HfTokenizer::from_spec().
std::shared_ptr<const HfTokenizer> make_tokenizer(const ListedTokens& listed, const std::string& where);

}  // namespace glassformer
