#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "app/common/explanation.h"
#include "app/common/head_trace.h"
#include "app/common/hidden_by_quiz.h"
#include "app/common/linked_cards.h"
#include "app/language/tr.h"
#include "app/views/positions/positions_sections.h"
#include "core/base/number_text.h"
#include "core/ops/rotary.h"

namespace glassformer::app::views::positions {

namespace {

// Pixels at 100 %.
constexpr float dial = 62, dial_gap = 8, tip_size = 4, hand_width = 2;

/// A pair of features as the hand of a clock: where it points.
struct Hand {
    double x = 0, y = 0;
    double length() const { return std::hypot(x, y); }
};

/// One head's query and key, before and after rotation.
struct Turns {
    kernel::Rotation rotation;
    std::int64_t width = 0;
    int query = 0, key = 0;  ///< positions
    SliceView q = {}, k = {}, rot_q = {}, rot_k = {};
    std::int64_t q_first = 0, k_first = 0;  ///< offsets of component 0

    std::int64_t pairs() const { return rotation.dims / 2; }
    Hand of(const SliceView& from, std::int64_t first, std::int64_t pair) const {
        return {from.at(first + rotation.even(pair)), from.at(first + rotation.odd(pair))};
    }
    Hand query_before(std::int64_t pair) const { return of(q, q_first, pair); }
    Hand query_after(std::int64_t pair) const { return of(rot_q, q_first, pair); }
    Hand key_before(std::int64_t pair) const { return of(k, k_first, pair); }
    Hand key_after(std::int64_t pair) const { return of(rot_k, k_first, pair); }
    /// What the pair adds to q · k.
    double product(std::int64_t pair) const {
        const Hand a = query_after(pair), b = key_after(pair);
        return a.x * b.x + a.y * b.y;
    }
    /// The contribution to q · k of the features that are not rotated.
    double rest() const {
        double sum = 0;
        for (std::int64_t i = rotation.dims; i < width; ++i)
            sum += static_cast<double>(rot_q.at(q_first + i)) * static_cast<double>(rot_k.at(k_first + i));
        return sum;
    }
    double sum() const {
        double sum = rest();
        for (std::int64_t pair = 0; pair < pairs(); ++pair) sum += product(pair);
        return sum;
    }
};

std::optional<Turns> turns_of(const Frame& frame, int slot, const HeadTrace& head) {
    const Trace& trace = *frame.trace(slot);
    const Graph& graph = trace.graph();
    const std::string prefix = hook(frame.state, "attn.");
    const auto rot_q = graph.find(prefix + "hook_rot_q"), rot_k = graph.find(prefix + "hook_rot_k");
    if (head.cross || !rot_q || !rot_k) return {};
    const std::int64_t width = graph[*rot_q].shape.back();
    const auto all = [&](int node) { return trace.part(node, trace.slices(node).all()); };
    Turns t{kernel::rotation_of(*graph[*rot_q].op, width)};
    t.width = width, t.query = head.query, t.key = head.strongest(head.query);
    // The vectors before rotation: after q/k norm, if there is one.
    t.q = all(graph[*rot_q].inputs[0]), t.k = all(graph[*rot_k].inputs[0]);
    t.rot_q = all(*rot_q), t.rot_k = all(*rot_k);
    t.q_first = (std::int64_t{t.query} * head.heads + head.head) * width;
    t.k_first = (std::int64_t{t.key} * head.heads + head.head) * width;
    return t;
}

void draw_hand(const Ui& ui, const Box& box, const Hand& hand, double longest, ImU32 colour, bool strong) {
    const ImVec2 centre = box.centre();
    const auto scale = to_float(box.width() / 2 / longest);
    const ImVec2 end{centre.x + to_float(hand.x) * scale, centre.y - to_float(hand.y) * scale};
    if (!strong)
        return draw::dashed_line(ui, std::array{centre, end}, with_alpha(colour, 0.6f), std::max(1.0f, ui.px(1)), 3, 2);
    ui.list()->AddLine(centre, end, colour, ui.px(hand_width));
    ui.list()->AddCircleFilled(end, ui.px(tip_size) / 2 + 1, colour);
}

std::string degrees(double radians) { return typographic(with_decimals(radians * 180.0 / std::numbers::pi, 1)) + "°"; }

void draw_dial(const Frame& frame, int slot, const Turns& t, std::int64_t pair, double longest, const Box& box) {
    const Ui& ui = frame.ui;
    const Theme& theme = *ui.theme;
    const Box face = box.top(box.width());
    ui.list()->AddCircle(face.centre(), face.width() / 2, theme.grid, 0, std::max(1.0f, ui.px(1)));
    ui.list()->AddCircleFilled(face.centre(), ui.px(1.5f), theme.text_faint);
    draw_hand(ui, face, t.query_before(pair), longest, theme.query, false);
    draw_hand(ui, face, t.key_before(pair), longest, theme.key, false);
    draw_hand(ui, face, t.key_after(pair), longest, theme.key, true);
    draw_hand(ui, face, t.query_after(pair), longest, theme.query, true);
    const double product = t.product(pair), turn = t.rotation.turn_per_position(pair);
    draw::text_in(ui, box.below(face.max.y), draw::signed_number(product),
                  {FontRole::small, product < 0 ? theme.danger_text : theme.good_text, draw::Align::centre});
    ui.items->addf(box, product, "%s/turn %d", Frame::letter(slot), static_cast<int>(pair));
    if (!draw::hovered(box)) return;
    draw::tooltip(
        ui,
        filled(tr("Pair {1}: features {2} and {3}\n{4} a position. The query at position {5} is rotated by {6}, the "
                  "key at position {7} by {8}: against each other by {9}.\nIts part of q·k: {10}"),
               {std::to_string(pair), std::to_string(t.rotation.even(pair)), std::to_string(t.rotation.odd(pair)),
                degrees(turn), std::to_string(t.query), degrees(turn * t.query), std::to_string(t.key),
                degrees(turn * t.key), degrees(turn * (t.query - t.key)), draw::signed_number(product, 3)}));
}

}  // namespace

float draw_turns(const Frame& frame, int slot, const ScrollPage& page, float y) {
    const Trace& trace = *frame.trace(slot);
    const Ui& ui = frame.ui;
    const Box box{{page.seen_left(), y}, {page.seen_right(), page.inside().max.y}};
    const HeadTrace head(frame, trace, slot);
    if (row_hidden_by_quiz(frame, slot, {frame.state.layer, frame.state.head}) >= 0)
        return draw_hidden_by_quiz(frame, slot, box, ui.items->of_card(slot, "turns hidden")) + ui.px(8);
    const std::optional<Turns> t = turns_of(frame, slot, head);
    if (!t) return y;
    const std::string text = filled(
        tr("Block {1} · head {2}: the query of “{3}” and the key of “{4}”, which it attends to most. Each clock is "
           "a pair of features, dashed as the weights made it, solid after its rotation. The fast pairs are first."),
        {std::to_string(head.layer), std::to_string(head.head), frame.word(slot, t->query), frame.word(slot, t->key)});
    y += draw::label_wrapped(ui, box.min, box.width(), text, {FontRole::small, ui.theme->text_muted},
                             {ui.items->of_card(slot, "turns")}) +
         ui.px(6);
    double longest = 1e-9;
    for (std::int64_t pair = 0; pair < t->pairs(); ++pair)
        longest = std::max({longest, t->query_after(pair).length(), t->key_after(pair).length()});
    const float side = ui.px(dial), line = ui.line(FontRole::small), gap = ui.px(dial_gap);
    ImVec2 at{box.min.x, y};
    for (std::int64_t pair = 0; pair < t->pairs(); ++pair) {
        if (at.x > box.min.x && at.x + side > box.max.x) at = {box.min.x, at.y + side + line + gap};
        draw_dial(frame, slot, *t, pair, longest, Box::sized(at, side, side + line));
        at.x += side + gap;
    }
    y = at.y + side + line + ui.px(6);
    const bool rest = t->rotation.dims < t->width;
    const std::string sum =
        filled(rest ? tr("All pairs and the {1} features that are not rotated: q·k = {2}") : tr("All pairs: q·k = {2}"),
               {std::to_string(t->width - t->rotation.dims), draw::signed_number(t->sum(), 3)});
    const float height = draw::label_wrapped(ui, {box.min.x, y}, box.width(), sum, {FontRole::small_bold},
                                             {ui.items->of_card(slot, "turns sum"), ItemValue(t->sum())});
    return y + height + ui.px(12);
}

}  // namespace glassformer::app::views::positions
