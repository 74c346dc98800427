#include "app/ui/heat_texture.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <bit>

#include "app/ui/heat_levels.h"
#include "app/ui/ui.h"

namespace glassformer::app {

namespace {

constexpr std::size_t most_pictures = 640, most_bytes = 96u << 20;
constexpr int largest_side = 2048;

/// ImGui has changed what an ImTextureID is: a pointer once, a number now.
ImTextureID as_imgui(unsigned texture) { return (ImTextureID)(intptr_t)texture; }

int largest_here() {
    GLint most = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    return std::min(largest_side, static_cast<int>(most));
}

/// How often a matrix may be halved before a pixel of its picture would be larger than one of the screen.
int finer_than_needed(const HeatMatrix& matrix, ImVec2 size) {
    const int most = largest_here();
    int rows = std::min(matrix.rows, most) / 2, columns = std::min(matrix.columns, most) / 2, halvings = 0;
    for (; static_cast<float>(rows) >= size.y && static_cast<float>(columns) >= size.x && rows > 0 && columns > 0;
         rows /= 2, columns /= 2)
        ++halvings;
    return halvings;
}

}  // namespace

HeatTextures::HeatTextures() = default;

HeatTextures::~HeatTextures() {
    for (const auto& [place, kept] : kept_) glDeleteTextures(1, &kept.texture);
}

void HeatTextures::drop(std::unordered_map<std::uint64_t, Kept>::iterator at) {
    glDeleteTextures(1, &at->second.texture);
    bytes_ -= at->second.bytes;
    kept_.erase(at);
}

void HeatTextures::begin_frame() {
    ++frame_;
    for (auto at = kept_.begin(); at != kept_.end();) {
        const auto here = at++;
        if (here->second.owner.expired()) drop(here);
    }
}

/// Where the picture of a matrix is kept; of two with one place, the newer stays.
std::uint64_t HeatTextures::place(const Theme& theme, const HeatMatrix& matrix, int halvings) {
    std::uint64_t hash = 14695981039346656037u;
    for (const std::uint64_t part :
         {reinterpret_cast<std::uint64_t>(matrix.key.owner.get()), static_cast<std::uint64_t>(matrix.key.node),
          static_cast<std::uint64_t>(matrix.key.first), static_cast<std::uint64_t>(matrix.rows),
          static_cast<std::uint64_t>(matrix.columns), static_cast<std::uint64_t>(theme.kind),
          static_cast<std::uint64_t>(matrix.colours), static_cast<std::uint64_t>(halvings),
          static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(matrix.range))})
        hash = (hash ^ part) * 1099511628211u, hash ^= hash >> 29;
    return hash;
}

bool HeatTextures::same(const Kept& kept, const Theme& theme, const HeatMatrix& matrix, int halvings) {
    return kept.halvings == halvings && kept.node == matrix.key.node && kept.first == matrix.key.first &&
           kept.rows == matrix.rows && kept.columns == matrix.columns && kept.colours == matrix.colours &&
           kept.range == matrix.range && kept.theme == &theme && matrix.key.owner &&
           kept.owner.lock() == matrix.key.owner;
}

/// What is drawn in this frame, or was in the last, stays.
void HeatTextures::make_room() {
    while (kept_.size() >= most_pictures || bytes_ > most_bytes) {
        const auto oldest = std::ranges::min_element(kept_, {}, [](const auto& entry) { return entry.second.drawn; });
        if (oldest == kept_.end() || oldest->second.drawn + 1 >= frame_) return;
        drop(oldest);
    }
}

const HeatScale& HeatTextures::scale_of(const Theme& theme, HeatColours colours) {
    const auto found = scales_.find({&theme, colours});
    return found != scales_.end() ? found->second
                                  : scales_.try_emplace({&theme, colours}, theme, colours).first->second;
}

void HeatTextures::upload(Kept& kept, const Theme& theme, const HeatMatrix& matrix) {
    glGenTextures(1, &kept.texture);
    glBindTexture(GL_TEXTURE_2D, kept.texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    const HeatScale& scale = scale_of(theme, matrix.colours);
    const bool attention = matrix.colours == HeatColours::attention;
    const float factor = attention ? 1.0f : 0.5f / matrix.range, offset = attention ? 0.0f : 0.5f;
    HeatLevel level = first_level(matrix, largest_here());
    for (int i = 0; i < kept.halvings; ++i) level = next_level(level);
    for (int depth = 0;; ++depth) {
        const std::vector<ImU32> pixels = scale.coloured(level, factor, offset);
        glTexImage2D(GL_TEXTURE_2D, depth, GL_RGBA8, level.columns, level.rows, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     pixels.data());
        kept.bytes += pixels.size() * sizeof(ImU32);
        if (level.rows == 1 && level.columns == 1) break;
        level = next_level(level);
    }
    glBindTexture(GL_TEXTURE_2D, 0);
    bytes_ += kept.bytes;
    ++made_;
}

ImTextureID HeatTextures::picture(const Theme& theme, const HeatMatrix& matrix, ImVec2 size) {
    const int halvings = finer_than_needed(matrix, size);
    const std::uint64_t at = place(theme, matrix, halvings);
    auto found = kept_.find(at);
    if (found == kept_.end() || !same(found->second, theme, matrix, halvings)) {
        make_room();
        found = kept_.try_emplace(at).first;
        Kept& kept = found->second;
        glDeleteTextures(1, &kept.texture);  // 0 is none
        bytes_ -= kept.bytes;
        kept = {matrix.key.owner, matrix.key.node, matrix.rows, matrix.columns, matrix.key.first,
                matrix.colours,   matrix.range,    &theme,      halvings};
        upload(kept, theme, matrix);
    }
    found->second.drawn = frame_;
    return as_imgui(found->second.texture);
}

void draw_heat(const Ui& ui, const HeatMatrix& matrix, ImVec2 min, ImVec2 max) {
    if (matrix.rows < 1 || matrix.columns < 1 || !ImGui::IsRectVisible(min, max)) return;
    ui.list()->AddImage(ui.heat->picture(*ui.theme, matrix, {max.x - min.x, max.y - min.y}), min, max);
}

}  // namespace glassformer::app
