#include "core/text/sentence_pair.h"

#include "core/base/error.h"
#include "core/base/trimmed.h"
#include "core/text/hf_tokenizer.h"

namespace glassformer {

namespace {

constexpr std::string_view between_sentences = "[SEP]";

}  // namespace

std::optional<int> sentence_end_id(const Tokenizer& tokenizer) {
    const auto* published = dynamic_cast<const HfTokenizer*>(&tokenizer);
    for (int id = 0; published && id < published->size(); ++id)
        if (published->piece(id) == between_sentences) return id;
    return std::nullopt;
}

std::string pair_of(const Tokenizer* tokenizer, std::string_view first, std::string_view second) {
    if (tokenizer && sentence_end_id(*tokenizer))
        return std::string(first) + " " + std::string(between_sentences) + " " + std::string(second);
    // RoBERTa's are "</s></s>", with no blank, which would be a letter of the next word. A model that writes has such
    // tokens, too, and reads no pairs: it has no mask.
    const auto* published = dynamic_cast<const HfTokenizer*>(tokenizer);
    const std::string between = published && published->mask_id() ? published->between_sentences() : std::string();
    if (between.empty())
        throw Error("this model reads one sentence: its tokenizer has no [SEP] or </s></s> to stand between two");
    return std::string(first) + between + std::string(second);
}

std::optional<std::pair<std::string, std::string>> split_pair(std::string_view text) {
    const std::size_t at = text.find(between_sentences);
    if (at == std::string_view::npos) return std::nullopt;
    return std::pair<std::string, std::string>(trimmed(text.substr(0, at)),
                                               trimmed(text.substr(at + between_sentences.size())));
}

}  // namespace glassformer
