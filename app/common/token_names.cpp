#include "app/common/token_names.h"

#include "app/language/tr.h"

namespace glassformer::app {

namespace {

struct TokenNames {
    const char *one, *many;
};

constexpr TokenNames word_names{N_("word"), N_("words")}, place_names{N_("position"), N_("positions")};

TokenNames token_names_of(const ModelInfo& model) {
    if (model.config.input == InputKind::values) return place_names;
    const std::string& noun = model.token_noun;
    for (const TokenNames names :
         {TokenNames{N_("letter"), N_("letters")}, TokenNames{N_("character"), N_("characters")},
          TokenNames{N_("syllable"), N_("syllables")}, TokenNames{N_("token"), N_("tokens")}})
        if (noun == names.one) return names;
    return word_names;
}

}  // namespace

std::string token_name(const ModelInfo& model) { return tr(token_names_of(model).one); }

std::string token_names(const ModelInfo& model, std::int64_t count) {
    const TokenNames names = token_names_of(model);
    return tr(count == 1 ? names.one : names.many);
}

}  // namespace glassformer::app
