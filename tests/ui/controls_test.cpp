#include "app/ui/controls.h"

#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "app/ui/scroll_area.h"
#include "app/window/png.h"
#include "core/base/error.h"
#include "tests/contains.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/harness.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

/// One of each control, and counters of what they do.
struct Panel {
    int clicks = 0, doubles = 0, rights = 0, keys = 0, undo = 0, choice = 0, segment = 0, over = -1, blocked = 0;
    float rate = 0;
    bool on = false;
    std::string text;

    void draw(const Ui& ui) {
        const Response r = button(ui, "push me", {{20, 20}, {120, 50}}, "Push", {});
        clicks += r.clicked, doubles += r.double_clicked, rights += r.right_clicked;
        ui.items->add("clicks", {{20, 20}, {120, 50}}, clicks);
        blocked += button(ui, "blocked", {{130, 20}, {230, 50}}, "Blocked", {.enabled = false}).clicked;
        const std::array<std::string_view, 3> choices = {"one", "two", "three words here"};
        const int chosen = dropdown(ui, "list", {{20, 60}, {220, 90}}, choices[choice], choices, choice);
        if (chosen >= 0) choice = chosen;
        segmented(ui, "segment", {{20, 300}, {320, 330}}, choices, segment);
        slider(ui, "rate", {{20, 340}, {320, 370}}, rate, 0, 1);
        checkbox(ui, "on", {20, 380}, "on", on);
        text_field(ui, "field", {{20, 420}, {320, 450}}, text);
        const std::array<float, 4> values = {-1, 0, 0.5f, 1};
        over = draw::signed_strip(ui, {{20, 470}, {100, 490}}, values, 1);
        ui.items->add("strip", {{20, 470}, {100, 490}}, over);
        if (keys_are_commands() && key_pressed(Key::right)) ++keys;
        if (ctrl_down() && key_pressed(Key::z)) ++undo;
    }
};

struct PanelScreen {
    Screen screen;
    Panel panel;
    PanelScreen() {
        screen.draw = [this](const Ui& ui) { panel.draw(ui); };
    }
};

}  // namespace

TEST_CASE("a script clicks, double clicks, right clicks and hovers") {
    PanelScreen s;
    CHECK(s.screen.play("click \"push me\"\nexpect clicks == 1\nhover strip\nexpect strip == 2\n") == "");
    CHECK(s.panel.clicks == 1);
    CHECK(s.screen.play("frames 40\ndouble_click \"push me\"\nright_click \"push me\"\nclick blocked") == "");
    CHECK(s.panel.clicks == 3);
    CHECK(s.panel.doubles == 1);
    CHECK(s.panel.rights == 1);
    CHECK(s.panel.blocked == 0);
}

TEST_CASE("a list opens, takes a choice by mouse and by keyboard, and closes") {
    PanelScreen s;
    CHECK(s.screen.play("expect_no_item list/two\nclick list\nclick list/two\nexpect_no_item list/two\n"
                        "expect_text list two\nexpect list == 1") == "");
    CHECK(s.panel.choice == 1);
    CHECK(s.screen.play("click list\nkey Down\nkey Right\nkey Enter\nexpect_text list \"three words here\"") == "");
    CHECK(s.panel.keys == 0);  // the open list has keyboard focus
    CHECK(s.screen.play("click list\nexpect_item list/one\nkey Escape\nexpect_no_item list/one\nkey Right") == "");
    CHECK(s.panel.keys == 1);
}

TEST_CASE("a list opens beside its button, so that a double click chooses nothing") {
    for (const float y : {10.0f, 300.0f, 560.0f}) {
        std::vector<std::string> names;
        for (int i = 0; i < 40; ++i) names.push_back("row " + std::to_string(i));
        const std::vector<std::string_view> choices(names.begin(), names.end());
        int chosen = -1;
        Screen screen;
        screen.draw = [&](const Ui& ui) {
            chosen = std::max(chosen, dropdown(ui, "list", {{20, y}, {220, y + 30}}, "row 30", choices, 30));
        };
        CHECK(screen.play("double_click list\nframes 40") == "");
        CHECK(chosen == -1);
        if (!screen.host.items().find("list/row 30")) CHECK(screen.play("click list") == "");
        CHECK(screen.play("frames 4\nexpect \"list/row 30\" == 1") == "");
        const Item* row = screen.host.items().find("list/row 30");  // scrolled into view
        REQUIRE(row);
        CHECK((y < 300 ? row->min.y >= y + 30 : row->max.y <= 600));
        CHECK((y > 300 ? row->max.y <= y : row->min.y >= 0));
        CHECK((row->min.y >= y + 30 || row->max.y <= y));
    }
}

TEST_CASE("sliders, check boxes, segments, text fields and keys") {
    PanelScreen s;
    CHECK(s.screen.play("drag rate 1000 0\nexpect rate == 1\nclick rate\nexpect rate == 0.5 tolerance 0.02\nclick on\n"
                        "expect on == 1\nclick segment/two\nexpect segment == 1\nkey Ctrl+z\nkey Right") == "");
    CHECK(s.panel.undo == 1);
    CHECK(s.panel.keys == 1);
    CHECK(s.screen.play(
              "click field\ntype \"the bat — œuf\"\nkey Backspace\nkey Right\nexpect_text field \"the bat — œu\"") ==
          "");
    CHECK(s.panel.keys == 1);  // the field has keyboard focus
}

TEST_CASE("what is typed in the same frame as Enter or Tab is in the field that it leaves") {
    Screen screen;
    std::string text, sent;
    screen.draw = [&](const Ui& ui) {
        bool submitted = false;
        text_field(ui, "field", {{20, 20}, {320, 50}}, text, "", &submitted);
        if (submitted) sent = text;
    };
    for (const Key key : {Key::enter, Key::tab}) {
        text.clear();
        REQUIRE(screen.play("click field\ntype \"the ba\"") == "");
        screen.frame([&] { script_text("t"), script_key(key, true); });
        screen.frame([&] { script_key(key, false); });
        CHECK(text == "the bat");
    }
    CHECK(sent == "the bat");
}

TEST_CASE("what has scrolled an area to its end is not passed on, but the next turn of the wheel is") {
    Screen screen;
    float passed = 0;
    screen.draw = [&](const Ui& ui) {
        {
            const ScrollArea area(ui, "##area", {{20, 20}, {220, 120}}, 130);
            ui.items->add("end", area.content().bottom(1), area.content().max.y);
        }
        passed = ui.items->take_wheel();
    };
    const auto turn = [&](float lines) {
        float sum = 0;  // also of the frame after it
        for (const float wheel : {lines, 0.0f}) {
            screen.frame([&] { script_mouse({100, 60}, false, false), script_wheel(wheel); });
            sum += passed;
        }
        return sum;
    };
    turn(0);
    CHECK(turn(1) == 1);
    CHECK(screen.host.items().find("end")->value == 150);
    CHECK(turn(-1) == 0);
    CHECK(screen.host.items().find("end")->value == 120);
    CHECK(turn(-1) == -1);
}

TEST_CASE("what zooms under the mouse keeps the wheel from every area around it") {
    Screen screen;
    float inner = 0, outer = 0, passed = 0;
    screen.draw = [&](const Ui& ui) {
        {
            const ScrollArea around(ui, "##around", {{20, 20}, {320, 220}}, 600);
            const Box content = around.content();
            outer = content.min.y;
            const Box box = Box::sized(content.min, 200, 100);
            const ScrollArea area(ui, "##area", box, 300);
            inner = area.content().min.y - box.min.y;
            const Box grid = Box::sized({area.content().min.x, box.min.y}, 80, 100);  // does not move in the area
            if (ImGui::IsMouseHoveringRect(grid.min, grid.max) && ImGui::IsWindowHovered()) ui.items->keep_wheel();
        }
        passed += ui.items->take_wheel();
    };
    const auto turn = [&](ImVec2 mouse, float lines) {
        passed = 0;
        for (const float wheel : {0.0f, 0.0f, 0.0f, lines, 0.0f})
            screen.frame([&] { script_mouse(mouse, false, false), script_wheel(wheel); });
    };
    for (const float lines : {-1.0f, 1.0f}) {
        turn({60, 60}, lines);
        CHECK(inner == 0);
        CHECK(outer == 20);
        CHECK(passed == 0);
    }
    turn({180, 60}, -1);  // beside the grid
    CHECK(inner < 0);
    CHECK(outer == 20);
    turn({60, 180}, -1);  // below the inner area
    CHECK(outer < 20);
}

TEST_CASE("keyboard focus moves through the controls and activates them") {
    PanelScreen s;
    s.screen.draw = [&](const Ui& ui) {
        if (key_pressed(Key::f6)) ui.focus->move(shift_down() ? -1 : 1);
        if (key_pressed(Key::enter)) ui.focus->activate();
        s.panel.draw(ui);
    };
    CHECK(s.screen.play(
              "key F6\nkey Enter\nexpect clicks == 1\nkey F6\nkey F6\nkey Shift+F6\nkey Shift+F6\nkey Enter") == "");
    CHECK(s.panel.clicks == 2);
}

TEST_CASE("a script that fails reports the line and what it found") {
    PanelScreen s;
    CHECK(contains(s.screen.play("frames 2\nclick pusj"), "test:2: click pusj: there is no item \"pusj\""));
    CHECK(contains(s.screen.play("click pusj"), "push me"));
    CHECK(contains(s.screen.play("expect clicks == 5"), "clicks = 0"));
    CHECK(contains(s.screen.play("wait clicks == 5 timeout 0.05"), "not within 0.05 seconds"));
    CHECK(contains(s.screen.play("expect_no_item clicks"), "it is there"));
    CHECK(contains(s.screen.play("expect_text list nine"), "its text is \"one\""));
    CHECK(contains(s.screen.play("shot x.png"), "cannot be taken"));
}

TEST_CASE("a script prints items and waits for text") {
    PanelScreen s;
    std::string printed;
    CHECK(s.screen.play("wait list ~ on\nwait \"push me\"\nprint clicks",
                        {{}, [&](const std::string& line) { printed = line; }}) == "");
    CHECK(contains(printed, "clicks = 0"));

    std::vector<std::string> all;
    const auto list = [&](const std::string& line) { all.push_back(line); };
    CHECK(s.screen.play("print cli*", {{}, list}) == "");
    REQUIRE(all.size() == 1);
    CHECK(contains(all[0], "clicks = 0"));
    CHECK(s.screen.play("print *", {{}, list}) == "");
    CHECK(all.size() > 5);
}

TEST_CASE("a screenshot is written and is not blank, in both themes") {
    const TemporaryFolder folder;
    const std::string path = (folder / "panel.png").string();
    for (ThemeKind kind : {ThemeKind::light, ThemeKind::dark}) {
        PanelScreen s;
        s.screen.host.set_theme(kind);
        Image image;
        const auto shot = [&](const std::string& file) { write_png(file, image = s.screen.surface->read()); };
        CHECK(s.screen.play("click list\nshot " + path, {shot, {}}) == "");
        REQUIRE(image.rgba.size() == 960u * 600 * 4);
        size_t different = 0;
        for (size_t i = 4; i < image.rgba.size(); i += 4) different += image.rgba[i] != image.rgba[0];
        CHECK(different > 1000);
        CHECK(different < 960u * 600 / 2);
        CHECK(std::filesystem::file_size(path) > 1000);
        std::filesystem::remove(path);
    }
    CHECK_THROWS_AS(write_png("/nonexistent/x.png", Image{1, 1, {0, 0, 0, 0}}), Error);
    CHECK_THROWS_AS(open_offscreen({0, 10}), Error);
}
