#include <algorithm>
#include <cmath>

#include "app/common/token_names.h"
#include "app/language/tr.h"
#include "app/panels/model_check/model_check_panel.h"
#include "app/panels/model_map/model_map_view.h"
#include "app/panels/panels.h"
#include "app/panels/setup/setup_state.h"
#include "app/ui/child_window.h"

namespace glassformer::app {

namespace {

constexpr float widest = 320, header = 34, footer = 26;  // pixels at 100 %

/// Returns the sentence whose model is drawn: the chosen one, or the other visible one if that has no trace; −1:
/// neither.
int shown_slot(const Frame& frame) {
    if (frame.trace(frame.state.slot)) return frame.state.slot;
    const int other = 1 - frame.state.slot;
    return frame.trace(other) && is_shown(frame.state, other) ? other : -1;
}

/// Returns the graph of the model being set up, as far as it can be built; null if nothing is being set up.
const Graph* planned_graph(const Frame& frame) {
    const auto& preview = frame.snapshot.preview;
    return frame.state.own<SetupState>().open && preview ? preview->graph.get() : nullptr;
}

void draw_edges(const Frame& frame, const Box& box, const Box& inner, bool column) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    if (column) {
        ui.list()->AddRectFilled(box.min, box.max, t.card);
        draw::vertical_line(ui, box.max.x - ui.px(1), box.min.y, box.max.y, t.card_border);
    } else {
        draw::card(ui, box);
    }
    const float x = inner.min.x + ui.px(18), right = inner.max.x - ui.px(8);
    const ButtonStyle check{
        .tone = Tone::quiet,
        .enabled = can_check_model(frame),
        .font = FontRole::small,
        .tooltip =
            tr("Check this model\nRecomputes random numbers of every kind of op and compares them with the model's.")};
    const float chip = chip_width(ui, tr("check"), check), above = inner.min.y + ui.px(8);
    if (button(ui, "map/check", {{right - chip, above}, {right, inner.min.y + ui.px(header - 4)}}, tr("check"), check))
        start_model_check(frame);
    draw::text_in(ui, {{x, inner.min.y + ui.px(4)}, {right - chip - ui.px(4), inner.min.y + ui.px(header)}},
                  tr("MODEL MAP"), {FontRole::small_bold, t.text_muted});
    const char* const way = tr("down ↓");
    const float from = x + draw::text_size(ui, tr("MODEL MAP"), FontRole::small_bold).x + ui.px(8),
                room = right - chip - ui.px(4) - from;
    const Box title{{x, inner.min.y + ui.px(4)}, {from + room, inner.min.y + ui.px(header)}};
    if (draw::text_size(ui, way, FontRole::small).x <= room)
        draw::label(ui, title.right_of(from), way, {FontRole::small, t.text_muted}, {"map/direction"});
    if (draw::hovered(title))
        draw::tooltip(ui, tr("Direction of the map\nFrom the input at the top down to the prediction. The view Whole "
                             "model runs up, from the input at the bottom."));
    draw::text_in(ui, {{x, inner.max.y - ui.px(footer)}, {right, inner.max.y}}, tr("↑↓ layer  ←→ head  Ctrl K find"),
                  {FontRole::small, t.text_muted});
}

}  // namespace

void draw_model_map(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const float width = std::min(box.width(), ui.px(widest)), x0 = std::round(box.min.x + (box.width() - width) / 2);
    const Box inner = box.between_x(x0, x0 + width);
    draw_edges(frame, box, inner, box.width() <= ui.px(240));
    const Graph* planned = planned_graph(frame);
    const int slot = shown_slot(frame);
    if (slot < 0 && !planned) {
        draw::text_wrapped(ui, {inner.min.x + ui.px(18), inner.min.y + ui.px(header)}, width - ui.px(36),
                           tr("The map shows the model at work on a sentence. It cannot read either sentence yet."),
                           {FontRole::small, ui.theme->text_muted});
        return;
    }
    const ModelMap map = planned ? make_model_map(*planned, tr("tokens"))
                                 : make_model_map(frame.trace(slot)->graph(), token_names(frame.model(slot)));
    ui.items->add("map", box, item_state(map.elements.size()));
    const Box body = inner.between_y(inner.min.y + ui.px(header), inner.max.y - ui.px(footer));
    MapView view = planned ? MapView(frame, *planned, map, body) : MapView(frame, slot, map, body);
    const bool fits = view.height() <= body.height() + 1;
    ChildWindow window(ui, "##model map", body, fits ? ChildWindow::Kind::overlay : ChildWindow::Kind::scrolls);
    if (!fits && !planned) view.scroll_to_layer();
    view.draw(window.start());
    if (!fits) window.reaches({window.start().x + 1, window.start().y + view.height()});
}

}  // namespace glassformer::app
