#include "app/ui/theme.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace glassformer::app;

TEST_CASE("every text keeps a contrast of 4.5 on its fill, in both themes") {
    for (ThemeKind kind : {ThemeKind::light, ThemeKind::dark}) {
        for (const TextPair& pair : text_pairs(theme(kind))) {
            CAPTURE(pair.name);
            CAPTURE(static_cast<int>(kind));
            CHECK(contrast(pair.text, pair.fill) >= 4.5);
        }
    }
}

TEST_CASE("text_on reads on every colour of the ramps") {
    for (ThemeKind kind : {ThemeKind::light, ThemeKind::dark}) {
        const Theme& t = theme(kind);
        for (int i = -100; i <= 100; ++i) {
            const float v = static_cast<float>(i) / 100;
            CHECK(contrast(Theme::text_on(t.signed_colour(v, 1)), t.signed_colour(v, 1)) >= 4.5);
            CHECK(contrast(Theme::text_on(t.attention_colour(v)), t.attention_colour(v)) >= 4.5);
        }
    }
}

TEST_CASE("the ramps start and end where the palette says, clamp, and show NaN") {
    const Theme& t = theme(ThemeKind::light);
    CHECK(contrast(IM_COL32_WHITE, IM_COL32_BLACK) == doctest::Approx(21));
    CHECK(t.attention_colour(0) == t.attention_zero);
    CHECK(t.attention_colour(1) == IM_COL32(0x3F, 0x1D, 0x87, 255));
    CHECK(t.attention_colour(7) == t.attention);
    CHECK(t.attention_colour(-7) == t.attention_zero);
    CHECK(t.attention_colour(std::nanf("")) == t.danger);
    CHECK(t.signed_colour(0, 1) == t.signed_neutral);
    CHECK(t.signed_colour(5, 1) == t.signed_positive);
    CHECK(t.signed_colour(-5, 1) == t.signed_negative);
    CHECK(t.signed_colour(3, 0) == t.signed_neutral);
    double last = 22;  // darker with every step
    for (int i = 0; i <= 20; ++i) {
        const double now = contrast(t.attention_colour(static_cast<float>(i) / 20), IM_COL32_BLACK);
        CHECK(now < last);
        last = now;
    }
}
