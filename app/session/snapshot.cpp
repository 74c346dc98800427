#include "app/session/snapshot.h"

#include "app/language/tr.h"

namespace glassformer::app {

namespace {

/// Makes blanks and line ends visible: they are tokens like any other.
std::string visible(std::string text) {
    for (const auto& [of, shown] : {std::pair<std::string_view, std::string_view>{" ", "·"}, {"⟨0A⟩", "⏎"}})
        for (std::size_t at = text.find(of); at != std::string::npos; at = text.find(of, at + shown.size()))
            text.replace(at, of.size(), shown);
    return text;
}

std::string text_of_token(const Tokenizer* tokenizer, int id) {
    if (!tokenizer || id < 0 || id >= tokenizer->size()) return "#" + std::to_string(id);
    return visible(tokenizer->token_text(id));
}

}  // namespace

int ModelInfo::homonym(const std::string& word) const {
    for (std::size_t sense = 0; sense < senses.size(); sense += 2)
        if (senses[sense].homonym == word) return static_cast<int>(sense / 2);
    return -1;
}

const WordTokenizer* ModelInfo::source_words() const {
    const Tokenizer* of_source = source_tokenizer ? source_tokenizer.get() : tokenizer.get();
    return dynamic_cast<const WordTokenizer*>(of_source);
}

std::string ModelInfo::token_text(int id) const { return text_of_token(tokenizer.get(), id); }

std::string ModelInfo::source_token_text(int id) const {
    return text_of_token(source_tokenizer ? source_tokenizer.get() : tokenizer.get(), id);
}

std::string ModelInfo::class_name(int index) const {
    const std::size_t at = index;
    return at < classes.size() ? tr(classes[at]) : filled(tr("class {1}"), {std::to_string(index)});
}

}  // namespace glassformer::app
