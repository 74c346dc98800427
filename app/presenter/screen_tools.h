#pragma once

#include "app/common/frame.h"
#include "app/presenter/held_picture.h"

namespace glassformer::app {

/// What a lecturer does to the whole screen: black, a picture that stands still, light on one place, a part enlarged.
class ScreenTools {
public:
    bool blank = false, spotlight = false, magnifier = false;

    bool frozen() const { return frozen_; }
    void freeze(bool on);
    /// Over everything else. Items: "screen/blank", "screen/frozen", "screen/spotlight", "screen/magnifier".
    void draw(const Ui& ui, const Box& screen);

private:
    void draw_frozen(const Ui& ui, ImDrawList& list, const Box& screen);
    void draw_magnified(const Ui& ui, ImDrawList& list, const Box& screen);

    bool frozen_ = false, taken_ = false;
    HeldPicture still_, under_;
};

}  // namespace glassformer::app
