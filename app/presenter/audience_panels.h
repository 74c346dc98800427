#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "app/common/frame.h"

namespace glassformer::app {

/// Something that fills the presenter's screen: a view of the sentences, or a panel from around them.
struct AudiencePanel {
    std::string_view name;
    int view = -1;                    // of all_views(); −1: none
    std::optional<Panel> panel = {};  // where it is no view
};

/// All that this model has, in the order of the keys: the first nine have the keys 1 to 9.
std::vector<AudiencePanel> audience_panels(const Frame& frame);
/// Which of them is chosen: a narrow window's choice and the views' are its own.
int chosen_panel(const Frame& frame, const std::vector<AudiencePanel>& panels);
void choose_panel(const Frame& frame, const AudiencePanel& panel);

}  // namespace glassformer::app
