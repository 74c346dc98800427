#include "app/window/frame_painter.h"

#include <epoxy/gl.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>

#include "app/context/software_renderer.h"
#include "app/ui/draw_shader.h"
#include "app/ui/imgui_versions.h"
#include "app/ui/opaque_fill.h"

namespace glassformer::app {

namespace {

constexpr unsigned least_triangles = 32;  // fewer are not worth a change of the way
const ImVec4 everywhere{-1e9f, -1e9f, 1e9f, 1e9f};

// Boxes as clip rectangles are: from x, y to z, w.
ImVec4 common(const ImVec4& a, const ImVec4& b) {
    return {std::max(a.x, b.x), std::max(a.y, b.y), std::min(a.z, b.z), std::min(a.w, b.w)};
}
ImVec4 around(const ImVec4& a, const ImVec4& b) {
    return {std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.z, b.z), std::max(a.w, b.w)};
}
bool is_empty(const ImVec4& box) { return box.z <= box.x || box.w <= box.y; }

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
    glUniform2f(program.texels, static_cast<float>(ImGui::GetIO().Fonts->TexWidth), way.line.begin);
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
        const auto texels = static_cast<float>(atlas.TexWidth);
        piece.kind = Kind::shape;
        piece.line = {kept.x * texels, static_cast<float>(width + 2)};
        break;
    }
    return piece;
}

void FramePainter::grow(Piece& piece, const Piece& by) {
    piece.count += by.count;
    piece.around = around(piece.around, by.around);
}

void FramePainter::join_short(Kind of, Kind to, unsigned least) {
    std::size_t joined = 0;
    for (const Piece& next : pieces_) {
        Piece piece = next;
        if (piece.kind == of && piece.count < 3 * least)
            piece.kind = to, piece.line = to == Kind::picture ? Line{} : piece.line;
        if (joined > 0 && pieces_[joined - 1].in_the_way_of(piece))
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
        if (!pieces_.empty() && pieces_.back().in_the_way_of(piece))
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

void FramePainter::add(const ImDrawList& list, const ImDrawCmd& command, const ImVec4& within) {
    ImDrawCmd part = command;
    part.ClipRect = common(command.ClipRect, within);
    const bool fills = command.UserCallback && draw::opaque_colour(command);
    if ((fills || !command.UserCallback) && is_empty(part.ClipRect)) return;
    if (fills) return split_.push_back(part);  // changes nothing
    if (command.UserCallback || command.GetTexID() != atlas_texture(*ImGui::GetIO().Fonts)) {
        go_on({});
        return split_.push_back(part);
    }
    find_pieces(list, command);
    for (const Piece& piece : pieces_) {
        if (is_empty(common(piece.around, part.ClipRect))) continue;
        go_on(piece);
        split_.push_back(part);
        split_.back().IdxOffset = piece.first, split_.back().ElemCount = piece.count;
        if (piece.kind != Kind::picture) plain_triangles_ += static_cast<int>(piece.count / 3);
    }
}

void FramePainter::add_all(const ImDrawList& list, std::span<const ImDrawCmd> commands, const ImVec4& within) {
    for (const ImDrawCmd& command : commands) add(list, command, within);
}

void FramePainter::add_moving(const ImDrawList& list, const draw::MovingPicture& moving,
                              std::span<const ImDrawCmd> commands) {
    KeptPicture& kept = kept_[moving.id];
    if (!kept.stands_for(moving, keep_, ImGui::GetTime())) {
        call(KeptPicture::begin_drawing, kept);
        add_all(list, commands, everywhere);
        return call(KeptPicture::end_drawing, kept);
    }
    ++kept_shown_;
    call(KeptPicture::show, kept);
    for (const Box& box : kept.missing()) add_all(list, commands, {box.min.x, box.min.y, box.max.x, box.max.y});
    if (kept.shifted()) call(KeptPicture::keep, kept);
}

void FramePainter::split(ImDrawList& list) {
    split_.resize(0);
    now_ = {};  // ImGui's own way, in which each list begins
    const std::span<const ImDrawCmd> all(list.CmdBuffer.Data, static_cast<std::size_t>(list.CmdBuffer.Size));
    for (std::size_t i = 0; i < all.size(); ++i) {
        const draw::MovingPicture* moving = draw::begins_moving_picture(all[i]);
        if (!moving || keep_ == KeptPictures::never) {
            if (!moving && !draw::ends_moving_picture(all[i])) add(list, all[i], everywhere);
            continue;
        }
        const auto end =
            std::find_if(all.begin() + static_cast<std::ptrdiff_t>(i), all.end(), draw::ends_moving_picture);
        const auto next = static_cast<std::size_t>(end - all.begin());
        add_moving(list, *moving, all.subspan(i + 1, next - i - 1));
        i = next;
    }
    go_on({});
    list.CmdBuffer.swap(split_);
}

void FramePainter::keep_pictures(KeptPictures when) {
    keep_ = when == KeptPictures::where_slow && !draws_in_software() ? KeptPictures::never : when;
}

void FramePainter::paint(ImDrawData& frame) {
    ways_.clear();
    plain_triangles_ = kept_shown_ = 0;
    std::vector<ImVector<ImDrawCmd>> commands;  // the lists are as they were afterwards
    for (int i = 0; i < frame.CmdListsCount; ++i) {
        ImDrawList& list = *frame.CmdLists[i];
        commands.push_back(list.CmdBuffer);
        split(list);
    }
    ImGui_ImplOpenGL3_RenderDrawData(&frame);
    for (int i = 0; i < frame.CmdListsCount; ++i)
        frame.CmdLists[i]->CmdBuffer.swap(commands[static_cast<std::size_t>(i)]);
}

}  // namespace glassformer::app
