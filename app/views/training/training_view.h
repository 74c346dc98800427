#pragma once

#include "app/common/frame.h"

/// The view of the training in work, as the rest of the window needs to know it.
namespace glassformer::app::views::training {

/// Whether a parameter of a card's trace is one of the model that is trained here.
bool has_update_explanation(const Frame& frame, int slot, const std::string& parameter);
/// Turns the sentences' cards to the life of one of its weights, by its row-major place.
void show_update_explanation(const Frame& frame, const std::string& parameter, std::int64_t in_parameter);

}  // namespace glassformer::app::views::training
