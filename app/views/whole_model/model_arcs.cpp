#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "app/common/hidden_by_quiz.h"
#include "app/common/model_colours.h"
#include "app/common/traced_value.h"
#include "app/language/tr.h"
#include "app/views/whole_model/model_page.h"

namespace glassformer::app::views::whole_model {

namespace {

constexpr float thinnest = 1.1f, thickest = 9, label_least = 0.25f;  // widths in pixels at 100 %
constexpr float widest_mix = 84, faint_alpha = 0.2f;
constexpr std::size_t most_faint = 800, least_faint = 40;  // on the page; per block
constexpr std::size_t few_faint = 90;
constexpr float full_band = 46;  // height of a row whose arcs are as wide as they get

/// One arc on the screen.
struct Curve {
    ImVec2 from, bend_from, bend_to, to;
    float width = 1;

    ImVec2 at(float t) const {
        const float s = 1 - t, a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
        return {a * from.x + b * bend_from.x + c * bend_to.x + d * to.x,
                a * from.y + b * bend_from.y + c * bend_to.y + d * to.y};
    }
    float distance(ImVec2 point) const {
        constexpr int steps = 24;
        float best = 1e9f;
        for (int i = 0; i <= steps; ++i) {
            const ImVec2 p = at(to_float(i) / steps);
            best = std::min(best, std::hypot(p.x - point.x, p.y - point.y));
        }
        return best;
    }
};

/// Draws one row of arcs.
class Arcs {
public:
    // In a translation, the words that are read are on the other side: their final numbers are at the top of it.
    Arcs(const Canvas& canvas, const CanvasRow& row)
        : canvas_(canvas),
          row_(row),
          queries_(canvas.layout.side(row.source)),
          keys_(canvas.layout.side(row.source || row.cross)),
          heads_(std::max(1, row.heads)),
          from_(row.cross ? canvas.layout.top_of(true) : row.bottom) {}

    void draw(float shown);

private:
    bool is_chosen(const Arc& arc) const { return !row_.source && arc.query == canvas_.token(); }
    bool is_hidden(const Arc& arc) const {
        if (row_.source) return false;
        return row_hidden_by_quiz(canvas_.frame, canvas_.slot, {row_.block, arc.head}, row_.cross) == arc.query;
    }
    /// True if the output of this head is switched off.
    bool is_off(const Arc& arc) const { return head_is_off(canvas_, row_, arc.head); }
    /// Clicked, or under the mouse in any view. What the explanation follows by itself is not marked in gold.
    bool is_pointed_out(const Arc& arc) const {
        const ViewState& state = canvas_.frame.state;
        const TracedCell at{canvas_.slot, cell(arc)};
        return state.hovered == at || state.linked == at ||
               (!state.follow_strongest && is_lit(state, canvas_.slot, at.cell));
    }
    Cell cell(const Arc& arc) const {
        const Shape shape = canvas_.trace.shape(row_.node);
        return {row_.node, (arc.head * shape[1] + arc.query) * shape[2] + arc.key};
    }
    Curve curve(const Arc& arc) const;
    ImU32 colour(const Arc& arc) const;
    std::vector<const Arc*> others(std::span<const Arc> strong);
    std::string number(float weight) const;
    void draw_one(const Arc& arc, float shown, bool lit) const;
    void label(const std::vector<const Arc*>& chosen) const;
    void point(const std::vector<const Arc*>& arcs) const;
    void choose(const Arc& arc) const;
    const Arc* by_keys(const std::vector<const Arc*>& arcs, bool pressed) const;
    const Arc* under(const std::vector<const Arc*>& arcs, ImVec2 mouse) const;
    bool in_sight(const Arc& arc) const {
        const PagePlace& p = canvas_.place;
        const float a = p.at(keys_.lane(arc.key), 0).x, b = p.at(queries_.lane(arc.query), 0).x;
        return std::max(a, b) >= canvas_.view.min.x && std::min(a, b) <= canvas_.view.max.x;
    }

    const Canvas& canvas_;
    const CanvasRow& row_;
    const CanvasSide &queries_, &keys_;
    int heads_;
    float from_, faint_ = faint_alpha;
    bool many_ = false;
};

Curve Arcs::curve(const Arc& arc) const {
    const float spread = std::min(1.0f, queries_.pitch() / (canvas_.layout.room.unit * 150)) * canvas_.layout.room.unit;
    const auto aside = to_float(arc.head) - to_float(heads_ - 1) / 2;
    const float step = std::min(5.0f, 24.0f / to_float(heads_)) * spread;
    const float x0 = keys_.lane(arc.key) + aside * step, x1 = queries_.lane(arc.query) + aside * step * 1.8f;
    const float bend = (row_.bottom - row_.top) * 0.68f;
    const PagePlace& p = canvas_.place;
    const float unit = canvas_.layout.room.unit * std::min(2.0f, std::sqrt(std::min(p.sx, p.sy)));
    const float low = std::min(1.0f, (row_.bottom - row_.top) * p.sy / (full_band * unit));  // many blocks: thin arcs
    const float size = std::abs(arc.weight);  // a difference may be negative
    const float width = is_chosen(arc) ? thinnest + thickest * size : 0.7f + 2 * size;
    return {p.at(x0, from_), p.at(x0, from_ - bend), p.at(x1, row_.top + bend), p.at(x1, row_.top), width * unit * low};
}

ImU32 Arcs::colour(const Arc& arc) const {
    const bool off = is_off(arc);
    const Theme& t = canvas_.theme();
    if (canvas_.difference) return with_alpha(arc.weight > 0 ? t.signed_positive : t.signed_negative, 0.85f);
    if (is_chosen(arc) && !off) return with_alpha(head_colour(t, arc.head), 0.92f);
    return with_alpha(t.text_faint, off ? faint_ * 0.6f : faint_);
}

void Arcs::draw_one(const Arc& arc, float shown, bool lit) const {
    const Curve c = curve(arc);
    const auto [left, right] = std::minmax(c.from.x, c.to.x);
    const auto [top, bottom] = std::minmax(c.from.y, c.to.y);
    if (!canvas_.sees({{left - c.width, top}, {right + c.width, bottom}})) return;
    constexpr int most_points = 96, most_points_of_many = 24;
    std::array<ImVec2, most_points> all;
    const bool simple = many_ && !is_chosen(arc);
    const float length = std::abs(c.to.x - c.from.x) + std::abs(c.to.y - c.from.y);
    const int points =
        std::clamp(static_cast<int>(length / canvas_.ui().px(14)), 8, simple ? most_points_of_many : most_points);
    const std::span line(all.data(), static_cast<std::size_t>(points));
    for (int i = 0; i < points; ++i) line[i] = c.at(shown * to_float(i) / to_float(points - 1));
    if (lit) draw::line(canvas_.ui(), line, canvas_.theme().selection, c.width + canvas_.ui().px(4));
    // Lines with whole-pixel widths need half the triangles.
    draw::line(canvas_.ui(), line, colour(arc), std::max(1.0f, simple ? std::round(c.width) : c.width));
}

const Arc* Arcs::under(const std::vector<const Arc*>& arcs, ImVec2 mouse) const {
    const Arc* best = nullptr;
    float nearest = canvas_.ui().px(6);
    for (const bool chosen : {true, false})
        for (const Arc* arc : arcs) {
            if (best && !chosen && is_chosen(*best)) break;
            if (is_chosen(*arc) != chosen) continue;
            const Curve c = curve(*arc);
            if (const float d = c.distance(mouse) - c.width / 2; d < nearest) nearest = d, best = arc;
        }
    return best;
}

/// Chooses the head of an arc, and explains its weight.
void Arcs::choose(const Arc& arc) const {
    if (!row_.source) {
        choose_head(canvas_.frame.state, canvas_.frame.snapshot, row_.block, arc.head);
        canvas_.frame.state.cross_attention = row_.cross;
    }
    explain_number(canvas_, cell(arc));
}

/// The arc that a key leads to, of the word that is looked at. Enter: the explained one, else the strongest; the
/// arrows: the next weaker or stronger one. Null if none of these keys is pressed.
const Arc* Arcs::by_keys(const std::vector<const Arc*>& arcs, bool pressed) const {
    std::vector<const Arc*> of_word;
    const int word = row_.source ? canvas_.state.source_word : canvas_.token();
    for (const Arc* arc : arcs)
        if (arc->query == word) of_word.push_back(arc);
    if (of_word.empty()) return nullptr;
    std::ranges::reverse(of_word);  // the strongest first
    const auto& trail = canvas_.frame.state.trail;
    const auto now = std::ranges::find_if(of_word, [&](const Arc* arc) {
        return !trail.empty() && trail.back() == TracedCell{canvas_.slot, cell(*arc)};
    });
    const int at = now == of_word.end() ? 0 : static_cast<int>(now - of_word.begin());
    const int moved = moved_by_arrows(at, 1, int_size(of_word));
    if (moved < 0 && !pressed) return nullptr;
    return of_word[now == of_word.end() ? 0 : moved >= 0 ? moved : at];
}

/// Handles the mouse between the words: an arc shows what it is, and a click explains it.
void Arcs::point(const std::vector<const Arc*>& arcs) const {
    const Ui& ui = canvas_.ui();
    const Box band = canvas_.place.of({{queries_.left, row_.top}, {queries_.right, row_.bottom}}).overlap(canvas_.view);
    if (band.width() < 4 || band.height() < 4) return;
    const std::string_view label = ui.items->format("whole/%s/%sattention %d", Frame::letter(canvas_.slot),
                                                    row_.source  ? "source "
                                                    : row_.cross ? "cross "
                                                                 : "",
                                                    row_.block);
    const Response r = click_area(ui, label, band);
    if (has_keyboard(canvas_, label, band))
        if (const Arc* arc = by_keys(arcs, r.clicked && !r.hovered)) choose(*arc);
    if (!r.hovered) return;
    const Arc* arc = under(arcs, ImGui::GetIO().MousePos);
    if (!arc) return;
    draw_one(*arc, 1, true);
    if (r.clicked) choose(*arc);
    const std::string query = canvas_.word(row_.source, arc->query),
                      key = canvas_.word(row_.source || row_.cross, arc->key);
    point_at(canvas_.frame, canvas_.slot, cell(*arc), false,
             ui.items->format(tr("“%s” attends to “%s”  %.4f  (block %d · head %d)"), query.c_str(), key.c_str(),
                              arc->weight, row_.block, arc->head));
}

/// Labels the strongest arcs of the chosen word with their weights, where nothing else is. Leaves out those of a head
/// that is off: they are barely visible, and the label would be on the arc of another head.
void Arcs::label(const std::vector<const Arc*>& chosen) const {
    const Ui& ui = canvas_.ui();
    std::vector<Box> taken;
    for (auto it = chosen.rbegin(); it != chosen.rend(); ++it) {
        const Arc& arc = **it;
        const ImVec2 at = curve(arc).at(0.07f);
        ui.items->addf(Box::around(at, 2), arc.weight, "whole/%s/%sarc %d %d %d %d", Frame::letter(canvas_.slot),
                       row_.cross ? "cross " : "", row_.block, arc.head, arc.query, arc.key);
        if (std::abs(arc.weight) < label_least || (!row_.cross && arc.key == arc.query)) continue;
        if (!canvas_.difference && is_off(arc)) continue;
        // Includes the word that is read if the lanes are far enough apart.
        const FontRole font = canvas_.font(FontRole::small_bold);
        std::string text = canvas_.word(row_.source || row_.cross, arc.key) + " " + number(arc.weight);
        ImVec2 size = draw::text_size(ui, text, font);
        if (size.x + ui.px(16) > keys_.pitch() * canvas_.place.sx)
            text = number(arc.weight), size = draw::text_size(ui, text, font);
        const Box box = Box::around(at, size.x / 2 + ui.px(5), size.y / 2 + ui.px(1));
        const auto meets = [&](const Box& other) { return box.meets(other); };
        if (!canvas_.room_for(FontRole::small, (row_.bottom - row_.top) / 2.2f) || !canvas_.sees(box) ||
            std::ranges::any_of(taken, meets))
            continue;
        taken.push_back(box);
        ui.items->addf(box, arc.weight, "whole/%s/%sarc label %d %d %d %d", Frame::letter(canvas_.slot),
                       row_.cross ? "cross " : "", row_.block, arc.head, arc.query, arc.key);
        const ImU32 ink = canvas_.difference ? colour(arc) : head_colour(canvas_.theme(), arc.head);
        draw::rounded_box(ui, box, canvas_.theme().card, ink, 9, 1.3f);
        draw::text_in(ui, box, text, {font, mix(ink, canvas_.theme().text, 0.25f), draw::Align::centre});
    }
}

std::string Arcs::number(float weight) const {
    if (canvas_.difference) return draw::signed_number(weight);
    return std::string(canvas_.ui().items->format("%.2f", weight));
}

/// The strong arcs of the other words, strongest last, without those from a word to itself. The more, the fainter.
std::vector<const Arc*> Arcs::others(std::span<const Arc> strong) {
    const std::size_t most = std::max(least_faint, most_faint / std::max<std::size_t>(canvas_.layout.blocks.size(), 1));
    std::vector<const Arc*> order;
    for (auto arc = strong.rbegin(); arc != strong.rend() && order.size() < most; ++arc)
        if (!is_chosen(*arc) && (row_.cross || arc->query != arc->key) && in_sight(*arc) && !is_hidden(*arc))
            order.push_back(&*arc);
    std::ranges::reverse(order);
    const auto count = to_float(order.size());
    many_ = order.size() > few_faint;
    faint_ = faint_alpha * std::clamp(std::sqrt(to_float(few_faint) / std::max(count, 1.0f)), 0.3f, 1.0f);
    return order;
}

void Arcs::draw(float shown) {
    if ((canvas_.difference && row_.source) || shown <= 0) return;
    const Box band = canvas_.place.of({{0, std::min(from_, row_.top)}, {1, std::max(from_, row_.bottom)}});
    if (band.max.y < canvas_.view.min.y || band.min.y > canvas_.view.max.y) return;
    std::span<const Arc> of_chosen, strong;
    if (canvas_.difference) {
        if (const auto* changed = canvas_.reading.changed_arcs(row_.node, canvas_.token())) of_chosen = *changed;
    } else if (const PatternArcs* arcs = canvas_.reading.arcs(row_.node)) {
        if (!row_.source) of_chosen = arcs->of(canvas_.token());
        strong = arcs->strong;
    }
    std::vector<const Arc*> order = others(strong), chosen;
    for (const Arc& arc : of_chosen)
        if (in_sight(arc) && !is_hidden(arc)) chosen.push_back(&arc);
    order.insert(order.end(), chosen.begin(), chosen.end());  // drawn over the others
    for (const Arc* arc : order) draw_one(*arc, shown, is_chosen(*arc) && is_pointed_out(*arc));
    if (shown < 1 || !canvas_.active) return;
    point(order);
    label(chosen);
}

}  // namespace

void draw_arcs(const Canvas& canvas, const CanvasRow& row, float shown) { Arcs(canvas, row).draw(shown); }

float mix_width(const Canvas& canvas, const CanvasSide& side) {
    return std::min(widest_mix * canvas.layout.room.unit, side.pitch() * 0.58f);
}

Box head_tile(const CanvasRow& row, float lane, float width, int head) {
    const float count = to_float(std::max(1, row.heads)), step = width / count;
    const float left = lane - width / 2 + step * to_float(head), air = (row.bottom - row.top) * 0.1f;
    return {{left, row.top + air}, {left + step * 0.93f, row.bottom - air}};
}

}  // namespace glassformer::app::views::whole_model
