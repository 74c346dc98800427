#pragma once

#include <optional>

#include "app/ui/child_window.h"

namespace glassformer::app {

/// A modal card above the window, for as long as this exists: everything below is dimmed and gets no clicks or keys.
class ModalCard {
public:
    /// The area around the card is the item `name`/outside; if `closes` is false there is no such item.
    ModalCard(const Ui& ui, const char* name, const Box& window, const Box& card, bool closes = true,
              ImGuiWindowFlags more = 0);

    bool clicked_beside() const { return clicked_beside_; }

private:
    ChildWindow around_;  // keeps the mouse from everything below
    bool clicked_beside_ = false;
    std::optional<ChildWindow> card_;  // destroyed first
};

}  // namespace glassformer::app
