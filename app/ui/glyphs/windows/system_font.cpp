#include <ft2build.h>
#include FT_FREETYPE_H

#include <algorithm>
#include <array>
#include <filesystem>
#include <mutex>
#include <system_error>

#include "app/ui/glyphs/font_file.h"
#include "app/ui/glyphs/font_finder.h"
#include "core/platform/process.h"
#include "core/platform/user_folders.h"

namespace glassformer::app {

namespace {

namespace fs = std::filesystem;

/// The files that Windows itself prefers; any of the other fonts may do, even decorative ones.
constexpr std::array preferred{
    "segoeui.ttf", "segoeuib.ttf", "seguisym.ttf", "msyh.ttc",     "msyhbd.ttc",   "YuGothM.ttc",  "YuGothB.ttc",
    "malgun.ttf",  "malgunbd.ttf", "Nirmala.ttf",  "NirmalaB.ttf", "Nirmala.ttc",  "LeelawUI.ttf", "LeelaUIb.ttf",
    "ebrima.ttf",  "ebrimabd.ttf", "gadugi.ttf",   "mmrtext.ttf",  "himalaya.ttf", "arial.ttf",    "arialbd.ttf"};

struct SystemFace {
    fs::path file;
    FT_Long index;
    FT_Face face;
};

/// The faces of all fonts of the machine and of the user, the preferred ones first. Each stays open; only its table of
/// characters is read.
class SystemFaces {
public:
    SystemFaces() {
        if (FT_Init_FreeType(&library_) != 0) return;
        std::vector<fs::path> files;
        const fs::path windows = platform::folder_named_by("SystemRoot"),
                       user = platform::folder_named_by("LOCALAPPDATA");
        for (const fs::path& folder : {platform::program_file().parent_path() / "fonts", windows / "Fonts",
                                       user / "Microsoft" / "Windows" / "Fonts"}) {
            std::error_code error;
            for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
                files.push_back(entry->path());
        }
        const auto rank = [](const fs::path& file) {
            return std::ranges::find(preferred, file.filename()) - preferred.begin();
        };
        std::ranges::stable_sort(files, {}, rank);
        for (const fs::path& file : files) add(file);
    }

    std::optional<FontFace> find(char32_t character, bool bold) const {
        const SystemFace* found = nullptr;
        for (const SystemFace& one : faces_) {
            if (FT_Get_Char_Index(one.face, character) == 0) continue;
            const bool fits = ((one.face->style_flags & FT_STYLE_FLAG_BOLD) != 0) == bold;
            if (!found || fits) found = &one;
            if (fits) break;
        }
        if (!found) return std::nullopt;
        return FontFace{found->file.string(), found->index};
    }

private:
    void add(const fs::path& file) {
        FT_Long count = 1;
        for (FT_Long index = 0; index < count; ++index) {
            const FT_Face face = open_face(library_, file.string(), index);
            if (!face) return;
            count = face->num_faces;
            faces_.push_back({file, index, face});
        }
    }

    FT_Library library_ = nullptr;
    std::vector<SystemFace> faces_;
};

}  // namespace

std::optional<FontFace> find_system_font(char32_t character, bool bold) {
    static std::mutex mutex;  // FreeType's faces are not thread-safe
    const std::lock_guard lock(mutex);
    static const auto* const faces = new SystemFaces;  // never destroyed
    return faces->find(character, bold);
}

}  // namespace glassformer::app
