#include <algorithm>
#include <array>
#include <cmath>

#include "app/common/explanation.h"
#include "app/common/traced_value.h"
#include "app/language/tr.h"
#include "app/ui/math_text.h"
#include "app/views/qkv/qkv.h"
#include "core/analysis/head_circuits.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::qkv {

namespace {

// Pixels at 100 %.
constexpr float two_beside_from = 470, gap = 18, strip_height = 16, row_gap = 5, picture_most = 260, bars_height = 44;

/// The circuits of the heads on screen, computed again for another head or other parameters.
struct CircuitsState {
    struct Made {
        Parameters parameters;
        std::string prefix;
        int head = -1, distance = 0;
        std::shared_ptr<const HeadCircuits> found;
    };
    std::array<Made, 2> of_cards;
};

std::shared_ptr<const HeadCircuits> circuits(const Frame& frame, const HeadTrace& head, const std::string& prefix) {
    CircuitsState::Made& made = frame.state.own<CircuitsState>().of_cards[head.slot];
    const Trace& trace = *frame.trace(head.slot);
    const int distance = trace.graph().find(prefix + "hook_rot_q") ? frame.own<QkvLook>().distance : 0;
    if (made.parameters != trace.parameters() || made.prefix != prefix || made.head != head.head ||
        made.distance != distance)
        made = {trace.parameters(), prefix, head.head, distance,
                std::make_shared<HeadCircuits>(head_circuits(trace, prefix, head.head, distance))};
    return made.found;
}

/// A row of numbers of the chosen word: its name and its cells.
struct Row {
    std::string name;
    std::string_view item;
    int node;
    std::int64_t first, count;
    bool strong = false;
};

float largest_of(const Trace& trace, const Row& row) {
    float most = 0;
    for (const float v : trace.values(row.node).subspan(row.first, row.count)) most = std::max(most, std::abs(v));
    return most;
}

float draw_row(const Frame& frame, const HeadTrace& head, const Row& row, const Box& box, float names, float range) {
    const Ui& ui = frame.ui;
    const Trace& trace = *frame.trace(head.slot);
    const float height = std::max(ui.px(strip_height), ui.line(FontRole::small));
    draw::text_in(ui, {box.min, {box.min.x + names, box.min.y + height}}, row.name,
                  {row.strong ? FontRole::small_bold : FontRole::small,
                   row.strong ? ui.theme->text : ui.theme->text_muted, draw::Align::right});
    const Box strip = box.top(height).right_of(box.min.x + names + ui.px(8)).inset(0, ui.px(2));
    traced_strip(frame, head.slot,
                 {{row.node, row.first}, trace.values(row.node).subspan(row.first, row.count), range, 1}, row.item,
                 strip);
    return box.min.y + height + ui.px(row_gap);
}

/// Draws z of all heads in a row, what each head writes through its rows of W_O, and their sum. Returns the bottom.
float draw_together(const Frame& frame, const HeadTrace& head, const std::string& prefix, const Box& box) {
    const Ui& ui = frame.ui;
    const Trace& trace = *frame.trace(head.slot);
    const Graph& graph = trace.graph();
    const int z = graph.at(prefix + "z_merged"), result = graph.at(prefix + "hook_result");
    const std::string block = prefix.substr(0, prefix.rfind('.', prefix.size() - 2) + 1);
    const std::optional<int> out = graph.find(block + (head.cross ? "hook_cross_attn_out" : "hook_attn_out")),
                             bias = graph.find(prefix + "b_O");
    const std::int64_t z_width = trace.shape(z).back(), width = trace.shape(result).back();
    const char* letter = Frame::letter(head.slot);
    std::vector<Row> rows;
    for (int h = 0; h < head.heads; ++h)
        rows.push_back({filled(tr("head {1} · W_O"), {std::to_string(h)}), ui.items->format("%s/written %d", letter, h),
                        result, (std::int64_t{head.query} * head.heads + h) * width, width, h == head.head});
    if (bias) rows.push_back({"b_O", ui.items->format("%s/written bias", letter), *bias, 0, width});
    const Row joined{tr("all z, concatenated"), ui.items->format("%s/z joined", letter), z, head.query * z_width,
                     z_width};
    float names = draw::text_size(ui, joined.name, FontRole::small_bold).x;
    for (const Row& row : rows) names = std::max(names, draw::text_size(ui, row.name, FontRole::small_bold).x);
    names = std::min(std::ceil(names), box.width() * 0.4f);
    const std::string text =
        filled(tr("“{1}”: the result of the only head has {5} numbers, and W_O has a row for each of them. So the head "
                  "writes a vector to the residual stream.",
                  "“{1}”: the results of the {2} heads are concatenated, {3} × {4} = {5} numbers. W_O has {4} rows for "
                  "each head. So each head writes its own vector to the residual stream, and the vectors add up.",
                  head.heads),
               {frame.word(head.slot, head.query), std::to_string(head.heads), std::to_string(head.heads),
                std::to_string(z_width / head.heads), std::to_string(z_width)});
    float y = box.min.y + draw::text_wrapped(ui, box.min, box.width(), text, {FontRole::small, ui.theme->text_muted}) +
              ui.px(6);
    const float top = y;
    y = draw_row(frame, head, joined, box.below(y), names, std::max(1e-9f, largest_of(trace, joined)));
    // The chosen head's part of z.
    const float left = box.min.x + names + ui.px(8), each = (box.max.x - left) / to_float(head.heads);
    draw::selection_frame(
        ui, {{left + each * to_float(head.head), top}, {left + each * to_float(head.head + 1), y - ui.px(row_gap)}}, 3);
    float range = 1e-9f;
    for (const Row& row : rows) range = std::max(range, largest_of(trace, row));
    y += ui.px(4);
    for (const Row& row : rows) y = draw_row(frame, head, row, box.below(y), names, range);
    if (out) {
        draw::horizontal_line(ui, left, box.max.x, y);
        y = draw_row(frame, head,
                     {tr("sum"), ui.items->format("%s/written sum", letter), *out, head.query * width, width, true},
                     box.below(y + ui.px(3)), names, range);
    }
    return y;
}

/// Draws the singular values as bars; those that are 0 up to rounding get none. Returns the bottom.
float draw_singular(const Ui& ui, const Circuit& circuit, std::string_view item, const Box& box) {
    const float step = std::min(box.width() / to_float(circuit.singular.size()), ui.px(14));
    const float base = box.min.y + ui.px(bars_height);
    for (std::size_t i = 0; i < circuit.singular.size(); ++i) {
        const float left = box.min.x + step * to_float(i);
        const auto height = to_float(circuit.singular[i] / std::max(1e-12, circuit.singular.front()));
        const Box at{{left, box.min.y}, {left + step - 1, base}};
        if (static_cast<int>(i) < circuit.rank)
            draw::rounded_box(ui, at.below(base - std::max(1.0f, height * ui.px(bars_height))), ui.theme->attention, 0,
                              1);
        ui.items->addf(at, circuit.singular[i], "%.*s singular %d", int_size(item), item.data(), static_cast<int>(i));
        if (draw::hovered(at))
            draw::tooltip(ui, filled(tr("Singular value {1}\n{2}: how strongly the matrix passes on this direction"),
                                     {std::to_string(i + 1), significant(circuit.singular[i])}));
    }
    draw::horizontal_line(ui, box.min.x, box.min.x + step * to_float(circuit.singular.size()), base, ui.theme->grid);
    return base + ui.px(4);
}

/// The names of one circuit, and what it does.
struct Named {
    const char* item;
    std::string formula, meaning;
};

/// Says what the head looks for, and what else its scores consist of.
std::string meaning_of_query_key(const HeadCircuits& of, int distance) {
    std::string text = tr("What the head looks for: how a feature of one word matches a feature of another.");
    if (of.rotary)
        text += " " + filled(tr("R rotates the query by its distance from the key (rotary), here by {1}: the match is "
                                "different at each distance."),
                             {std::to_string(distance)});
    if (of.qk_norm)
        text += std::string(" ") + tr("This model also normalizes each query and each key (q/k norm). The matrix has "
                                      "the factors γ of these norms; a score is then divided by both lengths.");
    return text;
}

std::string formula_of_query_key(const HeadCircuits& of) {
    std::string text = of.qk_norm ? "W_Q · γ" : "W_Q";
    if (of.rotary) text += " · R";
    return text + (of.qk_norm ? " · γ · (W_K)ᵀ" : " · (W_K)ᵀ");
}

float draw_circuit(const Frame& frame, int slot, const std::shared_ptr<const HeadCircuits>& owner,
                   const Circuit& circuit, const Named& named, const Box& box) {
    const Ui& ui = frame.ui;
    const std::string_view item = ui.items->of_card(slot, "%s", named.item);
    const std::string title = filled(
        tr("{1}  [{2} × {3}], rank {4}"),
        {named.formula, std::to_string(circuit.rows), std::to_string(circuit.columns), std::to_string(circuit.rank)});
    const float line = ui.line(FontRole::small_bold);
    math::text(ui, box.min, title, {FontRole::small_bold, ui.theme->text, false});
    ui.items->addf(box.top(line), circuit.rank, "%s/%s rank", Frame::letter(slot), named.item);
    float y = box.min.y + line + ui.px(2);
    y += draw::text_wrapped(ui, {box.min.x, y}, box.width(), named.meaning, {FontRole::small, ui.theme->text_muted}) +
         ui.px(4);
    ui.items->add(ui.items->format("%.*s meaning", int_size(item), item.data()), box.above(y), std::nullopt,
                  named.meaning);
    const float side = std::min(box.width(), ui.px(picture_most));
    CellGrid grid;
    grid.rows = circuit.rows, grid.columns = circuit.columns, grid.min = {box.min.x, y};
    grid.pitch = {side / to_float(circuit.columns), side / to_float(circuit.rows)};
    float range = 1e-9f;
    for (const float v : circuit.values) range = std::max(range, std::abs(v));
    const CellHit under = draw_cells(ui, item, grid,
                                     {circuit.rows,
                                      circuit.columns,
                                      circuit.values,
                                      circuit.columns,
                                      HeatColours::signed_values,
                                      range,
                                      {},
                                      {owner, &circuit == &owner->query_key ? 0 : 1, 0}},
                                     false);
    if (under.row >= 0) {
        const std::size_t at = under.row * circuit.columns + under.column;
        draw::tooltip(
            ui, filled(tr("feature {1} → feature {2}: {3}"), {std::to_string(under.row), std::to_string(under.column),
                                                              typographic(significant(circuit.values[at]))}));
    }
    y += side + ui.px(6);
    draw::text_in(ui, box.between_y(y, y + ui.line(FontRole::small)), tr("its singular values"),
                  {FontRole::small, ui.theme->text_muted});
    return draw_singular(ui, circuit, item, box.below(y + ui.line(FontRole::small) + ui.px(2)));
}

}  // namespace

float draw_qkv_circuits(const Frame& frame, const HeadTrace& head, const Box& box) {
    const Ui& ui = frame.ui;
    const std::string prefix = hook(frame.state, "attn.");
    if (!has_circuits(frame.trace(head.slot)->graph(), prefix))
        return box.min.y +
               draw::text_wrapped(
                   ui, box.min, box.width(),
                   tr("This model's attention has no matrices of its own: a head uses the vectors as they are."),
                   {FontRole::small, ui.theme->text_muted});
    float y = draw_together(frame, head, prefix, box) + ui.px(14);
    if (frame.trace(head.slot)->graph().find(prefix + "hook_rot_q"))
        y = draw_distance_control(frame, head, box.below(y));
    const auto found = circuits(frame, head, prefix);
    const bool beside = box.width() >= ui.px(two_beside_from);
    const float width = beside ? (box.width() - ui.px(gap)) / 2 : box.width();
    const float left = draw_circuit(frame, head.slot, found, found->query_key,
                                    {"query key circuit", formula_of_query_key(*found),
                                     meaning_of_query_key(*found, frame.own<QkvLook>().distance)},
                                    {{box.min.x, y}, {box.min.x + width, box.max.y}});
    const ImVec2 at = beside ? ImVec2{box.min.x + width + ui.px(gap), y} : ImVec2{box.min.x, left + ui.px(gap)};
    const float right =
        draw_circuit(frame, head.slot, found, found->value_output,
                     {"value output circuit", "W_V · W_O",
                      tr("What the head moves: what a feature of the other word adds to this one's residual stream.")},
                     {at, {at.x + width, box.max.y}});
    y = std::max(left, right) + ui.px(4);
    const std::string columns = std::to_string(found->query_key.columns), width_of = std::to_string(found->bottleneck),
                      values = std::to_string(found->value_bottleneck);
    std::string text =
        found->bottleneck == found->value_bottleneck
            ? filled(tr("The matrix has {1} columns, but everything passes through the head's {2} dimensions, "
                        "so its rank is at most {2}."),
                     {columns, width_of})
            : filled(tr("Each matrix has {1} columns, but everything passes through the {2} dimensions of the head's "
                        "queries and keys, or the {3} of its values: the ranks are at most {2} and {3}."),
                     {columns, width_of, values});
    if (found->biases) text += std::string(" ") + tr("Both products leave the learned biases out.");
    return y + draw::label_wrapped(ui, {box.min.x, y}, box.width(), text, {FontRole::small, ui.theme->text_muted},
                                   {ui.items->of_card(head.slot, "circuits rank")});
}

}  // namespace glassformer::app::views::qkv
