#include "core/devices/tiles.h"

#include <doctest/doctest.h>

#include <fstream>

#include "tests/core/temporary_folder.h"
#include "tests/gl/shared_context.h"

using namespace glassformer;
using namespace glassformer::testing;

TEST_CASE("OpenGL: the fastest tiles are measured once per device, and again if they were not saved") {
    const TemporaryFolder folder;
    int measured = 0;
    const auto tiles = [&](const std::filesystem::path& file, const std::string& device) {
        measured = 0;
        const GlOptions o = with_remembered_tiles({}, device, file, [&](std::int64_t side) {
            ++measured;
            return side < 1000 ? 64 : device == "card 2" ? 0 : 128;
        });
        return std::pair{o.tile_few, o.tile_many};
    };
    const std::filesystem::path file = folder / "cache" / "devices";
    CHECK(tiles(file, "card · driver 1") == std::pair{64, 128});
    CHECK(measured == 2);
    CHECK(tiles(file, "card 2") == std::pair{64, 0});
    CHECK(measured == 2);
    for (const char* device : {"card · driver 1", "card 2"}) {
        CHECK(tiles(file, device) == std::pair{64, device == std::string("card 2") ? 0 : 128});
        CHECK(measured == 0);
    }
    CHECK(tiles(file, "card · driver 2").second == 128);
    CHECK(measured == 2);
    std::ofstream(file) << "card 2\t64 7\n";  // no such tile
    CHECK(tiles(file, "card 2") == std::pair{64, 0});
    CHECK(measured == 2);
    const std::filesystem::path nowhere = file / "below a file";
    for (int i = 0; i < 2; ++i) {
        CHECK(tiles(nowhere, "card 2") == std::pair{64, 0});
        CHECK(measured == 2);
    }
}

TEST_CASE("OpenGL: a software renderer's tiles are not measured") {
    REQUIRE_GL();
    if (!GlBackend().software()) return;
    const TemporaryFolder folder;
    const GlOptions options = with_fastest_tiles({}, folder / "devices");
    CHECK(options.tile_few == GlOptions().tile_few);
    CHECK_FALSE(std::filesystem::exists(folder / "devices"));
}
