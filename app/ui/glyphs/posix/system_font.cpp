#include <fontconfig/fontconfig.h>

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "app/ui/glyphs/font_finder.h"
#include "core/platform/process.h"

namespace glassformer::app {

namespace {

template <auto end>
struct Ended {
    template <class T>
    void operator()(T* it) const {
        end(it);
    }
};
using Config = std::unique_ptr<FcConfig, Ended<FcConfigDestroy>>;
using Pattern = std::unique_ptr<FcPattern, Ended<FcPatternDestroy>>;
using CharSet = std::unique_ptr<FcCharSet, Ended<FcCharSetDestroy>>;

/// The system's fonts, and those in the program's folder if it is a portable one.
Config font_config() {
    std::error_code ignored;
    const bool has_system = std::getenv("FONTCONFIG_FILE") || std::getenv("FONTCONFIG_PATH") ||
                            std::filesystem::exists("/etc/fonts/fonts.conf", ignored);
    Config config(has_system ? FcInitLoadConfigAndFonts() : FcConfigCreate());
    constexpr const char* where_to_cache = "<fontconfig><cachedir prefix=\"xdg\">fontconfig</cachedir></fontconfig>";
    if (config && !has_system)
        FcConfigParseAndLoadFromMemory(config.get(), reinterpret_cast<const FcChar8*>(where_to_cache), FcTrue);
    const std::filesystem::path own = platform::program_file().parent_path() / "fonts";
    if (config && std::filesystem::is_directory(own, ignored))
        FcConfigAppFontAddDir(config.get(), reinterpret_cast<const FcChar8*>(own.c_str()));
    return config;
}

}  // namespace

std::optional<FontFace> find_system_font(char32_t character, bool bold) {
    static const Config config = font_config();
    const Pattern wanted(FcPatternCreate());
    const CharSet characters(FcCharSetCreate());
    if (!config || !wanted || !characters || !FcCharSetAddChar(characters.get(), character)) return std::nullopt;
    FcPatternAddString(wanted.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>("sans-serif"));
    FcPatternAddCharSet(wanted.get(), FC_CHARSET, characters.get());
    FcPatternAddInteger(wanted.get(), FC_WEIGHT, bold ? FC_WEIGHT_DEMIBOLD : FC_WEIGHT_REGULAR);
    FcConfigSubstitute(config.get(), wanted.get(), FcMatchPattern);
    FcDefaultSubstitute(wanted.get());
    FcResult result = FcResultNoMatch;
    const Pattern found(FcFontMatch(config.get(), wanted.get(), &result));
    if (!found) return std::nullopt;
    FcCharSet* covered = nullptr;
    FcChar8* file = nullptr;
    int index = 0;
    // Even the best match may lack the character.
    if (FcPatternGetCharSet(found.get(), FC_CHARSET, 0, &covered) != FcResultMatch ||
        !FcCharSetHasChar(covered, character) || FcPatternGetString(found.get(), FC_FILE, 0, &file) != FcResultMatch)
        return std::nullopt;
    FcPatternGetInteger(found.get(), FC_INDEX, 0, &index);
    return FontFace{reinterpret_cast<const char*>(file), index};
}

}  // namespace glassformer::app
