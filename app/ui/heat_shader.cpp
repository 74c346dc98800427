#include "app/ui/heat_shader.h"

#include <epoxy/gl.h>

#include <bit>

#include "app/ui/heat_levels.h"
#include "app/ui/picture_texture.h"
#include "core/backend/gl/shader_text.h"
#include "core/base/error.h"

namespace glassformer::app {

namespace {

/// The GLSL version of the oldest OpenGL that the window accepts.
int glsl_version() { return epoxy_is_desktop_gl() ? 330 : gl::glsl_es; }

/// Compiles a shader of shaders/draw. `kind` is OpenGL's. Throws Error with the compiler's message.
unsigned compiled_shader(unsigned kind, const char* path) {
    const gl::ShaderText text = gl::shader_text(path, {}, glsl_version());
    const unsigned shader = glCreateShader(kind);
    const char* source = text.text.c_str();
    glShaderSource(shader, 1, &source, nullptr);
    glCompileShader(shader);
    GLint good = GL_FALSE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good) return shader;
    char log[4096] = "";
    glGetShaderInfoLog(shader, sizeof log, nullptr, log);
    glDeleteShader(shader);
    throw Error("the shader {1} does not compile here:\n{2}", path, gl::readable_log(log, text.files));
}

/// Sets a matrix uniform of the current program to ImGui's projection: pixels, from the top left corner of the frame
/// being drawn.
void set_projection(int place) {
    const ImDrawData& data = *ImGui::GetDrawData();
    const float left = data.DisplayPos.x, top = data.DisplayPos.y, width = data.DisplaySize.x,
                height = data.DisplaySize.y;
    const float matrix[] = {
        2 / width, 0, 0, 0, 0, -2 / height, 0, 0, 0, 0, -1, 0, -(2 * left + width) / width, (2 * top + height) / height,
        0,         1};
    glUniformMatrix4fv(place, 1, GL_FALSE, matrix);
}

void set_colour(int place, ImU32 colour) {
    const ImVec4 c = ImGui::ColorConvertU32ToFloat4(colour);
    glUniform3f(place, c.x, c.y, c.z);
}

/// Fills the bound texture. `values` and `scores` are pointers, or offsets into the bound buffer.
void fill_texture(int rows, int columns, std::ptrdiff_t stride, const void* values, const void* scores, bool hides) {
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, static_cast<GLint>(stride));
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, columns, rows, GL_RED, GL_FLOAT, values);
    if (hides) glTexSubImage2D(GL_TEXTURE_2D, 0, 0, rows, columns, rows, GL_RED, GL_FLOAT, scores);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

void size_texture(int rows, int columns, bool hides) {
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, columns, hides ? 2 * rows : rows, 0, GL_RED, GL_FLOAT, nullptr);
}

/// The first channel of some rows of a texture. Reads RGBA, the only format that OpenGL guarantees.
std::vector<float> texture_rows(unsigned texture, int first, int rows, int columns) {
    std::vector<float> cells, row(std::size_t{4} * columns);
    const TextureReading reading(texture);
    for (int r = first; r < first + rows; ++r) {
        glReadPixels(0, r, columns, 1, GL_RGBA, GL_FLOAT, row.data());
        for (std::size_t c = 0; c < row.size(); c += 4) cells.push_back(row[c]);
    }
    return cells;
}

}  // namespace

// Delegates to the empty constructor, so that the destructor frees what exists if the rest throws.
HeatShader::HeatShader() : HeatShader(nullptr) {
    vertex_ = compiled_shader(GL_VERTEX_SHADER, "draw/heat.vert");
    fragment_ = compiled_shader(GL_FRAGMENT_SHADER, "draw/heat.frag");
    program_ = glCreateProgram();
    glAttachShader(program_, vertex_);
    glAttachShader(program_, fragment_);
    texture_ = new_texture(GL_NEAREST, GL_NEAREST);
    glBindTexture(GL_TEXTURE_2D, 0);
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest_side_);
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

/// The attribute must have the same location as in ImGui's own program.
void HeatShader::link(int position) {
    position_ = position;
    glBindAttribLocation(program_, static_cast<GLuint>(position), "Position");
    glLinkProgram(program_);
    const auto place = [&](const char* name) { return glGetUniformLocation(program_, name); };
    places_ = {
        place("projection"),    place("cells"),   place("rows"),        place("columns"),        place("scores"),
        place("with_sign"),     place("range"),   place("colour_zero"), place("colour_middle"),  place("colour_full"),
        place("colour_broken"), place("corner"),  place("extent"),      place("pitch"),          place("gap"),
        place("lit"),           place("covered"), place("colour_gap"),  place("colour_covered"), place("colour_line")};
}

bool HeatShader::fits(int rows, int columns, bool scores) const {
    return columns <= largest_side_ && (scores ? 2 : 1) * std::int64_t{rows} <= largest_side_;
}

unsigned HeatShader::upload(const HeatMatrix& matrix) {
    const unsigned texture = new_texture(GL_NEAREST, GL_NEAREST);
    const bool hides = !matrix.scores.empty();
    size_texture(matrix.rows, matrix.columns, hides);
    fill_texture(matrix.rows, matrix.columns, matrix.stride, matrix.values.data(), matrix.scores.data(), hides);
    glBindTexture(GL_TEXTURE_2D, 0);
    return texture;
}

// The lines beside the first and last cells lie outside the matrix, so the rectangle is enlarged for them.
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
    const unsigned texture = draw.shader->texture_of(draw);
    const auto cells = [&](int first) { return texture_rows(texture, first, draw.rows, draw.columns); };
    HeatPicture picture{draw.box, draw.rows, draw.columns, cells(0), {}, draw.marks};
    std::vector<float> scores;
    if (draw.source.scores) scores = cells(draw.rows);
    const HeatMatrix matrix{.rows = draw.rows,
                            .columns = draw.columns,
                            .values = picture.values,
                            .stride = draw.columns,
                            .scores = scores,
                            .key = {}};
    picture.colours =
        HeatScale(*draw.theme, draw.colours, draw.range).coloured(level_of(matrix, draw.rows, draw.columns));
    return picture;
}

std::optional<std::uint64_t> HeatShader::number(const ImDrawCmd& command) {
    if (command.UserCallback != set_up) return std::nullopt;
    const Draw& d = *static_cast<const Draw*>(command.UserCallbackData);
    if (d.source.version == 0) return std::nullopt;
    std::uint64_t number = 14695981039346656037u;
    const auto add = [&](auto part) {
        number = (number ^ static_cast<std::uint64_t>(part)) * 1099511628211u, number ^= number >> 29;
    };
    const auto add_pixels = [&](float pixels) { add(std::bit_cast<std::uint32_t>(pixels)); };
    add(d.source.version);
    add(d.source.scores);
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

void HeatShader::begin(const Draw& draw) {
    GLint theirs = 0;
    glGetIntegerv(GL_CURRENT_PROGRAM, &theirs);
    const int position = glGetAttribLocation(static_cast<GLuint>(theirs), "Position");
    if (position != position_) link(position);
    glUseProgram(program_);
    set_projection(places_.projection);
    glActiveTexture(GL_TEXTURE1);  // ImGui binds its own texture to unit 0
    glBindTexture(GL_TEXTURE_2D, texture_of(draw));
    glActiveTexture(GL_TEXTURE0);
    glUniform1i(places_.cells, 1);
    glUniform1i(places_.rows, draw.rows);
    glUniform1i(places_.columns, draw.columns);
    glUniform1i(places_.scores, draw.source.scores);
    set_colours(draw);
    set_marks(draw);
}

// Copies from buffer to texture on the graphics card.
unsigned HeatShader::texture_of(const Draw& draw) const {
    const Source& s = draw.source;
    if (s.texture) return s.texture;
    const auto place = [](std::int64_t cell) {
        return reinterpret_cast<const void*>(static_cast<std::intptr_t>(4 * cell));
    };
    glBindTexture(GL_TEXTURE_2D, texture_);
    size_texture(draw.rows, draw.columns, s.scores);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, s.buffer);
    fill_texture(draw.rows, draw.columns, s.stride, place(s.first), place(s.first_score), s.scores);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    return texture_;
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
