#pragma once

#include <span>
#include <string>

#include "app/views/view.h"

namespace glassformer::app {

/// Every view, in tab order; ViewState::view is an index into it.
std::span<const View> all_views();

/// Index of the view with this name; −1 if there is none.
int view_index(std::string_view name);

/// True if the model has what the view shows.
inline bool is_offered(const Frame& frame, const View& view) { return !view.offered || view.offered(frame); }

/// Index of the view "Attention": rows are painted there, and lessons that name no view show it.
int attention_view();

/// The view on screen.
const View& chosen_view(const ViewState& state);

/// "block 0, head 3" or "block 0": the part of the model that the chosen view shows in a card. Empty if it shows no
/// single part, or if the comparison already names it.
std::string part_shown(const Frame& frame, int slot);

/// Switches to the pattern, where clicks now paint rows.
void start_painting(const Frame& frame);

/// What the views do by themselves before and after anything is drawn: see View::advance and View::request.
void advance_views(const Frame& frame);
void request_for_views(const Frame& frame);

}  // namespace glassformer::app
