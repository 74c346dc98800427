#include "app/window/frame_painter.h"

#include <epoxy/gl.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <array>

#include "app/context/software_renderer.h"
#include "app/ui/draw_shader.h"
#include "app/ui/heat_picture.h"
#include "app/ui/imgui_versions.h"
#include "app/ui/opaque_fill.h"
#include "app/window/changed_parts.h"
#include "app/window/kept_window.h"

namespace glassformer::app {

namespace {

constexpr unsigned least_triangles = 32;  // fewer are not worth a change of the way
constexpr unsigned most_indices = 1536;   // of a piece, so that one out of sight is left out
const ImVec4 everywhere{-1e9f, -1e9f, 1e9f, 1e9f};

// In texels. Every version of Dear ImGui keeps this one over it; the width itself moved in 1.92.
float atlas_width(const ImFontAtlas& atlas) { return 1 / atlas.TexUvScale.x; }

// Boxes as clip rectangles are: from x, y to z, w.
ImVec4 common(const ImVec4& a, const ImVec4& b) {
    return {std::max(a.x, b.x), std::max(a.y, b.y), std::min(a.z, b.z), std::min(a.w, b.w)};
}
ImVec4 around(const ImVec4& a, const ImVec4& b) {
    return {std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.z, b.z), std::max(a.w, b.w)};
}
bool is_empty(const ImVec4& box) { return box.z <= box.x || box.w <= box.y; }
ImVec4 box_of(const Box& box) { return {box.min.x, box.min.y, box.max.x, box.max.y}; }

/// Around the triangles of a command, as far as it is not cut off.
ImVec4 around(const ImDrawList& list, const ImDrawCmd& command) {
    ImVec4 box{1e9f, 1e9f, -1e9f, -1e9f};
    for (unsigned i = command.IdxOffset; i < command.IdxOffset + command.ElemCount; ++i) {
        const ImVec2 p = list.VtxBuffer[static_cast<int>(command.VtxOffset) + list.IdxBuffer[static_cast<int>(i)]].pos;
        box = around(box, {p.x, p.y, p.x, p.y});
    }
    return common(box, command.ClipRect);
}

std::span<const ImDrawCmd> commands_of(const ImDrawList& list) {
    return {list.CmdBuffer.Data, static_cast<std::size_t>(list.CmdBuffer.Size)};
}

/// Those of a moving picture that begins with the first of them.
std::span<const ImDrawCmd> commands_of_moving(std::span<const ImDrawCmd> from) {
    const auto end = std::ranges::find_if(from, draw::ends_moving_picture);
    return {from.begin() + 1, end};
}

}  // namespace

FramePainter::FramePainter() {
    vertex_ = compiled_draw_shader(GL_VERTEX_SHADER, "draw/shape.vert");
    fragments_[0] = compiled_draw_shader(GL_FRAGMENT_SHADER, "draw/shape.frag");
    fragments_[1] = compiled_draw_shader(GL_FRAGMENT_SHADER, "draw/line.frag");
    for (Program* program : {&shape_, &line_}) {
        program->id = glCreateProgram();
        glAttachShader(program->id, vertex_);
        glAttachShader(program->id, fragments_[program == &line_]);
    }
}

FramePainter::~FramePainter() {
    glDeleteProgram(shape_.id);
    glDeleteProgram(line_.id);
    for (const unsigned shader : {vertex_, fragments_[0], fragments_[1]}) glDeleteShader(shader);
}

/// The attributes must lie where ImGui's own program has them.
void FramePainter::link(Program& program) {
    for (const char* name : {"Position", "UV", "Color"})
        glBindAttribLocation(program.id, static_cast<GLuint>(glGetAttribLocation(imgui_program_, name)), name);
    glLinkProgram(program.id);
    const auto place = [&](const char* name) { return glGetUniformLocation(program.id, name); };
    program.projection = place("projection"), program.texels = place("texels"), program.width = place("width");
}

void FramePainter::set_up(const ImDrawList*, const ImDrawCmd* command) {
    const Way& way = *static_cast<const Way*>(command->UserCallbackData);
    way.painter->begin(way);
}

void FramePainter::begin(const Way& way) {
    if (imgui_program_ == 0) {  // ImGui's is current before the first of ours
        GLint current = 0;
        glGetIntegerv(GL_CURRENT_PROGRAM, &current);
        imgui_program_ = static_cast<unsigned>(current);
        link(shape_);
        link(line_);
    }
    if (way.kind == Kind::opaque)
        glDisable(GL_BLEND);
    else
        glEnable(GL_BLEND);
    if (way.kind == Kind::picture) return glUseProgram(imgui_program_);
    const Program& program = way.line.width > 0 ? line_ : shape_;
    glUseProgram(program.id);
    set_projection(program.projection);
    glUniform2f(program.texels, atlas_width(*ImGui::GetIO().Fonts), way.line.begin);
    glUniform1f(program.width, way.line.width);
}

FramePainter::Piece FramePainter::piece_of(const ImDrawList& list, const ImDrawCmd& command, unsigned index) const {
    const auto corner = [&](unsigned i) -> const ImDrawVert& {
        return list.VtxBuffer[static_cast<int>(command.VtxOffset) + list.IdxBuffer[static_cast<int>(index + i)]];
    };
    const ImDrawVert &a = corner(0), &b = corner(1), &c = corner(2);
    Piece piece{Kind::picture, {}, index, 3, {}};
    piece.around = {std::min({a.pos.x, b.pos.x, c.pos.x}), std::min({a.pos.y, b.pos.y, c.pos.y}),
                    std::max({a.pos.x, b.pos.x, c.pos.x}), std::max({a.pos.y, b.pos.y, c.pos.y})};
    if (a.uv.y != b.uv.y || a.uv.y != c.uv.y) return piece;
    const ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    if (const ImVec2 white = atlas.TexUvWhitePixel; a.uv.y == white.y && a.uv.x == white.x && b.uv.x == white.x) {
        if (c.uv.x != white.x) return piece;
        piece.kind = (a.col & b.col & c.col & IM_COL32_A_MASK) == IM_COL32_A_MASK ? Kind::opaque : Kind::shape;
        return piece;
    }
    for (int width = 1; width < IM_DRAWLIST_TEX_LINES_WIDTH_MAX; ++width) {
        const ImVec4& kept = atlas.TexUvLines[width];
        if (kept.y != a.uv.y) continue;
        const auto on_edge = [&](const ImDrawVert& v) { return v.uv.x == kept.x || v.uv.x == kept.z; };
        if (!on_edge(a) || !on_edge(b) || !on_edge(c)) return piece;
        piece.kind = Kind::shape;
        piece.line = {kept.x * atlas_width(atlas), static_cast<float>(width + 2)};
        break;
    }
    return piece;
}

bool FramePainter::Piece::takes(const Piece& o) const { return in_the_way_of(o) && count + o.count <= most_indices; }

void FramePainter::grow(Piece& piece, const Piece& by) {
    piece.count += by.count;
    piece.around = around(piece.around, by.around);
}

void FramePainter::join_short(Kind of, Kind to, unsigned least) {
    std::size_t joined = 0;
    for (const Piece& next : pieces_) {
        Piece piece = next;
        const bool goes_on = joined > 0 && pieces_[joined - 1].in_the_way_of(piece);
        if (piece.kind == of && piece.count < 3 * least && !goes_on)
            piece.kind = to, piece.line = to == Kind::picture ? Line{} : piece.line;
        if (joined > 0 && pieces_[joined - 1].takes(piece))
            grow(pieces_[joined - 1], piece);
        else
            pieces_[joined++] = piece;
    }
    pieces_.resize(joined);
}

void FramePainter::find_pieces(const ImDrawList& list, const ImDrawCmd& command) {
    pieces_.clear();
    const unsigned end = command.IdxOffset + command.ElemCount;
    for (unsigned i = command.IdxOffset; i + 2 < end; i += 3) {
        const Piece piece = piece_of(list, command, i);
        if (!pieces_.empty() && pieces_.back().takes(piece))
            grow(pieces_.back(), piece);
        else
            pieces_.push_back(piece);
    }
    join_short(Kind::opaque, Kind::shape, least_triangles);
    join_short(Kind::shape, Kind::picture, least_triangles);
}

void FramePainter::go_on(const Piece& piece) {
    if (now_.in_the_way_of(piece)) return;
    now_ = piece;
    ways_.push_back({this, piece.kind, piece.line});
    ImDrawCmd change{};
    change.UserCallback = set_up, change.UserCallbackData = &ways_.back();
    split_.push_back(change);
}

void FramePainter::call(ImDrawCallback what, KeptPicture& picture) {
    ImDrawCmd command{};
    command.UserCallback = what, command.UserCallbackData = &picture;
    split_.push_back(command);
}

void FramePainter::add_piece(const ImDrawCmd& part, const Piece& piece) {
    go_on(piece);
    if (piece.kind != Kind::picture) plain_triangles_ += static_cast<int>(piece.count / 3);
    if (split_.Size > 0) {
        ImDrawCmd& last = split_.back();
        const ImVec4 &a = last.ClipRect, &b = part.ClipRect;
        if (!last.UserCallback && last.VtxOffset == part.VtxOffset && last.IdxOffset + last.ElemCount == piece.first &&
            a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w && last.GetTexID() == part.GetTexID()) {
            last.ElemCount += piece.count;
            return;
        }
    }
    split_.push_back(part);
    split_.back().IdxOffset = piece.first, split_.back().ElemCount = piece.count;
}

void FramePainter::add(const ImDrawList& list, const ImDrawCmd& command, std::span<const ImVec4> within) {
    const bool fills = command.UserCallback && draw::opaque_colour(command);
    if (command.UserCallback && !fills) {
        go_on({});
        return split_.push_back(command);
    }
    const bool splits = !fills && command.GetTexID() == atlas_texture(*ImGui::GetIO().Fonts);
    pieces_.clear();
    for (const ImVec4& box : within) {
        ImDrawCmd part = command;
        part.ClipRect = common(command.ClipRect, box);
        if (is_empty(part.ClipRect)) continue;
        if (!splits) {
            if (!fills) go_on({});  // a fill changes nothing
            split_.push_back(part);
            continue;
        }
        if (pieces_.empty()) find_pieces(list, command);
        for (const Piece& piece : pieces_)
            if (!is_empty(common(piece.around, part.ClipRect))) add_piece(part, piece);
    }
}

void FramePainter::add_all(const ImDrawList& list, std::span<const ImDrawCmd> commands,
                           std::span<const ImVec4> within) {
    for (const ImDrawCmd& command : commands) add(list, command, within);
}

void FramePainter::add_moving(const ImDrawList& list, const draw::MovingPicture& moving,
                              std::span<const ImDrawCmd> commands) {
    KeptPicture& kept = kept_[moving.id];
    if (stands_[moving_++]) {
        ++kept_shown_;
        call(KeptPicture::show, kept);
        for (const Box& box : kept.missing()) add_all(list, commands, std::array{box_of(box)});
        if (kept.shifted()) call(KeptPicture::keep, kept);
        return;
    }
    const bool whole = kept.drawn_whole();
    if (whole) call(KeptPicture::begin_drawing, kept);
    add_all(list, commands, boxes_);
    if (whole) return call(KeptPicture::end_drawing, kept);
    const ImVec4 view = box_of(moving.view);
    if (std::ranges::any_of(boxes_, [&](const ImVec4& box) { return !is_empty(common(box, view)); })) kept.forget();
}

void FramePainter::split(ImDrawList& list) {
    split_.resize(0);
    now_ = {};  // ImGui's own way, in which each list begins
    const std::span<const ImDrawCmd> all = commands_of(list);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const draw::MovingPicture* moving = draw::begins_moving_picture(all[i]);
        if (moving && keep_ != KeptPictures::never) {
            const std::span<const ImDrawCmd> part = commands_of_moving(all.subspan(i));
            add_moving(list, *moving, part);
            i += part.size() + 1;
        } else if (!moving && !draw::ends_moving_picture(all[i])) {
            add(list, all[i], boxes_);
        }
    }
    go_on({});
    list.CmdBuffer.swap(split_);
}

/// What a callback or a texture of its own draws cannot be told from the lists.
void FramePainter::compare(const ImDrawList& list, std::span<const ImDrawCmd> commands) {
    bool unknown = false;
    std::uint64_t heat_map = 0;  // that the triangles are of
    for (std::size_t i = 0; i < commands.size(); ++i) {
        const ImDrawCmd& command = commands[i];
        if (const auto colour = draw::opaque_colour(command)) {
            changed_->fill(command.ClipRect, *colour);
        } else if (command.UserCallback) {
            const std::optional<std::uint64_t> known = heat_number(command);
            heat_map = known.value_or(0);
            unknown = !known && command.UserCallback != ImDrawCallback_ResetRenderState;
            // Where no triangles follow, it does something to the whole picture.
            if (unknown && (i + 1 == commands.size() || commands[i + 1].UserCallback)) changed_->change_all();
        } else if (unknown || command.GetTexID() != atlas_texture(*ImGui::GetIO().Fonts)) {
            changed_->change(around(list, command));
        } else {
            changed_->add(list, command, heat_map);
        }
    }
}

void FramePainter::find_changes(const ImDrawData& frame) {
    changed_->begin(frame.DisplaySize);
    if (!window_->begin(static_cast<int>(frame.DisplaySize.x), static_cast<int>(frame.DisplaySize.y)))
        changed_->change_all();
    for (int n = 0; n < frame.CmdListsCount; ++n) {
        const ImDrawList& list = *frame.CmdLists[n];
        const std::span<const ImDrawCmd> all = commands_of(list);
        std::size_t from = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const draw::MovingPicture* moving = draw::begins_moving_picture(all[i]);
            if (!moving) continue;
            compare(list, all.subspan(from, i - from));
            const std::span<const ImDrawCmd> part = commands_of_moving(all.subspan(i));
            KeptPicture& kept = kept_[moving->id];
            const bool stands = kept.stands_for(*moving, keep_, ImGui::GetTime());
            stands_.push_back(stands);
            if (stands || kept.drawn_whole()) changed_->change(box_of(moving->view));
            if (!stands) compare(list, part);
            i += part.size() + 1, from = i + 1;
        }
        if (from < all.size()) compare(list, all.subspan(from));
    }
    const std::span<const ImVec4> changed = changed_->end();
    boxes_.assign(changed.begin(), changed.end());
    window_->clear(boxes_);
}

void FramePainter::keep_pictures(KeptPictures when) {
    keep_ = when == KeptPictures::where_slow && !draws_in_software() ? KeptPictures::never : when;
    changed_.reset(), window_.reset();
    if (keep_ != KeptPictures::never)
        changed_ = std::make_unique<ChangedParts>(), window_ = std::make_unique<KeptWindow>();
}

void FramePainter::paint(ImDrawData& frame) {
    ways_.clear();
    stands_.clear();
    plain_triangles_ = kept_shown_ = 0, moving_ = 0;
    boxes_ = {everywhere};
    if (window_) find_changes(frame);
    std::vector<ImVector<ImDrawCmd>> commands;  // the lists are as they were afterwards
    for (int i = 0; i < frame.CmdListsCount; ++i) {
        ImDrawList& list = *frame.CmdLists[i];
        commands.push_back(list.CmdBuffer);
        split(list);
    }
    ImGui_ImplOpenGL3_RenderDrawData(&frame);
    if (window_) window_->show();
    for (int i = 0; i < frame.CmdListsCount; ++i)
        frame.CmdLists[i]->CmdBuffer.swap(commands[static_cast<std::size_t>(i)]);
}

}  // namespace glassformer::app
