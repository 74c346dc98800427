#include "app/panels/model_map/model_map_placement.h"

#include <algorithm>

namespace glassformer::app {

namespace {

constexpr MapHeights tight{19, 3, 15, 15, 3, 4, 15, 20, 15}, roomy{28, 8, 24, 22, 10, 16, 20, 36, 16};
constexpr float most_stretch = 1.3f, least_thumb = 30;

MapHeights between(float t) {
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

float height_of(const MapElement& e, const MapHeights& h, float room) {
    if (e.kind == PartKind::residual_add) return h.add;
    if (e.kind != PartKind::attention) return h.box;
    const int per_row = heads_per_row(room, e.heads), rows = (e.heads + per_row - 1) / per_row;
    return h.label + to_float(rows) * (h.thumb + h.head_name);
}

MapPlacement place(const ModelMap& map, const MapHeights& h, float room) {
    MapPlacement p;
    p.heights = h;
    int block = -1;
    bool encoder = false;
    const auto leave = [&] {
        if (block < 0) return;
        p.height += h.block_pad - h.gap;
        p.blocks.back().span.bottom = p.height;
        p.height += h.block_gap;
    };
    for (const MapElement& e : map.elements) {
        if (e.block != block || (block >= 0 && e.encoder != encoder)) {
            leave();
            block = e.block, encoder = e.encoder;
            if (block >= 0) {
                if (!p.elements.empty() && p.elements.back().bottom + h.gap == p.height)
                    p.height += h.block_gap - h.gap;
                p.blocks.push_back({block, encoder, {p.height, p.height}});
                p.height += h.block_name;
            }
        }
        p.elements.push_back({p.height, p.height + height_of(e, h, room)});
        p.height = p.elements.back().bottom + h.gap;
    }
    leave();
    return p;
}

}  // namespace

int heads_per_row(float room, int heads) {
    const int fitting = static_cast<int>((room + map_thumb_gap) / (least_thumb + map_thumb_gap));
    return std::clamp(fitting, 1, std::max(1, heads));
}

float least_map_height(const ModelMap& map, float room) { return place(map, tight, room).height; }

MapPlacement place_model_map(const ModelMap& map, float room, float height) {
    const float low = least_map_height(map, room), high = place(map, roomy, room).height;
    const float t = high > low ? std::clamp((height - low) / (high - low), 0.0f, most_stretch) : 0.0f;
    return place(map, between(t), room);
}

}  // namespace glassformer::app
