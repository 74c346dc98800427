#pragma once

#include <optional>

#include "app/ui/child_window.h"

namespace glassformer::app {

/// A card above the window, for as long as this lives: what is below is dimmed and gets no clicks and no keys.
class ModalCard {
public:
    /// The item beside the card is called `name`/outside; without `closes` there is none.
    ModalCard(const Ui& ui, const char* name, const Box& window, const Box& card, bool closes = true,
              ImGuiWindowFlags more = 0);

    bool clicked_beside() const { return clicked_beside_; }

private:
    ChildWindow around_;  // nothing below it gets the mouse
    bool clicked_beside_ = false;
    std::optional<ChildWindow> card_;  // ends first
};

}  // namespace glassformer::app
