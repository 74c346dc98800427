#include "app/ui/heat_shader.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <bit>
#include <string>

#include "app/ui/draw_shader.h"
#include "app/ui/heat_levels.h"
#include "core/base/error.h"

namespace glassformer::app {

namespace {

void set_colour(int place, ImU32 colour) {
    const ImVec4 c = ImGui::ColorConvertU32ToFloat4(colour);
    glUniform3f(place, c.x, c.y, c.z);
}

}  // namespace

// By way of the empty one, so that what is there already is deleted when the rest throws.
HeatShader::HeatShader() : HeatShader(nullptr) {
    vertex_ = compiled_draw_shader(GL_VERTEX_SHADER, "draw/heat.vert");
    fragment_ = compiled_draw_shader(GL_FRAGMENT_SHADER, "draw/heat.frag");
    program_ = glCreateProgram();
    glAttachShader(program_, vertex_);
    glAttachShader(program_, fragment_);
    glGenTextures(1, &texture_);
    GLint most = 0;
    glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &most);
    ranges_ = epoxy_gl_version() >= 43;
    if (most < 2 * 2048 * 2048)
        throw Error("the shaders of this driver can see " + std::to_string(most) + " cells of a buffer, too few");
    link(position_);
    GLint good = GL_FALSE;
    glGetProgramiv(program_, GL_LINK_STATUS, &good);
    if (!good) throw Error("the shaders of the heat maps do not link here");
}

HeatShader::~HeatShader() {
    glDeleteProgram(program_);
    glDeleteShader(vertex_);
    glDeleteShader(fragment_);
    glDeleteTextures(1, &texture_);
}

/// The attribute must lie where ImGui's own program has it.
void HeatShader::link(int position) {
    position_ = position;
    glBindAttribLocation(program_, static_cast<GLuint>(position), "Position");
    glLinkProgram(program_);
    const auto place = [&](const char* name) { return glGetUniformLocation(program_, name); };
    places_ = {
        place("projection"),     place("cells"),       place("rows"),          place("columns"), place("stride"),
        place("first"),          place("scores"),      place("with_sign"),     place("range"),   place("colour_zero"),
        place("colour_middle"),  place("colour_full"), place("colour_broken"), place("corner"),  place("extent"),
        place("pitch"),          place("gap"),         place("lit"),           place("covered"), place("colour_gap"),
        place("colour_covered"), place("colour_line")};
}

// The lines beside the first and the last cells lie outside of the matrix.
void HeatShader::draw(ImDrawList& list, const Theme& theme, const HeatMatrix& matrix, const Source& source,
                      const Box& box, const HeatMarks& marks) {
    draws_.push_back({this, &theme, matrix.rows, matrix.columns, matrix.colours, matrix.range, source, box, marks});
    list.AddCallback(set_up, &draws_.back());
    list.PrimReserve(6, 4);
    const float out = marks.any_lit() ? 2.0f : 0.0f;
    list.PrimRect({box.min.x - out, box.min.y - out}, {box.max.x + out, box.max.y + out}, IM_COL32_WHITE);
    list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
}

void HeatShader::set_up(const ImDrawList*, const ImDrawCmd* command) {
    const Draw& draw = *static_cast<const Draw*>(command->UserCallbackData);
    draw.shader->begin(draw);
}

std::optional<HeatPicture> HeatShader::read_back(const ImDrawCmd& command) {
    if (command.UserCallback != set_up) return std::nullopt;
    const Draw& draw = *static_cast<const Draw*>(command.UserCallbackData);
    const auto cells = [&](std::int64_t first) {
        std::vector<float> values(static_cast<std::size_t>(draw.rows) * static_cast<std::size_t>(draw.columns));
        const auto row = static_cast<GLsizeiptr>(draw.columns) * 4;
        glBindBuffer(GL_TEXTURE_BUFFER, draw.source.buffer);
        for (std::int64_t r = 0; r < draw.rows; ++r)
            glGetBufferSubData(GL_TEXTURE_BUFFER, (first + r * draw.source.stride) * 4, row,
                               values.data() + r * draw.columns);
        glBindBuffer(GL_TEXTURE_BUFFER, 0);
        return values;
    };
    HeatPicture picture{draw.box, draw.rows, draw.columns, cells(draw.source.first), {}, draw.marks};
    std::vector<float> scores;
    if (draw.source.scores >= 0) scores = cells(draw.source.scores);
    const bool attention = draw.colours == HeatColours::attention;
    const HeatMatrix matrix{draw.rows,    draw.columns, picture.values, draw.columns,
                            draw.colours, draw.range,   scores,         {}};
    picture.colours = HeatScale(*draw.theme, draw.colours)
                          .coloured(first_level(matrix, std::max(draw.rows, draw.columns)),
                                    attention ? 1.0f : 0.5f / draw.range, attention ? 0.0f : 0.5f);
    return picture;
}

std::optional<HeatPicture> heat_picture(const ImDrawCmd& command) { return HeatShader::read_back(command); }

std::optional<std::uint64_t> HeatShader::number(const ImDrawCmd& command) {
    if (command.UserCallback != set_up) return std::nullopt;
    const Draw& d = *static_cast<const Draw*>(command.UserCallbackData);
    if (d.source.version == 0) return std::nullopt;
    std::uint64_t number = 14695981039346656037u;
    const auto add = [&](auto part) {
        number = (number ^ static_cast<std::uint64_t>(part)) * 1099511628211u, number ^= number >> 29;
    };
    const auto add_pixels = [&](float pixels) { add(std::bit_cast<std::uint32_t>(pixels)); };
    for (const std::int64_t part :
         {d.source.version, d.source.first, d.source.scores, static_cast<std::int64_t>(d.source.stride)})
        add(part);
    for (const int part :
         {d.rows, d.columns, d.marks.lit_row, d.marks.lit_column, d.marks.covered, d.marks.covered_too})
        add(part);
    add(d.colours);
    add(d.theme->kind);
    for (const float part :
         {d.range, d.box.min.x, d.box.min.y, d.box.max.x, d.box.max.y, d.marks.pitch.x, d.marks.pitch.y, d.marks.gap})
        add_pixels(part);
    return number;
}

std::optional<std::uint64_t> heat_number(const ImDrawCmd& command) { return HeatShader::number(command); }

void HeatShader::begin(const Draw& draw) {
    GLint theirs = 0;
    glGetIntegerv(GL_CURRENT_PROGRAM, &theirs);
    const int position = glGetAttribLocation(static_cast<GLuint>(theirs), "Position");
    if (position != position_) link(position);
    glUseProgram(program_);
    set_projection(places_.projection);
    const std::int64_t begin = bind_cells(draw);
    glUniform1i(places_.rows, draw.rows);
    glUniform1i(places_.columns, draw.columns);
    glUniform1i(places_.stride, static_cast<int>(draw.source.stride));
    glUniform1i(places_.first, static_cast<int>(draw.source.first - begin));
    glUniform1i(places_.scores, draw.source.scores < 0 ? -1 : static_cast<int>(draw.source.scores - begin));
    set_colours(draw);
    set_marks(draw);
}

// ImGui binds its own texture to the first unit.
std::int64_t HeatShader::bind_cells(const Draw& draw) const {
    const Source& s = draw.source;
    const std::int64_t cells = (draw.rows - 1) * s.stride + draw.columns;
    std::int64_t begin = s.scores < 0 ? s.first : std::min(s.first, s.scores);
    const std::int64_t end = std::max(s.first, s.scores) + cells;
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_BUFFER, texture_);
    if (ranges_) {
        GLint alignment = 4;
        glGetIntegerv(GL_TEXTURE_BUFFER_OFFSET_ALIGNMENT, &alignment);
        const std::int64_t every = std::max(1, alignment / 4);
        begin -= begin % every;
        glTexBufferRange(GL_TEXTURE_BUFFER, GL_R32F, s.buffer, begin * 4, (end - begin) * 4);
    } else {
        begin = 0;
        glTexBuffer(GL_TEXTURE_BUFFER, GL_R32F, s.buffer);
    }
    glActiveTexture(GL_TEXTURE0);
    glUniform1i(places_.cells, 1);
    return begin;
}

void HeatShader::set_colours(const Draw& draw) const {
    const Theme& t = *draw.theme;
    const bool with_sign = draw.colours != HeatColours::attention;
    const SignedColours scale = signed_colours(t, draw.colours);
    glUniform1i(places_.with_sign, with_sign);
    glUniform1f(places_.range, draw.range);
    set_colour(places_.colour_zero, with_sign ? scale.negative : t.attention_zero);
    set_colour(places_.colour_middle, with_sign ? scale.zero : t.attention_middle);
    set_colour(places_.colour_full, with_sign ? scale.positive : t.attention);
    set_colour(places_.colour_broken, with_sign ? t.selection : t.danger);
}

void HeatShader::set_marks(const Draw& draw) const {
    const HeatMarks& m = draw.marks;
    glUniform2f(places_.corner, draw.box.min.x, draw.box.min.y);
    glUniform2f(places_.extent, draw.box.width(), draw.box.height());
    glUniform2f(places_.pitch, m.pitch.x, m.pitch.y);
    glUniform1f(places_.gap, m.gap);
    glUniform2i(places_.lit, m.lit_column, m.lit_row);
    glUniform2i(places_.covered, m.covered, m.covered_too);
    set_colour(places_.colour_gap, draw.theme->card);
    set_colour(places_.colour_covered, draw.theme->track);
    const ImVec4 line = ImGui::ColorConvertU32ToFloat4(with_alpha(draw.theme->text, lit_line_alpha));
    glUniform4f(places_.colour_line, line.x, line.y, line.z, line.w);
}

}  // namespace glassformer::app
