#include <algorithm>
#include <cmath>

#include "app/common/explanation.h"
#include "app/language/tr.h"
#include "app/ui/math_text.h"
#include "app/ui/scroll_page.h"
#include "app/views/training/training_pages.h"
#include "app/views/training/training_view.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::training {

namespace {

// Pixels at 100 %.
constexpr float weight_side = 12, tile_least = 104, tile_gap = 8, two_columns_from = 720, curves_height = 230;
constexpr double agreement = 1e-5;  // relative to the largest input: 32-bit numbers have seven digits

/// Draws buttons, right of the name, for the previous and the next weight, a random one, and one of this parameter.
float draw_buttons(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    TrainingLook& look = frame.state.own<TrainingLook>();
    const float height = ui.px(26);
    const auto style = [](std::string_view tip) { return ButtonStyle{.font = FontRole::small, .tooltip = tip}; };
    const std::array<std::string_view, 4> names = {"‹", "›", tr("Random"), tr("Pick…")};
    float width = 0;
    for (const std::string_view name : names) width += chip_width(ui, name, style("")) + ui.px(6);
    width -= ui.px(6);  // none after the last
    ImVec2 at{box.max.x - width, box.min.y};
    if (chip(ui, "training/previous weight", at, height, names[0], style(tr("Previous weight"))))
        choose_weight(look, look.cell - 1);
    if (chip(ui, "training/next weight", at, height, names[1], style(tr("Next weight"))))
        choose_weight(look, look.cell + 1);
    if (chip(ui, "training/random weight", at, height, names[2], style(tr("Any weight of the model")))) {
        look.drawn = look.drawn * 6364136223846793005u + 1442695040888963407u;
        const TrainedParameter& last = look.known_parameters->back();
        const auto count = static_cast<std::uint64_t>(last.offset + last.shape.elements());
        choose_weight(look, static_cast<std::int64_t>((look.drawn >> 33) % count));
    }
    if (chip(ui, "training/pick weight", at, height, names[3], style(tr("Another weight of this parameter")))) {
        look.picking = static_cast<int>(&chosen_parameter(look) - look.known_parameters->data());
        look.typed = {};
        look.page = TrainingLook::parameters_page;
    }
    return width;
}

/// Returns the bottom.
float draw_weight_name(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const float right = box.max.x - draw_buttons(frame, box) - ui.px(10), height = ui.px(26);
    const TrainingLook& look = frame.state.own<TrainingLook>();
    const TrainedParameter& p = chosen_parameter(look);
    const std::string name = p.name + p.index(look.cell - p.offset);
    const Box head = box.top(height).left_of(right);
    const bool cut = draw::label(ui, head, name, {FontRole::body_bold, ui.theme->selection_text},
                                 {"training/weight", item_state(look.cell)});
    if (draw::hovered(head))
        draw::tip(ui, head,
                  filled(tr("{1}{2} weights; number {3} of the whole model"),
                         {cut ? name + "\n" : std::string(tr("One of ")), sizes_text(p.shape), grouped(look.cell)}));
    return box.min.y + height + ui.px(8);
}

/// One number of the update.
struct Tile {
    const char* item;
    std::string_view title, meaning;
    double value;
};

std::vector<Tile> tiles_of(const UpdateExplanation& life, bool has_m, bool has_v) {
    std::vector<Tile> tiles = {
        {"before", tr("w before"), tr("The weight before this update"), life.before},
        {"gradient", tr("gradient"), tr("The gradient of the loss for this weight, before clipping"), life.gradient}};
    if (life.clip_factor != 1.0)
        tiles.push_back({"clip", tr("clip factor"),
                         tr("What every gradient was multiplied by, so that their norm is not above the limit"),
                         life.clip_factor});
    if (has_m)
        tiles.push_back({"m", "m", tr("The optimizer's running mean of the gradient, after this update"), life.m});
    if (has_v)
        tiles.push_back(
            {"v", "v", tr("The optimizer's running mean of the squared gradient, after this update"), life.v});
    tiles.push_back({"rate", tr("learning rate"), tr("Set by the schedule for this step"), life.learning_rate});
    tiles.push_back({"update", tr("update"), tr("What was added to the weight"), life.change});
    tiles.push_back({"after", tr("w now"), tr("The weight after this update"), life.after});
    return tiles;
}

/// Returns the bottom.
float draw_tiles(const Ui& ui, std::span<const Tile> tiles, const Box& box) {
    const float line = ui.line(FontRole::small), height = 2 * line + ui.px(12), gap = ui.px(tile_gap);
    const int fit = std::max(1, static_cast<int>((box.width() + gap) / (ui.px(tile_least) + gap)));
    const int lines = (int_size(tiles) + fit - 1) / fit;
    const int columns = (int_size(tiles) + lines - 1) / lines;
    const float width = (box.width() + gap) / to_float(columns) - gap;
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        const Tile& tile = tiles[i];
        const int row = static_cast<int>(i) / columns, column = static_cast<int>(i) % columns;
        const float x = std::round(box.min.x + to_float(column) * (width + gap)),
                    y = box.min.y + to_float(row) * (height + gap);
        const Box card{{x, y}, {std::round(x + width), y + height}};
        const bool now = std::string_view(tile.item) == "after";
        const bool beside = now || std::string_view(tile.item) == "before";  // they differ only in their last digits
        const std::string number = in_short(tile.value, beside ? 6 : 3);
        draw::rounded_box(ui, card, now ? ui.theme->selection_tint : ui.theme->control, now ? ui.theme->selection : 0,
                          6);
        const float left = x + ui.px(8), right = card.max.x - ui.px(6), middle = y + ui.px(5) + line;
        draw::text_in(ui, {{left, y + ui.px(5)}, {right, middle}}, tile.title, {FontRole::small, ui.theme->text_muted});
        draw::text_in(ui, {{left, middle + ui.px(1)}, {right, card.max.y - ui.px(4)}}, number, {FontRole::small_bold});
        ui.items->addf(card, tile.value, "training/weight %s", tile.item);
        if (draw::hovered(card))
            draw::tooltip(ui, card,
                          std::string(tile.title) + " " + precise(tile.value) + "\n" + std::string(tile.meaning));
    }
    return box.min.y + to_float(lines) * (height + gap) - gap;
}

/// The left-hand side of an equation: up to its first "=" or "←".
std::string_view left_side(std::string_view text) {
    const std::size_t end = std::min(text.find(" = "), text.find(" ← "));
    return text.substr(0, end);
}

/// Writes powers in the way our typesetting reads them.
std::string typeset(std::string text) {
    const std::string_view small_t = "ᵗ";
    for (std::size_t at = text.find(small_t); at != std::string::npos; at = text.find(small_t, at))
        text.replace(at, small_t.size(), "^t");
    return typographic(std::move(text));
}

/// Where the fraction begins, after the factors before it: after "w − lr · " in "w − lr · m̂ / (√v̂ + ε)".
std::size_t before_fraction(std::string_view text) {
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string_view rest = text.substr(i);
        if (text[i] == '(') ++depth;
        if (text[i] == ')') --depth;
        if (depth > 0) continue;
        if (rest.starts_with(" / ")) return begin;
        for (const std::string_view sign : {" · ", " − ", " + ", " ← "})
            if (rest.starts_with(sign)) begin = i + sign.size();
    }
    return 0;
}

void pieces_of(std::string_view text, std::vector<math::Piece>& pieces) {
    while (!text.empty()) {
        const std::size_t equals = text.find(" = ");
        const std::string_view piece = text.substr(0, equals);
        const std::size_t fraction = before_fraction(piece);
        pieces.push_back({piece.substr(fraction), false, piece.substr(0, fraction)});
        text = equals == std::string_view::npos ? std::string_view() : text.substr(equals + 3);
    }
}

/// Draws the equation on one line if it fits; in small letters if one part alone would be too wide.
float draw_equation(const Ui& ui, std::string_view symbols, std::string_view numbers, ImVec2 at, float width) {
    std::vector<math::Piece> pieces;
    pieces_of(symbols, pieces);
    const std::size_t left = numbers.find(" = ");  // the symbols already say what is computed
    pieces_of(symbols.empty() || left == std::string_view::npos ? numbers : numbers.substr(left + 3), pieces);
    if (pieces.size() > 1) pieces.back().result = true;
    math::Style style{FontRole::body, 0, true};
    for (const math::Piece& piece : pieces)
        if (math::text(ui, {}, piece.before, style, false) + math::text(ui, {}, piece.text, style, false) > width)
            style.font = FontRole::small;
    return math::equation(ui, at, width, pieces, style);
}

/// The symbols of the line that computes the same, or what clipping does to the gradient; empty if there are none.
std::string symbols_for(const UpdateExplanation& life, std::string_view left) {
    std::string_view rest = life.formula;
    while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        const std::string_view line = rest.substr(0, end);
        if (left_side(line) == left) return std::string(line);
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    }
    return left == "g" ? tr("g = clip factor · gradient") : "";
}

/// Draws the optimizer's equations, each in symbols and with the numbers of this update; returns the bottom.
float draw_equations(const Ui& ui, const UpdateExplanation& life, const Box& box) {
    float y = box.min.y;
    for (std::size_t i = 0; i < life.numbers.size(); ++i) {
        const std::string numbers = typeset(life.numbers[i]), symbols = typeset(symbols_for(life, left_side(numbers)));
        const float top = y;
        y += draw_equation(ui, symbols, numbers, {box.min.x, y}, box.width());
        ui.items->add(ui.items->format("training/equation %d", static_cast<int>(i)), box.between_y(top, y),
                      std::nullopt, life.numbers[i]);
        y += ui.px(6);
    }
    return y;
}

struct Check {
    const char* name;
    double again, traced, largest;
    bool agrees() const { return std::abs(again - traced) <= agreement * std::max(largest, 1e-30); }
};

/// Draws the result of the training's float arithmetic beside the same in double; returns the bottom.
float draw_agreement(const Ui& ui, const UpdateExplanation& life, bool has_m, bool has_v, ImVec2 at, float width) {
    const auto size = [](double a, double b, double c) { return std::max({std::abs(a), std::abs(b), std::abs(c)}); };
    std::vector<Check> checks = {{"w", life.after_recomputed, life.after, size(life.before, life.after, life.change)}};
    if (has_m) checks.push_back({"m", life.m_recomputed, life.m, size(life.m_before, life.m, life.gradient)});
    if (has_v)
        checks.push_back({"v", life.v_recomputed, life.v, size(life.v_before, life.v, life.gradient * life.gradient)});
    bool all = true;
    std::string text = tr("recomputed in double:");
    for (const Check& check : checks) {
        all &= check.agrees();
        text += std::string(&check == checks.data() ? " " : " · ") + check.name + " " + precise(check.again) +
                (check.agrees() ? " ✓ " : " ≠ ") + precise(check.traced);
    }
    const float height =
        draw::label_wrapped(ui, at, width, text, {FontRole::small, all ? ui.theme->text_muted : ui.theme->danger_text},
                            {"training/agrees", item_state(all)});
    const Box told = Box::sized(at, width, height);
    if (draw::hovered(told))
        draw::tip(
            ui, told,
            tr("The training computes in 32-bit numbers\nHere the update is computed again from the same start, in "
               "64-bit numbers. The training's own result is on the right of the tick."));
    return told.max.y;
}

/// Records the weight's values in this snapshot.
void remember(const Frame& frame, const UpdateExplanation& life) {
    WeightCurve& curve = frame.state.own<TrainingLook>().curve;
    const Snapshot& s = frame.snapshot;
    const int restarts = s.current_run()->restarts;
    if (curve.run != s.run || curve.restarts != restarts || curve.cell != life.cell) {
        curve.run = s.run, curve.restarts = restarts, curve.cell = life.cell;
        curve.points.clear();
        curve.points.reserve(WeightCurve::most);
    }
    // A lost device's last steps are made again.
    while (!curve.points.empty() && curve.points.back().step > life.step) curve.points.pop_back();
    if (!curve.points.empty() && curve.points.back().step == life.step) return;
    if (curve.points.size() == WeightCurve::most) curve.points.erase(curve.points.begin());
    curve.points.push_back({life.step, to_float(life.after), to_float(life.gradient)});
}

/// Draws equations and curves, side by side if they fit; returns the bottom.
float draw_life(const Frame& frame, const UpdateExplanation& life, bool has_m, bool has_v, const Box& box) {
    const Ui& ui = frame.ui;
    const bool beside = box.width() >= ui.px(two_columns_from);
    const float middle = beside ? std::round(box.min.x + box.width() * 0.58f) : box.max.x;
    float y = draw_equations(ui, life, box.left_of(middle - (beside ? ui.px(12) : 0)));
    y = draw_agreement(ui, life, has_m, has_v, {box.min.x, y + ui.px(2)}, middle - box.min.x - ui.px(12));
    if (!beside) {
        draw_weight_curves(frame, box.between_y(y + ui.px(12), y + ui.px(12 + curves_height)));
        return y + ui.px(12 + curves_height);
    }
    const float bottom = std::max(box.min.y + ui.px(curves_height), std::min(y, box.max.y));
    draw_weight_curves(frame, {{middle + ui.px(12), box.min.y}, {box.max.x, bottom}});
    return std::max(y, bottom);
}

bool mentions(const UpdateExplanation& life, std::string_view line) {
    return life.formula.find(line) != std::string::npos;
}

}  // namespace

void draw_training_weight(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const Box inside = box.inset(ui.px(weight_side), 0);
    const float top = draw_weight_name(frame, inside);
    const Inspection* found = inspection_for(frame, Inspected::weight);
    if (!found) return;  // comes with one of the next frames
    const Box rest = inside.below(top);
    if (!found->weight)
        return draw_not_yet(frame, rest, tr("and what it does to this weight appears here."), found->missing);
    const UpdateExplanation& life = *found->weight;
    remember(frame, life);
    const bool has_m = mentions(life, "m ← "), has_v = mentions(life, "v ← ");
    ScrollPage page(ui, "##training weight", box.below(top));
    const Box& room = page.inside();
    const float y = draw_tiles(ui, tiles_of(life, has_m, has_v), room) + ui.px(12);
    page.reaches(draw_life(frame, life, has_m, has_v, room.below(y)));
}

}  // namespace glassformer::app::views::training
