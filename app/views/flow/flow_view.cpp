#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/common/block_pattern.h"
#include "app/common/hidden_by_quiz.h"
#include "app/common/linked_cards.h"
#include "app/common/long_sentence.h"
#include "app/common/traced_value.h"
#include "app/common/what_if_changes.h"
#include "app/language/tr.h"
#include "app/ui/scroll_area.h"
#include "app/views/flow/flow_heading.h"
#include "app/views/flow/flow_ribbons.h"
#include "app/views/view.h"

namespace glassformer::app::views::flow {

namespace {

// Pixels at 100 %.
constexpr float side = 12, row_least = 19, row_most = 52, unit_most = 30, flow_gap = 6;

/// What is drawn in this frame, and where.
struct Flow {
    const Frame& frame;
    const BlockPattern& pattern;
    bool all;                                   // all heads, not only the chosen one
    int query;                                  // the chosen word
    bool waits = false;                         // what the chosen word reads must be guessed first
    int hovered_query = -1, hovered_key = -1;   // words under the mouse
    Box rows = {};                              // all of them; may be taller than the visible part
    float words = 0, numbers = 0, queries = 0;  // widths of the columns
    FlowPlan plan = {};

    const Ui& ui() const { return frame.ui; }
    const char* letter() const { return Frame::letter(pattern.slot); }
    /// The query whose ribbons are strong.
    int focus() const { return hovered_query >= 0 ? hovered_query : query; }
    bool focus_waits() const { return waits && focus() == query; }
    Box left_word(int key) const {
        const float y = std::round(plan.row_y(key) - plan.pitch / 2);
        return {{rows.min.x, y}, {plan.left - ui().px(3), y + plan.pitch}};
    }
    Box right_word(int position) const {
        const float y = std::round(plan.row_y(position) - plan.pitch / 2);
        return {{plan.right + ui().px(3), y}, {rows.max.x, y + plan.pitch}};
    }
    /// The mean over the shown heads.
    float mean_weight(int from, int key) const {
        float sum = 0;
        for (int head = plan.first_head; head < plan.end_head; ++head) sum += pattern.weight(head, from, key);
        return sum / to_float(plan.end_head - plan.first_head);
    }
};

// ------------------------------------------------------------------------------------------------------------ layout

float widest(const Flow& flow, bool keys) {
    return std::ceil(widest_word(flow.frame, flow.pattern.slot, keys && flow.pattern.cross)) + 1;
}

/// The words of one side that have to be built.
SeenRows seen(const Flow& flow, int count) { return seen_rows(flow.frame.ui, flow.rows.min.y, flow.plan.pitch, count); }

void place(Flow& flow, const Box& rows, const Box& seen, float pitch) {
    const Ui& ui = flow.ui();
    const float most = rows.width() * 0.26f;
    flow.rows = rows;
    flow.words = std::min(most, widest(flow, true));
    flow.queries = std::min(most, widest(flow, false)) + 2 * ui.px(6);
    flow.numbers = flow.all ? 0 : draw::text_size(ui, "0.00", FontRole::small_bold).x + ui.px(6);
    FlowPlan& plan = flow.plan;
    plan.left = rows.min.x + flow.words + flow.numbers + ui.px(9);
    plan.right = std::max(plan.left + 1, rows.max.x - flow.queries - ui.px(3));
    plan.pitch = pitch, plan.first_y = rows.min.y + pitch / 2;
    plan.first_head = flow.all ? 0 : flow.frame.state.head;
    plan.end_head = flow.all ? flow.pattern.heads : flow.frame.state.head + 1;
    plan.unit = std::min(pitch * 0.85f, ui.px(unit_most)) / to_float(std::max(1, plan.end_head - plan.first_head));
    const auto row = [&](float y) { return static_cast<int>(std::floor((y - rows.min.y) / pitch)); };
    plan.first_seen = std::clamp(row(seen.min.y), 0, flow.pattern.queries);
    plan.end_seen = std::clamp(row(seen.max.y) + 1, plan.first_seen, flow.pattern.queries);
}

// ------------------------------------------------------------------------------------------------------------- words

void choose(const Flow& flow, int position) {
    choose_token(flow.frame.state, flow.frame.snapshot, flow.pattern.slot, position);
}

/// Finds the words under the mouse; a click chooses the query.
void read_words(Flow& flow) {
    const Ui& ui = flow.ui();
    const BlockPattern& p = flow.pattern;
    const SeenRows keys = seen(flow, p.keys), queries = seen(flow, p.queries);
    for (int key = keys.begin; key < keys.end; ++key) {
        const Box at = flow.left_word(key);
        const std::string word = key_word(flow.frame, p, key);
        const Response r = click_area(ui, ui.items->format("flow/%s key %d", flow.letter(), key), at,
                                      flow.waits ? ItemValue() : flow.mean_weight(flow.query, key), word);
        if (flow.waits) {
            if (r.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
            if (r.clicked) guess(flow.frame, HeadTrace(flow.frame, *flow.frame.trace(p.slot), p.slot), key);
            continue;
        }
        if (r.hovered) flow.hovered_key = key;
        if (r.hovered && !p.cross) point_at_word(flow.frame, p.slot, key);
        if (r.clicked && !p.cross) choose(flow, key);
    }
    for (int query = queries.begin; query < queries.end; ++query) {
        const Box at = flow.right_word(query);
        const Response r = link_area(ui, ui.items->format("flow/%s query %d", flow.letter(), query), at,
                                     item_state(query == flow.query), flow.frame.word(p.slot, query));
        if (r.hovered) flow.hovered_query = query;
        if (r.hovered) point_at_word(flow.frame, p.slot, query);
        if (r.clicked) choose(flow, query);
    }
}

/// Words that are read a lot stand out; those that the query cannot see are faint.
void draw_keys(const Flow& flow) {
    const Ui& ui = flow.ui();
    const Theme& t = *ui.theme;
    float most = 0;
    for (int key = 0; key < flow.pattern.keys; ++key) most = std::max(most, flow.mean_weight(flow.focus(), key));
    const SeenRows keys = seen(flow, flow.pattern.keys);
    for (int key = keys.begin; key < keys.end; ++key) {
        const Box at = flow.left_word(key);
        const float weight = flow.mean_weight(flow.focus(), key);
        const bool hidden = flow.pattern.hidden(flow.focus(), key), waits = flow.focus_waits();
        const bool strong = key == flow.hovered_key || (!hidden && !waits && weight >= most / 2);
        const ImU32 colour = hidden ? t.text_faint : strong ? t.text : t.text_muted;
        const FontRole font = strong ? FontRole::small_bold : FontRole::small;
        draw::text_in(ui, at.left(flow.words), key_word(flow.frame, flow.pattern, key),
                      {font, colour, draw::Align::right});
        if (flow.numbers > 0 && !hidden)
            draw::text_in(ui, at.right_of(at.min.x + flow.words),
                          waits ? std::string_view("?") : ui.items->format("%.2f", weight),
                          {font, strong ? t.attention_text : t.text_muted, draw::Align::right});
    }
}

void draw_queries(const Flow& flow) {
    const Ui& ui = flow.ui();
    const SeenRows queries = seen(flow, flow.pattern.queries);
    for (int query = queries.begin; query < queries.end; ++query) {
        const Box at = flow.right_word(query);
        const bool chosen = query == flow.query, strong = chosen || query == flow.hovered_query;
        const float y = at.middle_y(), half = std::min(at.height() / 2 - 1, ui.line(FontRole::small) / 2 + ui.px(4));
        if (chosen)
            draw::rounded_box(ui, at.between_y(y - half, y + half), ui.theme->selection_tint, ui.theme->selection, 5,
                              2);
        draw::text_in(
            ui, at.between_x(at.min.x + ui.px(6), at.max.x - ui.px(3)), flow.frame.word(flow.pattern.slot, query),
            {strong ? FontRole::small_bold : FontRole::small, strong ? ui.theme->text : ui.theme->text_muted});
    }
}

/// In a causal model: the query sees nothing below this line.
void draw_horizon(const Flow& flow) {
    if (!flow.pattern.causal || flow.focus() + 1 >= flow.pattern.keys) return;
    const Ui& ui = flow.ui();
    const float y = std::round(flow.plan.row_y(flow.focus()) + flow.plan.pitch / 2);
    const std::array<ImVec2, 2> line{ImVec2{flow.rows.min.x, y}, ImVec2{flow.plan.left, y}};
    draw::dashed_line(ui, line, ui.theme->text_faint, ui.px(1));
    ui.items->addf({{flow.rows.min.x, y - 1}, {flow.plan.left, y + 1}}, item_state(flow.focus()), "flow/%s horizon",
                   flow.letter());
}

// ----------------------------------------------------------------------------------------------------------- ribbons

/// Items are nearer to the keys, where the ribbons of one word are apart.
void register_ribbon(const Flow& flow, const Ribbon& r) {
    constexpr float place = 0.3f;
    const Box box = Box::around(r.at(place), flow.ui().px(2));
    if (r.head == flow.frame.state.head)
        flow.ui().items->addf(box, r.weight, "flow/%s ribbon %d %d", flow.letter(), r.query, r.key);
    if (flow.all)
        flow.ui().items->addf(box, r.weight, "flow/%s ribbon %d %d head %d", flow.letter(), r.query, r.key, r.head);
}

void draw_ribbons(const Flow& flow, const std::vector<Ribbon>& ribbons, int under) {
    const Ui& ui = flow.ui();
    const Theme& t = *ui.theme;
    const float held_back = under >= 0 ? 0.45f : 1.0f, faint = t.kind == ThemeKind::light ? 0.15f : 0.2f;
    // What a head that is off reads goes nowhere, so its ribbons are as faint as those of unfocused words.
    const auto off = [&](const Ribbon& r) {
        return shows_head_off(flow.frame, flow.pattern.slot, flow.pattern.layer, r.head,
                              flow.pattern.cross ? AttentionTo::source : AttentionTo::itself);
    };
    for (const Ribbon& r : ribbons) {
        register_ribbon(flow, r);
        if (r.strong && !off(r))
            draw_ribbon(ui, r, head_colour(t, r.head), 0.8f * held_back);
        else
            draw_ribbon(ui, r, t.text_faint, faint);
    }
    for (std::size_t i = 0; i < ribbons.size(); ++i) {
        const Ribbon& r = ribbons[i];
        const bool here = static_cast<int>(i) == under,
                   lit = is_lit(flow.frame.state, flow.pattern.slot, flow.pattern.cell(r.head, r.query, r.key));
        if (!here && !lit) continue;
        if (lit) {
            Ribbon frame = r;
            frame.width += ui.px(4);
            draw_ribbon(ui, frame, t.selection, 1);
        }
        draw_ribbon(ui, r, off(r) ? t.text_muted : head_colour(t, r.head), 1, ui.px(2));
    }
}

/// Handles the mouse between the words; returns the index of the ribbon under it, or −1.
int read_ribbons(const Flow& flow, const std::vector<Ribbon>& ribbons) {
    const Ui& ui = flow.ui();
    const Box box = flow.rows.between_x(flow.plan.left, flow.plan.right);
    const Response r = click_area(ui, ui.items->format("flow/%s", flow.letter()), box);
    if (!r.hovered && !r.clicked) return -1;
    const int under = ribbon_at(ribbons, ImGui::GetIO().MousePos, ui.px(4));
    if (under < 0) return -1;
    const Ribbon& at = ribbons[under];
    if (r.clicked) {
        choose(flow, at.query);
        choose_head(flow.frame.state, flow.frame.snapshot, flow.pattern.layer, at.head);
    }
    const std::string query = flow.frame.word(flow.pattern.slot, at.query),
                      key = key_word(flow.frame, flow.pattern, at.key);
    point_at(flow.frame, flow.pattern.slot, flow.pattern.cell(at.head, at.query, at.key), r.clicked,
             ui.items->format(tr("%s → %s  %.2f  (head %d)"), query.c_str(), key.c_str(), at.weight, at.head));
    return under;
}

/// Shows the weights of the word under the mouse in the shown heads that have a colour of their own.
void word_tooltip(const Flow& flow) {
    if (flow.hovered_key < 0) return;
    const BlockPattern& p = flow.pattern;
    const Ui& ui = flow.ui();
    const std::string key = key_word(flow.frame, p, flow.hovered_key), query = flow.frame.word(p.slot, flow.query);
    if (p.hidden(flow.query, flow.hovered_key))
        return draw::tooltip(
            ui,
            ui.items->format(
                tr("“%s” comes after “%s”\nThis model reads from left to right: a word cannot attend to later ones."),
                key.c_str(), query.c_str()));
    std::string text = filled(tr("“{1}” attends to “{2}”"), {query, key});
    const int end = std::min(flow.plan.end_head, flow.plan.first_head + coloured_heads);
    for (int head = flow.plan.first_head; head < end; ++head) {
        char line[48];
        std::snprintf(line, sizeof line, tr("\nhead %d   %.2f"), head, p.weight(head, flow.query, flow.hovered_key));
        text += line;
    }
    draw::tooltip(ui, text);
}

// -------------------------------------------------------------------------------------------------------------- page

/// Scrolls to the chosen word when another one is chosen; a whole `page` starts at its top.
void follow_choice(const Flow& flow, float pitch, bool page) {
    int* last = ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("chosen"), -1);
    const int before = std::exchange(*last, flow.query);
    if (before == flow.query || (page && before < 0)) return;
    const float y = flow.rows.min.y + pitch * (to_float(flow.query) + 0.5f);
    ImGui::SetScrollFromPosY(y - ImGui::GetWindowPos().y, 0.5f);
}

float least_pitch(const Ui& ui) { return std::max(ui.px(row_least), ui.line(FontRole::small) + ui.px(3)); }

/// `seen` is the part of the screen that the view has.
void draw_rows(Flow& flow, const Box& box, const Box& seen) {
    const Ui& ui = flow.ui();
    const float count = to_float(std::max(flow.pattern.keys, flow.pattern.queries));
    const float least = least_pitch(ui), pitch = std::clamp(std::floor(box.height() / count), least, ui.px(row_most));
    const ScrollArea area(ui, flow.pattern.slot == 0 ? "##flow A" : "##flow B", box, pitch * count);
    const Box& content = area.content();
    place(flow, content.top(pitch * count),
          box.between_y(std::max(box.min.y, seen.min.y), std::min(box.max.y, seen.max.y)), pitch);
    const bool page = box.max.y > seen.max.y || box.min.y < seen.min.y;
    if (page || pitch * count > box.height()) follow_choice(flow, pitch, page);
    read_words(flow);
    flow.plan.focus_query = flow.focus(), flow.plan.focus_key = flow.hovered_key;
    std::vector<Ribbon> ribbons = flow_ribbons(flow.pattern, flow.plan);
    if (flow.waits) std::erase_if(ribbons, [&](const Ribbon& r) { return r.query == flow.query; });
    draw_ribbons(flow, ribbons, read_ribbons(flow, ribbons));
    draw_keys(flow);
    draw_queries(flow);
    draw_horizon(flow);
    word_tooltip(flow);
}

void draw_view(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    const Trace& trace = *frame.trace(slot);
    const std::optional<Slices> heads =
        frame.state.own<FlowState>().all_heads ? std::nullopt : std::optional<Slices>({frame.state.head, 1});
    const std::optional<BlockPattern> cross = block_pattern(trace, slot, frame.state.layer, true, heads);
    const std::optional<BlockPattern> pattern =
        cross && frame.state.cross_attention ? cross : block_pattern(trace, slot, frame.state.layer, false, heads);
    if (!pattern) return;
    const float legend = flow_legend_height(frame, pattern->heads, box.width() - 2 * ui.px(side));
    const float fixed =
        (cross ? 2 : 1) * ui.px(flow_switch_height + flow_gap) + ui.line(FontRole::small) + ui.px(16) + legend;
    // The words scroll between headings and legend; without room for four of them, the whole page scrolls.
    const bool low = box.height() < fixed + 4 * least_pitch(ui);
    const float rows = least_pitch(ui) * to_float(std::max(pattern->keys, pattern->queries));
    const ScrollArea area(ui, slot == 0 ? "##flow page A" : "##flow page B", box, low ? fixed + rows : box.height());
    const Box inside = area.content().inset(ui.px(side), 0);
    Flow flow{.frame = frame,
              .pattern = *pattern,
              .all = frame.state.own<FlowState>().all_heads,
              .query = std::clamp(frame.state.token[slot], 0, pattern->queries - 1)};
    for (int head = 0; head < pattern->heads; ++head)
        if (flow.all || head == frame.state.head)
            flow.waits |= row_hidden_by_quiz(frame, slot, {pattern->layer, head}, pattern->cross) == flow.query;
    const float y = draw_flow_heading(frame, *pattern, flow.query, cross.has_value(), inside);
    const float bottom = inside.max.y - legend;
    draw_rows(flow, inside.between_y(y, bottom - ui.px(flow_gap)), box);
    draw_flow_legend(frame, slot, pattern->heads, pattern->cross, inside.below(bottom));
}

}  // namespace

extern constinit const View view{
    .name = N_("Flow"),
    .meaning = N_("Ribbons run from each word to the words that attend to it."),
    .also = "ribbons sankey arcs attention who reads whom",
    .draw = draw_view,
    .offered = has_attention,
    .of_head = true,
};

}  // namespace glassformer::app::views::flow
