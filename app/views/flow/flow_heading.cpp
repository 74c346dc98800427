#include "app/views/flow/flow_heading.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

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
    g.named = !g.rest && pitch(tr("head 00")) * to_float(heads) <= width;
    g.pitch = {pitch(g.rest ? "12 …" : g.named ? tr("head 00") : "h00"), ui.line(FontRole::small) + ui.px(7)};
    g.columns = std::clamp(static_cast<int>(width / g.pitch.x), 1, g.entries);
    return g;
}

constexpr float gap = 6;  // pixels at 100 %

/// Draws the switches for heads and, in a translation, words; sets `end` to their last row's end. Returns the bottom.
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
        const float w = std::min(box.width(), width(names));
        if (x > box.min.x && x + w > box.max.x) x = box.min.x, y += height + ui.px(gap);
        const std::string_view item = ui.items->format("flow/%s %s", Frame::letter(slot), label);
        segmented(ui, item, Box::sized({x, y}, w, height), names, on);
        x += w + ui.px(gap);
    };
    choice("heads", heads, frame.state.own<FlowState>().all_heads);
    bool cross = frame.state.cross_attention;
    if (can_cross) choice("words", words, cross);
    if (cross != frame.state.cross_attention) frame.state.cross_attention = cross, frame.state.follow_strongest = true;
    end = {x, y};
    return y + height + ui.px(gap);
}

/// Says what the picture shows, if there is room.
void draw_subtitle(const Frame& frame, const BlockPattern& pattern, int query, const Box& box) {
    const Ui& ui = frame.ui;
    const std::string word = frame.word(pattern.slot, query);
    const bool causal = pattern.causal;
    const bool off = !frame.state.own<FlowState>().all_heads &&
                     shows_head_off(frame, pattern.slot, pattern.layer, frame.state.head,
                                    pattern.cross ? AttentionTo::source : AttentionTo::itself);
    const draw::TextStyle style{FontRole::small, ui.theme->text_muted, draw::Align::right};
    const auto fitting = [&](std::initializer_list<std::string_view> texts) {
        return draw::first_fitting(ui, box.width(), texts, FontRole::small);
    };
    if (off)
        return void(draw::label(ui, box,
                                fitting({tr("this head is off: it writes nothing"), tr("off: writes nothing")}), style,
                                {ui.items->format("flow/%s off", Frame::letter(pattern.slot))}));
    const std::string_view text =
        causal ? fitting({ui.items->format(tr("what “%s” attends to · later words are masked"), word.c_str()),
                          tr("later words are masked"), tr("later: masked"), ""})
               : fitting({ui.items->format(tr("what “%s” attends to, others faint"), word.c_str()),
                          ui.items->format(tr("what “%s” attends to"), word.c_str()), ""});
    if (!text.empty()) draw::text_in(ui, box, text, style);
}

float draw_sides(const Ui& ui, bool cross, const Box& box) {
    const Box line = box.top(ui.line(FontRole::small) + ui.px(2));
    const char *keys = cross ? tr("source · attended to") : tr("keys · attended to"),
               *queries = tr("queries · attending");
    const bool fits = draw::text_size(ui, keys, FontRole::small_bold).x +
                          draw::text_size(ui, queries, FontRole::small_bold).x + ui.px(8) <=
                      box.width();
    if (!fits) keys = cross ? tr("source") : tr("keys"), queries = tr("queries");
    draw::text_in(ui, line, keys, {FontRole::small_bold, ui.theme->key_text});
    draw::text_in(ui, line, queries, {FontRole::small_bold, ui.theme->query_text, draw::Align::right});
    return line.max.y + ui.px(2);
}

}  // namespace

float flow_legend_height(const Frame& frame, int heads, float width) {
    const Grid g = grid(frame, heads, width);
    return g.pitch.y * to_float(g.lines());
}

void draw_flow_legend(const Frame& frame, int slot, int heads, bool cross, const Box& box) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const Grid g = grid(frame, heads, box.width());
    const AttentionTo to = cross ? AttentionTo::source : AttentionTo::itself;
    for (int i = 0; i < g.entries; ++i) {
        const ImVec2 min{box.min.x + g.pitch.x * to_float(i % g.columns),
                         box.min.y + g.pitch.y * to_float(i / g.columns)};
        const Box entry{min, {min.x + g.pitch.x - ui.px(6), min.y + g.pitch.y - ui.px(2)}};
        const bool others = g.rest && i == coloured_heads;
        const bool chosen = i == frame.state.head || (others && frame.state.head >= coloured_heads);
        const std::string_view name = ui.items->format(others ? "%d …" : g.named ? tr("head %d") : "h%d", i);
        const Response r =
            link_area(ui, ui.items->format("flow/%s head %d", Frame::letter(slot), i), entry, item_state(chosen), name);
        if (r.clicked) choose_head(frame.state, frame.snapshot, frame.state.layer, i);
        if (r.hovered) draw::rounded_box(ui, entry, t.hover, 0, 5);
        if (chosen) draw::rounded_box(ui, entry, 0, t.selection, 5, 2);
        const float size = ui.px(10), middle = std::round(entry.middle_y()), x = min.x + ui.px(6);
        const Box swatch{{x, middle - size / 2}, {x + size, middle + size / 2}};
        const bool shown = frame.state.own<FlowState>().all_heads || chosen;
        draw::rounded_box(ui, swatch, with_alpha(head_colour(t, i), shown ? 1.0f : 0.3f), 0, 3);
        if (!others && shows_head_off(frame, slot, frame.state.layer, i, to)) {
            draw_crossed_out(ui, swatch.inset(-ui.px(1)));
            ui.items->addf(entry, std::nullopt, "flow/%s head %d off", Frame::letter(slot), i);
        }
        draw::text_in(ui, entry.right_of(x + size + ui.px(5)), name,
                      {chosen ? FontRole::small_bold : FontRole::small, chosen ? t.text : t.text_muted});
    }
}

float draw_flow_heading(const Frame& frame, const BlockPattern& pattern, int query, bool can_cross, const Box& box) {
    ImVec2 end;
    const float y = draw_switches(frame, box, can_cross, pattern.slot, end);
    draw_subtitle(frame, pattern, query, {end, {box.max.x, end.y + frame.ui.px(flow_switch_height)}});
    return draw_sides(frame.ui, pattern.cross, box.below(y));
}

}  // namespace glassformer::app::views::flow
