#include "app/ui/math_text.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "app/ui/running_text.h"
#include "tests/ui/harness.h"

using namespace glassformer::app;

TEST_CASE("a superscript in brackets is raised whole, without its brackets") {
    Screen screen;
    screen.draw = [](const Ui& ui) {
        const math::Style style;
        const auto width = [&](std::string_view formula) { return math::text(ui, {}, formula, style, false); };
        const auto plain = [&](std::string_view text) { return draw::text_size(ui, text, FontRole::body).x; };
        const auto small = [&](std::string_view text) { return draw::text_size(ui, text, FontRole::small).x; };
        CHECK(width("10000^(2i/D)") == doctest::Approx(plain("10000") + small("2i/D")));
        CHECK(width("sin(p / 10000^(2i/D))") == doctest::Approx(plain("sin(p / 10000") + small("2i/D") + plain(")")));
        CHECK(width("e^(s − max) / Σ") == doctest::Approx(plain("e") + small("s − max") + plain(" / Σ")));
        CHECK(width("0.9^12 · x") == doctest::Approx(plain("0.9") + small("12") + plain(" · x")));
        CHECK(width("x^(2") == doctest::Approx(plain("x") + plain("(2")));  // unclosed bracket
    };
    screen.frame();
}

TEST_CASE("a line breaks before a number, not inside it") {
    Screen screen;
    screen.draw = [](const Ui& ui) {
        const draw::TextStyle style{FontRole::small};
        const auto size = [&](std::string_view text) { return draw::text_size(ui, text, FontRole::small).x; };
        const float line = draw::text_wrapped(ui, {}, 1000, "one line", style);
        // "aaaa 0." and "123 bb" would fit on two lines.
        const float width = std::max(size("aaaa 0."), size("123 bb")) + 1;
        REQUIRE(size("0.123 bb") > width);
        REQUIRE(size("0.123") < width);
        CHECK(draw::text_wrapped(ui, {}, width, "aaaa 0.123 bb", style) == 3 * line);
        CHECK(draw::text_wrapped(ui, {}, 20, "0.123456789", style) > line);  // too narrow: broken, but drawn
    };
    screen.frame();
}

TEST_CASE("a number and its % stay on one line") {
    Screen screen;
    screen.draw = [](const Ui& ui) {
        const auto size = [&](std::string_view text) { return draw::text_size(ui, text, FontRole::small).x; };
        const float width = size("aaaaaaaa 97") + 1;
        const std::vector<std::string_view> lines = draw::wrapped_lines(ui, "aaaaaaaa 97 % bb", width, FontRole::small);
        REQUIRE(lines.size() == 2);
        CHECK(lines[0].starts_with("aaaa"));
        CHECK(lines[1] == "97 % bb");
    };
    screen.frame();
}

TEST_CASE("a number without enough room is rounded, never cut to a different number") {
    Screen screen;
    screen.draw = [](const Ui& ui) {
        const auto size = [&](std::string_view text) { return draw::text_size(ui, text, FontRole::small).x; };
        const auto letters = [&](std::string_view text, float width) {
            const int before = ui.list()->VtxBuffer.Size;
            const bool cut = draw::text_in(ui, {{10, 10}, {10 + width, 40}}, text, {FontRole::small});
            CHECK(cut == (size(text) > width + 0.5f));
            return (ui.list()->VtxBuffer.Size - before) / 4;
        };
        CHECK(letters("0.1294", size("0.1294") + 1) == 6);
        CHECK(letters("0.1294", size("0.129") + 1) == 5);
        CHECK(letters("0.1294", size("0.13") + 1) == 4);  // "0.13", not "0.1…"
        CHECK(letters("−12.75", size("−13") + 1) == 3);
        CHECK(letters("−12.75", size("−1")) == 1);              // only an ellipsis, not "−1…"
        CHECK(letters("−167657.66", size("−2·10⁵") + 1) == 6);  // what does not fit in full gets a power of ten
        CHECK(letters("6.77·10⁸", size("6.8·10⁸") + 1) == 7);
        CHECK(letters("6.77·10⁸", size("7·10⁸") + 1) == 5);
        CHECK(letters("6.77·10⁸", size("6.7") + 1) == 1);  // not "6.…", which reads as a small number
        CHECK(letters("a word", size("a wo") + 1) < 6);    // other texts are clipped as usual
        CHECK(letters("4·1024 words", size("4·102") + 1) > 1);
    };
    screen.frame();
}
