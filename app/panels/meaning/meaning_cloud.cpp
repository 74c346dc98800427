#include <algorithm>
#include <cmath>
#include <optional>

#include "app/language/tr.h"
#include "app/panels/meaning/meaning_map.h"
#include "app/panels/meaning/measured_senses.h"
#include "app/ui/rotation.h"
#include "core/nn/transformer.h"

namespace glassformer::app {

namespace {

/// A point on its way to the screen: x right, y up, z towards the eye; then x and y are pixels.
struct Dot {
    float x, y, z;
    int index;  // of the point
};

/// The word of one of the two sentences on screen, as a point of the map.
struct Marker {
    int slot = 0;
    std::array<float, 3> point{};
    Dot dot{};
};

/// The mean of the stream over the tokens of a word.
std::vector<float> stream_of(const Trace& trace, int layer, TokenStretch word, std::size_t width) {
    const std::span<const float> stream = trace.values(stream_name(layer));
    std::vector<float> mean(width);
    for (int piece = 0; piece < word.count; ++piece)
        for (std::size_t j = 0; j < width; ++j)
            mean[j] += stream[static_cast<std::size_t>(word.first + piece) * width + j];
    for (float& value : mean) value /= static_cast<float>(word.count);
    return mean;
}

/// Nothing when the sentence has no trace, or another homonym than the map's.
std::optional<Marker> marker(const Frame& frame, const MeaningMap& map, int slot, int layer) {
    const Trace* trace = frame.trace(slot);
    const std::optional<TokenStretch> word = place_on_map(frame, slot);
    if (!trace || !word || !frame.snapshot.is_measured(slot) || !frame.snapshot.of_shown(*shown_map_of(frame)))
        return std::nullopt;
    const Pca& pca = map.layers[static_cast<std::size_t>(layer)].pca;
    return Marker{slot, pca.project(stream_of(*trace, layer, *word, pca.mean.size())), {}};
}

struct Cloud {
    std::vector<Dot> dots;  // the farthest first
    std::vector<Marker> markers;
};

/// Turns everything and fits it to the box, at one scale for both axes.
Cloud place_cloud(const Frame& frame, const MeaningMap& map, const Box& box, int layer) {
    const Rotation rotation(frame.state.own<MeaningMapState>().yaw, frame.state.own<MeaningMapState>().pitch);
    const auto turn = [&](const std::array<float, 3>& point, int index) {
        const std::array<float, 3> seen = rotation(point);
        return Dot{seen[0], seen[1], seen[2], index};
    };
    Cloud cloud;
    const auto& points = map.layers[static_cast<std::size_t>(layer)].points;
    cloud.dots.reserve(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) cloud.dots.push_back(turn(points[i], static_cast<int>(i)));
    for (int slot = 0; slot < 2; ++slot) {
        if (!is_shown(frame.state, slot)) continue;
        if (std::optional<Marker> m = marker(frame, map, slot, layer)) {
            m->dot = turn(m->point, -1);
            cloud.markers.push_back(*m);
        }
    }
    ImVec2 low{1e30f, 1e30f}, high{-1e30f, -1e30f};
    const auto widen = [&](const Dot& d) {
        low = {std::min(low.x, d.x), std::min(low.y, d.y)};
        high = {std::max(high.x, d.x), std::max(high.y, d.y)};
    };
    for (const Dot& d : cloud.dots) widen(d);
    for (const Marker& m : cloud.markers) widen(m.dot);
    const float margin = frame.ui.px(11);
    const float scale = std::min((box.width() - 2 * margin) / std::max(high.x - low.x, 1e-6f),
                                 (box.height() - 2 * margin) / std::max(high.y - low.y, 1e-6f));
    const auto fit = [&](Dot& d) {
        d.x = (box.min.x + box.max.x) / 2 + scale * (d.x - (low.x + high.x) / 2);
        d.y = (box.min.y + box.max.y) / 2 - scale * (d.y - (low.y + high.y) / 2);
    };
    for (Dot& d : cloud.dots) fit(d);
    for (Marker& m : cloud.markers) fit(m.dot);
    std::ranges::sort(cloud.dots, {}, &Dot::z);
    return cloud;
}

/// Draws the dots; returns the point under the mouse, or −1.
int draw_dots(const Frame& frame, const MeaningMap& map, const Cloud& cloud, bool pointing) {
    const Ui& ui = frame.ui;
    if (cloud.dots.empty()) return -1;
    const float far = cloud.dots.front().z, depth = std::max(cloud.dots.back().z - far, 1e-6f);
    const float radius = std::max(2.0f, 3.4f * ui.scale);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const Dot* nearest = nullptr;
    float distance = radius + ui.px(4);
    for (const Dot& d : cloud.dots) {
        const int which = map.sense[static_cast<std::size_t>(d.index)] - map.first_sense;
        const float near = (d.z - far) / depth;
        ui.list()->AddCircleFilled({d.x, d.y}, radius * (0.85f + 0.25f * near),
                                   with_alpha(meaning_colour(*ui.theme, which), 0.3f + 0.6f * near));
        const float away = std::hypot(mouse.x - d.x, mouse.y - d.y);
        if (!pointing || away >= distance) continue;
        distance = away;
        nearest = &d;
    }
    if (!nearest) return -1;
    ui.list()->AddCircle({nearest->x, nearest->y}, radius + ui.px(2), ui.theme->selection, 0, ui.px(2));
    return nearest->index;
}

/// A disc with the sentence's letter: in the colour of its true meaning where that is known.
void draw_marker(const Frame& frame, const MeaningMap& map, const Marker& m) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const int which = frame.sentence(m.slot).sense - map.first_sense;
    const ImU32 fill = which == 0 || which == 1 ? meaning_colour(t, which) : t.residual;
    const float radius = ui.px(9);
    const ImVec2 at{std::round(m.dot.x), std::round(m.dot.y)};
    ui.list()->AddCircleFilled(at, radius, t.text);
    ui.list()->AddCircleFilled(at, radius - std::max(1.0f, 1.8f * ui.scale), fill);
    const ImVec2 min{at.x - radius, at.y - radius}, max{at.x + radius, at.y + radius};
    draw::text_in(ui, min, max, Frame::letter(m.slot),
                  {FontRole::small_bold, Theme::text_on(fill), draw::Align::centre});
    ui.items->addf(min, max, static_cast<double>(m.point[0]), "meaning %s", Frame::letter(m.slot));
}

bool over(const Ui& ui, const Dot& dot) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    return std::hypot(mouse.x - dot.x, mouse.y - dot.y) <= ui.px(9);
}

void show_point(const Frame& frame, const MeaningMap& map, int point) {
    const Ui& ui = frame.ui;
    const std::span<const Sense> senses = shown_map_senses(frame);
    const auto at = static_cast<std::size_t>(point);
    const auto sense = static_cast<std::size_t>(map.sense[at]);
    const std::string_view name = sense < senses.size() ? std::string_view(senses[sense].name) : "";
    draw::tooltip(ui, ui.items->format("%s\n%.*s", map.text[at].c_str(), static_cast<int>(name.size()), name.data()));
}

}  // namespace

void draw_meaning_cloud(const Frame& frame, const Box& box, int layer) {
    const Ui& ui = frame.ui;
    const MeaningMap& map = *shown_map(frame);
    const Response mouse =
        click_area(ui, "meaning map", box.min, box.max, static_cast<double>(map.sense.size()), map.homonym);
    turn_by_mouse(frame.state.own<MeaningMapState>().yaw, frame.state.own<MeaningMapState>().pitch, mouse);
    if (mouse.hovered || mouse.held) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
    const Cloud cloud = place_cloud(frame, map, box, layer);
    ui.list()->PushClipRect(box.min, box.max, true);
    int point = draw_dots(frame, map, cloud, mouse.hovered && !mouse.held);
    const Marker* under = nullptr;
    for (const Marker& m : cloud.markers) {
        draw_marker(frame, map, m);
        if (mouse.hovered && !mouse.held && over(ui, m.dot)) under = &m;
    }
    ui.list()->PopClipRect();
    if (under) {
        draw::tooltip(ui, ui.items->format(tr("Sentence %s\n%s"), Frame::letter(under->slot),
                                           frame.sentence(under->slot).text.c_str()));
    } else if (point >= 0) {
        show_point(frame, map, point);
    }
}

}  // namespace glassformer::app
