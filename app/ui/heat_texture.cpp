#include "app/ui/heat_texture.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

#include "app/language/sentences.h"
#include "app/ui/heat_levels.h"
#include "app/ui/heat_shader.h"
#include "app/ui/imgui_versions.h"
#include "app/ui/picture_texture.h"
#include "app/ui/ui.h"
#include "core/backend/gl/shader_text.h"
#include "core/base/error.h"
#include "core/trace/resident_trace.h"

namespace glassformer::app {

namespace {

constexpr std::size_t most_pictures = 640, most_bytes = 96u << 20;
constexpr int largest_side = 2048;
constexpr std::int64_t most_cells_a_frame = 1 << 20;  // read for new heat maps: a few milliseconds

int largest_here() {
    GLint most = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    return std::min(largest_side, static_cast<int>(most));
}

/// The cells along an axis between two positions, half-open.
struct Seen {
    int first, end;
    Seen(float begin, float pitch, int count, float from, float to)
        : first(std::clamp(static_cast<int>(std::floor((from - begin) / pitch)), 0, count)),
          end(std::clamp(static_cast<int>(std::floor((to - begin) / pitch)) + 1, 0, count)) {}
};

/// Draws the marks as rectangles over a heat map of rows × columns cells, for pictures that no shader draws.
void draw_marks(ImDrawList& list, const Theme& theme, const HeatMarks& m, int rows, int columns, const Box& box) {
    const Box clip = clip_box(list);
    const auto row_edges = [&](int row) { return CellEdges(box.min.y, m.pitch.y, m.gap, row); };
    const auto column_edges = [&](int column) { return CellEdges(box.min.x, m.pitch.x, m.gap, column); };
    const auto across = [&](float y, float height, ImU32 colour) {
        list.AddRectFilled({box.min.x, y}, {box.max.x, y + height}, colour);
    };
    const auto down = [&](float x, float width, ImU32 colour) {
        list.AddRectFilled({x, box.min.y}, {x + width, box.max.y}, colour);
    };
    for (const int row : {m.covered, m.covered_too})
        if (row >= 0) across(row_edges(row).from, row_edges(row).to - row_edges(row).from, theme.track);
    if (m.gap > 0) {
        const Seen y(box.min.y, m.pitch.y, rows, clip.min.y, clip.max.y),
            x(box.min.x, m.pitch.x, columns, clip.min.x, clip.max.x);
        for (int row = y.first; row < y.end; ++row) across(row_edges(row).to, m.gap, theme.card);
        for (int column = x.first; column < x.end; ++column) down(column_edges(column).to, m.gap, theme.card);
    }
    const ImU32 line = with_alpha(theme.text, lit_line_alpha);
    if (m.lit_row >= 0) across(row_edges(m.lit_row).from - 1, 1, line), across(row_edges(m.lit_row).to, 1, line);
    if (m.lit_column >= 0)
        down(column_edges(m.lit_column).from - 1, 1, line), down(column_edges(m.lit_column).to, 1, line);
}

}  // namespace

HeatTextures::HeatTextures() : shaders_(std::make_unique<gl::ShaderFolder>()) {
    try {
        shader_ = std::make_unique<HeatShader>();
    } catch (const Error&) {
        // Coloured on the CPU instead: slower, but the same picture.
    }
}

HeatTextures::~HeatTextures() {
    while (!kept_.empty()) drop(kept_.begin());
}

void HeatTextures::without_shader() {
    while (!kept_.empty()) drop(kept_.begin());
    shader_ = nullptr;
}

void HeatTextures::reload_shader() {
    try {
        shader_ = std::make_unique<HeatShader>();
    } catch (const Error& e) {
        std::fprintf(stderr, "glassformer: %s\n", tr(e).c_str());  // keep the old one
    }
}

void HeatTextures::drop(std::map<Picture, Kept>::iterator at) {
    release(at->second);
    kept_.erase(at);
}

void HeatTextures::release(Kept& kept) {
    glDeleteTextures(1, &kept.texture);  // deleting 0 is a no-op
    bytes_ -= kept.bytes;
}

void HeatTextures::begin_frame() {
    ++frame_;
    resident_ = 0, cells_read_ = 0;
    waits_ = false;
    if (shader_ && shaders_->changed()) reload_shader();
    if (shader_) shader_->begin_frame();
    std::erase_if(residents_, [](const Residents& r) { return r.owner.expired(); });
    for (auto at = kept_.begin(); at != kept_.end();) {
        const auto here = at++;
        if (here->second.owner.expired()) drop(here);
    }
}

/// Values have no colours yet: if a shader colours them, one texture serves every theme and range.
HeatTextures::Picture HeatTextures::picture_of(const Theme& theme, const HeatMatrix& matrix) const {
    Picture picture{matrix.key.owner.get(), matrix.key.node,       matrix.key.first, matrix.rows,
                    matrix.columns,         !matrix.scores.empty()};
    if (!shader_) picture.theme = &theme, picture.colours = matrix.colours, picture.range = matrix.range;
    return picture;
}

/// Evicts the oldest, but nothing drawn in this frame or the last.
void HeatTextures::make_room() {
    while (kept_.size() >= most_pictures || bytes_ > most_bytes) {
        const auto oldest = std::ranges::min_element(kept_, {}, [](const auto& entry) { return entry.second.drawn; });
        if (oldest == kept_.end() || oldest->second.drawn + 1 >= frame_) return;
        drop(oldest);
    }
}

namespace {

/// A matrix with more cells than pixels, reduced to means; what is hidden gets −∞ as its score.
struct Smaller {
    HeatLevel level;
    std::vector<float> scores;

    Smaller(const HeatMatrix& matrix, int rows, int columns) : level(level_of(matrix, rows, columns)) {
        for (const float shown : level.shown)
            scores.push_back(shown > 0 ? 0.0f : -std::numeric_limits<float>::infinity());
    }
    HeatMatrix matrix(const HeatMatrix& of) const {
        HeatMatrix m = of;
        m.rows = level.rows, m.columns = level.columns, m.stride = level.columns;
        m.values = level.means;
        if (!of.scores.empty()) m.scores = scores;
        return m;
    }
};

/// The number of cells along an axis: fewer than twice the pixels, so that the shader reads few cells per pixel. Halved
/// repeatedly, so that zooming does not need a new texture in every frame.
int cells_for(int cells, float pixels) {
    while (static_cast<float>(cells) >= 2 * std::max(1.0f, std::round(pixels))) cells /= 2;
    return cells;
}

/// The offset in the key of a reduced matrix: differs from that of a full matrix of that size at the same offset.
std::int64_t place_of_smaller(const HeatMatrix& matrix) {
    const auto size = (static_cast<std::uint64_t>(matrix.rows) << 32) + static_cast<std::uint64_t>(matrix.columns);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(matrix.key.first) ^ (size * 0x9e3779b97f4a7c15u));
}

}  // namespace

/// Finds a texture with half or twice as many rows or columns.
HeatTextures::Kept* HeatTextures::of_another_size(const Theme& theme, const HeatMatrix& matrix, int rows, int columns) {
    for (const auto& [more_rows, more_columns] :
         {std::pair{0.5, 0.5}, {2.0, 2.0}, {0.5, 1.0}, {1.0, 0.5}, {2.0, 1.0}, {1.0, 2.0}}) {
        HeatMatrix other = matrix;
        other.rows = std::min(static_cast<int>(rows * more_rows), matrix.rows);
        other.columns = std::min(static_cast<int>(columns * more_columns), matrix.columns);
        if (other.rows < matrix.rows || other.columns < matrix.columns) other.key.first = place_of_smaller(matrix);
        if (Kept* found = kept(theme, other)) return found;
    }
    return nullptr;
}

void HeatTextures::upload_values(Kept& kept, const HeatMatrix& matrix) {
    const int most = kept.hides && !shader_->fits(largest_side, largest_side, true) ? largest_side / 2 : largest_side;
    if (matrix.rows > most || matrix.columns > most) {
        const Smaller smaller(matrix, most, most);
        return upload_values(kept, smaller.matrix(matrix));
    }
    const std::size_t cells = std::size_t{1} * matrix.rows * matrix.columns;
    kept.made_rows = matrix.rows, kept.made_columns = matrix.columns;
    kept.bytes = (kept.hides ? 2 : 1) * cells * sizeof(float);
    kept.texture = HeatShader::upload(matrix);
}

void HeatTextures::upload_colours(Kept& kept, const Theme& theme, const HeatMatrix& matrix) {
    kept.texture = new_texture(GL_LINEAR_MIPMAP_LINEAR, GL_NEAREST);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    const HeatScale scale(theme, matrix.colours, matrix.range);
    HeatLevel level = level_of(matrix, largest_here(), largest_here());
    for (int depth = 0;; ++depth) {
        const std::vector<ImU32> pixels = scale.coloured(level);
        glTexImage2D(GL_TEXTURE_2D, depth, GL_RGBA8, level.columns, level.rows, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     pixels.data());
        kept.bytes += pixels.size() * sizeof(ImU32);
        if (level.rows == 1 && level.columns == 1) break;
        level = next_level(level);
    }
    glBindTexture(GL_TEXTURE_2D, 0);
}

// A new owner may have the address of one that is gone, so the owner is compared, too.
HeatTextures::Kept* HeatTextures::kept(const Theme& theme, const HeatMatrix& matrix) {
    const auto found = matrix.key.owner ? kept_.find(picture_of(theme, matrix)) : kept_.end();
    return found != kept_.end() && found->second.owner.lock() == matrix.key.owner ? &found->second : nullptr;
}

bool HeatTextures::may_make(const HeatMatrix& matrix) {
    if (little_by_little_ && cells_read_ >= most_cells_a_frame) {
        waits_ = true;
        return false;
    }
    cells_read_ += std::int64_t{matrix.rows} * matrix.columns;
    return true;
}

HeatTextures::Kept& HeatTextures::make(const Theme& theme, const HeatMatrix& matrix) {
    make_room();
    Kept& kept = kept_[picture_of(theme, matrix)];
    release(kept);
    kept = {.owner = matrix.key.owner, .hides = !matrix.scores.empty()};
    if (shader_)
        upload_values(kept, matrix);
    else
        upload_colours(kept, theme, matrix);
    bytes_ += kept.bytes;
    kept.version = ++made_;
    return kept;
}

void HeatTextures::reside(const std::shared_ptr<const void>& owner, std::shared_ptr<const ResidentTrace> values) {
    if (!owner || !values || !shader_) return;
    for (const Residents& r : residents_)
        if (r.values == values && r.owner.lock() == owner) return;
    residents_.push_back({owner, std::move(values)});
}

bool HeatTextures::draw_resident(ImDrawList& list, const Theme& theme, const HeatMatrix& matrix, const Box& box,
                                 const HeatMarks& marks) {
    const auto found = std::ranges::find_if(
        residents_, [&](const Residents& r) { return matrix.key.owner && r.owner.lock() == matrix.key.owner; });
    if (found == residents_.end()) return false;
    const ResidentTrace::Place values = found->values->values(matrix.key.node),
                               scores = found->values->scores_of(matrix.key.node);
    const bool hides = !matrix.scores.empty();
    if (!values || (hides && scores.buffer != values.buffer) || !shader_->fits(matrix.rows, matrix.columns, hides))
        return false;
    shader_->draw(list, theme, matrix,
                  {.scores = hides,
                   .buffer = values.buffer,
                   .first = values.first + matrix.key.first,
                   .first_score = scores.first + matrix.key.first,
                   .stride = matrix.stride},
                  box, marks);
    ++resident_;
    return true;
}

void HeatTextures::draw(ImDrawList& list, const Theme& theme, const HeatMatrix& matrix, const Box& box,
                        const HeatMarks& marks) {
    if (shader_ && draw_resident(list, theme, matrix, box, marks)) return;
    HeatMatrix cells_of = matrix;
    std::optional<Smaller> smaller;
    if (shader_ && matrix.scores.empty()) {  // else a pixel must show what share of its cells is hidden
        cells_of.rows = cells_for(matrix.rows, box.height());
        cells_of.columns = cells_for(matrix.columns, box.width());
    }
    const bool is_smaller = cells_of.rows < matrix.rows || cells_of.columns < matrix.columns;
    if (is_smaller) cells_of.key.first = place_of_smaller(matrix);
    Kept* there = this->kept(theme, cells_of);
    if (!there && !may_make(matrix)) {
        there = of_another_size(theme, matrix, cells_of.rows, cells_of.columns);
        if (!there) return;
    } else if (!there && is_smaller) {
        const std::int64_t first = cells_of.key.first;
        cells_of = smaller.emplace(matrix, cells_of.rows, cells_of.columns).matrix(matrix);
        cells_of.key.first = first;
    }
    Kept& kept = there ? *there : make(theme, cells_of);
    kept.drawn = frame_;
    if (!shader_) {
        list.AddImage(texture_id(kept.texture), box.min, box.max);
        return draw_marks(list, theme, marks, matrix.rows, matrix.columns, box);
    }
    HeatMatrix made = matrix;
    made.rows = kept.made_rows, made.columns = kept.made_columns;
    shader_->draw(list, theme, made, {.texture = kept.texture, .scores = kept.hides, .version = kept.version}, box,
                  marks);
}

void draw_heat(const Ui& ui, const HeatMatrix& matrix, const Box& box, const HeatMarks& marks) {
    if (matrix.rows < 1 || matrix.columns < 1 || !ImGui::IsRectVisible(box.min, box.max)) return;
    ui.heat->draw(*ui.list(), *ui.theme, matrix, box, marks);
}

}  // namespace glassformer::app
