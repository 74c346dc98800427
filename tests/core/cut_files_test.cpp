// Reading a mapped file after someone has truncated it.
#include <doctest/doctest.h>

#include <fstream>

#include "core/platform/mapped_file.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;

// Windows does not let a mapped file be truncated.
TEST_CASE("platform: a mapped file that is truncated reads as zeros beyond its new end, and reports the change" *
          doctest::skip(on_windows)) {
    const TemporaryFolder folder;
    const fs::path path = folder / "file";
    constexpr std::size_t size = 300000;
    std::ofstream(path) << std::string(size, 'x');
    for (int round = 0; round < 2; ++round) {
        std::ofstream(path) << std::string(size, 'x');
        const platform::MappedFile file(path);
        CHECK(file.bytes()[size - 1] == std::byte{'x'});
        CHECK(file.unchanged());
        fs::resize_file(path, 10);
        CHECK_FALSE(file.unchanged());
        CHECK(file.bytes()[9] == std::byte{'x'});
        for (const std::size_t at : {std::size_t{200000}, size - 1, std::size_t{150000}})
            CHECK(file.bytes()[at] == std::byte{0});
    }
}

TEST_CASE("platform: many files can be mapped one after another") {
    const TemporaryFolder folder;
    const fs::path path = folder / "file";
    std::ofstream(path) << "abc";
    for (int i = 0; i < 2000; ++i) CHECK(platform::MappedFile(path).bytes()[2] == std::byte{'c'});
}
