#include <algorithm>
#include <vector>

#include "app/language/tr.h"
#include "app/panels/sentence/sentence_card.h"
#include "app/views/registry.h"

namespace glassformer::app {

std::string_view tab_title(const Frame& frame, const View& view) {
    return frame.model().config.recurrent() && &view == &all_views()[attention_view()] ? std::string_view(N_("States"))
                                                                                       : view.name;
}

void draw_view_tabs(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    std::vector<std::string_view> names;
    std::vector<int> index;
    const std::span<const View> views = all_views();
    int selected = 0;
    float needed = 0;
    for (std::size_t i = 0; i < views.size(); ++i) {
        if (!is_offered(frame, views[i])) continue;
        if (static_cast<int>(i) == frame.state.view) selected = int_size(names);
        names.push_back(tab_title(frame, views[i]));
        index.push_back(static_cast<int>(i));
        needed +=
            draw::text_size(ui, tr(names.back()), FontRole::small_bold).x + ui.px(5);  // a button leaves 4 at each side
    }
    if (needed <= box.width()) {
        segmented(ui, "view", box, names, selected);
    } else {
        const int chosen = dropdown(ui, "view", box.left_of(std::min(box.max.x, box.min.x + ui.px(220))),
                                    names[selected], names, selected);
        if (chosen >= 0) selected = chosen;
    }
    frame.state.view = index[selected];
}

}  // namespace glassformer::app
