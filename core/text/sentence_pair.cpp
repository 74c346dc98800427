#include "core/text/sentence_pair.h"

#include "core/base/error.h"
#include "core/base/trimmed.h"
#include "core/text/published_tokenizer.h"

namespace glassformer {

namespace {

constexpr std::string_view between_sentences = "[SEP]";

}  // namespace

std::optional<int> sentence_end_id(const Tokenizer& tokenizer) {
    const auto* published = dynamic_cast<const PublishedTokenizer*>(&tokenizer);
    for (int id = 0; published && id < published->size(); ++id)
        if (published->piece(id) == between_sentences) return id;
    return std::nullopt;
}

std::string pair_of(const Tokenizer* tokenizer, std::string_view first, std::string_view second) {
    if (!tokenizer || !sentence_end_id(*tokenizer))
        throw Error("this model reads one sentence: its tokenizer has no [SEP] to stand between two");
    return std::string(first) + " " + std::string(between_sentences) + " " + std::string(second);
}

std::optional<std::pair<std::string, std::string>> split_pair(std::string_view text) {
    const std::size_t at = text.find(between_sentences);
    if (at == std::string_view::npos) return std::nullopt;
    return std::pair<std::string, std::string>(trimmed(text.substr(0, at)),
                                               trimmed(text.substr(at + between_sentences.size())));
}

}  // namespace glassformer
