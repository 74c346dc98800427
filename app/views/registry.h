#pragma once

#include <span>

#include "app/views/view.h"

namespace glassformer::app {

/// Every view, in the order of the tabs; ViewState::view is an index into it.
std::span<const View> all_views();

/// The place of a view among them, by its name; −1 where there is none.
int view_index(std::string_view name);

/// The one that is on screen.
const View& chosen_view(const ViewState& state);

/// What the views do by themselves, before and after anything is drawn: see View.
void advance_views(const Frame& frame);
void request_for_views(const Frame& frame);

}  // namespace glassformer::app
