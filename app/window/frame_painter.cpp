#include "app/window/frame_painter.h"

#include <epoxy/gl.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>

#include "app/ui/draw_shader.h"
#include "app/ui/imgui_versions.h"
#include "app/ui/opaque_fill.h"

namespace glassformer::app {

namespace {

constexpr unsigned least_triangles = 32;  // fewer are not worth a change of the way

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
    Piece piece{Kind::picture, {}, index, 3};
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

void FramePainter::join_short(Kind of, Kind to, unsigned least) {
    std::size_t joined = 0;
    for (const Piece& next : pieces_) {
        Piece piece = next;
        if (piece.kind == of && piece.count < 3 * least)
            piece.kind = to, piece.line = to == Kind::picture ? Line{} : piece.line;
        if (joined > 0 && pieces_[joined - 1].in_the_way_of(piece))
            pieces_[joined - 1].count += piece.count;
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
            pieces_.back().count += 3;
        else
            pieces_.push_back(piece);
    }
    join_short(Kind::opaque, Kind::shape, least_triangles);
    join_short(Kind::shape, Kind::picture, least_triangles);
}

void FramePainter::split(ImDrawList& list) {
    split_.resize(0);
    Piece now;  // ImGui's own way, in which each list begins
    const auto go_on = [&](const Piece& piece) {
        if (now.in_the_way_of(piece)) return;
        now = piece;
        ways_.push_back({this, piece.kind, piece.line});
        ImDrawCmd change{};
        change.UserCallback = set_up, change.UserCallbackData = &ways_.back();
        split_.push_back(change);
    };
    const ImTextureID atlas = atlas_texture(*ImGui::GetIO().Fonts);
    for (const ImDrawCmd& command : list.CmdBuffer) {
        if (command.UserCallback && draw::opaque_colour(command)) {
            split_.push_back(command);  // changes nothing
        } else if (command.UserCallback || command.GetTexID() != atlas) {
            go_on({});
            split_.push_back(command);
        } else {
            find_pieces(list, command);
            for (const Piece& piece : pieces_) {
                go_on(piece);
                split_.push_back(command);
                split_.back().IdxOffset = piece.first, split_.back().ElemCount = piece.count;
                if (piece.kind != Kind::picture) plain_triangles_ += static_cast<int>(piece.count / 3);
            }
        }
    }
    go_on({});
    list.CmdBuffer.swap(split_);
}

void FramePainter::paint(ImDrawData& frame) {
    ways_.clear();
    plain_triangles_ = 0;
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
