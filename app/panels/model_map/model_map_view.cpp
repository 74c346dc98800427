#include "app/panels/model_map/model_map_view.h"

#include <algorithm>
#include <optional>

#include "app/common/token_names.h"
#include "app/language/tr.h"

namespace glassformer::app {

namespace {

constexpr float box_margin = 14, frame_margin = 6;  // on the right, in pixels at 100 %

/// Returns the element that computed the number being explained.
const MapElement* explained(const Frame& frame, const ModelMap& map, const Graph& graph) {
    if (frame.state.trail.empty()) return nullptr;
    const TracedCell& cell = frame.state.trail.back();
    const Trace* trace = frame.trace(cell.slot);
    if (!trace || cell.cell.node < 0) return nullptr;
    // The other sentence may be longer and so have another graph of the same model, with the same names.
    const std::optional<int> node = graph.find(trace->graph()[cell.cell.node].name);
    return node ? map.holding(*node) : nullptr;
}

}  // namespace

MapView::MapView(const Frame& frame, int slot, const ModelMap& map, const Box& box)
    : MapView(frame, frame.trace(slot)->graph(), frame.trace(slot), slot, map, box) {}

MapView::MapView(const Frame& frame, const Graph& graph, const ModelMap& map, const Box& box)
    : MapView(frame, graph, nullptr, 0, map, box) {}

MapView::MapView(const Frame& frame, const Graph& graph, const Trace* trace, int slot, const ModelMap& map,
                 const Box& box)
    : frame_(frame),
      ui_(frame.ui),
      graph_(graph),
      trace_(trace),
      slot_(slot),
      map_(map),
      box_(box),
      lit_(trace ? explained(frame, map, graph) : nullptr) {
    const float available = box_.height() / ui_.scale;
    if (least_map_height(map, room()) > available) box_.max.x -= ImGui::GetStyle().ScrollbarSize;
    placement_ = place_model_map(map, room(), available);
}

MappedModel MapView::model() const {
    if (trace_) return {trace_->model().config, token_name(frame_.model(slot_)), token_names(frame_.model(slot_))};
    const TransformerConfig& config = frame_.snapshot.preview->setup.config;
    const bool values = config.input == InputKind::values;
    return {config, values ? tr("position") : tr("token"), values ? tr("positions") : tr("tokens")};
}

float MapView::left() const { return x(map_column::box); }
float MapView::right() const { return origin_.x + box_.width() - ui_.px(box_margin); }
float MapView::room() const { return box_.width() / ui_.scale - map_column::box - box_margin; }

ImU32 MapView::wire_colour(const MapElement& e) const {
    if (e.kind == PartKind::attention) return ui_.theme->attention_middle;
    return e.kind == PartKind::mlp ? ui_.theme->mlp : ui_.theme->residual;
}

/// Returns the y at which a horizontal wire meets the element.
float MapView::socket(int element) const {
    const MapSpan& s = span(element);
    const bool tall = map_.elements[element].kind == PartKind::attention;
    return y(tall ? s.top + heights().label / 2 : s.middle());
}

// Scrolls once for each newly chosen layer, so that the wheel still works.
void MapView::scroll_to_layer() const {
    ImGuiStorage* storage = ImGui::GetStateStorage();
    const ImGuiID id = ImGui::GetID("##layer");
    if (storage->GetInt(id, -1) == frame_.state.layer) return;
    storage->SetInt(id, frame_.state.layer);
    for (const MapBlock& b : placement_.blocks) {
        if (b.block != frame_.state.layer || b.encoder) continue;
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
    draw_block_names();
    for (int i = 0; i < int_size(map_.elements); ++i) draw_element(i);
}

void MapView::draw_blocks() const {
    const Theme& t = *ui_.theme;
    const float x0 = x(map_column::frame), x1 = origin_.x + box_.width() - ui_.px(frame_margin);
    for (const MapBlock& b : placement_.blocks) {
        const bool chosen = chosen_block(b.block) && !b.encoder;
        const Box box{{x0, y(b.span.top)}, {x1, y(b.span.bottom)}};
        draw::rounded_box(ui_, box, chosen ? t.background : t.card, chosen ? t.control_border : t.card_border, 8);
        const std::string_view name = ui_.items->format(b.encoder ? tr("source block %d") : tr("block %d"), b.block),
                               label = ui_.items->format(b.encoder ? "map/source block %d" : "map/block %d", b.block);
        const Box head = box.above(y(b.span.top + heights().block_name));
        const Response r = click_area(ui_, label, head, item_state(chosen), name);
        if (r.clicked && trace_ && !b.encoder) choose_layer(frame_.state, frame_.snapshot, b.block);
        if (r.hovered && trace_ && !b.encoder) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    }
}

// Drawn over the wires: the one from a source sentence crosses the block that reads it.
void MapView::draw_block_names() const {
    const Theme& t = *ui_.theme;
    for (const MapBlock& b : placement_.blocks) {
        const bool chosen = chosen_block(b.block) && !b.encoder;
        const Box box{{x(map_column::frame) + ui_.px(10), y(b.span.top) + ui_.px(2)},
                      {origin_.x + box_.width() - ui_.px(frame_margin), y(b.span.top + heights().block_name)}};
        const std::string_view name = ui_.items->format(b.encoder ? tr("source block %d") : tr("block %d"), b.block);
        const float width = draw::text_size(ui_, name, FontRole::small_bold).x;
        ui_.list()->AddRectFilled(box.min, {box.min.x + width, box.max.y}, chosen ? t.background : t.card);
        const bool bright = chosen || (!b.encoder && draw::hovered({{x(map_column::frame), y(b.span.top)}, box.max}));
        draw::text_in(ui_, box, name, {FontRole::small_bold, bright ? t.text : t.text_muted});
    }
}

void MapView::draw_spine() const {
    float top = 0, bottom = 0;
    bool started = false;
    for (int i = 0; i < int_size(map_.elements); ++i) {
        const MapElement& e = map_.elements[i];
        if (!e.reads_stream && !e.on_stream && e.kind != PartKind::residual_add) continue;
        if (!started) top = socket(i);
        started = true;
        bottom = socket(i);
    }
    const float half = ui_.px(map_column::spine_width) / 2, centre = x(map_column::spine), over = ui_.px(6);
    const Box spine{{centre - half, top - over}, {centre + half, bottom + over}};
    draw::rounded_box(ui_, spine, mix(ui_.theme->card, ui_.theme->residual, 0.26f), 0, 4);
    ui_.items->add("map/stream", spine);
    if (draw::hovered(spine))
        draw::tooltip(ui_, filled(tr("residual stream\nEvery {1}'s vector, carried from top to bottom. Each part of "
                                     "the model reads from it and writes to it."),
                                  {model().token}));
}

// Drawn behind the boxes, from centre to centre: a wire that passes a box disappears behind it.
void MapView::draw_wires() const {
    const float wire = left() + ui_.px(map_column::wire), width = ui_.px(1.5f);
    for (int i = 0; i < int_size(map_.elements); ++i) {
        const MapElement& e = map_.elements[i];
        const bool adds = e.kind == PartKind::residual_add;
        if (!adds && (e.reads_stream || e.on_stream) && map_.has_stream)
            ui_.list()->AddLine({x(map_column::spine), socket(i)}, {wire, socket(i)}, wire_colour(e), width);
        for (const int from : e.reads) {
            const MapElement& source = map_.elements[from];
            const float start =
                y(source.kind == PartKind::attention ? span(from).bottom - heights().head_name : span(from).middle());
            const ImU32 colour = wire_colour(adds ? source : e);
            ui_.list()->AddLine({wire, start}, {wire, socket(i) + (adds ? width / 2 : 0)}, colour, width);
            if (adds) ui_.list()->AddLine({wire, socket(i)}, {x(map_column::spine), socket(i)}, colour, width);
        }
    }
}

}  // namespace glassformer::app
