#pragma once

#include <cmath>

#include "app/common/frame.h"
#include "app/panels/model_map/model_map_placement.h"

namespace glassformer::app {

/// Columns of the map, measured from its left side, in pixels at 100 %.
namespace map_column {
inline constexpr float spine = 30, spine_width = 7, frame = 46, box = 56, wire = 5;
}

/// Draws one map at one place. Must not outlive the call that created it.
class MapView {
public:
    MapView(const Frame& frame, int slot, const ModelMap& map, const Box& box);
    /// For a model that is not running: no patterns, and nothing to choose.
    MapView(const Frame& frame, const Graph& graph, const ModelMap& map, const Box& box);

    /// Returns the height in real pixels; greater than the box's if the map scrolls.
    float height() const { return std::ceil(placement_.height * ui_.scale); }
    /// Scrolls a newly chosen layer into view.
    void scroll_to_layer() const;
    void draw(ImVec2 origin);

private:
    MapView(const Frame& frame, const Graph& graph, const Trace* trace, int slot, const ModelMap& map, const Box& box);
    MappedModel model() const;
    bool chosen_block(int block) const { return trace_ && block == frame_.state.layer; }

    float x(float at) const { return origin_.x + ui_.px(at); }
    float y(float at) const { return std::round(origin_.y + at * ui_.scale); }
    float left() const;
    float right() const;
    /// Returns the width of a box, in pixels at 100 %.
    float room() const;
    const MapHeights& heights() const { return placement_.heights; }
    const MapSpan& span(int element) const { return placement_.elements[element]; }
    ImU32 wire_colour(const MapElement& e) const;
    float socket(int element) const;

    void draw_blocks() const;
    void draw_block_names() const;
    void draw_spine() const;
    void draw_wires() const;
    void draw_element(int index) const;
    void draw_box(const MapElement& e, const MapSpan& s) const;
    void draw_words(const MapElement& e, const Box& box) const;
    void draw_add(const MapElement& e, const MapSpan& s) const;
    void draw_attention(const MapElement& e, const MapSpan& s) const;
    void draw_thumbnail(const MapElement& e, int head, const Box& box) const;
    void draw_head(const MapElement& e, int head, const Box& box) const;
    Response area(const MapElement& e, const Box& box) const;

    const Frame& frame_;
    const Ui& ui_;
    const Graph& graph_;
    const Trace* trace_;  // null for a model that is not running
    int slot_;
    const ModelMap& map_;
    Box box_;
    const MapElement* lit_;
    MapPlacement placement_;
    ImVec2 origin_;
};

}  // namespace glassformer::app
