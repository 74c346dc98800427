#include "app/ui/fonts.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "app/ui/imgui_versions.h"
#include "core/platform/process.h"

namespace glassformer::app {

namespace {

namespace fs = std::filesystem;

constexpr std::array<float, font_role_count> role_sizes = {13, 13, 15, 15, 17, 17, 20, 20};

// ImGui measures a font by ascent − descent; these convert an em size to that (from the fonts' hhea tables).
constexpr float inter_line_per_em = 1.2102f;
constexpr float dejavu_line_per_em = 1.1641f;

/// Latin-1, Latin Extended-A and the Greek of formulas: the characters of sentences and labels.
const ImWchar* text_ranges() {
    static const ImWchar ranges[] = {0x0020, 0x007E, 0x00A0, 0x017F, 0x0391, 0x03A9, 0x03B1,
                                     0x03C9, 0x2010, 0x2014, 0x2018, 0x201E, 0x2020, 0x2022,
                                     0x2026, 0x2026, 0x2039, 0x203A, 0x20AC, 0x20AC, 0};
    return ranges;
}

/// Maths, arrows and marks; from the text font if it has them, else from DejaVu Sans.
const ImWchar* symbol_ranges() {
    static const ImWchar ranges[] = {
        0x0302, 0x0304, 0x1D40, 0x1D40, 0x2032, 0x2033, 0x2070, 0x209C, 0x2113, 0x2113, 0x2190, 0x2195, 0x21A6, 0x21A6,
        0x21BA, 0x21BB, 0x21D2, 0x21D4, 0x2200, 0x220F, 0x2211, 0x2213, 0x2215, 0x2215, 0x2218, 0x221A, 0x221D, 0x221E,
        0x2225, 0x2225, 0x2229, 0x222B, 0x2248, 0x2248, 0x2260, 0x2261, 0x2264, 0x2265, 0x2295, 0x2299, 0x22A4, 0x22A5,
        0x22C5, 0x22C6, 0x2300, 0x2300, 0x2318, 0x2318, 0x2325, 0x2325, 0x232B, 0x232B, 0x23CE, 0x23CE, 0x2581, 0x2588,
        0x25A0, 0x25A2, 0x25B2, 0x25B8, 0x25BC, 0x25BE, 0x25C0, 0x25C2, 0x25C6, 0x25C7, 0x25CB, 0x25CB, 0x25CF, 0x25CF,
        0x2605, 0x2606, 0x2713, 0x2717, 0x27E8, 0x27E9, 0x27F3, 0x27F3, 0xFFFD, 0xFFFD, 0};
    return ranges;
}

std::string first_existing(const std::vector<fs::path>& folders, std::initializer_list<const char*> names) {
    std::error_code ignored;
    for (const fs::path& folder : folders) {
        for (const char* name : names) {
            if (fs::is_regular_file(folder / name, ignored)) return (folder / name).string();
        }
    }
    return {};
}

std::string note_for(const FontFiles& files) {
    if (files.family == "ImGui default") {
        return "no Inter or DejaVu Sans font found: text is ImGui's own font and symbols are missing; install the "
               "packages fonts-inter and fonts-dejavu-core, or set GLASSFORMER_FONT_DIR";
    }
    if (files.family != "Inter") return "Inter not found, using DejaVu Sans; install the package fonts-inter";
    if (files.symbols.empty()) {
        return "DejaVu Sans not found, some mathematical symbols are missing; install the package fonts-dejavu-core";
    }
    return {};
}

ImFont* add_font(ImFontAtlas& atlas, const std::string& path, float pixels, const ImWchar* ranges, bool merge) {
    ImFontConfig config;
    config.MergeMode = merge;
    config.OversampleH = pixels > 40 ? 1 : 2;  // sub-pixel positions matter only for small text
    config.OversampleV = 1;
    return atlas.AddFontFromFileTTF(path.c_str(), pixels, &config, ranges);
}

ImFont* add_role(ImFontAtlas& atlas, const FontFiles& files, int role, float scale) {
    const float em = role_sizes[role] * scale;
    const bool bold = is_bold(static_cast<FontRole>(role));
    const std::string& text = bold ? files.bold : files.regular;
    if (text.empty()) {
        ImFontConfig config;
        config.SizePixels = std::round(em);
        return atlas.AddFontDefault(&config);
    }
    ImFont* font = add_font(atlas, text, std::round(em * files.line_per_em), text_ranges(), false);
    add_font(atlas, text, std::round(em * files.line_per_em), symbol_ranges(), true);
    const std::string& symbols = bold ? files.symbols_bold : files.symbols;
    if (!symbols.empty() && symbols != text) {
        add_font(atlas, symbols, std::round(em * dejavu_line_per_em), symbol_ranges(), true);
    }
    return font;
}

ImFontGlyph* glyph_of(ImFont& font, ImWchar c) {
    return const_cast<ImFontGlyph*>(glyphs_of(font).FindGlyphNoFallback(c));
}

/// The widest advance among `characters`.
float widest(ImFont& font, std::initializer_list<ImWchar> characters) {
    float width = 0;
    for (ImWchar c : characters) {
        if (const ImFontGlyph* glyph = glyph_of(font, c)) width = std::max(width, glyph->AdvanceX);
    }
    return width;
}

/// Gives each of `characters` the advance `width` and centres its shape.
void set_advance(ImFont& font, std::initializer_list<ImWchar> characters, float width) {
    for (ImWchar c : characters) {
        ImFontGlyph* glyph = glyph_of(font, c);
        if (!glyph) continue;
        const float shift = (width - glyph->AdvanceX) / 2;
        glyph->X0 += shift;
        glyph->X1 += shift;
        glyph->AdvanceX = width;
        auto& advances = glyphs_of(font).IndexAdvanceX;
        if (c < advances.Size) advances[c] = width;
    }
}

/// Tabular figures: ImGui has no OpenType features, so the advances are made equal after the atlas is built. Plus and
/// minus share one width; the hyphen keeps its own, since it occurs in words.
void make_tabular(ImFont& font) {
    const std::initializer_list<std::initializer_list<ImWchar>> groups = {
        {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9'},
        {'+', 0x2212},
        {'.', ','},
        {0x2080, 0x2081, 0x2082, 0x2083, 0x2084, 0x2085, 0x2086, 0x2087, 0x2088, 0x2089}};
    for (const auto& group : groups) set_advance(font, group, widest(font, group));
    keep_glyphs(font);
}

}  // namespace

bool is_for_fonts(char32_t point) {
    for (const ImWchar* ranges : {text_ranges(), symbol_ranges()})
        for (const ImWchar* range = ranges; *range; range += 2)
            if (point >= range[0] && point <= range[1]) return true;
    return false;
}

FontFiles find_fonts() {
    std::vector<fs::path> folders;
    if (const char* own = std::getenv("GLASSFORMER_FONT_DIR"); own && *own) folders.emplace_back(own);
    folders.push_back(platform::program_file().parent_path() / "fonts");  // of the portable folder
    for (const char* folder : {"/usr/share/fonts/opentype/inter", "/usr/share/fonts/truetype/inter",
                               "/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/dejavu", "/usr/share/fonts/TTF"}) {
        folders.emplace_back(folder);
    }
    FontFiles files;
    files.line_per_em = inter_line_per_em;
    files.symbols = first_existing(folders, {"DejaVuSans.ttf"});
    files.symbols_bold = first_existing(folders, {"DejaVuSans-Bold.ttf", "DejaVuSans.ttf"});
    files.regular = first_existing(folders, {"Inter-Regular.otf", "Inter-Regular.ttf"});
    if (!files.regular.empty()) {
        files.bold = first_existing(folders, {"Inter-SemiBold.otf", "Inter-SemiBold.ttf", "Inter-Bold.otf",
                                              "Inter-Bold.ttf", "Inter-Regular.otf", "Inter-Regular.ttf"});
        files.family = "Inter";
        return files;
    }
    files.regular = files.symbols;
    files.bold = files.symbols_bold;
    files.line_per_em = dejavu_line_per_em;
    files.family = files.regular.empty() ? "ImGui default" : "DejaVu Sans";
    return files;
}

Fonts build_fonts(ImFontAtlas& atlas, float scale) {
    const FontFiles files = find_fonts();
    Fonts fonts;
    fonts.scale = std::clamp(scale, least_font_scale, most_font_scale);
    fonts.family = files.family;
    fonts.note = note_for(files);

    atlas.Clear();
    atlas.Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;
    for (int role = 0; role < font_role_count; ++role) fonts.font[role] = add_role(atlas, files, role, fonts.scale);
    build_atlas(atlas);
    for (ImFont* font : fonts.font) make_tabular(*font);

    return fonts;
}

}  // namespace glassformer::app
