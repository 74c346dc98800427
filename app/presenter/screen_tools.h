#pragma once

#include <map>
#include <string>
#include <vector>

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

/// What the lecturer draws over a panel. Strokes stay with their panel, at the same place in it whatever its size,
/// until they are cleared.
class Pen {
public:
    bool on = false;

    /// Over the panel of that name: takes the mouse while it is on, and draws this panel's strokes. The panel is the
    /// item "pen", with the number of its strokes.
    void draw(const Ui& ui, const Box& box, const std::string& panel);
    void clear(const std::string& panel) { strokes_.erase(panel); }

private:
    using Stroke = std::vector<ImVec2>;  // in parts of the panel's size

    void follow_mouse(const Box& box, std::vector<Stroke>& strokes);

    std::map<std::string, std::vector<Stroke>> strokes_;
    bool drawing_ = false;
};

}  // namespace glassformer::app
