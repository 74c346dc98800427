#include "app/film/film_folder.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <system_error>

#include "app/window/png.h"
#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/io/output_file.h"
#include "core/platform/atomic_file.h"
#include "core/platform/file.h"
#include "core/platform/program.h"
#include "core/platform/user_folders.h"

namespace glassformer::app {

namespace {

namespace fs = std::filesystem;

std::string file_name(int number) {
    char name[32];
    std::snprintf(name, sizeof name, "frame-%04d.png", number);
    return name;
}

/// Returns ffmpeg's arguments for that kind of file.
std::vector<std::string> coding_of(const fs::path& file) {
    // A palette of the film's own colours, because what is drawn here has few.
    if (file.extension() == ".gif")
        return {"-vf", "split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none", "-loop", "0"};
    // What every player can read: even sizes, and colours at half resolution.
    return {"-vf",       "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white",
            "-c:v",      "libx264",
            "-crf",      "18",
            "-pix_fmt",  "yuv420p",
            "-movflags", "+faststart"};
}

[[noreturn]] void cannot_create(const fs::path& folder, const std::error_code& why) {
    throw Error("cannot create the folder {1} for the film: {2}", folder.string(), why.message());
}

/// The folder must be new or empty: the pictures of two films would be shown as one.
void require_film_folder(const fs::path& folder) {
    const std::string name = folder.string();
    std::error_code error;
    if (!fs::exists(folder, error)) {
        fs::path first = fs::absolute(folder, error).lexically_normal();  // to be created
        if (!first.has_filename()) first = first.parent_path();           // it ended with a slash
        while (first.has_relative_path() && !fs::exists(first.parent_path(), error)) first = first.parent_path();
        if (const int why = platform::creation_error(first)) cannot_create(folder, {why, std::generic_category()});
        return;
    }
    if (!fs::is_directory(folder, error)) throw Error("cannot write the film to {1}: it is a file, not a folder", name);
    if (!fs::is_empty(folder, error) || error)
        throw Error("cannot write the film to {1}: {2}", name,
                    error ? error.message() : N_("the folder holds other files; name a new or an empty one"));
    if (!platform::may_write(folder))
        throw Error("cannot write the film to {1}: no permission to write to this folder", name);
}

}  // namespace

Image cut_out(const Image& from, const Box& box) {
    const auto pixels = [](float at, int most) { return std::clamp(static_cast<int>(std::lround(at)), 0, most); };
    const int left = pixels(box.min.x, from.width - 1), top = pixels(box.min.y, from.height - 1);
    Image to{pixels(box.max.x, from.width) - left, pixels(box.max.y, from.height) - top, {}};
    to.width = std::max(to.width, 1), to.height = std::max(to.height, 1);
    to.rgba.reserve(4 * static_cast<std::size_t>(to.width) * static_cast<std::size_t>(to.height));
    for (int y = top; y < top + to.height; ++y) {
        const auto row = from.rgba.begin() + 4 * (static_cast<std::ptrdiff_t>(y) * from.width + left);
        to.rgba.insert(to.rgba.end(), row, row + 4 * static_cast<std::ptrdiff_t>(to.width));
    }
    return to;
}

Image on_page(const Image& picture, PixelSize page) {
    if (picture.width == page.width && picture.height == page.height) return picture;
    Image to{page.width, page.height,
             std::vector<std::uint8_t>(4 * static_cast<std::size_t>(page.width) * static_cast<std::size_t>(page.height),
                                       255)};
    for (int y = 0; y < std::min(page.height, picture.height); ++y)
        std::copy_n(picture.rgba.begin() + 4 * static_cast<std::ptrdiff_t>(y) * picture.width,
                    4 * static_cast<std::ptrdiff_t>(std::min(page.width, picture.width)),
                    to.rgba.begin() + 4 * static_cast<std::ptrdiff_t>(y) * page.width);
    return to;
}

std::vector<std::int64_t> film_steps(std::span<const std::int64_t> kept, std::int64_t every) {
    std::vector<std::int64_t> steps;
    for (const std::int64_t step : kept)
        if (steps.empty() || step >= steps.back() + every || step == kept.back()) steps.push_back(step);
    return steps;
}

FilmFolder::FilmFolder(fs::path folder) : folder_(std::move(folder)) {
    require_film_folder(folder_);
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) cannot_create(folder_, error);
}

void FilmFolder::write(const Image& picture) {
    const fs::path file = folder_ / file_name(written_ + 1);
    try {
        write_png(file.string(), picture);
    } catch (const Error& e) {
        throw written_ == 1
            ? Error("{1}; {2} picture was written; free some space, or choose another folder", e.what(), 1)
            : Error("{1}; {2} pictures were written; free some space, or choose another folder", e.what(), written_);
    }
    ++written_;
}

bool is_film_file(const fs::path& path) { return path.extension() == ".mp4" || path.extension() == ".gif"; }

void require_film_place(const fs::path& place) {
    if (!is_film_file(place)) return require_film_folder(place);
    if (platform::find_program("ffmpeg").empty())
        throw Error(
            "{1} needs ffmpeg, which is not installed: install it (apt install ffmpeg), or name a folder to save "
            "pictures in",
            place);
    std::error_code error;
    if (fs::exists(fs::symlink_status(place, error))) throw Error("{1} already exists; choose another name", place);
    require_writable_file(place);
}

void write_film(const FilmFolder& pictures, const fs::path& file, double pictures_a_second) {
    require_film_place(file);
    const platform::ScratchFolder scratch;
    const fs::path made = scratch.path() / ("film" + file.extension().string());
    char rate[32];
    std::snprintf(rate, sizeof rate, "%.3f", pictures_a_second);
    std::vector<std::string> line{platform::find_program("ffmpeg").string(),
                                  "-hide_banner",
                                  "-loglevel",
                                  "error",
                                  "-nostdin",
                                  "-framerate",
                                  rate,
                                  "-i",
                                  (pictures.path() / "frame-%04d.png").string()};
    for (const std::string& word : coding_of(file)) line.push_back(word);
    line.push_back(made.string());
    std::string said;
    if (!platform::run_program(line, {}, said)) throw Error("ffmpeg could not make {1}: {2}", file, said);
    write_file_atomically(file, [&](std::ostream& out) { out << std::ifstream(made, std::ios::binary).rdbuf(); });
}

}  // namespace glassformer::app
