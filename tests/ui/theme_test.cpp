#include "app/ui/theme.h"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <string>
#include <vector>

using namespace glassformer::app;

namespace {

/// A text colour and the fill beneath it.
struct TextPair {
    std::string name;
    ImU32 text;
    ImU32 fill;
};
/// Every combination of text and fill that the program draws.
std::vector<TextPair> text_pairs(const Theme& t) {
    std::vector<TextPair> pairs;
    const auto on = [&](const char* fill_name, ImU32 fill, std::initializer_list<TextPair> texts) {
        for (const TextPair& p : texts) pairs.push_back({p.name + " on " + fill_name, p.text, fill});
    };
    const std::initializer_list<TextPair> words = {{"text", t.text, 0},
                                                   {"muted", t.text_muted, 0},
                                                   {"query", t.query_text, 0},
                                                   {"key", t.key_text, 0},
                                                   {"value", t.value_text, 0},
                                                   {"attention", t.attention_text, 0},
                                                   {"surprise", t.surprise_text, 0},
                                                   {"residual", t.residual_text, 0},
                                                   {"mlp", t.mlp_text, 0},
                                                   {"selection", t.selection_text, 0},
                                                   {"sense_a", t.sense_a_text, 0},
                                                   {"sense_b", t.sense_b_text, 0},
                                                   {"good", t.good_text, 0},
                                                   {"danger", t.danger_text, 0}};
    on("card", t.card, words);
    on("background", t.background, words);
    on("hover", t.hover, words);
    on("card", t.card, {{"faint", t.text_faint, 0}});
    on("background", t.background, {{"faint", t.text_faint, 0}});
    on("control", t.control, {{"text", t.text, 0}, {"muted", t.text_muted, 0}, {"faint", t.text_faint, 0}});
    on("attention tint", t.attention_tint,
       {{"text", t.text, 0}, {"attention", t.attention_text, 0}, {"muted", t.text_muted, 0}});
    on("selection tint", t.selection_tint,
       {{"text", t.text, 0}, {"selection", t.selection_text, 0}, {"muted", t.text_muted, 0}});
    on("good tint", t.good_tint, {{"good", t.good_text, 0}});
    on("danger tint", t.danger_tint, {{"danger", t.danger_text, 0}});
    on("accent", t.accent, {{"white", IM_COL32_WHITE, 0}});
    on("accent hover", t.accent_hover, {{"white", IM_COL32_WHITE, 0}});
    return pairs;
}

}  // namespace

TEST_CASE("every text has a contrast of at least 4.5 to its fill, in both themes") {
    for (ThemeKind kind : {ThemeKind::light, ThemeKind::dark}) {
        for (const TextPair& pair : text_pairs(theme(kind))) {
            CAPTURE(pair.name);
            CAPTURE(static_cast<int>(kind));
            CHECK(contrast(pair.text, pair.fill) >= 4.5);
        }
    }
}

TEST_CASE("text_on is readable on every colour of the ramps") {
    for (ThemeKind kind : {ThemeKind::light, ThemeKind::dark}) {
        const Theme& t = theme(kind);
        for (int i = -100; i <= 100; ++i) {
            const float v = static_cast<float>(i) / 100;
            CHECK(contrast(Theme::text_on(t.signed_colour(v, 1)), t.signed_colour(v, 1)) >= 4.5);
            CHECK(contrast(Theme::text_on(t.attention_colour(v)), t.attention_colour(v)) >= 4.5);
        }
    }
}

TEST_CASE("the ramps start and end at the palette's colours, clamp, and mark NaN") {
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
    double last = 22;  // each step is darker
    for (int i = 0; i <= 20; ++i) {
        const double now = contrast(t.attention_colour(static_cast<float>(i) / 20), IM_COL32_BLACK);
        CHECK(now < last);
        last = now;
    }
}
