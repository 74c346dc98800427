#include "app/window/changed_parts.h"

#include <algorithm>
#include <cstring>

namespace glassformer::app {

namespace {

constexpr int side = 64;  // of a square, in pixels
constexpr std::size_t most_boxes = 12;
constexpr float nearly_all = 0.8f;  // of the window: one box is drawn faster than many
constexpr std::uint64_t seed = 14695981039346656037u;

std::uint64_t stirred(std::uint64_t number, std::uint64_t part) {
    number = (number ^ part) * 0x9e3779b97f4a7c15u;
    return number ^ (number >> 29);
}

std::uint64_t bits(const ImVec2& two) {
    std::uint64_t number;
    static_assert(sizeof two == sizeof number);
    std::memcpy(&number, &two, sizeof number);
    return number;
}

std::uint64_t stirred(std::uint64_t number, const ImVec4& box) {
    return stirred(stirred(number, bits({box.x, box.y})), bits({box.z, box.w}));
}

float area(const ImVec4& box) { return (box.z - box.x) * (box.w - box.y); }

}  // namespace

void ChangedParts::begin(ImVec2 size) {
    if (size.x != size_.x || size.y != size_.y) {
        size_ = size;
        columns_ = (static_cast<int>(size.x) + side - 1) / side, rows_ = (static_cast<int>(size.y) + side - 1) / side;
        before_.clear();
    }
    now_.assign(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_), seed);
    before_.resize(now_.size());  // 0 is no square's number
}

// A pixel more on each side: where a triangle ends, the renderer decides.
ChangedParts::Squares ChangedParts::squares_of(const ImVec4& box) const {
    const auto square = [](float pixel, int most) {
        return static_cast<int>(std::clamp(pixel / side, 0.0f, static_cast<float>(most)));
    };
    if (box.z <= box.x || box.w <= box.y) return {0, 0, 0, 0};
    return {square(box.x - 1, columns_), square(box.y - 1, rows_), std::min(square(box.z + 1, columns_) + 1, columns_),
            std::min(square(box.w + 1, rows_) + 1, rows_)};
}

void ChangedParts::mark(const Squares& squares, std::uint64_t number) {
    for (int y = squares.top; y < squares.bottom; ++y)
        for (int x = squares.left; x < squares.right; ++x) {
            std::uint64_t& square = now_[y * columns_ + x];
            square = stirred(square, number);
        }
}

void ChangedParts::add(const ImDrawList& list, const ImDrawCmd& command, std::uint64_t texture) {
    const ImVec4& clip = command.ClipRect;
    const std::uint64_t first = stirred(stirred(seed, clip), texture);
    const ImDrawVert* vertices = list.VtxBuffer.Data + command.VtxOffset;
    const ImDrawIdx* indices = list.IdxBuffer.Data + command.IdxOffset;
    for (unsigned i = 0; i + 2 < command.ElemCount; i += 3) {
        std::uint64_t number = first;
        ImVec4 box{1e9f, 1e9f, -1e9f, -1e9f};
        for (unsigned corner = i; corner < i + 3; ++corner) {
            const ImDrawVert& v = vertices[indices[corner]];
            number = stirred(stirred(number, bits(v.pos)), bits(v.uv) + v.col);
            box = {std::min(box.x, v.pos.x), std::min(box.y, v.pos.y), std::max(box.z, v.pos.x),
                   std::max(box.w, v.pos.y)};
        }
        mark(squares_of(
                 {std::max(box.x, clip.x), std::max(box.y, clip.y), std::min(box.z, clip.z), std::min(box.w, clip.w)}),
             number);
    }
}

void ChangedParts::fill(const ImVec4& box, ImU32 colour) { mark(squares_of(box), stirred(stirred(seed, box), colour)); }

void ChangedParts::change(const ImVec4& box) { mark(squares_of(box), stirred(seed, ++unknown_)); }

/// Runs of changed squares, those below one another as one box.
void ChangedParts::join() {
    const auto changed = [&](int x, int y) {
        const std::size_t at = y * columns_ + x;
        return now_[at] != before_[at];
    };
    for (int y = 0; y < rows_; ++y)
        for (int x = 0; x < columns_; ++x) {
            if (!changed(x, y)) continue;
            const int from = x;
            while (x < columns_ && changed(x, y)) ++x;
            const ImVec4 run{static_cast<float>(from * side), static_cast<float>(y * side),
                             std::min(static_cast<float>(x * side), size_.x),
                             std::min(static_cast<float>((y + 1) * side), size_.y)};
            const auto above = std::ranges::find_if(
                boxes_, [&](const ImVec4& b) { return b.w == run.y && b.x == run.x && b.z == run.z; });
            if (above != boxes_.end())
                above->w = run.w;
            else
                boxes_.push_back(run);
        }
}

std::span<const ImVec4> ChangedParts::end() {
    boxes_.clear();
    join();
    float changed = 0;
    ImVec4 around{size_.x, size_.y, 0, 0};
    for (const ImVec4& box : boxes_) {
        changed += area(box);
        around = {std::min(around.x, box.x), std::min(around.y, box.y), std::max(around.z, box.z),
                  std::max(around.w, box.w)};
    }
    if (changed > nearly_all * size_.x * size_.y)
        boxes_ = {{0, 0, size_.x, size_.y}};
    else if (boxes_.size() > most_boxes)
        boxes_ = {around};
    before_.swap(now_);
    return boxes_;
}

}  // namespace glassformer::app
