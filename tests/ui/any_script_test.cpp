#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "app/ui/controls.h"
#include "app/ui/glyphs/glyph_text.h"
#include "app/ui/glyphs/text_direction.h"
#include "app/ui/running_text.h"
#include "app/ui/text_caret.h"
#include "core/text/utf8.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/harness.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

using Kind = TextPiece::Kind;

const ImVec4 everywhere(-1e9f, -1e9f, 1e9f, 1e9f);

/// Calls test(ui) within a frame.
template <class Test>
void in_a_frame(const Test& test) {
    Screen screen;
    screen.draw = [&](const Ui& ui) { test(ui); };
    screen.frame();
}

const TextLine& line_of(const Ui& ui, std::string_view text) {
    const TextLine* line = ui.fonts->glyphs->line(FontRole::body, text);
    REQUIRE_MESSAGE(line, text);
    return *line;
}

const TextStop& stop_at(const TextLine& line, std::size_t byte) {
    const auto found = std::ranges::find(line.stops, byte, &TextStop::begin);
    REQUIRE(found != line.stops.end());
    return *found;
}

bool all_shaped(const TextLine& line) {
    return std::ranges::all_of(line.pieces,
                               [](const TextPiece& p) { return p.kind == Kind::shaped || p.kind == Kind::atlas; });
}

std::string characters(char32_t from, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) {
        const char32_t c = from + static_cast<char32_t>(i);
        text += to_utf8({&c, 1});
    }
    return text;
}

}  // namespace

TEST_CASE("any script: ImGui's own font draws the characters that it has, without GlyphText") {
    in_a_frame([](const Ui& ui) {
        for (const std::string_view text : {"the bat", "œuf — naïve", "√Σ 0.42", ""})
            CHECK(ui.fonts->glyphs->line(FontRole::body, text) == nullptr);
        CHECK(ui.fonts->glyphs->glyphs() == 0);
    });
}

TEST_CASE("any script: the fonts that setup installs cover these scripts") {
    in_a_frame([](const Ui& ui) {
        for (const std::string_view text : {"蝙蝠飞出山洞", "コウモリ", "박쥐", "летучая мышь", "νυχτερίδα ὠδή", "עטלף",
                                            "خفاش", "चमगादड़", "ค้างคาว", "e\u0301 n\u0303", "😀"}) {
            CAPTURE(text);
            const TextLine& line = line_of(ui, text);
            CHECK(line.complete);
            CHECK(all_shaped(line));
            CHECK(line.width > ui.line(FontRole::body) / 2);
            CHECK(draw::text_size(ui, text).x == line.width);
        }
    });
}

TEST_CASE("any script: the characters of a line cover each byte once") {
    in_a_frame([](const Ui& ui) {
        for (const std::string_view text :
             {"蝙蝠 bat 2", "שלום bat 12 עולם", "लड़की की", "لا إله", "a\xE5 b\xF0\x9F", "สวัสดี x"}) {
            CAPTURE(text);
            const TextLine& line = line_of(ui, text);
            std::size_t next = 0;
            float covered = 0;
            for (const TextStop& stop : line.stops) {
                CHECK(stop.begin == next);
                CHECK(stop.width() >= 0);
                CHECK(stop.left >= -0.01f);
                CHECK(stop.right <= line.width + 0.01f);
                next = stop.end;
                covered += stop.width();
            }
            CHECK(next == text.size());
            CHECK(covered == doctest::Approx(line.width).epsilon(1e-4));
        }
    });
}

TEST_CASE("any script: a combining mark and its letter are one character") {
    in_a_frame([](const Ui& ui) {
        const TextLine& marked = line_of(ui, "e\u0301a");
        REQUIRE(marked.stops.size() == 2);
        CHECK(marked.stops[0].end == 3);
        CHECK(marked.stops[0].width() == doctest::Approx(draw::text_size(ui, "é").x).epsilon(0.05));
        CHECK(line_of(ui, "שָׁלוֹם").stops.size() == 4);                              // seven code points
        CHECK(line_of(ui, "ค้างคาว").width < line_of(ui, "คางคาว").width + 0.01f);  // a combining mark has no width
    });
}

TEST_CASE("any script: Hebrew runs from right to left, numbers in it from left to right") {
    in_a_frame([](const Ui& ui) {
        const std::string text = "אב 12 גד";
        const TextLine& line = line_of(ui, text);
        CHECK(line.right_to_left);
        CHECK(stop_at(line, 0).right == doctest::Approx(line.width));
        CHECK(stop_at(line, 2).right == doctest::Approx(stop_at(line, 0).left));  // the second letter is further left
        CHECK(stop_at(line, 5).left < stop_at(line, 2).left);
        CHECK(stop_at(line, 6).left == doctest::Approx(stop_at(line, 5).right));  // 1, with 2 to its right
        CHECK(stop_at(line, 10).left == doctest::Approx(0));
        CHECK(line.pieces.front().right_to_left);
    });
    CHECK(runs_right_to_left("שלום"));
    CHECK(runs_right_to_left("ה bat עף מהמערה"));
    CHECK_FALSE(runs_right_to_left("“שלום” looks at the word before it"));
    CHECK_FALSE(runs_right_to_left("蝙蝠 bat 12"));
    CHECK_FALSE(runs_right_to_left(""));
}

TEST_CASE("any script: an arrow between Hebrew words points from the first to the second") {
    in_a_frame([](const Ui& ui) {
        const TextLine& line = line_of(ui, "אב → גד  0.42");
        CHECK_FALSE(line.right_to_left);
        CHECK(stop_at(line, 0).right < stop_at(line, 5).left + 0.01f);   // the word, then the arrow
        CHECK(stop_at(line, 2).right < stop_at(line, 0).left + 0.01f);   // within it, the second letter is at the left
        CHECK(stop_at(line, 5).right < stop_at(line, 11).left + 0.01f);  // the arrow, then the second word
        CHECK(stop_at(line, 9).right < stop_at(line, 15).left + 0.01f);  // and its number
        CHECK(stop_at(line, 15).right < stop_at(line, 18).left + 0.01f);
    });
}

TEST_CASE("any script: Arabic letters join") {
    in_a_frame([](const Ui& ui) {
        float apart = 0;
        for (const std::string_view letter : {"ب", "ي", "ت"}) apart += line_of(ui, letter).width;
        const TextLine& word = line_of(ui, "بيت");
        CHECK(word.width < 0.8f * apart);
        CHECK(word.stops.size() == 3);
        // Lam and alif form one glyph; each letter gets half of it.
        const TextLine& ligature = line_of(ui, "لا");
        REQUIRE(ligature.stops.size() == 2);
        CHECK(ligature.stops[0].width() == doctest::Approx(ligature.stops[1].width()));
    });
}

TEST_CASE("any script: invalid bytes are shown as hex codes, not as the replacement character") {
    in_a_frame([](const Ui& ui) {
        const TextLine& line = line_of(ui,
                                       "a\xE5"
                                       "b");
        REQUIRE(line.stops.size() == 3);
        CHECK(line.stops[1].begin == 1);
        CHECK(line.stops[1].end == 2);
        std::string shown;
        for (const TextPiece& piece : line.pieces) shown += piece.text;
        CHECK(shown == "a⟨E5⟩b");
        CHECK(line.width == doctest::Approx(draw::text_size(ui, "a⟨E5⟩b").x));
    });
}

TEST_CASE("any script: a character that no font has is drawn as a box with its code") {
    in_a_frame([](const Ui& ui) {
        GlyphText text(true, [](char32_t, bool) { return std::nullopt; });
        text.begin_frame(*ui.fonts);
        const TextLine* line = text.line(FontRole::body, "x\u4E00\U0001F9FF");
        REQUIRE(line);
        REQUIRE(line->pieces.size() == 3);
        CHECK(line->pieces[0].kind == Kind::atlas);
        CHECK(line->pieces[1].kind == Kind::unknown);
        CHECK(line->pieces[1].text == "4E00");
        CHECK(line->pieces[2].text == "1F9FF");
        CHECK(line->complete);
        const int before = ui.list()->VtxBuffer.Size;
        text.draw(*ui.list(), FontRole::body, *line, {10, 10}, 0xFF000000u, everywhere);
        CHECK(ui.list()->VtxBuffer.Size > before);
        CHECK(text.glyphs() == 0);
    });
}

TEST_CASE("any script: a missing or invalid font file has no characters") {
    in_a_frame([](const Ui& ui) {
        for (const char* file : {"/nonexistent.ttf", GLASSFORMER_SOURCE_DIR "/README.md"}) {
            GlyphText text(true, [&](char32_t, bool) { return FontFace{file, 0}; });
            text.begin_frame(*ui.fonts);
            const TextLine* line = text.line(FontRole::body, "\u4E00");
            REQUIRE(line);
            CHECK(line->pieces.at(0).kind == Kind::unknown);
        }
    });
}

TEST_CASE("any script: each frame rasterizes a few glyphs, the rest follow in later frames") {
    Screen screen;
    std::unique_ptr<GlyphText> text;
    int most = 0, frames = 0;
    screen.draw = [&](const Ui& ui) {
        if (!text) text = std::make_unique<GlyphText>(false, find_system_font, GlyphBudget{7, 1000});
        text->begin_frame(*ui.fonts);
        if (const TextLine* line = text->line(FontRole::body, characters(0x4E00, 30)))
            text->draw(*ui.list(), FontRole::body, *line, {10, 10}, 0xFF000000u, everywhere);
        most = std::max(most, text->made_in_frame());
        ++frames;
    };
    do screen.frame();
    while (text->waiting() && frames < 100000);
    CHECK(frames > 4);
    CHECK(most == 7);
    CHECK(text->glyphs() == 30);
    screen.frame();
    CHECK(text->made_in_frame() == 0);
    screen.surface->make_current();
    text.reset();
}

TEST_CASE("any script: a flood of new text is deferred, and the text on screen stays") {
    in_a_frame([](const Ui& ui) {
        GlyphText text(false, find_system_font, GlyphBudget{100, 60});
        text.begin_frame(*ui.fonts);
        const std::string first = characters(0x4E00, 15), second = characters(0x5000, 15);
        CHECK(text.line(FontRole::body, first)->stops.size() == 15);
        const TextLine* late = text.line(FontRole::body, second);
        REQUIRE(late);
        CHECK(late->pieces.empty());  // not drawn yet; as wide as it may become
        CHECK(late->width > 0);
        CHECK(text.waiting());
        // A font that is found meanwhile causes the first text to be shaped again.
        bool shown = false;
        for (int frame = 0; frame < 10 && !shown; ++frame) {
            text.begin_frame(*ui.fonts);
            CHECK(text.line(FontRole::body, first)->pieces.size() > 0);
            shown = !text.line(FontRole::body, second)->pieces.empty();
        }
        CHECK(shown);
    });
}

TEST_CASE("any script: ten thousand different characters use a bounded number of pages") {
    Screen screen;
    std::unique_ptr<GlyphText> text;
    int first = 0;
    screen.draw = [&](const Ui& ui) {
        if (!text) text = std::make_unique<GlyphText>(true);
        text->begin_frame(*ui.fonts);
        const std::string row = characters(0x4E00 + static_cast<char32_t>(first), 1000);
        for (const FontRole role : {FontRole::small, FontRole::body_bold, FontRole::big, FontRole::big_bold}) {
            const TextLine* line = text->line(role, row);
            REQUIRE(line);
            text->draw(*ui.list(), role, *line, {0, 0}, 0xFF000000u, everywhere);
        }
    };
    for (; first < 10000; first += 1000) {
        screen.frame();
        CHECK(text->pages() <= GlyphPages::most_pages);
    }
    CHECK(text->pages() > 1);
    screen.surface->make_current();
    text.reset();
}

TEST_CASE("any script: pages are reused, except those of the current frame") {
    in_a_frame([](const Ui&) {
        GlyphPages pages;
        GlyphBitmap bitmap{0, 0, 100, 100, false, std::vector<ImU32>(10000, 0xFFFFFFFFu)};
        unsigned glyph = 0;
        const auto key = [&] { return GlyphKey{0, glyph, 15, 0, false}; };
        while (pages.add(key(), bitmap)) ++glyph;
        CHECK(pages.pages() == GlyphPages::most_pages);
        CHECK(glyph == 800);  // 10 × 10 on each page
        pages.begin_frame();
        glyph = 0;
        CHECK(pages.find(key()));  // its page is on screen, and stays
        glyph = 1000;
        CHECK(pages.add(key(), bitmap));
        glyph = 0;
        CHECK(pages.find(key()));
        CHECK(pages.glyphs() == 701);
    });
}

TEST_CASE("any script: lines of ideographs wrap, and no line begins with closing punctuation") {
    in_a_frame([](const Ui& ui) {
        const std::string text = "他挥动球棒，打出一个界外球。蝙蝠在黄昏时飞出山洞，我听见狗的叫声。";
        const float width = 6.2f * draw::text_size(ui, "球").x;
        const std::vector<std::string_view> rows = draw::wrapped_lines(ui, text, width, FontRole::body);
        CHECK(rows.size() >= 6);
        std::string joined;
        for (const std::string_view row : rows) {
            CHECK(is_valid_utf8(row));
            CHECK(draw::text_size(ui, row).x <= width + 1);
            CHECK_FALSE(row.starts_with("，"));
            CHECK_FALSE(row.starts_with("。"));
            joined += row;
        }
        CHECK(joined == text);
        CHECK(draw::wrapped_lines(ui, "летучая мышь вылетела из пещеры", draw::text_size(ui, "летучая мышь ").x,
                                  FontRole::body)
                  .front() == "летучая мышь ");
    });
}

TEST_CASE("any script: the caret is placed at character boundaries, in both directions") {
    in_a_frame([](const Ui& ui) {
        for (const std::string_view text : {"the bat", "蝙蝠 bat", "שלום עולם", "चमगादड़"}) {
            CAPTURE(text);
            for (std::size_t at = 0; at < text.size(); at = draw::after_character(text, at)) {
                CHECK(draw::caret_at(ui, text, draw::caret_x(ui, text, at, FontRole::body), FontRole::body) == at);
                CHECK(draw::before_character(text, draw::after_character(text, at)) == at);
            }
        }
        const std::string hebrew = "שלום";
        CHECK(draw::caret_x(ui, hebrew, 0, FontRole::body) > draw::caret_x(ui, hebrew, 8, FontRole::body));
        CHECK(draw::covered(ui, hebrew, 2, 6, FontRole::body).size() == 1);
        CHECK(draw::covered(ui, "ab שלום cd", 1, 7, FontRole::body).size() == 2);
    });
}

TEST_CASE("any script: a text field accepts typing and pasting") {
    Screen screen;
    std::string text;
    bool entered = false;
    screen.draw = [&](const Ui& ui) {
        bool now = false;
        text_field(ui, "field", {{20, 20}, {320, 50}}, text, "type", &now);
        entered |= now;
    };
    CHECK(screen.play("click field\ntype \"蝙蝠😀\"") == "");
    CHECK(text == "蝙蝠😀");
    CHECK(ImGui::GetIO().WantTextInput);
    CHECK(screen.play("key Backspace") == "");
    CHECK(text == "蝙蝠");
    CHECK(screen.play("key Home\nkey Delete\ntype \"e\u0301\"\nkey Backspace") == "");
    CHECK(text == "蝠");  // a letter and its mark are one unit
    // Windows' own clipboard has only whole characters.
    ImGui::SetClipboardText(on_windows ? "שלום\nעולם" : "שלום\nעולם\xFF");
    CHECK(screen.play("key Ctrl+a\nkey Ctrl+v") == "");
    CHECK(text == "שלום עולם");
    const float at_end = screen.host.items().find("field/caret")->min.x;
    CHECK(screen.play("key Right") == "");  // back towards the first letter
    CHECK(screen.host.items().find("field/caret")->min.x > at_end);
    CHECK(screen.play("key Ctrl+z") == "");
    CHECK(text == "蝠");
    CHECK(screen.play("key Ctrl+y\nkey Shift+Home\nkey Ctrl+x") == "");
    CHECK(std::string(ImGui::GetClipboardText()).size() + text.size() == std::string("שלום עולם").size());
    CHECK(screen.play("key Escape\nframes 2") == "");
    CHECK(text.empty());  // as it was on entering the field
    CHECK_FALSE(ImGui::GetIO().WantTextInput);
    CHECK(screen.play("click field\ntype abc\nkey Enter\nframes 2") == "");
    CHECK(entered);
    CHECK_FALSE(ImGui::GetIO().WantTextInput);
    CHECK(screen.play("type xyz") == "");
    CHECK(text == "abc");
}
