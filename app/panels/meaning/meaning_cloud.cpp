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

/// A point in screen coordinates.
struct Dot : CloudView::Place {
    int index;                      // of the point
    std::array<int, 2> count = {};  // points of each meaning at this place
};

/// The word of one of the two current sentences, as a point of the map.
struct Marker {
    int slot = 0;
    std::array<float, 3> point{};
    CloudView::Place at{};
};

/// Returns the mean of the residual stream over the tokens of a word.
std::vector<float> stream_of(const Trace& trace, int layer, TokenStretch word, std::size_t width) {
    const std::span<const float> stream = trace.values(stream_name(layer));
    std::vector<float> mean(width);
    for (int piece = 0; piece < word.count; ++piece)
        for (std::size_t j = 0; j < width; ++j)
            mean[j] += stream[static_cast<std::size_t>(word.first + piece) * width + j];
    for (float& value : mean) value /= to_float(word.count);
    return mean;
}

/// Returns nullopt if the sentence has no trace, or a homonym other than the map's.
std::optional<Marker> marker(const Frame& frame, const MeaningMap& map, int slot, int layer) {
    const Trace* trace = frame.trace(slot);
    const std::optional<TokenStretch> word = place_on_map(frame, slot);
    if (!trace || !word || !frame.snapshot.is_measured(slot) || !frame.snapshot.of_shown(*shown_map_of(frame)))
        return std::nullopt;
    const Pca& pca = map.layers[layer].pca;
    return Marker{slot, pca.project(stream_of(*trace, layer, *word, pca.mean.size())), {}};
}

struct Cloud {
    std::vector<Dot> dots;  // the farthest first; coinciding ones are merged
    std::vector<Marker> markers;
};

/// Merges coinciding points into one dot that counts them, so that none hides another. This happens at the embedding,
/// where vectors of the word differ only by position.
void join_coinciding(std::vector<Dot>& dots) {
    const auto place = [](const Dot& d) { return std::pair(std::lround(2 * d.x), std::lround(2 * d.y)); };
    std::ranges::stable_sort(dots, {}, place);
    std::size_t last = 0;
    for (std::size_t i = 1; i < dots.size(); ++i) {
        if (place(dots[last]) != place(dots[i])) {
            dots[++last] = dots[i];
            continue;
        }
        for (std::size_t which = 0; which < 2; ++which) dots[last].count[which] += dots[i].count[which];
        dots[last].z = std::max(dots[last].z, dots[i].z);
    }
    dots.resize(std::min(dots.size(), last + 1));
}

Cloud place_cloud(const Frame& frame, const MeaningMap& map, const Box& box, int layer) {
    CloudView view(frame.state.own<MeaningMapState>().yaw, frame.state.own<MeaningMapState>().pitch);
    Cloud cloud;
    const auto& points = map.layers[layer].points;
    for (const std::array<float, 3>& point : points) view.include(point);
    for (int slot = 0; slot < 2; ++slot) {
        if (!is_shown(frame.state, slot)) continue;
        if (const std::optional<Marker> m = marker(frame, map, slot, layer)) {
            view.include(m->point);
            cloud.markers.push_back(*m);
        }
    }
    view.fit(box, frame.ui.px(11));
    cloud.dots.reserve(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        cloud.dots.push_back({view(points[i]), static_cast<int>(i)});
        ++cloud.dots.back().count[map.sense[i] == map.first_sense ? 0 : 1];
    }
    for (Marker& m : cloud.markers) m.at = view(m.point);
    // A training that diverged has points that cannot be placed.
    std::erase_if(cloud.dots, [](const Dot& d) { return !std::isfinite(d.x + d.y + d.z); });
    join_coinciding(cloud.dots);
    std::ranges::sort(cloud.dots, {}, &Dot::z);
    return cloud;
}

/// Draws a disc. If points of both meanings coincide, it is divided between their colours in proportion.
void draw_dot(const Ui& ui, const Dot& dot, float radius, float alpha) {
    constexpr float top = -1.5707963f, round = 6.2831853f;
    const auto colour = [&](int which) { return with_alpha(meaning_colour(*ui.theme, which), alpha); };
    if (dot.count[0] == 0 || dot.count[1] == 0)
        return ui.list()->AddCircleFilled({dot.x, dot.y}, radius, colour(dot.count[0] > 0 ? 0 : 1));
    const float all = to_float(dot.count[0] + dot.count[1]), share = to_float(dot.count[0]) / all;
    radius *= std::min(2.0f, 1 + 0.2f * std::log2(all));  // grows with the number of points
    // The first colour is on the left.
    const float middle = top - round / 4, half = share * round / 2;
    for (int which = 0; which < 2; ++which) {
        const float from = which == 0 ? middle - half : middle + half,
                    to = which == 0 ? middle + half : middle - half + round;
        // Two pieces, because a filled path must be convex.
        for (const auto& [a, b] : {std::pair(from, (from + to) / 2), std::pair((from + to) / 2, to)}) {
            ui.list()->PathLineTo({dot.x, dot.y});
            ui.list()->PathArcTo({dot.x, dot.y}, radius, a, b, 12);
            ui.list()->PathFillConvex(colour(which));
        }
    }
}

/// Draws the dots; returns the index of the point under the mouse, or −1.
int draw_dots(const Frame& frame, const Cloud& cloud, std::string_view of, bool pointing) {
    const Ui& ui = frame.ui;
    if (cloud.dots.empty()) return -1;
    const float far = cloud.dots.front().z, depth = std::max(cloud.dots.back().z - far, 1e-6f);
    const float radius = std::max(2.0f, 3.4f * ui.scale);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const Dot* nearest = nullptr;
    float distance = radius + ui.px(4);
    for (const Dot& d : cloud.dots) {
        const float near = (d.z - far) / depth;
        draw_dot(ui, d, radius * (0.85f + 0.25f * near), 0.3f + 0.6f * near);
        if (d.count[0] > 0 && d.count[1] > 0)
            ui.items->addf(Box::around({d.x, d.y}, radius), d.count[0] + d.count[1], "%.*smeaning both %d",
                           int_size(of), of.data(), d.index);
        const float away = std::hypot(mouse.x - d.x, mouse.y - d.y);
        if (!pointing || away >= distance) continue;
        distance = away;
        nearest = &d;
    }
    if (!nearest) return -1;
    ui.list()->AddCircle({nearest->x, nearest->y}, radius + ui.px(2), ui.theme->selection, 0, ui.px(2));
    return nearest->index;
}

/// Draws a disc with the sentence's letter, in the colour of its true meaning if that is known.
void draw_marker(const Frame& frame, const MeaningMap& map, const Marker& m, std::string_view of) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const int which = frame.sentence(m.slot).sense - map.first_sense;
    const ImU32 fill = which == 0 || which == 1 ? meaning_colour(t, which) : t.residual;
    const float radius = ui.px(9);
    const ImVec2 at{std::round(m.at.x), std::round(m.at.y)};
    ui.list()->AddCircleFilled(at, radius, t.text);
    ui.list()->AddCircleFilled(at, radius - std::max(1.0f, 1.8f * ui.scale), fill);
    const Box box = Box::around(at, radius);
    draw::text_in(ui, box, Frame::letter(m.slot), {FontRole::small_bold, Theme::text_on(fill), draw::Align::centre});
    ui.items->addf(box, m.point[0], "%.*smeaning %s", int_size(of), of.data(), Frame::letter(m.slot));
}

bool over(const Ui& ui, const CloudView::Place& dot) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    return std::hypot(mouse.x - dot.x, mouse.y - dot.y) <= ui.px(9);
}

void show_point(const Frame& frame, const MeaningMap& map, int point) {
    const Ui& ui = frame.ui;
    const std::span<const Sense> senses = shown_map_senses(frame);
    const std::size_t at = point;
    const std::size_t sense = map.sense[at];
    const std::string_view name = sense < senses.size() ? std::string_view(senses[sense].name) : "";
    draw::tooltip(ui, ui.items->format("%s\n%.*s", map.text[at].c_str(), int_size(name), name.data()));
}

}  // namespace

void draw_meaning_cloud(const Frame& frame, const Box& box, int layer, std::string_view of) {
    const Ui& ui = frame.ui;
    const MeaningMap& map = *shown_map(frame);
    const std::string_view name = ui.items->format("%.*smeaning map", int_size(of), of.data());
    const Response mouse = drag_area(ui, name, box, item_state(map.sense.size()), map.homonym);
    turn_by_mouse(frame.state.own<MeaningMapState>().yaw, frame.state.own<MeaningMapState>().pitch, mouse);
    if (mouse.hovered || mouse.held) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
    const Cloud cloud = place_cloud(frame, map, box, layer);
    ui.list()->PushClipRect(box.min, box.max, true);
    const int point = draw_dots(frame, cloud, of, mouse.hovered && !mouse.held);
    const Marker* under = nullptr;
    for (const Marker& m : cloud.markers) {
        draw_marker(frame, map, m, of);
        if (mouse.hovered && !mouse.held && over(ui, m.at)) under = &m;
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
