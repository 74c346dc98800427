#include "app/common/lens_grid.h"

#include <algorithm>
#include <cmath>

#include "app/common/hidden_word.h"
#include "app/common/linked_cards.h"
#include "app/common/long_sentence.h"
#include "app/common/predict_first.h"
#include "app/common/traced_value.h"
#include "app/language/tr.h"
#include "app/session/masks.h"
#include "app/ui/child_window.h"
#include "core/nn/transformer.h"

namespace glassformer::app {

namespace {

// Pixels at 100 %.
constexpr float column_least = 30, column_most = 84, cell_gap = 2, label_gap = 6, text_air = 4;

/// Where the cells are, and what they show.
struct Columns {
    const Frame& frame;
    LensReading& lens;
    const LensGrid& grid;
    int slot;
    ImVec2 at;          // the heading of the first column, scrolled
    float left, right;  // the visible part

    float x(int position) const { return std::round(at.x + grid.column * static_cast<float>(position)); }
    /// For a long sentence only visible columns are built.
    bool visible(int position) const {
        return !is_long(grid.positions) || (x(position + 1) > left && x(position) < right);
    }
    std::string_view label(int layer, int position) const {
        return frame.ui.items->format("%s/lens %d %d", Frame::letter(slot), layer, position);
    }
    /// Null while it is being read; the next frame asks again.
    const LensWord* read(int layer, int position) const {
        const LensWord* const found = lens.best(layer, position);
        if (!found) frame.state.more_to_compute = frame.state.own<RowsToCome>().any = true;
        return found;
    }
    /// True if the prediction there must be guessed first.
    bool waits(int position) const { return saying_waits(frame.state, slot, position); }
    /// Layer 0 is the lowest row.
    float y(int layer) const {
        return std::round(at.y + grid.heading + grid.row * static_cast<float>(grid.layers - 1 - layer));
    }
};

void draw_heading(const Columns& c, int position) {
    const Ui& ui = c.frame.ui;
    const bool chosen = position == c.frame.state.token[c.slot];
    const bool masked = is_hidden(c.frame, c.slot, position);
    const Box box{{c.x(position), c.at.y}, {c.x(position + 1), c.at.y + c.grid.heading}};
    const ImU32 colour = masked ? ui.theme->selection_text : chosen ? ui.theme->text : ui.theme->text_muted;
    const std::string word = c.frame.word(c.slot, position);
    draw::text_in(ui, box, word,
                  {chosen || masked ? FontRole::small_bold : FontRole::small, colour, draw::Align::centre});
    const Response r = click_area(ui, ui.items->format("%s/lens word %d", Frame::letter(c.slot), position), box,
                                  item_state(masked ? 1.0 : 0.0), word);
    if (r.hovered) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        draw::tooltip(ui, masked ? tr("▢ is a mask\nThe model predicts the masked token from all the others.")
                                 : ui.items->format(tr("“%s”\nClick to choose this token."), word.c_str()));
    }
    if (r.clicked) choose_token(c.frame.state, c.frame.snapshot, c.slot, position);
}

/// What a cell is computed from: the residual stream after a block. Node −1 if the model has no node of that name.
Cell stream_cell(const Columns& c, int layer, int position) {
    const Trace& trace = *c.frame.trace(c.slot);
    const std::optional<int> node = trace.graph().find(stream_name(layer));
    return node ? Cell{*node, position * trace.shape(*node).back()} : Cell{-1, 0};
}

/// Registers a cell that is out of sight, without drawing it.
void name_cell(const Columns& c, int layer, int position) {
    if (c.waits(position)) return;
    if (const LensWord* const found = c.read(layer, position))
        c.frame.ui.items->add(c.label(layer, position),
                              {{c.x(position), c.y(layer)}, {c.x(position + 1), c.y(layer) + c.grid.row}},
                              found->probability, vocabulary_word(c.frame, found->id));
}

void draw_cell(const Columns& c, int layer, int position) {
    const Ui& ui = c.frame.ui;
    const float gap = ui.px(cell_gap) / 2;
    const ImVec2 min{c.x(position) + gap, c.y(layer) + gap};
    const ImVec2 max{c.x(position + 1) - gap, c.y(layer) + c.grid.row - gap};
    const std::string_view label = c.label(layer, position);
    if (c.waits(position)) {
        draw::rounded_box(ui, {min, max}, ui.theme->track, 0, 4);
        return draw_waiting(ui, label, {min, max});
    }
    const LensWord* const found = c.read(layer, position);
    if (!found) return draw::rounded_box(ui, {min, max}, 0, ui.theme->card_border, 4);
    const LensWord& best = *found;
    const ImU32 fill = ui.theme->attention_colour(best.probability), text = Theme::text_on(fill);
    draw::rounded_box(ui, {min, max}, fill, 0, 4);
    const float middle = std::round((min.y + max.y) / 2), line = ui.line(FontRole::small);
    const std::string word = vocabulary_word(c.frame, best.id);
    const float room = max.x - min.x - ui.px(text_air);
    const bool bold = draw::text_size(ui, word, FontRole::small_bold).x <= room;
    draw::text_in(ui, {{min.x - gap, middle - line}, {max.x + gap, middle + ui.px(1)}}, word,
                  {bold ? FontRole::small_bold : FontRole::small, text, draw::Align::centre});
    const double probability = best.probability;
    const bool apart = draw::text_size(ui, "100 %", FontRole::small).x <=
                       std::floor(c.grid.column) - ui.px(cell_gap + text_air);  // the same in every column
    draw::text_in(ui, {{min.x - gap, middle - ui.px(1)}, {max.x + gap, middle + line}},
                  ui.items->format(apart ? "%.0f %%" : "%.0f%%", 100 * probability),
                  {FontRole::small, text, draw::Align::centre});
    ui.items->add(label, {min, max}, probability, word);
    const bool last = layer == c.grid.layers - 1;
    const Trace& trace = *c.frame.trace(c.slot);
    if (last && is_lit(c.frame.state, c.slot, probability_cell(trace, position, best.id)))
        draw::selection_frame(ui, {min, max}, 4);
    else if (const Cell& lit = lit_cell(c.frame.state, c.slot);
             lit.node >= 0 &&
             (lit == stream_cell(c, layer, position) || (last && lit.node == trace.model().probabilities &&
                                                         lit.offset / trace.shape(lit.node).back() == position)))
        draw::rounded_box(ui, {min, max}, 0, ui.theme->selection, 4, 2);
}

/// Handles the mouse on the cell under it.
void use_cell(const Columns& c, int layer, int position, bool clicked) {
    const Ui& ui = c.frame.ui;
    if (c.waits(position)) return;
    const LensWord* const found = c.lens.best(layer, position);
    if (!found) return;
    const LensWord& best = *found;
    const std::string word = c.frame.word(c.slot, position), said(vocabulary_word(c.frame, best.id));
    const std::string_view title =
        ui.items->format(tr("%s after %s: %s %.1f %%"), word.c_str(), lens_layer_name(c.frame, layer).data(),
                         said.c_str(), 100 * static_cast<double>(best.probability));
    if (clicked) choose_token(c.frame.state, c.frame.snapshot, c.slot, position);
    if (layer == c.grid.layers - 1)
        return point_at(c.frame, c.slot, probability_cell(*c.frame.trace(c.slot), position, best.id), clicked, title);
    c.frame.state.hovering = {c.slot, stream_cell(c, layer, position)};
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    draw::tooltip(ui, ui.items->format(layer > 0 ? tr("%.*s\nClick to choose the token and this block.")
                                                 : tr("%.*s\nClick to choose the token."),
                                       static_cast<int>(title.size()), title.data()));
    if (clicked && layer > 0) choose_layer(c.frame.state, c.frame.snapshot, layer - 1);
}

void draw_columns(const Columns& c) {
    const Ui& ui = c.frame.ui;
    const ImVec2 min{std::max(c.left, c.x(0)), c.at.y + c.grid.heading};
    const ImVec2 max{std::min(c.right, c.x(c.grid.positions)), c.at.y + c.grid.height() - c.grid.bar};
    const Response r =
        click_area(ui, ui.items->format("%s/lens", Frame::letter(c.slot)), {min, max}, item_state(c.grid.layers));
    for (int position = 0; position < c.grid.positions; ++position) {
        const bool visible = c.visible(position);
        if (!visible && !ui.every_row) continue;
        if (visible) draw_heading(c, position);
        for (int layer = 0; layer < c.grid.layers; ++layer)
            if (visible)
                draw_cell(c, layer, position);
            else
                name_cell(c, layer, position);
    }
    const int chosen = c.frame.state.token[c.slot];
    if (c.visible(chosen)) draw::selection_frame(ui, {{c.x(chosen), c.at.y + ui.px(1)}, {c.x(chosen + 1), max.y}}, 5);
    if (!r.hovered && !r.clicked) return;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const int position = static_cast<int>((mouse.x - c.at.x) / c.grid.column);
    const int row = static_cast<int>((mouse.y - min.y) / c.grid.row);
    use_cell(c, c.grid.layers - 1 - std::clamp(row, 0, c.grid.layers - 1),
             std::clamp(position, 0, c.grid.positions - 1), r.clicked);
}

/// Scrolls a newly chosen token into view.
void follow_token(const Frame& frame, const LensGrid& grid, int slot, float width) {
    const int token = frame.state.token[slot];
    int& scrolled = frame.state.own<LensGridState>().scrolled[slot];
    if (scrolled == token || token >= grid.positions) return;  // an added word is still to come
    scrolled = token;
    const float left = grid.column * static_cast<float>(token), at = ImGui::GetScrollX();
    if (left >= at && left + grid.column <= at + width) return;
    const float end = grid.column * static_cast<float>(grid.positions) - width;
    const float to =  // whole columns
        std::round(std::clamp(left - (width - grid.column) / 2, 0.0f, std::max(0.0f, end)) / grid.column) * grid.column;
    ImGui::SetScrollX(to);
    // A sentence that has grown can only be scrolled that far after it was drawn.
    if (to > ImGui::GetScrollMaxX() + 1) scrolled = -1, frame.state.more_to_compute = true;
}

void draw_layer_names(const Frame& frame, const LensGrid& grid, ImVec2 at, int slot) {
    const Ui& ui = frame.ui;
    for (int layer = 0; layer < grid.layers; ++layer) {
        const float y = std::round(at.y + grid.heading + grid.row * static_cast<float>(grid.layers - 1 - layer));
        const Box box{{at.x, y}, {at.x + grid.labels - ui.px(label_gap), y + grid.row}};
        const bool chosen = layer == frame.state.layer + 1;
        const Response r = click_area(ui, ui.items->format("%s/lens layer %d", Frame::letter(slot), layer), box,
                                      item_state(chosen ? 1.0 : 0.0), lens_layer_name(frame, layer), layer > 0);
        draw::text_in(ui, box, layer == 0 ? tr("embed") : lens_layer_name(frame, layer),
                      {chosen ? FontRole::small_bold : FontRole::small,
                       chosen || r.hovered ? ui.theme->text : ui.theme->text_muted});
        if (r.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        if (draw::hovered(box))
            draw::tooltip(
                ui, layer == 0 ? tr("The embedding\nBefore any block: only the token and its position.")
                               : ui.items->format(tr("After block %d\nThe residual stream here, through the final norm "
                                                     "and the unembedding. Click to choose the block."),
                                                  layer - 1));
        if (r.clicked) choose_layer(frame.state, frame.snapshot, layer - 1);
    }
}

/// The width of the widest word over the columns, or of "100%". Wider texts in cells are cut, so that columns do not
/// move while training changes them.
float widest_heading(const Frame& frame, int slot) {
    const Ui& ui = frame.ui;
    const float number = draw::text_size(ui, "100%", FontRole::small).x + ui.px(3);
    return std::ceil(std::max(number, widest_word(frame, slot, false, FontRole::small))) + 1;
}

}  // namespace

std::string_view lens_layer_name(const Frame& frame, int layer) {
    return layer == 0 ? std::string_view(tr("the embedding")) : frame.ui.items->format(tr("block %d"), layer - 1);
}

std::string vocabulary_word(const Frame& frame, int id) {
    const ModelInfo& model = frame.model();
    return is_mask(model, id) ? "▢" : model.token_text(id);
}

Cell probability_cell(const Trace& trace, int position, int word) {
    const int node = trace.model().probabilities;
    return {node, position * trace.graph()[node].shape.back() + word};
}

LensGrid lens_grid(const Frame& frame, LensReading& lens, int slot, float width) {
    const Ui& ui = frame.ui;
    LensGrid grid;
    grid.layers = lens.layers();
    grid.positions = frame.trace(slot)->positions();
    const std::string last(lens_layer_name(frame, grid.layers - 1));
    for (const std::string_view name : {std::string_view(tr("embed")), std::string_view(last)})
        for (const FontRole font : {FontRole::small, FontRole::small_bold})
            grid.labels = std::max(grid.labels, std::ceil(draw::text_size(ui, name, font).x));
    grid.labels += ui.px(label_gap);
    grid.heading = ui.line(FontRole::small) + ui.px(6);
    grid.row = 2 * ui.line(FontRole::small) + ui.px(4);
    const float room = width - grid.labels, shared = room / static_cast<float>(grid.positions);
    const float least = std::clamp(widest_heading(frame, slot), ui.px(column_least), ui.px(column_most));
    grid.column = std::clamp(shared, least, ui.px(column_most));
    if (shared < grid.column) grid.bar = ImGui::GetStyle().ScrollbarSize + ui.px(2);
    return grid;
}

void draw_lens_grid(const Frame& frame, LensReading& lens, const LensGrid& grid, ImVec2 at, float width, int slot) {
    draw_layer_names(frame, grid, at, slot);
    const float left = at.x + grid.labels;
    float room = std::max(1.0f, at.x + width - left);
    // Whole columns: half a word says nothing.
    if (grid.bar > 0) room = std::max(1.0f, std::floor(room / grid.column)) * grid.column;
    if (grid.bar <= 0) return draw_columns({frame, lens, grid, slot, {left, at.y}, left, left + room});
    ChildWindow window(frame.ui, slot == 0 ? "##lens A" : "##lens B",
                       {{left, at.y}, {left + room, at.y + grid.height()}}, ChildWindow::Kind::scrolls_sideways);
    follow_token(frame, grid, slot, room);
    const ImVec2 start = window.start();
    draw_columns({frame, lens, grid, slot, start, left, left + room});
    window.reaches({start.x + grid.column * static_cast<float>(grid.positions), start.y + 1});
    window.seen_in({{left, at.y + grid.heading}, {left + room, at.y + grid.height() - grid.bar}});
}

}  // namespace glassformer::app
