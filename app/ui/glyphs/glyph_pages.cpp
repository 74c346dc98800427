#include "app/ui/glyphs/glyph_pages.h"

#include <epoxy/gl.h>

#include <algorithm>

#include "app/ui/imgui_versions.h"
#include "app/ui/picture_texture.h"

namespace glassformer::app {

namespace {

constexpr int gap = 1;  // between glyphs, so that none bleeds into its neighbour

unsigned new_page() {
    const std::vector<ImU32> clear(GlyphPages::page_side * GlyphPages::page_side, 0x00FFFFFFu);
    GLint before = 0;
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &before);
    const unsigned texture = new_texture(GL_LINEAR, GL_LINEAR);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, GlyphPages::page_side, GlyphPages::page_side, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 clear.data());
    glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(before));
    return texture;
}

/// Includes the gap, so that nothing is left of an earlier glyph.
void write_glyph(unsigned texture, int x, int y, const GlyphBitmap& bitmap) {
    const int width = bitmap.width + gap, height = bitmap.height + gap;
    std::vector<ImU32> pixels(width * height, 0x00FFFFFFu);
    for (int row = 0; row < bitmap.height; ++row)
        std::copy_n(bitmap.pixels.begin() + row * bitmap.width, bitmap.width, pixels.begin() + row * width);
    GLint before = 0;
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &before);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, x, y, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(before));
}

}  // namespace

GlyphPages::~GlyphPages() {
    for (const Page& page : pages_) glDeleteTextures(1, &page.texture);
}

bool GlyphPages::Page::place(int width, int height, int& at_x, int& at_y) {
    if (x + width + gap > page_side) x = 0, y += row, row = 0;
    if (width + gap > page_side || y + height + gap > page_side) return false;
    at_x = x, at_y = y;
    x += width + gap;
    row = std::max(row, height + gap);
    return true;
}

int GlyphPages::page_with_room(int width, int height, int& x, int& y) {
    for (int i = 0; i < pages(); ++i)
        if (pages_[i].place(width, height, x, y)) return i;
    if (pages() < most_pages) {
        pages_.push_back({new_page()});
        return pages_.back().place(width, height, x, y) ? pages() - 1 : -1;
    }
    const auto oldest = std::ranges::min_element(pages_, {}, &Page::used);
    if (oldest->used >= frame_) return -1;
    const int page = static_cast<int>(oldest - pages_.begin());
    std::erase_if(glyphs_, [&](const auto& entry) { return entry.second.page == page; });
    *oldest = {oldest->texture};
    return oldest->place(width, height, x, y) ? page : -1;
}

const GlyphPages::Glyph* GlyphPages::find(const GlyphKey& key) {
    const auto found = glyphs_.find(key.packed());
    if (found == glyphs_.end()) return nullptr;
    if (found->second.page >= 0) pages_[found->second.page].used = frame_;
    return &found->second;
}

const GlyphPages::Glyph* GlyphPages::add(const GlyphKey& key, const GlyphBitmap& bitmap) {
    if (bitmap.pixels.empty()) return &(glyphs_[key.packed()] = {});
    int x = 0, y = 0;
    const int number = page_with_room(bitmap.width, bitmap.height, x, y);
    if (number < 0) return nullptr;
    Page& page = pages_[number];
    write_glyph(page.texture, x, y, bitmap);
    page.used = frame_;
    const auto part = [](int at) { return static_cast<float>(at) / page_side; };
    return &(glyphs_[key.packed()] = {number,
                                      static_cast<float>(bitmap.left),
                                      static_cast<float>(bitmap.top),
                                      static_cast<float>(bitmap.width),
                                      static_cast<float>(bitmap.height),
                                      {part(x), part(y)},
                                      {part(x + bitmap.width), part(y + bitmap.height)},
                                      bitmap.coloured});
}

ImTextureID GlyphPages::texture(int page) const { return texture_id(pages_[page].texture); }

bool GlyphPages::owns(ImTextureID texture) const {
    return std::ranges::any_of(pages_, [&](const Page& page) { return texture_id(page.texture) == texture; });
}

}  // namespace glassformer::app
