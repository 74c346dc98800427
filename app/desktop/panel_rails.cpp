#include <array>

#include "app/common/metric_curves.h"
#include "app/common/provenance.h"
#include "app/desktop/layout.h"
#include "app/language/tr.h"
#include "app/panels/help/key_names.h"
#include "app/ui/input.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

struct PanelName {
    const char *item, *title;
    std::string_view key;
    Key pressed;
};

const PanelName& named(SidePanel panel) {
    static constexpr std::array<PanelName, 3> names{
        {{"map", N_("Model map"), key_name::map, Key::f2},
         {"number", N_("Where a number comes from"), key_name::number, Key::f3},
         {"timeline", N_("Training timeline"), key_name::timeline, Key::f4}}};
    return names[static_cast<std::size_t>(panel)];
}

enum class Point { left, right, up, down };

void draw_chevron(const Ui& ui, ImVec2 centre, float size, Point to, ImU32 ink) {
    const bool sideways = to == Point::left || to == Point::right;
    const float sign = to == Point::right || to == Point::down ? 1.0f : -1.0f, half = size / 2,
                deep = size * 0.28f * sign;
    const auto at = [&](float along, float across) {
        return sideways ? ImVec2{centre.x + along, centre.y + across} : ImVec2{centre.x + across, centre.y + along};
    };
    const std::array<ImVec2, 3> line{at(-deep, -half), at(deep, 0), at(-deep, half)};
    draw::line(ui, line, ink, ui.px(1.6f));
}

Point opens_to(SidePanel panel) {
    return panel == SidePanel::map ? Point::right : panel == SidePanel::number ? Point::left : Point::up;
}
Point closes_to(SidePanel panel) {
    return panel == SidePanel::map ? Point::left : panel == SidePanel::number ? Point::right : Point::down;
}

}  // namespace

void draw_rail(const Frame& frame, const Box& box, SidePanel panel) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const PanelName& name = named(panel);
    const std::string_view label = ui.items->format("rail/%s", name.item);
    const Response r = click_area(ui, label, box, item_state(0), tr(name.title));
    ui.list()->AddRectFilled(box.min, box.max, r.hovered ? t.hover : t.card);
    const bool across = panel == SidePanel::timeline;
    if (across)
        draw::horizontal_line(ui, box.min.x, box.max.x, box.min.y, t.card_border);
    else
        draw::vertical_line(ui, panel == SidePanel::map ? box.max.x - ui.px(1) : box.min.x, box.min.y, box.max.y,
                            t.card_border);
    if (ui.focus->offer(label)) draw::rounded_box(ui, box, 0, t.focus, 4, 2);
    const ImU32 ink = r.hovered ? t.text : t.text_muted;
    const float middle_x = box.middle_x(), middle_y = box.middle_y();
    if (across) {
        draw_chevron(ui, {box.min.x + ui.px(18), middle_y}, ui.px(9), opens_to(panel), ink);
        const Snapshot& s = frame.snapshot;
        const std::optional<double> loss = measured_loss(s);
        const std::string of_loss = loss ? of_the_training(frame, with_decimals(*loss)) : "–";
        const std::string_view text = s.runs.empty()
                                          ? std::string_view(tr(name.title))
                                          : ui.items->format(tr("%s   ·   step %lld   ·   loss %s"), tr(name.title),
                                                             static_cast<long long>(s.step), of_loss.c_str());
        draw::label(ui, box.between_x(box.min.x + ui.px(34), box.max.x - ui.px(60)), text, {FontRole::small, ink},
                    {"rail/training", loss});
        draw::text_in(ui, box.between_x(box.max.x - ui.px(60), box.max.x - ui.px(14)), name.key,
                      {FontRole::small, t.text_faint, draw::Align::right});
    } else {
        const float top = box.min.y + ui.px(16);
        draw_chevron(ui, {middle_x, top}, ui.px(9), opens_to(panel), ink);
        // Read from the bottom up, as on the spine of a book.
        const float length = draw::text_size(ui, tr(name.title), FontRole::small).x;
        draw::text_rotated(ui, {middle_x, std::min(box.max.y - ui.px(10), top + ui.px(16) + length)}, 90,
                           tr(name.title), {FontRole::small, ink}, std::max(1.0f, box.max.y - top - ui.px(30)));
        draw::text_in(ui, box.between_y(box.max.y - ui.px(26), box.max.y - ui.px(6)), name.key,
                      {FontRole::small, t.text_faint, draw::Align::centre});
    }
    if (r.hovered) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        draw::tip(ui, box.top(ui.px(60)),
                  ui.items->format(tr("%s\nClick to open it.  (%.*s)"), tr(name.title),
                                   static_cast<int>(name.key.size()), name.key.data()));
    }
    if (r.clicked) frame.state.window.panels.of(panel) = true;
}

void draw_fold(const Frame& frame, const Box& gap, SidePanel panel) {
    const Ui& ui = frame.ui;
    const PanelName& name = named(panel);
    const std::string_view label = ui.items->format("fold/%s", name.item);
    const Response r = click_area(ui, label, gap, item_state(1));
    if (ui.focus->offer(label)) draw::rounded_box(ui, gap, 0, ui.theme->focus, 4, 2);
    if (r.hovered) draw::rounded_box(ui, gap, ui.theme->hover, 0, 4);
    draw_chevron(ui, gap.centre(), ui.px(8), closes_to(panel), r.hovered ? ui.theme->text : ui.theme->text_faint);
    if (r.hovered) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        draw::tip(ui, gap,
                  ui.items->format(tr("Close: %s\n%.*s opens it again."), tr(name.title),
                                   static_cast<int>(name.key.size()), name.key.data()));
    }
    if (r.clicked) frame.state.window.panels.of(panel) = false;
}

void panel_keys(const Frame& frame) {
    for (const SidePanel panel : {SidePanel::map, SidePanel::number, SidePanel::timeline})
        if (key_pressed(named(panel).pressed)) frame.state.window.panels.of(panel) ^= true;
}

}  // namespace glassformer::app
