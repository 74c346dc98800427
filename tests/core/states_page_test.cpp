// docs/states.md says which test holds each of its rows.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace fs = std::filesystem;

namespace {

const fs::path source = GLASSFORMER_SOURCE_DIR;

std::string text_of(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("the page of states names tests that there are") {
    std::string cases;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source / "tests"))
        if (entry.path().extension() == ".cpp") cases += text_of(entry.path());
    const std::string page = text_of(source / "docs/states.md");
    int named = 0;
    for (std::size_t end = 0; (end = page.find("*`", end)) != std::string::npos; end += 2) {
        if (page[end - 1] == '*') continue;  // the end of bold letters
        const std::size_t begin = page.rfind('`', end) + 1;
        const std::string name = page.substr(begin, end - begin);
        CAPTURE(name);
        // Where the name is long, clang-format puts it on a line of its own.
        CHECK((cases.find("TEST_CASE(\"" + name) != std::string::npos ||
               cases.find("TEST_CASE(\n    \"" + name) != std::string::npos));
        ++named;
    }
    CHECK(named > 60);
}
