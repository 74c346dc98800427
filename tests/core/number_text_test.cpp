#include "core/base/number_text.h"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <regex>
#include <sstream>

#include "core/ops/op.h"

using namespace glassformer;

TEST_CASE("a text is read as a number only if all of it is one") {
    for (const auto& [text, value] :
         {std::pair{"0", 0.0f}, {"-0.5", -0.5f}, {"3e-4", 3e-4f}, {"12.25", 12.25f}, {"7.", 7.0f}, {"1e-07", 1e-7f}})
        CHECK_MESSAGE(number_in_text(text) == value, text);
    for (const char* text : {"", " 1", "1 ", "+1", "1,5", "0x10", "one", "1e", "--1", "1e99", "1 2"})
        CHECK_MESSAGE(!number_in_text(text), text);
    CHECK(number_in_text(typed_number(0.03)) == 0.03f);
}

TEST_CASE("numbers are written in full while that is readable, then with a power of ten") {
    CHECK(significant(0.0) == "0");
    CHECK(significant(0.5) == "0.5");
    CHECK(significant(5e-5) == "0.00005");
    CHECK(significant(-0.0023) == "-0.0023");
    CHECK(significant(3470.6) == "3471");
    CHECK(significant(999999.0) == "999999");
    CHECK(significant(0.97, 2) == "0.97");
    CHECK(significant(1e6) == "1·10⁶");
    CHECK(significant(1234567.0) == "1.23·10⁶");
    CHECK(significant(-2.149e-7) == "-2.15·10⁻⁷");
    CHECK(significant(9.999e-6) == "0.00001");
    CHECK(significant(3e-31) == "3·10⁻³¹");
    CHECK(significant(std::numeric_limits<double>::infinity()) == "∞");
    CHECK(significant(-std::numeric_limits<double>::infinity()) == "-∞");
    CHECK(significant(std::nan("")) == "NaN");
    CHECK(significant(0.123456789, 6) == "0.123457");
}

TEST_CASE("a number that has little room is written with a power of ten at once") {
    CHECK(with_power(167657.66, 2) == "1.7·10⁵");
    CHECK(with_power(-96000.0, 1) == "-1·10⁵");
    CHECK(with_power(0.0, 2) == "0");
}

TEST_CASE("a number that can be typed back has no power of ten") {
    CHECK(typed_number(1e-8) == "0.00000001");
    CHECK(typed_number(5e-5) == "0.00005");
    CHECK(typed_number(0.0) == "0");
    CHECK(typed_number(300.0) == "300");
    CHECK(typed_number(12000000.0) == "12000000");
    for (const double value : {0.003, 1e-8, 0.95, 0.999, 64.0, 1e-5, 12.5})
        CHECK(std::stod(typed_number(value)) == value);
    CHECK(typed_number(static_cast<double>(0.0003f)) == "0.0003");
}

TEST_CASE("a number in a column has a fixed number of decimals, and a power of ten if it is very large") {
    CHECK(with_decimals(0.5) == "0.50");
    CHECK(with_decimals(-2.0, 1) == "-2.0");
    CHECK(with_decimals(-0.001) == "0.00");
    CHECK(with_decimals(-0.0, 0) == "0");
    CHECK(with_decimals(-0.04, 1) == "0.0");
    CHECK(with_decimals(123456.0) == "123456.00");
    CHECK(with_decimals(2.5e8) == "2.5·10⁸");
    CHECK(with_decimals(-1e30, 4) == "-1·10³⁰");
    CHECK(with_decimals(12345678.0, 0) == "12345678");
    CHECK(with_decimals(std::numeric_limits<double>::infinity()) == "∞");
    CHECK(with_decimals(-std::numeric_limits<double>::infinity(), 0) == "-∞");
    CHECK(with_decimals(std::nan("")) == "NaN");
}

TEST_CASE("explanations write powers of ten, never C's exponents") {
    CHECK(format_number(3.47e6) == "3.47·10⁶");
    CHECK(format_number(3470.0) == "3470.00");
    CHECK(format_number(5e-5) == "0.00005");
    CHECK(format_number(-2.5e-9) == "-2.5·10⁻⁹");
    CHECK(format_number(0.42) == "0.42");
    CHECK(format_number(0.0042) == "0.0042");
    CHECK(format_number(123456.0) == "123456");
}

TEST_CASE("no screen and no explanation uses printf's %e or %g") {
    const std::regex exponent(R"(%[-+#0]*[0-9*]*(\.[0-9*]+)?[eEgG][^a-zA-Z])");
    for (const char* room : {"app/common", "app/panels", "app/views", "app/ui", "app/lessons", "app/palette",
                             "app/session", "core/ops", "core/train", "core/analysis", "core/trace"}) {
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(std::filesystem::path(GLASSFORMER_SOURCE_DIR) / room)) {
            if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
            std::stringstream text;
            text << std::ifstream(entry.path()).rdbuf();
            const std::string source = text.str();
            CHECK_MESSAGE(!std::regex_search(source, exponent), entry.path());
        }
    }
}
