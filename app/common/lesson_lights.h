#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glassformer::app {

/// What the step of a lesson points at: it is on the screen even where a panel leaves it out for want of room.
struct LessonLights {
    std::vector<std::string> lights;  ///< labels of items; " + " joins several into one frame

    bool hold(std::string_view label) const {
        for (std::string_view rest : lights)
            while (!rest.empty()) {
                const std::size_t plus = rest.find(" + ");
                if (rest.substr(0, plus) == label) return true;
                rest.remove_prefix(plus == std::string_view::npos ? rest.size() : plus + 3);
            }
        return false;
    }
};

}  // namespace glassformer::app
