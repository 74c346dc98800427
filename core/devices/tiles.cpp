#include "core/devices/tiles.h"

#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

#include "core/platform/process.h"
#include "core/platform/user_folders.h"

namespace glassformer {

namespace {

constexpr std::int64_t few_tiles = 512, many_tiles = 2048;  // sides of the products to time

struct Tiles {
    int few = 0, many = 0;
};

/// "renderer · driver", tab, few, many.
std::optional<Tiles> read(const std::filesystem::path& file, const std::string& device) {
    std::ifstream in(file);
    std::optional<Tiles> found;
    for (std::string line; std::getline(in, line);) {
        const std::size_t tab = line.rfind('\t');
        if (tab == std::string::npos || line.compare(0, tab, device) != 0) continue;
        Tiles tiles;
        const auto known = [](int side) { return side == 0 || side == 64 || side == 128; };
        if (std::istringstream(line.substr(tab + 1)) >> tiles.few >> tiles.many && known(tiles.few) &&
            known(tiles.many))
            found = tiles;
    }
    return found;
}

// Writes a temporary file and renames it, so that two programs at once leave a complete file.
void write(const std::filesystem::path& file, const std::string& device, const Tiles& tiles) {
    std::error_code ignored;
    std::filesystem::create_directories(file.parent_path(), ignored);
    std::vector<std::string> lines;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);)
        if (line.compare(0, line.rfind('\t'), device) != 0) lines.push_back(line);
    const std::filesystem::path next = file.string() + "." + std::to_string(platform::process_id());
    {
        std::ofstream out(next);
        for (const std::string& line : lines) out << line << '\n';
        out << device << '\t' << tiles.few << ' ' << tiles.many << '\n';
        if (!out.flush()) return;
    }
    std::filesystem::rename(next, file, ignored);
}

int fastest(const GlOptions& options, std::int64_t side) {
    int best = 0;
    double seconds = 1e9;
    for (const int tile : {0, 64, 128}) {
        GlOptions one = options;
        one.product_tile = tile;
        GlBackend gl(one);
        const double s = gl_seconds_of_product(gl, side, 3);
        if (s < seconds) seconds = s, best = tile;
    }
    return best;
}

}  // namespace

GlOptions with_fastest_tiles(GlOptions options, const std::filesystem::path& file) {
    const GlBackend gl(options);
    if (gl.software() || options.product_tile >= 0) return options;
    return with_remembered_tiles(options, gl.device_name(), file,
                                 [&](std::int64_t side) { return fastest(options, side); });
}

GlOptions with_remembered_tiles(GlOptions options, const std::string& device, const std::filesystem::path& file,
                                const std::function<int(std::int64_t side)>& measure) {
    std::optional<Tiles> tiles = read(file, device);
    if (!tiles) {
        tiles = Tiles{measure(few_tiles), measure(many_tiles)};
        write(file, device, *tiles);
    }
    options.tile_few = tiles->few;
    options.tile_many = tiles->many;
    return options;
}

std::filesystem::path tiles_file() { return platform::cache_folder() / "devices"; }

}  // namespace glassformer
