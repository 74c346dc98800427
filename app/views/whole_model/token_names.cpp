#include "app/views/whole_model/token_names.h"

#include "app/language/tr.h"

namespace glassformer::app::views::whole_model {

namespace {

struct Names {
    const char *one, *many;
};

constexpr Names word_names{N_("word"), N_("words")}, place_names{N_("place"), N_("places")};

Names names_of(const ModelInfo& model) {
    if (model.config.input == InputKind::values) return place_names;
    const std::string& noun = model.token_noun;
    for (const Names names : {Names{N_("letter"), N_("letters")}, Names{N_("character"), N_("characters")},
                              Names{N_("syllable"), N_("syllables")}, Names{N_("token"), N_("tokens")}})
        if (noun == names.one) return names;
    return word_names;
}

}  // namespace

std::string token_name(const Canvas& c) { return tr(names_of(c.frame.model(c.slot)).one); }

std::string token_names(const Canvas& c) { return token_names(c.frame.model(c.slot)); }

std::string token_names(const ModelInfo& model) { return tr(names_of(model).many); }

}  // namespace glassformer::app::views::whole_model
