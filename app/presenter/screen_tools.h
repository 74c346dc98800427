#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/common/frame.h"
#include "app/presenter/held_picture.h"

namespace glassformer::app {

/// What a lecturer does to the whole screen: blank it, freeze it, put a spotlight on one place, enlarge a part.
class ScreenTools {
public:
    bool blank = false, spotlight = false, magnifier = false;

    bool frozen() const { return frozen_; }
    void freeze(bool on);
    /// Returns true if the audience does not see what is being drawn, so that the lecturer can prepare what comes next.
    bool covers() const { return blank || frozen_; }
    /// What is drawn behind the cover.
    HeldPicture& behind() { return behind_; }
    /// Draws over everything else. `alone`: the lecturer has no other screen. The mouse then reaches nothing behind the
    /// cover, and a small picture in a corner shows what is prepared behind a frozen picture; a click on it shows it to
    /// the audience. Items: "screen/blank", "screen/frozen", "screen/prepared", "screen/spotlight", "screen/magnifier".
    void draw(const Ui& ui, const Box& screen, bool alone);

private:
    void draw_frozen(const Ui& ui, ImDrawList& list, const Box& screen);
    void draw_magnified(const Ui& ui, ImDrawList& list, const Box& screen);
    void draw_prepared(const Ui& ui, ImDrawList& list, const Box& screen);

    bool frozen_ = false;
    HeldPicture still_, under_, behind_{HeldPicture::Shown::small};
};

/// What the lecturer draws over a panel. Strokes belong to their panel, at the same relative place whatever its size,
/// until they are cleared.
class Pen {
public:
    bool on = false;

    /// Draws this panel's strokes over it, and takes the mouse while the pen is on. The panel is the item "pen", its
    /// value the number of strokes.
    void draw(const Ui& ui, const Box& box, const std::string& panel);
    void clear(const std::string& panel) { strokes_.erase(panel); }

private:
    using Stroke = std::vector<ImVec2>;  // in fractions of the panel's size

    void follow_mouse(const Box& box, std::vector<Stroke>& strokes);

    std::map<std::string, std::vector<Stroke>> strokes_;
    bool drawing_ = false;
};

}  // namespace glassformer::app
