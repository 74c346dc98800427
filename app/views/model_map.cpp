#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/views/model_map_layout.h"
#include "app/views/views.h"

namespace glassformer::app {

namespace {

/// Heights in pixels at 100 %. A low window gets the tight ones, then a scroll bar.
struct Heights {
    float box, gap, add, block_name, block_pad, block_gap, label, thumb, head_name;
};
constexpr Heights tight{19, 3, 15, 15, 3, 4, 15, 20, 13}, roomy{28, 8, 24, 22, 10, 16, 20, 36, 16};
constexpr float most_stretch = 1.3f, least_thumb = 30, thumb_gap = 3;
// Columns, from the map's left side.
constexpr float spine_x = 30, spine_width = 7, frame_x = 46, box_x = 56, box_margin = 14, frame_margin = 6, wire_x = 5;
constexpr float widest = 320, header = 34, footer = 26;

Heights between(float t) {
    const auto at = [t](float a, float b) { return a + (b - a) * t; };
    return {at(tight.box, roomy.box),
            at(tight.gap, roomy.gap),
            at(tight.add, roomy.add),
            at(tight.block_name, roomy.block_name),
            at(tight.block_pad, roomy.block_pad),
            at(tight.block_gap, roomy.block_gap),
            at(tight.label, roomy.label),
            at(tight.thumb, roomy.thumb),
            at(tight.head_name, roomy.head_name)};
}

struct Span {
    float top = 0, bottom = 0;
    float middle() const { return std::round((top + bottom) / 2); }
};

struct BlockFrame {
    int block = -1;
    Span span;
};

/// Where each element stands, in pixels at 100 % below the first.
struct Placement {
    std::vector<Span> elements;
    std::vector<BlockFrame> blocks;
    float height = 0;
};

int heads_per_row(float room, int heads) {
    const int fitting = static_cast<int>((room + thumb_gap) / (least_thumb + thumb_gap));
    return std::clamp(fitting, 1, std::max(1, heads));
}

float height_of(const MapElement& e, const Heights& h, float room) {
    if (e.kind == MapKind::residual_add) return h.add;
    if (e.kind != MapKind::attention) return h.box;
    const int per_row = heads_per_row(room, e.heads), rows = (e.heads + per_row - 1) / per_row;
    return h.label + static_cast<float>(rows) * (h.thumb + h.head_name);
}

Placement place(const ModelMap& map, const Heights& h, float room) {
    Placement p;
    int block = -1;
    const auto leave = [&] {
        if (block < 0) return;
        p.height += h.block_pad - h.gap;
        p.blocks.back().span.bottom = p.height;
        p.height += h.block_gap;
    };
    for (const MapElement& e : map.elements) {
        if (e.block != block) {
            leave();
            block = e.block;
            if (block >= 0) {
                if (!p.elements.empty() && p.elements.back().bottom + h.gap == p.height)
                    p.height += h.block_gap - h.gap;
                p.blocks.push_back({block, {p.height, p.height}});
                p.height += h.block_name;
            }
        }
        p.elements.push_back({p.height, p.height + height_of(e, h, room)});
        p.height = p.elements.back().bottom + h.gap;
    }
    leave();
    return p;
}

/// The component of largest size of the chosen word in a node; of the whole node where it has no row per word.
Cell representative(const Trace& trace, int node, int token) {
    const std::span<const float> values = trace.values(node);
    const Shape shape = trace.shape(node);
    std::size_t first = 0, count = values.size();
    if (shape.rank() > 0 && shape[0] == trace.positions() && token >= 0 && token < trace.positions()) {
        count /= static_cast<std::size_t>(trace.positions());
        first = count * static_cast<std::size_t>(token);
    }
    const auto row = values.subspan(first, count);
    const auto largest = std::ranges::max_element(row, {}, [](float v) { return std::abs(v); });
    return {node, static_cast<std::int64_t>(first) + (largest - row.begin())};
}

/// The sentence whose model is drawn: the chosen one, or the other when that has no trace; −1 without any.
int shown_slot(const Frame& frame) {
    if (frame.trace(frame.state.slot)) return frame.state.slot;
    return frame.trace(1 - frame.state.slot) ? 1 - frame.state.slot : -1;
}

/// The element that made the number that is being explained.
const MapElement* explained(const Frame& frame, const ModelMap& map, const Graph& graph) {
    if (frame.state.trail.empty()) return nullptr;
    const TracedCell& cell = frame.state.trail.back();
    const Trace* trace = frame.trace(cell.slot);
    if (!trace || cell.cell.node < 0) return nullptr;
    // The other sentence may be longer: another graph of the same model, with the same names.
    const std::optional<int> node = graph.find(trace->graph()[cell.cell.node].name);
    return node ? map.holding(*node) : nullptr;
}

std::string describe(const MapElement& e) {
    std::string text = e.title;
    if (e.block >= 0) text += " · block " + std::to_string(e.block);
    text += "\n" + e.shapes + "\n";
    if (e.parameters > 0) text += std::to_string(e.parameters) + " learned numbers";
    if (!e.shared.empty() && e.parameters == 0) text += "no learned numbers of its own: uses " + e.shared + " again";
    if (e.parameters == 0 && e.shared.empty()) text += "nothing learned here";
    return text + "\n" + std::string(map_meaning(e.kind));
}

/// Largest weight of each little square; with more words than pixels, of the words that share one.
void draw_pattern(const Ui& ui, ImVec2 min, ImVec2 max, std::span<const float> weights, int queries, int keys) {
    ui.list()->AddRectFilled(min, max, ui.theme->attention_zero);
    const auto cells = [&](int words, float pixels) {
        return std::max(1, std::min(words, static_cast<int>(pixels / 2)));
    };
    const int rows = cells(queries, max.y - min.y), columns = cells(keys, max.x - min.x);
    const auto edge = [](float a, float b, int i, int n) {
        return std::round(a + (b - a) * static_cast<float>(i) / static_cast<float>(n));
    };
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) {
            float weight = 0;
            for (int q = r * queries / rows; q < (r + 1) * queries / rows; ++q)
                for (int k = c * keys / columns; k < (c + 1) * keys / columns; ++k)
                    weight = std::max(weight, weights[static_cast<std::size_t>(q * keys + k)]);
            ui.list()->AddRectFilled({edge(min.x, max.x, c, columns), edge(min.y, max.y, r, rows)},
                                     {edge(min.x, max.x, c + 1, columns), edge(min.y, max.y, r + 1, rows)},
                                     ui.theme->attention_colour(weight));
        }
}

/// Draws one map at one place. Lives for one call.
class MapView {
public:
    MapView(const Frame& frame, int slot, const ModelMap& map, const Box& box)
        : frame_(frame),
          ui_(frame.ui),
          trace_(*frame.trace(slot)),
          slot_(slot),
          map_(map),
          box_(box),
          lit_(explained(frame, map, trace_.graph())) {
        if (place(map, tight, room()).height > box.height() / ui_.scale) box_.max.x -= ImGui::GetStyle().ScrollbarSize;
        const float available = box_.height() / ui_.scale, low = place(map, tight, room()).height;
        const float high = place(map, roomy, room()).height;
        const float t = high > low ? std::clamp((available - low) / (high - low), 0.0f, most_stretch) : 0.0f;
        heights_ = between(t);
        placement_ = place(map, heights_, room());
    }

    float height() const { return std::ceil(placement_.height * ui_.scale); }
    void scroll_to_layer() const;
    void draw(ImVec2 origin);

private:
    float x(float at) const { return origin_.x + ui_.px(at); }
    float y(float at) const { return std::round(origin_.y + at * ui_.scale); }
    float left() const { return x(box_x); }
    /// Width of a box, in pixels at 100 %.
    float room() const { return box_.width() / ui_.scale - box_x - box_margin; }
    float right() const { return origin_.x + box_.width() - ui_.px(box_margin); }
    const Span& span(int element) const { return placement_.elements[static_cast<std::size_t>(element)]; }
    ImU32 wire_colour(const MapElement& e) const;
    float socket(int element) const;

    void draw_blocks() const;
    void draw_spine() const;
    void draw_wires() const;
    void draw_element(int index) const;
    void draw_box(const MapElement& e, const Span& s) const;
    void draw_words(const MapElement& e, ImVec2 min, ImVec2 max) const;
    void draw_add(const MapElement& e, const Span& s) const;
    void draw_attention(const MapElement& e, const Span& s) const;
    void draw_head(const MapElement& e, int head, ImVec2 min, ImVec2 max) const;
    Response area(const MapElement& e, ImVec2 min, ImVec2 max) const;

    const Frame& frame_;
    const Ui& ui_;
    const Trace& trace_;
    int slot_;
    const ModelMap& map_;
    Box box_;
    const MapElement* lit_;
    Heights heights_{};
    Placement placement_;
    ImVec2 origin_;
};

ImU32 MapView::wire_colour(const MapElement& e) const {
    if (e.kind == MapKind::attention) return ui_.theme->attention_middle;
    return e.kind == MapKind::mlp ? ui_.theme->mlp : ui_.theme->residual;
}

/// Height at which a horizontal wire meets the element.
float MapView::socket(int element) const {
    const Span& s = span(element);
    const bool tall = map_.elements[static_cast<std::size_t>(element)].kind == MapKind::attention;
    return y(tall ? s.top + heights_.label / 2 : s.middle());
}

// Once for each newly chosen layer, so that the wheel still works.
void MapView::scroll_to_layer() const {
    ImGuiStorage* storage = ImGui::GetStateStorage();
    const ImGuiID id = ImGui::GetID("##layer");
    if (storage->GetInt(id, -1) == frame_.state.layer) return;
    storage->SetInt(id, frame_.state.layer);
    for (const BlockFrame& b : placement_.blocks) {
        if (b.block != frame_.state.layer) continue;
        const float top = b.span.top * ui_.scale, bottom = b.span.bottom * ui_.scale, pad = ui_.px(8);
        const float high = std::max(0.0f, top - pad), low = bottom + pad - box_.height();
        ImGui::SetScrollY(std::clamp(ImGui::GetScrollY(), std::min(low, high), high));
    }
}

void MapView::draw(ImVec2 origin) {
    origin_ = origin;
    draw_blocks();
    if (map_.has_stream) draw_spine();
    draw_wires();
    for (int i = 0; i < static_cast<int>(map_.elements.size()); ++i) draw_element(i);
}

void MapView::draw_blocks() const {
    const Theme& t = *ui_.theme;
    const float x0 = x(frame_x), x1 = origin_.x + box_.width() - ui_.px(frame_margin);
    for (const BlockFrame& b : placement_.blocks) {
        const bool chosen = b.block == frame_.state.layer;
        const ImVec2 min = {x0, y(b.span.top)}, max = {x1, y(b.span.bottom)};
        draw::rounded_box(ui_, min, max, chosen ? t.background : t.card, chosen ? t.control_border : t.card_border, 8);
        const std::string_view name = ui_.items->format("block %d", b.block),
                               label = ui_.items->format("map/block %d", b.block);
        const ImVec2 name_max = {x1, y(b.span.top + heights_.block_name)};
        const Response r = click_area(ui_, label, min, name_max, chosen ? 1 : 0, name);
        if (r.clicked) choose_layer(frame_.state, frame_.snapshot, b.block);
        if (r.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        const ImU32 colour = chosen || r.hovered ? t.text : t.text_muted;
        draw::text_in(ui_, {x0 + ui_.px(10), min.y + ui_.px(2)}, name_max, name, {FontRole::small_bold, colour});
    }
}

void MapView::draw_spine() const {
    float top = 0, bottom = 0;
    bool started = false;
    for (int i = 0; i < static_cast<int>(map_.elements.size()); ++i) {
        const MapElement& e = map_.elements[static_cast<std::size_t>(i)];
        if (!e.reads_stream && !e.on_stream && e.kind != MapKind::residual_add) continue;
        if (!started) top = socket(i);
        started = true;
        bottom = socket(i);
    }
    const float half = ui_.px(spine_width) / 2, centre = x(spine_x), over = ui_.px(6);
    const ImVec2 min = {centre - half, top - over}, max = {centre + half, bottom + over};
    draw::rounded_box(ui_, min, max, mix(ui_.theme->card, ui_.theme->residual, 0.26f), 0, 4);
    ui_.items->add("map/stream", min, max);
    if (draw::hovered(min, max))
        draw::tooltip(ui_,
                      "residual stream\nEvery word's numbers, carried from top to bottom. Each part of the model reads "
                      "from it and adds to it.");
}

// Behind the boxes, from middle to middle: what passes a box disappears behind it.
void MapView::draw_wires() const {
    const float wire = left() + ui_.px(wire_x), width = ui_.px(1.5f);
    for (int i = 0; i < static_cast<int>(map_.elements.size()); ++i) {
        const MapElement& e = map_.elements[static_cast<std::size_t>(i)];
        const bool adds = e.kind == MapKind::residual_add;
        if (!adds && (e.reads_stream || e.on_stream) && map_.has_stream)
            ui_.list()->AddLine({x(spine_x), socket(i)}, {wire, socket(i)}, wire_colour(e), width);
        for (const int from : e.reads) {
            const MapElement& source = map_.elements[static_cast<std::size_t>(from)];
            const float start =
                y(source.kind == MapKind::attention ? span(from).bottom - heights_.head_name : span(from).middle());
            const ImU32 colour = wire_colour(adds ? source : e);
            ui_.list()->AddLine({wire, start}, {wire, socket(i) + (adds ? width / 2 : 0)}, colour, width);
            if (adds) ui_.list()->AddLine({wire, socket(i)}, {x(spine_x), socket(i)}, colour, width);
        }
    }
}

/// The click area of an element, with its tooltip; a click explains its strongest number for the chosen word.
Response MapView::area(const MapElement& e, ImVec2 min, ImVec2 max) const {
    const std::string_view label = ui_.items->format("map/%s", e.label.c_str());
    const Response r = click_area(ui_, label, min, max, &e == lit_ ? 1 : 0, e.title);
    if (r.clicked)
        explain(frame_.state,
                {slot_, representative(trace_, e.main, frame_.state.token[static_cast<std::size_t>(slot_)])});
    if (ui_.focus->offer(ImGui::GetID(label.data(), label.data() + label.size()))) {
        const float out = ui_.px(2);
        draw::rounded_box(ui_, {min.x - out, min.y - out}, {max.x + out, max.y + out}, 0, ui_.theme->focus, 8, 2);
    }
    if (!r.hovered) return r;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    draw::tooltip(ui_, describe(e));
    return r;
}

void MapView::draw_element(int index) const {
    const MapElement& e = map_.elements[static_cast<std::size_t>(index)];
    if (e.kind == MapKind::residual_add)
        draw_add(e, span(index));
    else if (e.kind == MapKind::attention)
        draw_attention(e, span(index));
    else
        draw_box(e, span(index));
}

void MapView::draw_box(const MapElement& e, const Span& s) const {
    const Theme& t = *ui_.theme;
    // What stands on the stream inside a block replaces it: the box lies over the spine.
    const bool across = e.on_stream && e.kind != MapKind::embed;
    const ImVec2 min = {across ? x(spine_x - spine_width) : left(), y(s.top)}, max = {right(), y(s.bottom)};
    const bool lit = &e == lit_;
    const Response r = area(e, min, max);
    const ImU32 fill = lit ? t.selection_tint : r.hovered ? t.hover : t.card;
    draw::rounded_box(ui_, min, max, fill, lit ? t.selection : wire_colour(e), 6, lit ? 2.0f : 1.5f);
    draw_words(e, {min.x + ui_.px(8), min.y}, {max.x - ui_.px(8), max.y});
}

// Title and sizes; where both do not fit, the sizes are written closer, then left to the tooltip.
void MapView::draw_words(const MapElement& e, ImVec2 min, ImVec2 max) const {
    const Theme& t = *ui_.theme;
    const auto width = [&](std::string_view text) { return draw::text_size(ui_, text, FontRole::small).x; };
    const float room = max.x - min.x - width(e.title) - ui_.px(4);
    std::string detail = e.detail;
    if (width(detail) > room) std::erase(detail, ' ');
    if (width(detail) > room) detail.clear();
    const float taken = detail.empty() ? 0 : std::ceil(width(detail)) + ui_.px(1);
    draw::text_in(ui_, min, {max.x - taken, max.y}, e.title,
                  {FontRole::small, e.kind == MapKind::mlp ? t.mlp_text : t.text});
    draw::text_in(ui_, {max.x - taken, min.y}, max, detail, {FontRole::small, t.text_muted, draw::Align::right});
}

void MapView::draw_add(const MapElement& e, const Span& s) const {
    const Theme& t = *ui_.theme;
    const float radius = ui_.px(8), cy = y(s.middle()), cx = x(spine_x), arm = ui_.px(4.5f), width = ui_.px(1.5f);
    const float text_x = left() + ui_.px(wire_x + 7), text_width = draw::text_size(ui_, e.title, FontRole::small).x;
    const bool lit = &e == lit_;
    const Response r =
        area(e, {cx - radius, y(s.top)}, {std::min(right(), text_x + text_width + ui_.px(4)), y(s.bottom)});
    const ImU32 ink = lit ? t.selection : t.residual;
    ui_.list()->AddCircleFilled({cx, cy}, radius, lit ? t.selection_tint : r.hovered ? t.hover : t.card);
    ui_.list()->AddCircle({cx, cy}, radius, ink, 0, lit ? ui_.px(2) : width);
    ui_.list()->AddLine({cx - arm, cy}, {cx + arm, cy}, ink, width);
    ui_.list()->AddLine({cx, cy - arm}, {cx, cy + arm}, ink, width);
    draw::text_in(ui_, {text_x, y(s.top)}, {right(), y(s.bottom)}, e.title,
                  {FontRole::small, lit ? t.selection_text : t.text_muted});
}

void MapView::draw_attention(const MapElement& e, const Span& s) const {
    const Theme& t = *ui_.theme;
    const float label_bottom = y(s.top + heights_.label), inset = ui_.px(wire_x + 5), gap = ui_.px(thumb_gap);
    const float name = draw::text_size(ui_, e.title, FontRole::small_bold).x;
    const ImVec2 min = {left() + ui_.px(wire_x + 1), y(s.top)},
                 max = {std::min(right(), left() + inset + name + ui_.px(5)), label_bottom};
    area(e, min, max);
    if (&e == lit_) draw::rounded_box(ui_, min, max, t.selection_tint, t.selection, 5);
    draw::text_in(ui_, {left() + inset, min.y}, {max.x, max.y}, e.title, {FontRole::small_bold, t.attention_text});
    draw::text_in(ui_, {max.x + gap, min.y}, {right(), max.y}, e.detail,
                  {FontRole::small, t.text_muted, draw::Align::right});
    const int per_row = heads_per_row(room(), e.heads);
    const float step = (right() - left() + gap) / static_cast<float>(per_row);
    for (int head = 0; head < e.heads; ++head) {
        const float x0 = left() + std::round(step * static_cast<float>(head % per_row)),
                    x1 = left() + std::round(step * static_cast<float>(head % per_row + 1)) - gap;
        const float top =
            s.top + heights_.label + static_cast<float>(head / per_row) * (heights_.thumb + heights_.head_name);
        draw_head(e, head, {x0, y(top)}, {x1, y(top + heights_.thumb)});
    }
}

void MapView::draw_head(const MapElement& e, int head, ImVec2 min, ImVec2 max) const {
    const Theme& t = *ui_.theme;
    if (max.y < ui_.list()->GetClipRectMin().y || min.y > ui_.list()->GetClipRectMax().y) return;
    const bool chosen = e.block == frame_.state.layer && head == frame_.state.head;
    const std::string_view label = ui_.items->format("map/head %d %d", e.block, head),
                           name = ui_.items->format("h%d", head);
    const ImVec2 all = {max.x, max.y + ui_.px(heights_.head_name)};
    const Response r = click_area(ui_, label, min, all, chosen ? 1 : 0, name);
    if (r.clicked && e.block >= 0) choose_head(frame_.state, frame_.snapshot, e.block, head);
    if (e.pattern >= 0) {
        const Shape& shape = trace_.graph()[e.pattern].shape;
        const int queries = static_cast<int>(shape.back(1)), keys = static_cast<int>(shape.back());
        const auto size = static_cast<std::size_t>(queries * keys);
        draw_pattern(ui_, min, max, trace_.values(e.pattern).subspan(size * static_cast<std::size_t>(head), size),
                     queries, keys);
    }
    const float out = ui_.px(2);
    if (chosen)
        draw::selection_frame(ui_, {min.x - out, min.y - out}, {max.x + out, max.y + out});
    else
        draw::rounded_box(ui_, min, max, 0, r.hovered ? t.attention : t.card_border, 1);
    if (ui_.focus->offer(ImGui::GetID(label.data(), label.data() + label.size())))
        draw::rounded_box(ui_, {min.x - out, min.y - out}, {all.x + out, all.y}, 0, t.focus, 4, 2);
    draw::text_in(
        ui_, {min.x, max.y + ui_.px(1)}, all, name,
        {chosen ? FontRole::small_bold : FontRole::small, chosen ? t.text : t.text_muted, draw::Align::centre});
    if (!r.hovered) return;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    draw::tooltip(
        ui_,
        "head " + std::to_string(head) + " · block " + std::to_string(e.block) +
            "\nA row for each word that looks, a column for each word it looks at. The darker, the more it takes.");
}

void draw_edges(const Frame& frame, const Box& box, const Box& inner, bool column) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    if (column) {
        ui.list()->AddRectFilled(box.min, box.max, t.card);
        draw::vertical_line(ui, box.max.x - ui.px(1), box.min.y, box.max.y, t.card_border);
    } else {
        draw::card(ui, box.min, box.max);
    }
    const float x = inner.min.x + ui.px(18), right = inner.max.x - ui.px(8);
    draw::text_in(ui, {x, inner.min.y + ui.px(4)}, {right, inner.min.y + ui.px(header)}, "MODEL MAP",
                  {FontRole::small_bold, t.text_muted});
    draw::text_in(ui, {x, inner.max.y - ui.px(footer)}, {right, inner.max.y}, "↑↓ layer  ←→ head  Tab word",
                  {FontRole::small, t.text_muted});
}

}  // namespace

void draw_model_map(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const float width = std::min(box.width(), ui.px(widest)), x0 = std::round(box.min.x + (box.width() - width) / 2);
    const Box inner{{x0, box.min.y}, {x0 + width, box.max.y}};
    draw_edges(frame, box, inner, box.width() <= ui.px(240));
    const int slot = shown_slot(frame);
    if (slot < 0) {
        draw::text_wrapped(ui, {inner.min.x + ui.px(18), inner.min.y + ui.px(header)}, width - ui.px(36),
                           "The map shows the model at work on a sentence. Neither sentence can be read yet.",
                           {FontRole::small, ui.theme->text_muted});
        return;
    }
    const ModelMap map = make_model_map(frame.trace(slot)->graph());
    ui.items->add("map", box.min, box.max, static_cast<double>(map.elements.size()));
    const Box body{{inner.min.x, inner.min.y + ui.px(header)}, {inner.max.x, inner.max.y - ui.px(footer)}};
    MapView view(frame, slot, map, body);
    const bool fits = view.height() <= body.height() + 1;
    ImGui::SetCursorScreenPos(body.min);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    if (ImGui::BeginChild("##model map", {body.width(), body.height()}, false,
                          fits ? ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse : 0)) {
        if (!fits) view.scroll_to_layer();
        const ImVec2 origin = ImGui::GetCursorScreenPos();
        view.draw(origin);
        ImGui::SetCursorScreenPos({origin.x, origin.y + (fits ? 0 : view.height() - 1)});
        ImGui::Dummy({1, 1});
    }
    ImGui::EndChild();
    ImGui::PopStyleVar();
}

}  // namespace glassformer::app
