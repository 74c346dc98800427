#include <array>

#include "app/language/tr.h"
#include "app/presenter/presenter.h"
#include "app/views/registry.h"

namespace glassformer::app {

namespace {

/// The panels beside the views.
constexpr std::array<AudiencePanel, 4> around{{{.name = N_("Where a number comes from"), .panel = Panel::number},
                                               {.name = N_("Meaning"), .panel = Panel::meaning},
                                               {.name = N_("Training timeline"), .panel = Panel::timeline},
                                               {.name = N_("Model map"), .panel = Panel::map}}};

}  // namespace

std::vector<AudiencePanel> audience_panels(const Frame& frame) {
    std::vector<AudiencePanel> panels;
    const auto views = all_views();
    for (std::size_t i = 0; i < views.size(); ++i)
        if (is_offered(frame, views[i])) panels.push_back({.name = views[i].name, .view = static_cast<int>(i)});
    panels.insert(panels.end(), around.begin(), around.end());
    return panels;
}

int chosen_panel(const Frame& frame, const std::vector<AudiencePanel>& panels) {
    const Panel panel = frame.state.narrow_panel;
    const bool sentence = panel == Panel::sentence_a || panel == Panel::sentence_b;
    for (std::size_t i = 0; i < panels.size(); ++i)
        if (sentence ? panels[i].view == frame.state.view : panels[i].panel == panel) return static_cast<int>(i);
    return 0;  // another model was opened, which has no such view
}

void choose_panel(const Frame& frame, const AudiencePanel& panel) {
    frame.state.narrow_panel = panel.view < 0 ? *panel.panel : card_panel(frame.state.slot);
    if (panel.view >= 0) frame.state.view = panel.view;
}

}  // namespace glassformer::app
