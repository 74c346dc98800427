#include "app/film/film_file.h"

#include <cstdio>
#include <fstream>

#include "app/language/tr.h"
#include "core/base/error.h"
#include "core/platform/atomic_file.h"
#include "core/platform/program.h"
#include "core/platform/scratch_folder.h"

namespace glassformer::app {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> coding_of(const fs::path& file) {
    // A palette of the film's own colours: what is drawn here has few.
    if (file.extension() == ".gif")
        return {"-vf", "split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none", "-loop", "0"};
    // What every player reads: even sizes, and colours at half the resolution.
    return {"-vf",       "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white",
            "-c:v",      "libx264",
            "-crf",      "18",
            "-pix_fmt",  "yuv420p",
            "-movflags", "+faststart"};
}

}  // namespace

bool is_film_file(const fs::path& path) { return path.extension() == ".mp4" || path.extension() == ".gif"; }

void require_film_file(const fs::path& file) {
    if (platform::find_program("ffmpeg").empty())
        throw Error(
            "{1} needs ffmpeg, which is not installed: install it (apt install ffmpeg), or name a "
            "folder to save pictures in",
            file.string());
    std::error_code error;
    if (fs::exists(fs::symlink_status(file, error)))
        throw Error("{1} already exists; choose another name", file.string());
}

void write_film(const FilmFolder& pictures, const fs::path& file, double pictures_a_second) {
    require_film_file(file);
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
    if (!platform::run_program(line, {}, said)) throw Error("ffmpeg could not make {1}: {2}", file.string(), said);
    write_file_atomically(file, [&](std::ostream& out) { out << std::ifstream(made, std::ios::binary).rdbuf(); });
}

}  // namespace glassformer::app
