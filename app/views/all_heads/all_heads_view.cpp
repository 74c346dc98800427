#include <algorithm>
#include <array>
#include <cmath>

#include "app/common/block_pattern.h"
#include "app/common/explanation.h"
#include "app/common/head_picture.h"
#include "app/common/head_summaries.h"
#include "app/common/hidden_by_quiz.h"
#include "app/common/linked_cards.h"
#include "app/common/long_sentence.h"
#include "app/common/pattern_view.h"
#include "app/common/what_if_changes.h"
#include "app/language/tr.h"
#include "app/ui/scroll_area.h"
#include "app/views/all_heads/together.h"
#include "app/views/view.h"

namespace glassformer::app::views::all_heads {

namespace {

// Pixels at 100 %.
constexpr float side = 12, picture_least = 14, picture_wanted = 44, picture_beside = 34, picture_most = 150,
                between = 8, row_gap = 10, most_spread = 40, large_least = 14, large_most = 34, large_gap = 18,
                page_height = 24;
constexpr int most_preview_words = 24;

/// How much is written under a picture.
enum class Captions { none, brief, full };

/// The heads of one attention of one block, side by side.
struct HeadsRow {
    int layer = 0;
    bool cross = false;  // they read the source sentence
};

int attentions(const HeadSummaries& s) { return s.has_cross() ? 2 : 1; }
int rows_of(const HeadSummaries& s) { return s.layers() * attentions(s); }
HeadsRow row_at(const HeadSummaries& s, int index) { return {index / attentions(s), index % attentions(s) > 0}; }
std::string_view reads(const HeadsRow& row) { return row.cross ? tr("source") : tr("own words"); }

bool is_chosen(const ViewState& state, const HeadsRow& row) {
    return row.layer == state.layer && row.cross == state.cross_attention;
}

void choose(const Frame& frame, const HeadsRow& row, int head) {
    choose_head(frame.state, frame.snapshot, row.layer, head);
    frame.state.cross_attention = row.cross;
}

struct HeadsGrid {
    float labels = 0;      // width of the blocks' numbers
    float column = 0;      // distance between heads
    float picture = 0;     // side of a picture
    float row = 0;         // distance between blocks
    float heading = 0;     // height of the heads' numbers
    float above = 0;       // height of the text above a row's pictures that says what its heads read
    int caption_rows = 0;  // lines of numbers
    bool beside = false;   // the numbers are right of a picture instead of below it, to save height
    Captions captions = Captions::none;

    float height(int rows) const { return heading + row * to_float(rows); }
};

HeadsGrid heads_grid(const Ui& ui, const HeadSummaries& s, float width, float height) {
    HeadsGrid g;
    const auto text = [&](const char* what) { return draw::text_size(ui, what, FontRole::small).x; };
    g.labels = draw::text_size(ui, s.layers() > 10 ? "00" : "0", FontRole::body_bold).x + ui.px(10);
    g.above = s.has_cross() ? ui.line(FontRole::small) + ui.px(2) : 0;
    const int rows = rows_of(s);
    g.column = std::min((width - g.labels) / to_float(s.heads()), ui.px(picture_most + between));
    float room = g.column - ui.px(between);
    if (room >= text(tr("Toeplitz 100 %")))
        g.captions = Captions::full;
    else if (room >= text("T 100 %"))
        g.captions = Captions::brief;
    g.caption_rows = g.captions == Captions::none ? 0 : s.has_induction() ? 3 : 2;
    g.heading = ui.line(FontRole::small) + ui.px(4);
    const float lines = to_float(g.caption_rows) * ui.line(FontRole::small);
    const float beside = text(tr("Toeplitz 100 %")) + ui.px(between);
    g.beside = g.caption_rows > 0 && room >= ui.px(picture_beside) + beside &&
               height - g.heading < to_float(rows) * (g.above + ui.px(picture_wanted + row_gap + 4) + lines);
    if (g.beside) room -= beside;
    const float under =
        g.above + (g.beside ? ui.px(row_gap) : lines + ui.px(g.caption_rows > 0 ? row_gap + 4 : between));
    const float by_height = (height - g.heading) / to_float(rows) - under;
    g.picture = std::max(ui.px(picture_least), std::min(room, std::max(by_height, ui.px(picture_wanted))));
    g.picture = std::floor(g.picture);
    g.row = std::floor(g.picture + under);
    const float spare = height - g.height(rows);
    if (spare > 0) g.row += std::floor(std::min(spare / to_float(rows), ui.px(most_spread)));
    return g;
}

/// The width that the pictures need when their height is the limit.
float grid_width(const Ui& ui, const HeadsGrid& g, const HeadSummaries& s) {
    return g.labels + (g.picture + ui.px(between)) * to_float(s.heads());
}

Box picture_box(const HeadsGrid& g, const Box& at, int row, int head) {
    return Box::sized({std::round(at.min.x + g.labels + g.column * to_float(head)),
                       std::round(at.min.y + g.heading + g.above + g.row * to_float(row))},
                      g.picture, g.picture);
}

/// What the numbers of a head mean, for its tooltip.
std::string in_words(const HeadSummary& h) {
    std::string text;
    char line[64];
    const auto add = [&](const char* format, const std::optional<double>& value, double factor) {
        if (!value) return;
        std::snprintf(line, sizeof line, format, factor * *value);
        text += (text.empty() ? "" : "\n") + std::string(line);
    };
    add(tr("prev %.2f · mean weight on the previous word"), h.previous, 1);
    add(tr("Toeplitz %.0f %% · explained by distance alone"), h.toeplitz, 100);
    add(tr("induction %.2f · weight after the earlier copy"), h.induction, 1);
    return text;
}

/// Draws the larger picture beside the mouse.
void preview(const Frame& frame, int slot, const HeadsRow& row, int head, const HeadSummary& summary,
             const HeatKey& key) {
    const Ui& ui = frame.ui;
    std::vector<std::string> words;
    const int n = frame.trace(slot)->positions();
    if (!row.cross && n <= most_preview_words && summary.picture.rows == n)
        for (int i = 0; i < n; ++i) words.push_back(frame.word(slot, i));
    const std::string numbers = in_words(summary);
    const bool exact = summary.picture.rows == n;
    std::string title = filled(tr("Block {1} · head {2}"), {std::to_string(row.layer), std::to_string(head)});
    if (row.cross) title += tr(" · cross-attention");
    if (!exact) title += tr(" · mean weight of each patch");
    head_tooltip(ui, {.picture = summary.picture,
                      .key = key,
                      .title = title,
                      .numbers = numbers,
                      .words = words,
                      .lit_row = frame.state.token[slot],
                      .hidden_by_quiz = row_hidden_by_quiz(frame, slot, {row.layer, head}, row.cross),
                      .queries = n});
}

/// Draws the numbers under a picture; without room for them, they are items of the picture itself.
void draw_captions(const Frame& frame, int slot, const HeadsGrid& g, const Box& picture, const HeadsRow& row, int head,
                   const HeadSummary& h) {
    const Ui& ui = frame.ui;
    const float line = ui.line(FontRole::small);
    const float x = g.beside ? picture.max.x + ui.px(between) : picture.min.x;
    float y = g.beside ? picture.min.y : picture.max.y + ui.px(2);
    const bool full = g.captions == Captions::full;
    const auto number = [&](const char* item, const std::optional<double>& value, const char* format, double factor) {
        if (!value) return;
        const bool written = g.captions != Captions::none;
        const Box box{{x, written ? y : picture.min.y},
                      {picture.min.x + g.column - ui.px(2), written ? y + line : picture.max.y}};
        const std::string text = typographic(std::string(ui.items->format(format, factor * *value)));
        ui.items->add(ui.items->format("heads/%s %s%s %d %d", Frame::letter(slot), row.cross ? "source " : "", item,
                                       row.layer, head),
                      box, *value, text);
        if (!written) return;
        draw::text_in(ui, box, text, {FontRole::small, ui.theme->text_muted});
        y += line;
    };
    number("previous", h.previous, full ? tr("prev %.2f") : "p %.2f", 1);
    number("toeplitz", h.toeplitz, full ? tr("Toeplitz %.0f %%") : "T %.0f %%", 100);
    number("induction", h.induction, full ? tr("induct. %.2f") : "i %.2f", 1);
}

void draw_head(const Frame& frame, int slot, const HeadsGrid& g, const Box& at, const HeadSummaries& s, int index,
               int head) {
    const Ui& ui = frame.ui;
    const HeadsRow row = row_at(s, index);
    const Box box = picture_box(g, at, index, head);
    const bool chosen = is_chosen(frame.state, row) && head == frame.state.head;
    const Response r = click_area(
        ui, ui.items->format("heads/%s %s%d %d", Frame::letter(slot), row.cross ? "source " : "", row.layer, head), box,
        item_state(chosen), ui.items->format(tr("block %d · head %d"), row.layer, head));
    const HeadSummary* summary = s.find(row.layer, head, row.cross);
    const HeatKey key = s.key(row.layer, head, row.cross);
    const bool seen = ImGui::IsRectVisible(box.min, {box.max.x, box.min.y + g.row});
    if (seen && summary)
        draw_head_picture(ui, summary->picture, key, box);
    else if (seen)
        draw::rounded_box(ui, box, ui.theme->track, 0, 2);
    if (const int hidden_by_quiz = row_hidden_by_quiz(frame, slot, {row.layer, head}, row.cross);
        seen && hidden_by_quiz >= 0) {
        cover_row(ui, hidden_by_quiz, frame.trace(slot)->positions(), box);
        ui.items->add(ui.items->format("heads/%s hidden by quiz", Frame::letter(slot)), box,
                      item_state(hidden_by_quiz));
    }
    const AttentionTo attention = row.cross ? AttentionTo::source : AttentionTo::itself;
    if (seen && shows_head_off(frame, slot, row.layer, head, attention)) {
        draw_crossed_out(ui, box);
        ui.items->addf(box, std::nullopt, "heads/%s %s%d %d off", Frame::letter(slot), row.cross ? "source " : "",
                       row.layer, head);
    }
    const Cell own = cell_of_head(*frame.trace(slot), row.layer, head, row.cross);
    const Box area = box.inset(-ui.px(3));
    if (chosen)
        draw::selection_frame(ui, area, 4);
    else if (r.hovered || lit_cell(frame.state, slot) == own)
        draw::rounded_box(ui, area, 0, r.hovered ? ui.theme->text_faint : ui.theme->selection, 4, 1);
    if (summary) draw_captions(frame, slot, g, box, row, head, *summary);
    if (r.clicked) {
        frame.state.slot = slot;
        choose(frame, row, head);
    }
    if (r.right_clicked) {
        toggle_if_possible(frame, what_if::HeadOff{row.layer, head, attention});
        ImGui::GetIO().MouseClicked[ImGuiMouseButton_Right] = false;  // else it would also save the panel
    }
    if (!r.hovered) return;
    frame.state.hovering = {slot, own};
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (summary) preview(frame, slot, row, head, *summary, key);
}

void draw_axes(const Frame& frame, int slot, const HeadsGrid& g, const Box& at, const HeadSummaries& s) {
    const Ui& ui = frame.ui;
    const bool named = draw::text_size(ui, "h00", FontRole::small_bold).x <= g.column;
    for (int head = 0; head < s.heads(); ++head) {
        const Box box = picture_box(g, at, 0, head);
        const bool chosen = head == frame.state.head;
        draw::text_in(
            ui, {{box.min.x - ui.px(between) / 2, at.min.y}, {box.max.x + ui.px(between) / 2, at.min.y + g.heading}},
            ui.items->format(named ? "h%d" : "%d", head),
            {chosen ? FontRole::small_bold : FontRole::small, chosen ? ui.theme->text : ui.theme->text_muted,
             draw::Align::centre});
    }
    for (int index = 0; index < rows_of(s); ++index) {
        const HeadsRow row = row_at(s, index);
        const Box box = picture_box(g, at, index, 0);
        const ImU32 ink = is_chosen(frame.state, row) ? ui.theme->text : ui.theme->text_muted;
        draw::text_in(ui, box.between_x(at.min.x, box.min.x), ui.items->format("%d", row.layer),
                      {FontRole::body_bold, ink});
        if (!s.has_cross()) continue;
        const Box area{{box.min.x, box.min.y - g.above}, {at.max.x, box.min.y}};
        draw::label(ui, area, reads(row), {FontRole::small, ink},
                    {ui.items->format("heads/%s reads %d", Frame::letter(slot), index)});
    }
}

/// Draws the scale of the colours from 0 to 1.
void draw_scale(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const float line = ui.line(FontRole::small), middle = std::round(box.middle_y()), half = ui.px(4);
    const float zero = draw::text_size(ui, "0", FontRole::small).x + ui.px(6), width = ui.px(84);
    const draw::TextStyle style{FontRole::small, t.text_muted};
    draw::text(ui, {box.min.x, middle - line / 2}, "0", style);
    const float left = box.min.x + zero, right = left + width;
    constexpr int steps = 21;
    for (int i = 0; i < steps; ++i) {
        const float x = left + width * to_float(i) / steps;
        ui.list()->AddRectFilled({std::round(x), middle - half}, {std::round(x + width / steps), middle + half},
                                 t.attention_colour(to_float(i) / (steps - 1)));
    }
    ui.items->add("heads scale", {{left, middle - half}, {right, middle + half}});
    draw::text_in(ui, box.right_of(right + ui.px(6)), tr("1 attention weight"), style);
}

/// Says how to read the page; the tooltip explains the numbers.
void draw_caption(const Frame& frame, const HeadsGrid& g, const Box& box) {
    const Ui& ui = frame.ui;
    const std::string_view full = g.captions == Captions::brief ? tr("p: on the previous word · T: Toeplitz share")
                                  : frame.model().translates()
                                      ? tr("rows: decoder blocks · columns: heads · click to select")
                                      : tr("rows: blocks · columns: heads · click to select");
    const std::string_view text =
        draw::first_fitting(ui, box.width(), {full, tr("rows: blocks · columns: heads"), ""}, FontRole::small);
    draw::text_in(ui, box, text, {FontRole::small, ui.theme->text_muted});
    if (draw::hovered(box))
        draw::tooltip(ui, tr("What the numbers mean\nprev (p): the mean weight on the previous word; 1 is a head that "
                             "always attends one word back.\nToeplitz (T): the share of the pattern that the distance "
                             "between words explains.\ninduction (i): in a repeated sequence, the weight on the word "
                             "after the earlier copy.\nRight-click a head to switch it off."));
}

/// The part of the box that the pictures leave for the chosen head's pattern, large, with its words and numbers: below
/// the pictures if they are as wide as their columns, right of them if their height is the limit. Empty if too small.
Box large_box(const Frame& frame, const HeadSummaries& s, int slot, const Box& box, float room) {
    const Ui& ui = frame.ui;
    const Trace& trace = *frame.trace(slot);
    if (!has_attention(frame.state, trace) || trace.positions() > most_preview_words) return {};
    const HeadTrace head(frame, trace, slot);
    const float line = ui.line(FontRole::small), n = to_float(head.n), gap = ui.px(large_gap);
    const float heading = ui.line(FontRole::body_bold) + pattern_heading(frame, head);
    const HeadsGrid g = heads_grid(ui, s, room, box.height());
    if (g.picture < g.column - ui.px(between + 1)) {
        const float left = box.min.x + ui.px(4) + grid_width(ui, g, s) + ImGui::GetStyle().ScrollbarSize + gap,
                    names = std::min(widest_word(frame, slot), (box.max.x - left) * 0.2f) + ui.px(24);
        const bool wide = box.max.x - left - names >= ui.px(large_least) * to_float(head.keys) + ui.px(36);
        const bool high = box.height() >= gap + heading + std::max(line, ui.px(large_least)) * n;
        return wide && high ? box.right_of(left) : Box{};
    }
    const float under = g.above + to_float(g.caption_rows) * line + ui.px(row_gap + 4);
    const float spare = box.height() - g.heading - to_float(rows_of(s)) * (g.picture + under);
    if (spare < gap + heading + ui.px(large_least) * n) return {};
    return {{box.min.x + ui.px(4), box.max.y - std::floor(spare)}, box.max};
}

/// Draws the chosen head's pattern, large.
void draw_large(const Frame& frame, int slot, const Box& box, float top_of_view) {
    const Ui& ui = frame.ui;
    const HeadTrace head(frame, *frame.trace(slot), slot);
    const bool below = box.min.y > top_of_view + ui.px(large_gap);
    const float top = box.min.y + (below ? ui.px(large_gap) : 0), title = top + ui.line(FontRole::body_bold);
    if (below) draw::horizontal_line(ui, box.min.x, box.max.x, box.min.y + ui.px(large_gap) / 2);
    const std::string_view text = ui.items->format(tr("block %d · head %d"), frame.state.layer, head.head);
    draw::text_in(ui, box.between_y(top, title), text, {FontRole::body_bold});
    ui.items->add(ui.items->format("large head %s", Frame::letter(slot)), box.below(top), std::nullopt, text);
    const float rows = box.max.y - title - pattern_heading(frame, head) - ui.px(4);
    const float cell = std::clamp(std::floor(rows / to_float(head.n)), ui.px(large_least), ui.px(large_most));
    draw_pattern(frame, head, pattern_layout(frame, head, box.below(title), cell, false));
}

/// Scrolls the chosen block into view when another one is chosen.
void follow_choice(const Frame& frame, const HeadsGrid& g, const Box& at, const HeadSummaries& s) {
    int* last = ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("chosen"), -1);
    const int chosen = frame.state.layer * attentions(s) + (frame.state.cross_attention ? 1 : 0);
    if (*last == chosen) return;
    *last = chosen;
    const Box box = picture_box(g, at, chosen, 0);
    ImGui::SetScrollFromPosY(box.middle_y() - ImGui::GetWindowPos().y, 0.5f);
}

constexpr std::array<std::string_view, 2> page_names = {N_("each head"), N_("together")};

int& chosen_page(ViewState& state) { return state.own<AllHeadsLook>().page; }

/// Draws the choice of the page at the right end of the first line; returns its left edge.
float draw_pages(const Frame& frame, int slot, const Box& line) {
    const Ui& ui = frame.ui;
    float widest = 0;
    for (const std::string_view name : page_names)
        widest = std::max(widest, draw::text_size(ui, tr(name), FontRole::small_bold).x);
    const Box at = line.right(2 * (widest + ui.px(14)) + ui.px(4));
    segmented(ui, ui.items->of_card(slot, "heads page"), at, page_names, chosen_page(frame.state));
    return at.min.x;
}

void draw_each(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    const HeadSummaries& s = head_summaries(frame, slot);
    const float line = ui.line(FontRole::small), left = box.min.x + ui.px(side), right = box.max.x - ui.px(side);
    const Box head{{left, box.min.y}, {right, box.min.y + ui.px(page_height)}};
    const float top = head.max.y + ui.px(2), foot = line + ui.px(4);
    const Box seen{{left - ui.px(4), top}, {right, std::max(top + 1, box.max.y - foot - ui.px(4))}};
    const float room = seen.width() - ui.px(4) - ImGui::GetStyle().ScrollbarSize;
    const Box large = large_box(frame, s, slot, seen, room);
    const bool beside = large.width() > 0 && large.min.y == seen.min.y;
    Box seen_grid = seen;
    if (beside)
        seen_grid.max.x = large.min.x - ui.px(large_gap);
    else if (large.width() > 0)
        seen_grid.max.y = large.min.y;
    const HeadsGrid g = heads_grid(ui, s, beside ? grid_width(ui, heads_grid(ui, s, room, seen.height()), s) : room,
                                   seen_grid.height());
    draw_caption(frame, g, head.left_of(draw_pages(frame, slot, head) - ui.px(8)));
    {
        const ScrollArea area(ui, slot == 0 ? "##heads A" : "##heads B", seen_grid, g.height(rows_of(s)));
        const Box at = area.content().right_of(area.content().min.x + ui.px(4));
        if (g.height(rows_of(s)) > seen_grid.height() + 0.5f) follow_choice(frame, g, at, s);
        draw_axes(frame, slot, g, at, s);
        for (int index = 0; index < rows_of(s); ++index)
            for (int head = 0; head < s.heads(); ++head) draw_head(frame, slot, g, at, s, index, head);
    }
    if (large.width() > 0) draw_large(frame, slot, large, seen.min.y);
    draw_scale(frame, {{left, box.max.y - foot}, {right, box.max.y}});
}

void draw_view(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    const float left = box.min.x + ui.px(side), right = box.max.x - ui.px(side);
    const Box head{{left, box.min.y}, {right, box.min.y + ui.px(page_height)}};
    if (chosen_page(frame.state) == AllHeadsLook::each_page) return draw_each(frame, box, slot);
    draw_pages(frame, slot, head);
    draw_together(frame, box.below(head.max.y + ui.px(4)), slot);
}

}  // namespace

extern constinit const View view{
    .name = N_("All heads"),
    .meaning = N_("The attention patterns of all heads in all blocks, side by side, or together: their mean, their "
                  "maximum, attention rollout."),
    .also =
        "patterns attention maps heat maps grid compare previous induction mean maximum average rollout attention "
        "sink whole words BertViz",
    .draw = draw_view,
    .offered = has_attention,
    .pages = page_names,
    .page = chosen_page,
};

}  // namespace glassformer::app::views::all_heads
