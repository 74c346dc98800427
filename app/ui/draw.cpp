#include "app/ui/draw.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/ui/opaque_fill.h"
#include "core/base/number_text.h"

namespace glassformer::app::draw {

namespace {

constexpr float large_fill = 240 * 240;  // pixels: large enough for a draw command of its own

ImVec2 snapped(ImVec2 p) { return {std::floor(p.x + 0.5f), std::floor(p.y + 0.5f)}; }
Box snapped(const Box& box) { return {snapped(box.min), snapped(box.max)}; }

/// Fills a rounded box of whole pixels. The middle of a large one is cleared, which looks the same and is cheaper.
void fill_rounded(const Ui& ui, ImVec2 from, ImVec2 to, ImU32 fill, float r) {
    const float rounded = std::ceil(r) + 1;  // ImGui rounds strips by less than their height
    const bool opaque = (fill & IM_COL32_A_MASK) == IM_COL32_A_MASK;
    if (!opaque || to.y - from.y <= 4 * rounded || (to.x - from.x) * (to.y - from.y) < large_fill)
        return ui.list()->AddRectFilled(from, to, fill, r);
    const float top = from.y + rounded, bottom = to.y - rounded;
    ui.list()->AddRectFilled(from, {to.x, top}, fill, r, ImDrawFlags_RoundCornersTop);
    opaque_fill(ui, {{from.x, top}, {to.x, bottom}}, fill);
    ui.list()->AddRectFilled({from.x, bottom}, to, fill, r, ImDrawFlags_RoundCornersBottom);
}

}  // namespace

void rounded_box(const Ui& ui, const Box& at, ImU32 fill, ImU32 border, float radius, float thickness) {
    const Box box = snapped(at);
    const float r = std::min(radius * ui.scale, box.height() / 2);
    if (fill) fill_rounded(ui, box.min, box.max, fill, r);
    if (border) {
        const float width = ui.px(thickness);
        const Box line = box.inset((width - 1) / 2);  // ImGui centres lines on the half pixel inside
        ui.list()->AddRect(line.min, line.max, border, r, 0, width);
    }
}

namespace {

/// The cards of one frame. Thread-local, since only ImGui's thread draws.
struct Cards {
    int frame = -1;
    std::vector<Box> boxes;
};
Cards& cards() {
    static thread_local Cards kept;
    if (std::exchange(kept.frame, ImGui::GetFrameCount()) != kept.frame) kept.boxes.clear();
    return kept;
}

void note_card(const Ui& ui, const Box& box) {
    const Box seen = box.overlap(clip_box(*ui.list()));
    if (!seen.empty()) cards().boxes.push_back(seen);
}

}  // namespace

std::span<const Box> cards_of_frame() { return cards().boxes; }

void card(const Ui& ui, const Box& box, ImU32 edge) {
    note_card(ui, box);
    rounded_box(ui, box, ui.theme->card, ui.theme->card_border, 8);
    if (!edge) return;
    const Box strip = snapped(box).left(ui.px(4));
    ui.list()->AddRectFilled(strip.min, strip.max, edge, ui.px(4), ImDrawFlags_RoundCornersLeft);
}

void selection_frame(const Ui& ui, const Box& box, float radius) {
    rounded_box(ui, box, 0, ui.theme->selection, radius, 2);
}

void horizontal_line(const Ui& ui, float x0, float x1, float y, ImU32 colour) {
    y = std::floor(y);
    ui.list()->AddRectFilled({x0, y}, {x1, y + ui.px(1)}, colour ? colour : ui.theme->grid);
}

void vertical_line(const Ui& ui, float x, float y0, float y1, ImU32 colour) {
    x = std::floor(x);
    ui.list()->AddRectFilled({x, y0}, {x + ui.px(1), y1}, colour ? colour : ui.theme->grid);
}

void bar(const Ui& ui, const Box& at, float fraction, ImU32 colour, ImU32 track) {
    const Box box = snapped(at);
    const float radius = std::min(2.5f * ui.scale, box.height() / 2);
    if (track) ui.list()->AddRectFilled(box.min, box.max, track, radius);
    if (!(fraction > 0)) return;
    const float width = std::max(ui.px(1), box.width() * std::min(fraction, 1.0f));
    ui.list()->AddRectFilled(box.min, {box.min.x + width, box.max.y}, colour, std::min(radius, width / 2));
}

Box strip_cell(const Ui& ui, const Box& box, int index, int count) {
    const float step = box.width() / static_cast<float>(std::max(count, 1));
    const float gap = step >= 5 * ui.scale ? ui.px(1) : 0;
    Box cell = snapped(
        box.between_x(box.min.x + step * static_cast<float>(index), box.min.x + step * static_cast<float>(index + 1)));
    cell.max.x = std::max(cell.min.x + 1, cell.max.x - gap);
    return cell;
}

int signed_strip(const Ui& ui, const Box& box, std::span<const float> values, float range, float faded) {
    const int count = static_cast<int>(values.size());
    const float step = box.width() / static_cast<float>(std::max(count, 1));
    const float radius = step >= 5 * ui.scale ? 1.5f * ui.scale : 0;
    for (int i = 0; i < count; ++i) {
        const Box cell = strip_cell(ui, box, i, count);
        ImU32 colour = ui.theme->signed_colour(values[i], range);
        if (faded < 1) colour = mix(ui.theme->card, colour, faded);
        ui.list()->AddRectFilled(cell.min, cell.max, colour, radius);
    }
    if (count == 0 || !hovered(box)) return -1;
    return std::clamp(static_cast<int>((ImGui::GetIO().MousePos.x - box.min.x) / step), 0, count - 1);
}

void line(const Ui& ui, std::span<const ImVec2> points, ImU32 colour, float thickness) {
    ui.list()->AddPolyline(points.data(), static_cast<int>(points.size()), colour, 0, thickness);
}

namespace {

/// Clips a → b, in shares of the way, to where its coordinate along one axis is between `least` and `most`.
void keep_between(double a, double b, double least, double most, double& from, double& to) {
    if (a == b) {
        if (a < least || a > most) to = -1.0;
        return;
    }
    const double first = (least - a) / (b - a), second = (most - a) / (b - a);
    from = std::max(from, std::min(first, second));
    to = std::min(to, std::max(first, second));
}

/// The visible part of a → b, in shares of the way; to < from if there is none. A curve that leaves the plot may end
/// astronomically far away.
std::pair<double, double> seen_part(const Ui& ui, ImVec2 a, ImVec2 b) {
    if (!std::isfinite(a.x) || !std::isfinite(a.y) || !std::isfinite(b.x) || !std::isfinite(b.y)) return {1.0, 0.0};
    const Box seen = clip_box(*ui.list());
    double from = 0.0, to = 1.0;
    keep_between(a.x, b.x, seen.min.x, seen.max.x, from, to);
    keep_between(a.y, b.y, seen.min.y, seen.max.y, from, to);
    return {from, to};
}

}  // namespace

void dashed_line(const Ui& ui, std::span<const ImVec2> points, ImU32 colour, float thickness, float dash, float gap) {
    dash *= ui.scale, gap *= ui.scale;
    float at = 0;  // position in the current dash and its gap
    for (size_t i = 1; i < points.size(); ++i) {
        const ImVec2 start = points[i - 1], end = points[i];
        const auto [from, to] = seen_part(ui, start, end);
        if (to < from) continue;
        const auto between = [](double x, double y, double share) {
            return static_cast<float>(x * (1.0 - share) + y * share);
        };
        const auto point = [&](double share) {
            return ImVec2(between(start.x, end.x, share), between(start.y, end.y, share));
        };
        const ImVec2 a = from > 0.0 ? point(from) : start, b = to < 1.0 ? point(to) : end;
        const float length = std::hypot(b.x - a.x, b.y - a.y);
        if (length <= 0) continue;
        const ImVec2 unit = {(b.x - a.x) / length, (b.y - a.y) / length};
        for (float done = 0; done < length;) {
            const bool drawn = at < dash;
            const float piece = std::min((drawn ? dash : dash + gap) - at, length - done);
            if (drawn) {
                ui.list()->AddLine({a.x + unit.x * done, a.y + unit.y * done},
                                   {a.x + unit.x * (done + piece), a.y + unit.y * (done + piece)}, colour, thickness);
            }
            done += std::max(piece, 0.01f);
            at += piece;
            if (at >= dash + gap - 0.001f) at = 0;
        }
    }
}

bool hovered(const Box& box) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;  // min inclusive, max exclusive: an edge belongs to one item only
    return box.contains(mouse) && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(box.min, box.max);
}

std::string signed_number(double value, int decimals) {
    const std::string digits = with_decimals(std::abs(value), decimals);
    const bool zero = digits.find_first_not_of("0.") == std::string::npos;
    const char* sign = std::signbit(value) && !zero ? "\xE2\x88\x92" : "+";
    return std::isnan(value) ? digits : sign + digits;
}

}  // namespace glassformer::app::draw
