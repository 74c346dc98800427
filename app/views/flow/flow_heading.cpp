#include "app/views/flow/flow_heading.h"

#include <algorithm>
#include <array>
#include <string>

#include "app/common/what_if_changes.h"
#include "app/language/tr.h"
#include "app/views/flow/flow_legend.h"

namespace glassformer::app::views::flow {

namespace {

constexpr float gap = 6;  // pixels at 100 %

/// Which heads, and of a translation which words; `end` becomes the right end of the last row. Returns the bottom.
float draw_switches(const Frame& frame, const Box& box, bool can_cross, int slot, ImVec2& end) {
    static constexpr std::array<std::string_view, 2> heads{N_("this head"), N_("all heads")},
        words{N_("own words"), N_("source")};
    const Ui& ui = frame.ui;
    const float height = ui.px(flow_switch_height);
    const auto width = [&](const auto& names) {
        return 2 * (std::max(draw::text_size(ui, tr(names[0]), FontRole::small_bold).x,
                             draw::text_size(ui, tr(names[1]), FontRole::small_bold).x) +
                    ui.px(16));
    };
    float x = box.min.x, y = box.min.y;
    const auto choice = [&](const char* label, const auto& names, bool& on) {
        int chosen = on ? 1 : 0;
        const float w = std::min(box.width(), width(names));
        if (x > box.min.x && x + w > box.max.x) x = box.min.x, y += height + ui.px(gap);
        const std::string_view item = ui.items->format("flow/%s %s", Frame::letter(slot), label);
        if (segmented(ui, item, {{x, y}, {x + w, y + height}}, names, chosen)) on = chosen == 1;
        x += w + ui.px(gap);
    };
    choice("heads", heads, frame.state.own<FlowState>().all_heads);
    bool cross = frame.state.cross_attention;
    if (can_cross) choice("words", words, cross);
    if (cross != frame.state.cross_attention) frame.state.cross_attention = cross, frame.state.follow_strongest = true;
    end = {x, y};
    return y + height + ui.px(gap);
}

/// What the picture says, as long as there is room for it.
void draw_subtitle(const Frame& frame, const BlockPattern& pattern, int query, const Box& box) {
    const Ui& ui = frame.ui;
    const std::string word = frame.word(pattern.slot, query);
    const bool causal = pattern.causal;
    const bool off = !frame.state.own<FlowState>().all_heads &&
                     shows_head_off(frame, pattern.slot, pattern.layer, frame.state.head,
                                    pattern.cross ? AttentionTo::source : AttentionTo::itself);
    if (off) {
        std::string_view text = tr("this head is off: nothing of it goes on");
        if (draw::text_size(ui, text, FontRole::small).x > box.width()) text = tr("off: nothing goes on");
        draw::text_in(ui, box, text, {FontRole::small, ui.theme->text_muted, draw::Align::right});
        ui.items->add(ui.items->format("flow/%s off", Frame::letter(pattern.slot)), box, std::nullopt, text);
        return;
    }
    const std::array<std::string_view, 3> texts{
        ui.items->format(
            causal ? tr("what “%s” reads · later words are hidden from it") : tr("what “%s” reads, others faint"),
            word.c_str()),
        causal ? std::string_view(tr("later words are hidden")) : ui.items->format(tr("what “%s” reads"), word.c_str()),
        causal ? std::string_view(tr("later: hidden")) : std::string_view()};
    for (const std::string_view text : texts) {
        if (draw::text_size(ui, text, FontRole::small).x > box.width()) continue;
        draw::text_in(ui, box, text, {FontRole::small, ui.theme->text_muted, draw::Align::right});
        return;
    }
}

float draw_sides(const Ui& ui, bool cross, const Box& box) {
    const float line = ui.line(FontRole::small) + ui.px(2), y = box.min.y;
    const char *keys = cross ? tr("source · where it looks") : tr("keys · where it looks"),
               *queries = tr("queries · who looks");
    const bool fits = draw::text_size(ui, keys, FontRole::small_bold).x +
                          draw::text_size(ui, queries, FontRole::small_bold).x + ui.px(8) <=
                      box.width();
    draw::text_in(ui, box.between_y(y, y + line),
                  fits    ? keys
                  : cross ? tr("source")
                          : tr("keys"),
                  {FontRole::small_bold, ui.theme->key_text});
    draw::text_in(ui, box.between_y(y, y + line), fits ? queries : tr("queries"),
                  {FontRole::small_bold, ui.theme->query_text, draw::Align::right});
    return y + line + ui.px(2);
}

}  // namespace

float draw_flow_heading(const Frame& frame, const BlockPattern& pattern, int query, bool can_cross, const Box& box) {
    ImVec2 end;
    const float y = draw_switches(frame, box, can_cross, pattern.slot, end);
    draw_subtitle(frame, pattern, query, {end, {box.max.x, end.y + frame.ui.px(flow_switch_height)}});
    return draw_sides(frame.ui, pattern.cross, box.below(y));
}

}  // namespace glassformer::app::views::flow
