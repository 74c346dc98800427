// Which parts of the window a frame draws differently from the previous one.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "app/window/frame_painter.h"

using namespace glassformer::app;

namespace {

const ImVec2 window{640, 400};

/// A frame of rectangles, as in ImGui's draw lists.
struct Rectangles {
    std::vector<ImVec4> boxes;
    ImU32 colour = IM_COL32_WHITE;
    ImVec4 clip{0, 0, window.x, window.y};

    std::vector<ImVec4> changed_in(ChangedParts& parts, ImVec2 size = window) const {
        ImDrawList list(nullptr);
        for (const ImVec4& b : boxes) {
            const auto first = static_cast<ImDrawIdx>(list.VtxBuffer.Size);
            for (const ImVec2 p : {ImVec2(b.x, b.y), ImVec2(b.z, b.y), ImVec2(b.z, b.w), ImVec2(b.x, b.w)})
                list.VtxBuffer.push_back({p, {0.5f, 0.5f}, colour});
            for (const int corner : {0, 1, 2, 0, 2, 3})
                list.IdxBuffer.push_back(static_cast<ImDrawIdx>(first + corner));
        }
        ImDrawCmd command;
        command.ElemCount = static_cast<unsigned>(list.IdxBuffer.Size);
        command.ClipRect = clip;
        parts.begin(size);
        parts.add(list, command);
        const auto changed = parts.end();
        return {changed.begin(), changed.end()};
    }
};

bool covered(const std::vector<ImVec4>& by, const ImVec4& box) {
    for (float y = box.y + 0.5f; y < box.w; ++y)
        for (float x = box.x + 0.5f; x < box.z; ++x)
            if (std::ranges::none_of(by, [&](const ImVec4& b) { return x >= b.x && x < b.z && y >= b.y && y < b.w; }))
                return false;
    return true;
}

float area(const std::vector<ImVec4>& boxes) {
    float sum = 0;
    for (const ImVec4& b : boxes) sum += (b.z - b.x) * (b.w - b.y);
    return sum;
}

}  // namespace

TEST_CASE("the first frame of a window is all changed, an identical next frame is not") {
    ChangedParts parts;
    const Rectangles frame{{{10, 10, 50, 40}, {300, 200, 500, 390}}};
    CHECK(covered(frame.changed_in(parts), {0, 0, window.x, window.y}));
    CHECK(frame.changed_in(parts).empty());
    CHECK(frame.changed_in(parts).empty());
    CHECK(covered(frame.changed_in(parts, {700, 400}), {0, 0, 700, 400}));
}

TEST_CASE("moving, adding, removing, recolouring or clipping a shape changes only its old and new place") {
    const ImVec4 still{300, 200, 500, 390}, old_place{10, 10, 50, 40}, new_place{100, 300, 140, 330};
    const Rectangles before{{still, old_place}};
    const auto changes = [&](const Rectangles& after) {
        ChangedParts parts;
        (void)before.changed_in(parts);
        return after.changed_in(parts);
    };
    const auto moved = changes({{still, new_place}});
    CHECK(covered(moved, old_place));
    CHECK(covered(moved, new_place));
    CHECK(area(moved) < 0.2f * window.x * window.y);
    for (std::size_t i = 0; i < moved.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const ImVec4 &a = moved[i], &b = moved[j];
            CHECK_FALSE((a.x < b.z && b.x < a.z && a.y < b.w && b.y < a.w));
        }
    CHECK(covered(changes({{still}}), old_place));
    CHECK(covered(changes({{still, old_place, new_place}}), new_place));
    CHECK(covered(changes({{old_place, still}}), still) == false);  // order matters only where they overlap
    Rectangles other = before;
    other.colour = IM_COL32_BLACK;
    CHECK(covered(changes(other), still));
    other = before;
    other.clip = {0, 0, 400, window.y};
    CHECK(covered(changes(other), still));
    Rectangles nearly = before;
    nearly.boxes[1].z += 0.25f;  // by less than a pixel
    CHECK(covered(changes(nearly), nearly.boxes[1]));
}

TEST_CASE("what cannot be compared counts as changed in every frame, and in the first frame without it") {
    ChangedParts parts;
    const Rectangles frame{{{10, 10, 50, 40}}};
    (void)frame.changed_in(parts);
    const auto unknown = [&] {
        parts.begin(window);
        parts.change({200, 100, 260, 160});
        const auto changed = parts.end();
        return std::vector<ImVec4>(changed.begin(), changed.end());
    };
    const auto first = unknown();
    CHECK(covered(first, {200, 100, 260, 160}));
    CHECK(covered(first, {10, 10, 50, 40}));  // it is no longer drawn
    CHECK(covered(unknown(), {200, 100, 260, 160}));
    const auto gone = frame.changed_in(parts);
    CHECK(covered(gone, {200, 100, 260, 160}));
    CHECK(covered(gone, {10, 10, 50, 40}));
    CHECK(frame.changed_in(parts).empty());
    parts.begin(window);
    parts.fill({200, 100, 260, 160}, IM_COL32_WHITE);
    (void)parts.end();
    parts.begin(window);
    parts.fill({200, 100, 260, 160}, IM_COL32_WHITE);
    CHECK(parts.end().empty());
    parts.begin(window);
    parts.change_all();
    const auto all = parts.end();
    CHECK(area({all.begin(), all.end()}) == window.x * window.y);
}
