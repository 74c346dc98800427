#include <stb_image_resize.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <sstream>

#include "app/assets/assets.h"
#include "app/cli/cli.h"
#include "app/cli/model_text.h"
#include "app/cli/screen.h"
#include "app/language/tr.h"
#include "app/script/script.h"
#include "app/window/png.h"
#include "core/base/error.h"
#include "core/base/trimmed.h"
#include "core/io/output_file.h"
#include "core/platform/atomic_file.h"

namespace glassformer::app {

namespace {

namespace fs = std::filesystem;

/// A picture of the gallery: a script, whose comment "# model: NAME" names the shipped model that it is played on.
struct GalleryScene {
    fs::path script;
    std::string model;
};

constexpr int columns = 3, gap = 12;

std::string model_of(const fs::path& script) {
    std::istringstream text(read_file(script, most_script_bytes));
    constexpr std::string_view mark = "# model: ";
    for (std::string line; std::getline(text, line);)
        if (line.starts_with(mark))
            return (assets_folder() / "models" / trimmed(std::string_view(line).substr(mark.size()))).string();
    return "";
}

std::vector<GalleryScene> scenes_of(const fs::path& folder) {
    std::vector<GalleryScene> scenes;
    std::error_code failed;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed))
        if (entry.path().extension() == ".script") scenes.push_back({entry.path(), model_of(entry.path())});
    if (scenes.empty()) throw Error("there are no scenes (*.script) in {1}", folder);
    std::ranges::sort(scenes, {}, &GalleryScene::script);
    return scenes;
}

Image smaller(const Image& image, int width) {
    Image small{width, width * image.height / image.width, {}};
    small.rgba.resize(static_cast<std::size_t>(small.width) * static_cast<std::size_t>(small.height) * 4);
    if (!stbir_resize_uint8(image.rgba.data(), image.width, image.height, 0, small.rgba.data(), small.width,
                            small.height, 0, 4))
        throw Error("there was not enough memory to make the picture smaller");
    return small;
}

void copy_into(Image& sheet, const Image& image, int x, int y) {
    for (int row = 0; row < image.height; ++row) {
        const auto from = image.rgba.begin() + static_cast<std::ptrdiff_t>(row) * image.width * 4;
        std::copy_n(from, image.width * 4,
                    sheet.rgba.begin() + (static_cast<std::ptrdiff_t>(y + row) * sheet.width + x) * 4);
    }
}

/// All images, of one size, in rows on a grey that both themes stand out from.
Image sheet_of(const std::vector<Image>& images) {
    const int width = images.front().width, height = images.front().height;
    const int rows = (static_cast<int>(images.size()) + columns - 1) / columns;
    Image sheet{gap + columns * (width + gap), gap + rows * (height + gap), {}};
    sheet.rgba.resize(static_cast<std::size_t>(sheet.width) * static_cast<std::size_t>(sheet.height) * 4);
    for (std::size_t i = 0; i < sheet.rgba.size(); ++i) sheet.rgba[i] = i % 4 == 3 ? 255 : 148;
    for (int i = 0; i < static_cast<int>(images.size()); ++i)
        copy_into(sheet, images[i], gap + i % columns * (width + gap), gap + i / columns * (height + gap));
    return sheet;
}

Image picture_of(const GalleryScene& scene, const GalleryArgs& args) {
    Screen screen({.look = args.look, .model = scene.model});
    screen.play(scene.script.string());
    return screen.picture();
}

}  // namespace

int run_gallery(const GalleryArgs& args) {
    require_output(args.out, FileKind::png);
    if (!args.each.empty()) {
        fs::create_directories(args.each);
        require_writable_file(fs::path(args.each) / "picture.png");
    }
    const fs::path folder = args.scenes.empty() ? assets_folder() / "gallery" : fs::path(args.scenes);
    std::vector<Image> small;
    int failed = 0;
    for (const GalleryScene& scene : scenes_of(folder)) {
        const std::string name = scene.script.stem().string();
        std::optional<Image> taken;
        try {
            taken = picture_of(scene, args);
        } catch (const Error& e) {  // the others are still rendered
            tell(e.what());
            ++failed;
            continue;
        }
        const Image& picture = *taken;
        if (!args.each.empty()) {
            const std::string file = (fs::path(args.each) / name).string() + ".png";
            require_output(file, FileKind::png);
            write_png(file, picture);
        }
        small.push_back(smaller(picture, args.thumbnail));
        std::printf("%s\n", name.c_str());
        std::fflush(stdout);
    }
    if (small.empty()) return 1;
    write_png(args.out, sheet_of(small));
    std::printf(tr("%zu picture on %s\n", "%zu pictures on %s\n", static_cast<std::int64_t>(small.size())),
                small.size(), args.out.c_str());
    return failed == 0 ? 0 : 1;
}

int run_shot(const ShotArgs& args) {
    const FileKind kind = file_kind(args.out);
    if (kind == FileKind::trace)
        throw Error("{1} must end in .png, or for a panel (--panel) in .png, .svg, .pdf, .csv or .npz", args.out);
    if (args.panel.empty() && kind != FileKind::png)
        throw Error("a picture of the whole window is a .png; for {1} name a panel with --panel", args.out);
    require_output(args.out, kind, std::array{model_folder(args.model), args.script});
    Screen screen({args.look, args.model, with_pair(args.model, args.text, args.pair), args.compare, args.backend});
    if (!args.script.empty()) screen.play(args.script);
    if (!args.panel.empty()) {
        screen.write_panel(args.out, args.panel, args.times, args.caption);
        std::printf(tr("%s written to %s\n"), args.panel.c_str(), args.out.c_str());
        return 0;
    }
    write_png(args.out, screen.picture());
    std::printf(tr("%d × %d pixels written to %s\n"), args.look.width, args.look.height, args.out.c_str());
    return 0;
}

}  // namespace glassformer::app
