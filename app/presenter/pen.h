#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/common/frame.h"

namespace glassformer::app {

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
