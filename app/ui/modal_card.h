#pragma once

#include <string_view>

#include "app/ui/box.h"
#include "app/ui/draw.h"

namespace glassformer::app {

/// A card above the window, for as long as this lives: what is below is dimmed and gets no clicks and no keys.
class ModalCard {
public:
    /// The item beside the card is called `name`/outside; without `closes` there is none.
    ModalCard(const Ui& ui, const char* name, const Box& window, const Box& card, bool closes = true,
              ImGuiWindowFlags more = 0);
    ~ModalCard();
    ModalCard(const ModalCard&) = delete;
    ModalCard& operator=(const ModalCard&) = delete;

    bool clicked_beside() const { return clicked_beside_; }

private:
    bool clicked_beside_ = false;
};

}  // namespace glassformer::app
