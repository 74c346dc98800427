#include <algorithm>
#include <string>

#include "app/desktop/layout.h"
#include "app/language/tr.h"
#include "app/ui/imgui_versions.h"
#include "app/ui/input.h"

namespace glassformer::app {

namespace {

constexpr float pad_x = 8, pad_y = 4, gap = 4;  // pixels at 100 %

/// The smallest item; of equals the first: an item that only marks another comes after it.
const Item* item_at(const Items& items, ImVec2 at) {
    const Item* found = nullptr;
    float least = 0;
    for (const Item& item : items.all()) {
        const float area = item.width() * item.height();
        if (!item.contains(at) || (found && area >= least)) continue;
        found = &item;
        least = area;
    }
    return found;
}

}  // namespace

void draw_item_names(const Frame& frame, const Box& window) {
    const Ui& ui = frame.ui;
    if (!ImGui::GetIO().KeyAlt) return;
    const Item* found = item_at(*ui.items, ImGui::GetIO().MousePos);
    if (!found) return;
    const Item item = *found;
    const std::string name(item.label);
    if (key_pressed(Key::c)) {
        ImGui::SetClipboardText(name.c_str());
        frame.state.window.notice = {filled(tr("Item name copied: {1}"), {name}), true};
    }
    const Theme& t = *ui.theme;
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    list.AddRect(item.min, item.max, t.accent, ui.px(4), 0, ui.px(2));
    ImFont* font = (*ui.fonts)[FontRole::small_bold];
    const std::string text = name + "   Alt+C";
    const ImVec2 size = font->CalcTextSizeA(font_size(*font), 1e9f, 0, text.c_str());
    const ImVec2 box{size.x + 2 * ui.px(pad_x), size.y + 2 * ui.px(pad_y)};
    const bool below = item.max.y + ui.px(gap) + box.y < window.max.y;
    const float y = below ? item.max.y + ui.px(gap) : std::max(window.min.y, item.min.y - ui.px(gap) - box.y);
    const float x = std::clamp(item.min.x, window.min.x, std::max(window.min.x, window.max.x - box.x));
    list.AddRectFilled({x, y}, {x + box.x, y + box.y}, t.card, ui.px(5));
    list.AddRect({x, y}, {x + box.x, y + box.y}, t.accent, ui.px(5), 0, ui.px(1));
    const ImVec2 at{x + ui.px(pad_x), y + ui.px(pad_y)};
    list.AddText(font, font_size(*font), at, t.text, name.c_str());
    const float wide = font->CalcTextSizeA(font_size(*font), 1e9f, 0, (name + "   ").c_str()).x;
    list.AddText(font, font_size(*font), {at.x + wide, at.y}, t.text_muted, "Alt+C");
    ui.items->add("item name", {{x, y}, {x + box.x, y + box.y}}, std::nullopt, name);
}

}  // namespace glassformer::app
