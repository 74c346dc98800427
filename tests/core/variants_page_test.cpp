// docs/variants.md names the test behind each of its rows.
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

/// Returns the text of all test files.
std::string all_cases() {
    std::string cases;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source / "tests"))
        if (entry.path().extension() == ".cpp") cases += text_of(entry.path());
    return cases;
}

/// Checks the test names between `open` and `close` on a page and returns how many there are.
int check_names(const fs::path& page_file, const std::string& open, const std::string& close) {
    const std::string cases = all_cases(), page = text_of(source / page_file);
    int named = 0;
    for (std::size_t end = 0; (end = page.find(close, end)) != std::string::npos; end += close.size()) {
        if (page[end - 1] == '*') continue;  // the end of bold text
        const std::size_t begin = page.rfind(open, end) + open.size();
        const std::string name = page.substr(begin, end - begin);
        CAPTURE(name);
        // clang-format puts a long name on a line of its own.
        CHECK((cases.find("TEST_CASE(\"" + name) != std::string::npos ||
               cases.find("TEST_CASE(\n    \"" + name) != std::string::npos));
        ++named;
    }
    return named;
}

}  // namespace

TEST_CASE("docs/variants.md names only tests that exist") {
    CHECK(check_names("docs/variants.md", "-tc=\"", "*\"") > 15);
    CHECK(check_names("docs/variants.md", "`", "*`") > 10);
}
