#pragma once

#include <span>
#include <string_view>

#include "app/ui/draw.h"

namespace glassformer::app {

struct ModelInfo;

/// A technical term that the screen uses, and its meaning.
struct GlossaryTerm {
    std::string_view name;
    std::string_view also;                           // other words for it, for search
    std::string_view meaning;                        // two or three plain sentences
    std::string_view lesson;                         // file of the lesson about it
    std::string_view view;                           // the view that shows it; empty: none
    bool (*here)(const ModelInfo& model) = nullptr;  // whether a model has it; null: every model with that view
    std::string_view page = {};                      // page of that view, if it has several; empty: the last one used
};

/// All terms: first in the order in which the model computes, then those of training and measuring.
std::span<const GlossaryTerm> glossary();
/// The term called `name`, ignoring case; null if there is none.
const GlossaryTerm* find_term(std::string_view name);

/// Shows a term's meaning beside its label once the mouse has rested there (draw::tip).
void term_tip(const Ui& ui, const Box& box, std::string_view term);

}  // namespace glassformer::app
