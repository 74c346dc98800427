#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

/// What GPT-2's tokenizer files hold; the place of a token is its id.
struct Gpt2Vocabulary {
    struct Token {
        std::string bytes;
        bool special;  ///< stands for its text as a whole; no merge makes it
    };
    struct Merge {
        int left, right, token;
    };
    std::vector<Token> tokens;
    std::vector<Merge> merges;  ///< first learned first
};

constexpr std::string_view end_of_text = "<|endoftext|>";

/// Reads tokenizer.json (Hugging Face's fast tokenizers) where the folder has it, else vocab.json and merges.txt, and
/// added_tokens.json where that stands beside them. Special are the added tokens, and "<|endoftext|>" wherever it is
/// defined. What it returns is whole: ids without gaps, a token for every byte, merges only of tokens.
///
/// Throws Error naming the file and what is wrong in it: a file that is missing, too large (32 MiB, 262,144 tokens or
/// merges, 1,024 special tokens, 256 bytes in one) or not JSON; ids out of range, given twice, or with gaps; tokens
/// that are not written in GPT-2's letters for bytes; merges that are malformed, stand twice, or name unknown tokens;
/// and, in tokenizer.json, settings under which text would be cut otherwise than by GPT-2.
Gpt2Vocabulary read_gpt2_vocabulary(const std::filesystem::path& folder);

/// Whether text is cut by this tokenizer.json as by GPT-2. Throws Error naming the file when it is no JSON.
bool cuts_as_gpt2(const std::filesystem::path& file);

/// Writes vocab.json and merges.txt, and added_tokens.json when there is a special token besides "<|endoftext|>" (an
/// old one is removed when there is none). Throws Error naming the file.
void write_gpt2_vocabulary(const Gpt2Vocabulary& vocabulary, const std::filesystem::path& folder);

}  // namespace glassformer
