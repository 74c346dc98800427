// Runs every reader on its corpus (tests/fuzz/corpus) and on seeded mutations of it, without clang. With clang,
// scripts/fuzz.sh searches further. GLASSFORMER_FUZZ_CHANGES sets how many mutations of each file are tried.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <vector>

#include "core/base/rng.h"
#include "core/platform/process.h"
#include "tests/fuzz/targets.h"

using namespace glassformer;
using namespace glassformer::fuzz;
namespace fs = std::filesystem;

namespace {

const fs::path corpus = GLASSFORMER_SOURCE_DIR "/tests/fuzz/corpus";

std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code none;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, none)) files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

std::string bytes_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

int changes_of_each() {
    const char* const wanted = std::getenv("GLASSFORMER_FUZZ_CHANGES");
    return wanted ? std::atoi(wanted) : 60;
}

/// What readers trip over: limits of ranges, signs, deep nesting, parts of characters.
constexpr std::string_view pieces[] = {"-1",       "18446744073709551616",
                                       "1e999",    "nan",
                                       "\xff",     "\xc3",
                                       "\"",       "\\u0000",
                                       "[[[[[[[[", "{\"a\":",
                                       "\n",       "\r\n",
                                       "0",        "#",
                                       "|",        "{",
                                       "}",        "=",
                                       "null",     std::string_view("\0\0\0\0\0\0\0\x80", 8)};

/// Mutates the bytes in one to four places.
std::string changed(std::string bytes, Rng& rng) {
    for (std::uint64_t count = 1 + rng.below(4); count > 0; --count) {
        const std::size_t at = rng.below(bytes.size() + 1);
        const auto length = std::min(bytes.size() - at, static_cast<std::size_t>(1 + rng.below(16)));
        switch (rng.below(6)) {
            case 0:
                if (at < bytes.size()) bytes[at] = static_cast<char>(rng.below(256));
                break;
            case 1:
                if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << rng.below(8)));
                break;
            case 2:
                bytes.erase(at, length);
                break;
            case 3:
                bytes.insert(at, pieces[rng.below(std::size(pieces))]);
                break;
            case 4:
                bytes.insert(static_cast<std::size_t>(rng.below(bytes.size() + 1)), bytes.substr(at, length));
                break;
            default:
                bytes.resize(at);
        }
    }
    return bytes;
}

}  // namespace

TEST_CASE("no reader fails on the corpus, or on seeded mutations of it") {
    std::set<std::string> read;
    for (const auto targets : {core_targets(), app_targets()}) {
        for (const Target& target : targets) {
            CAPTURE(target.name);
            read.insert(std::string(target.name));
            const std::vector<fs::path> files = files_in(corpus / target.name);
            CHECK(files.size() >= 1);
            Rng rng(3);
            for (const fs::path& file : files) {
                CAPTURE(file);
                const std::string bytes = bytes_of(file);
                CHECK_NOTHROW(run(target, bytes));
                for (int i = 0; i < changes_of_each(); ++i) {
                    const std::string other = changed(bytes, rng);
                    CAPTURE(other);
                    CHECK_NOTHROW(run(target, other));
                }
            }
        }
    }
    if (!app_targets().empty())
        for (const fs::path& folder : files_in(corpus)) CHECK(read.contains(folder.filename().string()));
    CHECK(platform::peak_memory_mb() < 1000.0);
}
