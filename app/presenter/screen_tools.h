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
    /// Whether the audience sees something else than what is drawn, so that the next can be prepared.
    bool covers() const { return blank || frozen_; }
    /// What is drawn behind the cover.
    HeldPicture& behind() { return behind_; }
    /// Over everything else. `alone`: the lecturer has no other screen. Then the mouse reaches nothing behind the
    /// cover, and what was prepared behind a frozen picture stands small in a corner; a click on it shows it. Items:
    /// "screen/blank", "screen/frozen", "screen/prepared", "screen/spotlight", "screen/magnifier".
    void draw(const Ui& ui, const Box& screen, bool alone);

private:
    void draw_frozen(const Ui& ui, ImDrawList& list, const Box& screen);
    void draw_magnified(const Ui& ui, ImDrawList& list, const Box& screen);
    void draw_prepared(const Ui& ui, ImDrawList& list, const Box& screen);

    bool frozen_ = false;
    HeldPicture still_, under_, behind_{HeldPicture::Shown::small};
};

}  // namespace glassformer::app
