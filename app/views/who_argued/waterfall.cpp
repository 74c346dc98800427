#include <algorithm>
#include <cmath>

#include "app/common/linked_cards.h"
#include "app/common/traced_value.h"
#include "app/language/tr.h"
#include "app/views/who_argued/argument_drawing.h"
#include "core/base/number_text.h"
#include "core/graph/hook_names.h"

namespace glassformer::app::views::who_argued {

namespace {

using Kind = Contribution::Kind;

/// From logits to pixels.
struct Scale {
    float left = 0, right = 0;
    double low = 0, high = 0;

    float x(double value) const { return left + to_float((value - low) / std::max(1e-9, high - low)) * (right - left); }
};

/// What the drawing of every row needs.
struct Rows {
    const Frame& frame;
    const Waterfall& waterfall;
    Box box;
    float row;
    Scale scale;
    float names;  // width

    const Ui& ui() const { return frame.ui; }
    const Trace& trace() const { return *frame.trace(waterfall.slot); }
    Box of(int i) const {
        const float y = std::round(box.min.y + row * to_float(i));
        return box.between_y(y, std::round(box.min.y + row * to_float(i + 1)));
    }
};

Scale scale_of(const Waterfall& waterfall, float left, float right) {
    Scale scale{left, right, 0, 0};
    double sum = 0;
    for (const Contribution& term : waterfall.reading.parts().terms) {
        sum += term.value;
        scale.low = std::min(scale.low, sum), scale.high = std::max(scale.high, sum);
    }
    return scale;
}

void draw_name(const Rows& rows, const Box& at, std::string_view name, bool strong) {
    draw::text_in(rows.ui(), at.left(rows.names), name,
                  {strong ? FontRole::small_bold : FontRole::small,
                   strong ? rows.ui().theme->text : rows.ui().theme->text_muted, draw::Align::right});
}

/// Draws a bar from one sum to the next, and its number to the right. Negative parts are hollow: colour shows the kind.
void draw_bar(const Rows& rows, const Box& at, double from, double to, ImU32 colour) {
    const Ui& ui = rows.ui();
    const float half = std::min(ui.px(12), at.height() * 0.64f) / 2, middle = at.middle_y();
    float left = std::round(rows.scale.x(std::min(from, to))), right = std::round(rows.scale.x(std::max(from, to)));
    right = std::max(right, left + ui.px(2));
    const Box box{{left, std::round(middle - half)}, {right, std::round(middle + half)}};
    if (to >= from)
        draw::rounded_box(ui, box, colour, 0, 2);
    else
        draw::rounded_box(ui, box, with_alpha(colour, 0.2f), colour, 2);
}

void draw_number(const Rows& rows, const Box& at, double right_of, double value, bool strong) {
    const Ui& ui = rows.ui();
    const std::string number = draw::signed_number(value);
    const float x = std::round(rows.scale.x(right_of)) + ui.px(6);
    draw::text_in(ui, at.between_x(x, std::max(x, at.max.x)), number,
                  {strong ? FontRole::small_bold : FontRole::small, strong ? ui.theme->text : ui.theme->text_muted});
}

bool chosen(const Rows& rows, const Contribution& term) {
    const ViewState& state = rows.frame.state;
    return term.kind == Kind::head && term.block == state.layer && term.head == state.head &&
           node_place(term.node).cross() == state.cross_attention;
}

Cell cell_of(const Rows& rows, const Contribution& head) {
    return cell_of_head(rows.trace(), head.block, head.head, node_place(head.node).cross());
}

/// True if it is under the mouse in the other card.
bool is_lit_part(const Rows& rows, const Contribution& term) {
    const Cell& cell = lit_cell(rows.frame.state, rows.waterfall.slot);
    if (term.kind == Kind::head) return cell.node >= 0 && cell == cell_of(rows, term);
    return cell.node >= 0 && cell.node == rows.trace().graph().find(term.node);
}

void use_part(const Rows& rows, const Contribution& term, bool clicked) {
    const Frame& frame = rows.frame;
    const int slot = rows.waterfall.slot;
    const std::string name(part_name(frame, term));
    const std::string value = draw::signed_number(term.value, 4);
    const std::string_view title = rows.ui().items->format("%s  %s", name.c_str(), value.c_str());
    if (term.kind != Kind::head) {
        const Cell cell = largest_cell(rows.trace(), rows.trace().graph().at(term.node), rows.waterfall.position);
        const std::string opened = frame.cell_name(slot, cell);
        return point_at(frame, slot, cell, clicked,
                        rows.ui().items->format(tr("%.*s\nIts largest number is %s"), int_size(title), title.data(),
                                                opened.c_str()));
    }
    frame.state.hovering = {slot, cell_of(rows, term)};
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    draw::tooltip(rows.ui(), rows.ui().items->format(
                                 tr("%.*s\nWhat this head wrote in the word's direction. Click to choose the head."),
                                 int_size(title), title.data()));
    if (!clicked) return;
    choose_token(frame.state, frame.snapshot, slot, rows.waterfall.position);
    choose_head(frame.state, frame.snapshot, term.block, term.head);
    frame.state.cross_attention = node_place(term.node).cross();
}

void draw_part(const Rows& rows, int i, const Contribution& term, double before) {
    const Ui& ui = rows.ui();
    const Box at = rows.of(i);
    const std::string_view name = part_name(rows.frame, term);
    const Response r = click_area(ui, ui.items->of_card(rows.waterfall.slot, "argued %d", i), at, term.value, name);
    const bool strong = chosen(rows, term);
    const bool lit = r.hovered || is_lit_part(rows, term);
    if (lit || strong) draw::rounded_box(ui, at, lit ? ui.theme->hover : ui.theme->selection_tint, 0, 4);
    const double after = before + term.value;
    draw_name(rows, at, name, strong);
    draw_bar(rows, at, before, after, part_colour(*ui.theme, term.kind));
    draw_number(rows, at, std::max(before, after), term.value, strong);
    const float x = std::round(rows.scale.x(after));  // to the next bar
    draw::vertical_line(ui, x, at.max.y - ui.px(3), at.max.y + ui.px(3), ui.theme->control_border);
    if (r.hovered) use_part(rows, term, r.clicked);
}

void draw_total(const Rows& rows) {
    const Ui& ui = rows.ui();
    const Contributions& parts = rows.waterfall.reading.parts();
    const Box at = rows.of(int_size(parts.terms));
    const Response r =
        click_area(ui, ui.items->of_card(rows.waterfall.slot, "argued total"), at, parts.traced, rows.waterfall.total);
    if (r.hovered) draw::rounded_box(ui, at, ui.theme->hover, 0, 4);
    draw::horizontal_line(ui, at.min.x + rows.names + ui.px(8), at.max.x, at.min.y, ui.theme->grid);
    draw_name(rows, at, rows.waterfall.total, true);
    draw_bar(rows, at, 0, parts.traced, mix(ui.theme->card, ui.theme->text, 0.8f));
    draw_number(rows, at, std::max(0.0, parts.traced), parts.traced, true);
    if (!r.hovered) return;
    const int node = rows.trace().model().logits;
    const Cell logit{node,
                     rows.waterfall.position * rows.trace().graph()[node].shape.back() + rows.waterfall.reading.word()};
    const std::string total(rows.waterfall.total);
    point_at(rows.frame, rows.waterfall.slot, logit, r.clicked,
             ui.items->format(tr("%s  %s\nThe parts add up to %s"), total.c_str(),
                              with_decimals(parts.traced, 4).c_str(), with_decimals(parts.sum, 4).c_str()));
}

}  // namespace

ImU32 part_colour(const Theme& t, Contribution::Kind kind) {
    switch (kind) {
        case Kind::embed:
        case Kind::pos_embed:
        case Kind::recurrent:
            return t.residual;
        case Kind::head:
        case Kind::attention_bias:
        case Kind::attention:
            return t.attention;
        case Kind::mlp:
            return t.mlp;
        case Kind::final_norm_bias:
        case Kind::unembed_bias:
            return t.text_faint;
    }
    return t.text_faint;
}

std::string_view part_name(const Frame& frame, const Contribution& term) {
    const char* reads = node_place(term.node).cross() ? tr("cross ") : "";
    switch (term.kind) {
        case Kind::embed:
            return tr("embedding");
        case Kind::pos_embed:
            return tr("position");
        case Kind::head:
            return frame.ui.items->format(tr("%d · %shead %d"), term.block, reads, term.head);
        case Kind::attention_bias:
            return frame.ui.items->format(tr("%d · %sbias"), term.block, reads);
        case Kind::attention:
            return frame.ui.items->format(tr("%d · %sattention"), term.block, reads);
        case Kind::mlp:
            return frame.ui.items->format(tr("%d · MLP"), term.block);
        case Kind::recurrent:
            return frame.ui.items->format(tr("%d · recurrent layer"), term.block);
        case Kind::final_norm_bias:
            return "β";
        case Kind::unembed_bias:
            return tr("output bias");
    }
    return term.node;
}

void draw_waterfall(const Frame& frame, const Waterfall& waterfall, const Box& box, float row) {
    const Ui& ui = frame.ui;
    float names = draw::text_size(ui, waterfall.total, FontRole::small_bold).x;
    for (const Contribution& term : waterfall.reading.parts().terms)
        names = std::max(names, draw::text_size(ui, part_name(frame, term), FontRole::small_bold).x);
    names = std::ceil(std::min(names + ui.px(4), box.width() * 0.45f));
    const float left = box.min.x + names + ui.px(10);
    const float right = box.max.x - draw::text_size(ui, "+00.00", FontRole::small_bold).x - ui.px(10);
    const Rows rows{frame, waterfall, box, row, scale_of(waterfall, left, std::max(left + 1, right)), names};
    const float zero = std::round(rows.scale.x(0));
    draw::vertical_line(ui, zero, box.min.y, box.min.y + row * waterfall.rows(), ui.theme->grid);
    double sum = 0;
    const std::vector<Contribution>& terms = waterfall.reading.parts().terms;
    for (int i = 0; i < int_size(terms); ++i) {
        draw_part(rows, i, terms[i], sum);
        sum += terms[i].value;
    }
    draw_total(rows);
}

}  // namespace glassformer::app::views::who_argued
