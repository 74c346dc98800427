#include "core/text/tokenizer.h"

#include "core/base/error.h"
#include "core/text/byte_pair_tokenizer.h"
#include "core/text/character_tokenizer.h"
#include "core/text/hf_tokenizer.h"
#include "core/text/text_file.h"
#include "core/text/word_tokenizer.h"

namespace glassformer {

void require_embedded(const Tokenizer& tokenizer, std::span<const int> ids, int rows) {
    for (const int id : ids)
        if (id >= rows && id < tokenizer.size())
            throw Error(
                "the model has no embedding for the token \"{1}\": its id is {2}; the model knows ids from 0 to {3}",
                tokenizer.token_text(id), id, rows - 1);
}

std::shared_ptr<const Tokenizer> load_tokenizer(const std::filesystem::path& folder) {
    std::error_code failure;
    if (!std::filesystem::is_directory(folder, failure)) throw Error("{1}: is not a folder", folder);
    const auto has = [&](const char* name) { return file_exists(folder / name); };
    const bool words = has("vocab.txt") && !has("tokenizer.json") && !is_word_piece_vocabulary(folder / "vocab.txt");
    if (words) return std::make_shared<WordTokenizer>(WordTokenizer::load(folder / "vocab.txt"));
    if (has("characters.json"))
        return std::make_shared<CharacterTokenizer>(CharacterTokenizer::load(folder / "characters.json"));
    if (has("byte_pairs.json"))
        return std::make_shared<BytePairTokenizer>(BytePairTokenizer::load(folder / "byte_pairs.json"));
    for (const char* file : {"tokenizer.json", "vocab.txt", "vocab.json", "merges.txt"})
        if (has(file)) return std::make_shared<HfTokenizer>(HfTokenizer::load(folder));
    return nullptr;
}

const std::vector<std::string>& tokenizer_file_names() {
    static const std::vector<std::string> names{"vocab.txt",      "characters.json",  "byte_pairs.json",
                                                "vocab.json",     "merges.txt",       "added_tokens.json",
                                                "tokenizer.json", special_tokens_file};
    return names;
}

}  // namespace glassformer
