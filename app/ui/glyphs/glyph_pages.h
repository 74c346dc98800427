#pragma once

#include <imgui.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "app/ui/glyphs/faces.h"

namespace glassformer::app {

/// Glyph bitmaps on the graphics card, many to a page. The number of pages is bounded: the least recently used page is
/// reused. Needs a current OpenGL context for every call and for the destructor.
class GlyphPages {
public:
    static constexpr int page_side = 1024, most_pages = 8;

    GlyphPages() = default;
    ~GlyphPages();
    GlyphPages(const GlyphPages&) = delete;
    GlyphPages& operator=(const GlyphPages&) = delete;

    struct Glyph {
        int page = -1;  ///< -1: nothing to draw, such as a space
        float left = 0, top = 0, width = 0, height = 0;
        ImVec2 uv0, uv1;
        bool coloured = false;
    };

    void begin_frame() { ++frame_; }
    /// Null if it was never added, or was evicted.
    const Glyph* find(const GlyphKey& key);
    /// Null if all pages are in use by this frame.
    const Glyph* add(const GlyphKey& key, const GlyphBitmap& bitmap);

    ImTextureID texture(int page) const;
    /// True if the texture is one of the pages.
    bool owns(ImTextureID texture) const;
    int pages() const { return static_cast<int>(pages_.size()); }
    int glyphs() const { return static_cast<int>(glyphs_.size()); }

private:
    struct Page {
        unsigned texture = 0;
        int x = 0, y = 0, row = 0;  // where the next glyph goes, and the height of its row
        std::int64_t used = 0;
        bool place(int width, int height, int& at_x, int& at_y);
    };
    int page_with_room(int width, int height, int& x, int& y);

    std::vector<Page> pages_;
    std::unordered_map<std::uint64_t, Glyph> glyphs_;
    std::int64_t frame_ = 1;
};

}  // namespace glassformer::app
