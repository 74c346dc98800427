#include "app/views/flow/flow_legend.h"

#include <algorithm>
#include <cmath>

#include "app/common/what_if_changes.h"
#include "app/language/tr.h"

namespace glassformer::app::views::flow {

namespace {

/// The legend's cells: a swatch and a name each, in columns.
struct Grid {
    int entries = 0, columns = 1;
    bool named = true;  // "head 0"; else "h0"
    bool rest = false;  // the last entry is for all the heads beyond those with a colour
    ImVec2 pitch;

    int lines() const { return (entries + columns - 1) / columns; }
};

Grid grid(const Frame& frame, int heads, float width) {
    const Ui& ui = frame.ui;
    Grid g;
    g.rest = heads > coloured_heads;
    g.entries = std::min(heads, coloured_heads) + (g.rest ? 1 : 0);
    const auto pitch = [&](const char* text) {
        return std::ceil(draw::text_size(ui, text, FontRole::small_bold).x) + ui.px(36);
    };
    g.named = !g.rest && pitch(tr("head 00")) * static_cast<float>(heads) <= width;
    g.pitch = {pitch(g.rest ? "12 …" : g.named ? tr("head 00") : "h00"), ui.line(FontRole::small) + ui.px(7)};
    g.columns = std::clamp(static_cast<int>(width / g.pitch.x), 1, g.entries);
    return g;
}

}  // namespace

float flow_legend_height(const Frame& frame, int heads, float width) {
    const Grid g = grid(frame, heads, width);
    return g.pitch.y * static_cast<float>(g.lines());
}

void draw_flow_legend(const Frame& frame, int slot, int heads, bool cross, const Box& box) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const Grid g = grid(frame, heads, box.width());
    const AttentionTo to = cross ? AttentionTo::source : AttentionTo::itself;
    for (int i = 0; i < g.entries; ++i) {
        const ImVec2 min{box.min.x + g.pitch.x * static_cast<float>(i % g.columns),
                         box.min.y + g.pitch.y * static_cast<float>(i / g.columns)};
        const ImVec2 max{min.x + g.pitch.x - ui.px(6), min.y + g.pitch.y - ui.px(2)};
        const bool others = g.rest && i == coloured_heads;
        const bool chosen = i == frame.state.head || (others && frame.state.head >= coloured_heads);
        const std::string_view name = ui.items->format(others ? "%d …" : g.named ? tr("head %d") : "h%d", i);
        const Response r = click_area(ui, ui.items->format("flow/%s head %d", Frame::letter(slot), i), {min, max},
                                      item_state(chosen ? 1 : 0), name);
        if (r.clicked) choose_head(frame.state, frame.snapshot, frame.state.layer, i);
        if (r.hovered) {
            draw::rounded_box(ui, {min, max}, t.hover, 0, 5);
            ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        }
        if (chosen) draw::rounded_box(ui, {min, max}, 0, t.selection, 5, 2);
        const float size = ui.px(10), middle = std::round((min.y + max.y) / 2), x = min.x + ui.px(6);
        const bool shown = frame.state.own<FlowState>().all_heads || chosen;
        draw::rounded_box(ui, {{x, middle - size / 2}, {x + size, middle + size / 2}},
                          with_alpha(head_colour(t, i), shown ? 1.0f : 0.3f), 0, 3);
        if (!others && shows_head_off(frame, slot, frame.state.layer, i, to)) {
            draw_crossed_out(ui, {{x - ui.px(1), middle - size / 2 - ui.px(1)},
                                  {x + size + ui.px(1), middle + size / 2 + ui.px(1)}});
            ui.items->addf({min, max}, std::nullopt, "flow/%s head %d off", Frame::letter(slot), i);
        }
        draw::text_in(ui, {{x + size + ui.px(5), min.y}, max}, name,
                      {chosen ? FontRole::small_bold : FontRole::small, chosen ? t.text : t.text_muted});
    }
}

}  // namespace glassformer::app::views::flow
