#pragma once

#include <span>
#include <string_view>

#include "app/ui/draw.h"

namespace glassformer::app {

struct ModelInfo;

/// A word of the trade that the screen uses, and what it means.
struct GlossaryTerm {
    std::string_view name;
    std::string_view also;     // other words for it, for the search
    std::string_view meaning;  // two or three plain sentences
    std::string_view lesson;   // the file of the lesson that is about it
    std::string_view view;     // the view that shows it on the model; empty: none does
    bool (*here)(const ModelInfo& model) =
        nullptr;                 // whether that model has it; null: each for which there is the view
    std::string_view page = {};  // of that view, where it has several; empty: the one that was looked at last
};

/// In the order in which the model computes, then what belongs to training and to the measurements.
std::span<const GlossaryTerm> glossary();
/// The term called `name`, in any case of letters; null when there is none.
const GlossaryTerm* find_term(std::string_view name);

/// The meaning of a term beside the label that carries it, once the mouse has rested there (draw::tip).
void term_tip(const Ui& ui, const Box& box, std::string_view term);

}  // namespace glassformer::app
