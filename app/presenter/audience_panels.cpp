#include "app/presenter/audience_panels.h"

#include <array>

#include "app/language/tr.h"
#include "app/views/registry.h"

namespace glassformer::app {

namespace {

/// The panels beside the views, by their place among those of a narrow window.
constexpr std::array<AudiencePanel, 4> around{{{.name = N_("Where a number comes from"), .panel = number_panel},
                                               {.name = N_("Meaning"), .panel = 4},
                                               {.name = N_("Training timeline"), .panel = timeline_panel},
                                               {.name = N_("Model map"), .panel = 0}}};

}  // namespace

std::vector<AudiencePanel> audience_panels(const Frame& frame) {
    std::vector<AudiencePanel> panels;
    const auto views = all_views();
    for (std::size_t i = 0; i < views.size(); ++i)
        if (!views[i].offered || views[i].offered(frame))
            panels.push_back({.name = views[i].name, .view = static_cast<int>(i)});
    panels.insert(panels.end(), around.begin(), around.end());
    return panels;
}

int chosen_panel(const Frame& frame, const std::vector<AudiencePanel>& panels) {
    const int panel = frame.state.narrow_panel;
    const bool sentence = panel == 1 || panel == 2;
    for (std::size_t i = 0; i < panels.size(); ++i)
        if (sentence ? panels[i].view == frame.state.view : panels[i].panel == panel) return static_cast<int>(i);
    return 0;  // another model was opened, which has no such view
}

void choose_panel(const Frame& frame, const AudiencePanel& panel) {
    frame.state.narrow_panel = panel.view < 0 ? panel.panel : 1 + frame.state.slot;
    if (panel.view >= 0) frame.state.view = panel.view;
}

}  // namespace glassformer::app
