#pragma once

#include <span>
#include <string>

#include "app/views/view.h"

namespace glassformer::app {

/// Every view, in the order of the tabs; ViewState::view is an index into it.
std::span<const View> all_views();

/// The place of a view among them, by its name; −1 where there is none.
int view_index(std::string_view name);

/// Whether the model has what the view shows.
inline bool is_offered(const Frame& frame, const View& view) { return !view.offered || view.offered(frame); }

/// Attention: rows are painted there, and lessons that name no view show it.
int attention_view();

/// The one that is on screen.
const View& chosen_view(const ViewState& state);

/// "block 0, head 3" or "block 0": which part of the model that one shows in a card. Empty where it is of no one part,
/// or what is compared names it.
std::string part_shown(const Frame& frame, int slot);

/// Shows the pattern, where clicks paint rows from now on.
void start_painting(const Frame& frame);

/// What the views do by themselves, before and after anything is drawn: see View.
void advance_views(const Frame& frame);
void request_for_views(const Frame& frame);

}  // namespace glassformer::app
