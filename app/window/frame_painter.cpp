#include "app/window/frame_painter.h"

#include <epoxy/gl.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "app/ui/heat_shader.h"
#include "app/ui/imgui_versions.h"
#include "app/ui/opaque_fill.h"
#include "app/window/render_target.h"

namespace glassformer::app {

namespace {

constexpr int side = 64;  // of a square, in pixels
constexpr std::size_t most_boxes = 12;
constexpr float nearly_all = 0.8f;  // of the window: beyond this, one box is faster than many
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

// Boxes are like clip rectangles: from x, y to z, w.
ImVec4 common(const ImVec4& a, const ImVec4& b) {
    return {std::max(a.x, b.x), std::max(a.y, b.y), std::min(a.z, b.z), std::min(a.w, b.w)};
}
bool is_empty(const ImVec4& box) { return box.z <= box.x || box.w <= box.y; }

/// The pixels that ImGui's backend draws for a clip rectangle. These are cut into boxes, rather than the rectangle,
/// whose fractional sides the backend would round separately for each part.
ImVec4 pixels_of(const ImVec4& clip, float height) {
    const float left = std::trunc(clip.x), bottom = height - std::trunc(height - clip.w);
    return {left, bottom - std::trunc(clip.w - clip.y), left + std::trunc(clip.z - clip.x), bottom};
}

std::span<const ImDrawCmd> commands_of(const ImDrawList& list) {
    return {list.CmdBuffer.Data, static_cast<std::size_t>(list.CmdBuffer.Size)};
}

/// Consecutive triangles of a command.
struct Run {
    unsigned first = 0, count = 0;            // indices
    ImVec4 around{1e9f, 1e9f, -1e9f, -1e9f};  // their bounding box
};

/// Splits a command into runs so short that most triangles outside the boxes can be skipped.
std::vector<Run> runs_of(const ImDrawList& list, const ImDrawCmd& command) {
    constexpr unsigned most_indices = 1536;
    std::vector<Run> runs;
    for (unsigned i = 0; i < command.ElemCount; ++i) {
        const unsigned at = command.IdxOffset + i;
        if (i % most_indices == 0) runs.push_back({at, 0});
        const ImDrawIdx index = list.IdxBuffer[static_cast<int>(at)];
        const ImVec2 p = list.VtxBuffer[static_cast<int>(command.VtxOffset + index)].pos;
        Run& run = runs.back();
        ++run.count;
        run.around = {std::min(run.around.x, p.x), std::min(run.around.y, p.y), std::max(run.around.z, p.x),
                      std::max(run.around.w, p.y)};
    }
    return runs;
}

/// Adds the runs of a command that are visible in `part`.
void add_runs(ImVector<ImDrawCmd>& to, const ImDrawCmd& part, std::span<const Run> runs) {
    bool goes_on = false;
    for (const Run& run : runs) {
        const bool seen = !is_empty(common(run.around, part.ClipRect));
        if (seen && goes_on) {
            to.back().ElemCount += run.count;
        } else if (seen) {
            to.push_back(part);
            to.back().IdxOffset = run.first, to.back().ElemCount = run.count;
        }
        goes_on = seen;
    }
}

/// Clears the boxes with OpenGL's clear colour.
void clear(std::span<const ImVec4> boxes, float height) {
    glEnable(GL_SCISSOR_TEST);
    for (const ImVec4& box : boxes) {
        glScissor(static_cast<GLint>(box.x), static_cast<GLint>(height - box.w), static_cast<GLint>(box.z - box.x),
                  static_cast<GLint>(box.w - box.y));
        glClear(GL_COLOR_BUFFER_BIT);
    }
    glDisable(GL_SCISSOR_TEST);
}

/// Copies the whole picture to another framebuffer, and leaves that one bound.
void show(const RenderTarget& picture, GLuint in) {
    const int width = picture.width(), height = picture.height();
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, in);
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, in);
}

}  // namespace

void ChangedParts::begin(ImVec2 size) {
    if (size.x != size_.x || size.y != size_.y) {
        size_ = size;
        columns_ = (static_cast<int>(size.x) + side - 1) / side, rows_ = (static_cast<int>(size.y) + side - 1) / side;
        before_.clear();
    }
    now_.assign(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_), seed);
    before_.resize(now_.size());  // 0 is never a square's hash
}

// One pixel larger on each side: exactly where a triangle ends is up to the renderer.
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

/// Collects runs of changed squares; equal runs below one another form one box.
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

FramePainter::FramePainter() = default;
FramePainter::~FramePainter() = default;

void FramePainter::draw_changes_only(bool on) {
    kept_.reset();
    changed_ = on ? std::make_unique<ChangedParts>() : nullptr;
}

/// Draw lists do not reveal what a texture holds or what a callback does, except for ImGui's own atlas and for heat
/// maps.
void FramePainter::compare(const ImDrawList& list) {
    std::uint64_t heat_map = 0;  // the hash of the heat map that the next triangles draw
    for (const ImDrawCmd& command : commands_of(list)) {
        if (const auto colour = draw::opaque_colour(command)) {
            changed_->fill(command.ClipRect, *colour);
        } else if (command.UserCallback) {
            const std::optional<std::uint64_t> known = HeatShader::number(command);
            if (!known && command.UserCallback != ImDrawCallback_ResetRenderState) changed_->change_all();
            heat_map = known.value_or(0);
        } else if (command.GetTexID() == atlas_texture(*ImGui::GetIO().Fonts)) {
            changed_->add(list, command, heat_map);
        } else {
            for (const Run& run : runs_of(list, command)) changed_->change(common(run.around, command.ClipRect));
        }
    }
}

void FramePainter::find_changes(const ImDrawData& frame, unsigned target) {
    const ImVec2 size = frame.DisplaySize;
    const int width = static_cast<int>(size.x), height = static_cast<int>(size.y);
    const bool fresh = !kept_ || kept_->width() != width || kept_->height() != height;
    if (fresh) kept_ = std::make_unique<RenderTarget>(width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, kept_->complete() ? kept_->framebuffer() : target);
    std::array<GLfloat, 4> back{};
    glGetFloatv(GL_COLOR_CLEAR_VALUE, back.data());
    changed_->begin(size);
    changed_->fill({0, 0, size.x, size.y}, ImGui::ColorConvertFloat4ToU32({back[0], back[1], back[2], back[3]}));
    if (fresh || !kept_->complete()) changed_->change_all();
    for (int n = 0; n < frame.CmdListsCount; ++n) compare(*frame.CmdLists[n]);
    const std::span<const ImVec4> changed = changed_->end();
    boxes_.assign(changed.begin(), changed.end());
}

void FramePainter::cut(ImDrawList& list, float height) {
    ImVector<ImDrawCmd> parts;
    for (const ImDrawCmd& command : commands_of(list)) {
        const bool fills = draw::opaque_colour(command).has_value();
        if (command.UserCallback && !fills) {
            parts.push_back(command);
            continue;
        }
        const std::vector<Run> runs = fills ? std::vector<Run>() : runs_of(list, command);
        for (const ImVec4& box : boxes_) {
            ImDrawCmd part = command;
            part.ClipRect = common(pixels_of(command.ClipRect, height), box);
            if (is_empty(part.ClipRect)) continue;
            if (fills)
                parts.push_back(part);
            else
                add_runs(parts, part, runs);
        }
    }
    list.CmdBuffer.swap(parts);
}

void FramePainter::paint(ImDrawData& frame) {
    const ImVec2 size = frame.DisplaySize;
    boxes_ = {{0, 0, size.x, size.y}};
    if (!changed_) return ImGui_ImplOpenGL3_RenderDrawData(&frame);
    GLint bound = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &bound);
    const auto target = static_cast<GLuint>(bound);
    find_changes(frame, target);
    clear(boxes_, size.y);
    std::vector<ImVector<ImDrawCmd>> whole;  // to restore the lists afterwards
    for (int i = 0; i < frame.CmdListsCount; ++i) {
        whole.push_back(frame.CmdLists[i]->CmdBuffer);
        cut(*frame.CmdLists[i], size.y);
    }
    ImGui_ImplOpenGL3_RenderDrawData(&frame);
    if (kept_->complete()) show(*kept_, target);
    for (std::size_t i = 0; i < whole.size(); ++i) frame.CmdLists[static_cast<int>(i)]->CmdBuffer.swap(whole[i]);
}

}  // namespace glassformer::app
