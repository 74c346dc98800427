#include "core/base/join.h"

#include <doctest/doctest.h>

#include <vector>

using namespace glassformer;

TEST_CASE("texts are joined with a separator between each two, empty ones included") {
    const std::vector<std::string> words{"", "b", "", "d"};
    CHECK(join(words, ",") == ",b,,d");
    CHECK(join(std::vector<int>{1, 2}, ", ", [](int n) { return std::to_string(n); }) == "1, 2");
    CHECK(join(std::vector<std::string>{}, ",") == "");
}
