#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "app/common/glossary.h"
#include "app/desktop/settings.h"
#include "app/palette/entries.h"
#include "app/palette/fuzzy.h"
#include "app/panels/leaving/saving.h"
#include "app/views/registry.h"
#include "core/platform/atomic_file.h"
#include "tests/contains.h"
#include "tests/core/set_variable.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/harness.h"

using namespace glassformer;
using namespace glassformer::app;

TEST_CASE("an entry matches by words in any order and case, by prefixes and by keywords") {
    CHECK(match("head 3", "Block 1 · head 3", "") > 0);
    CHECK(match("3 HEAD", "Block 1 · head 3", "") > 0);
    CHECK(match("head 3", "Block 3 · head 1", "") > 0);
    CHECK(match("block 1 head 2", "Block 1 · head 2", "") > match("block 1 head 2", "Block 2 · head 1", ""));
    CHECK(match("head 3", "Block 1 · head 2", "") == 0);
    CHECK(match("nigh", "Dark theme", "colours night") > 0);
    CHECK(match("what is softmax?", "What does “softmax” mean?", "is a the") > 0);
    CHECK(match("softmax…", "What does “softmax” mean?", "") > 0);
    CHECK(match("sfmax", "softmax", "") > 0);  // letters left out
    CHECK(match("xam", "softmax", "") == 0);   // wrong order
    CHECK(match("dark moon", "Dark theme", "colours night") == 0);
    CHECK(match("", "anything", "") > 0);
    CHECK(match("?!", "anything", "") > 0);
    CHECK(match("÷√d", "÷ √d", "") == 0);
    CHECK(match("√d", "÷ √d", "") > 0);
}

TEST_CASE("a better match has a higher score") {
    const float whole = match("bat", "bat", ""), start = match("bat", "batch", ""),
                key = match("bat", "homonym", "bat"), inside = match("bat", "acrobat", ""),
                scattered = match("bat", "bright", "");
    CHECK(whole > start);
    CHECK(start > key);
    CHECK(key > inside);
    CHECK(inside > 0);
    CHECK(scattered == 0);
    CHECK(match("softmax", "softmax", "") > match("softmax", "What does “softmax” mean?", ""));
}

TEST_CASE("matches are sorted by score, ties in the table's order") {
    const auto entry = [](const char* title) { return PaletteEntry{title, "", "", "", {}, 0}; };
    const auto found =
        found_entries({entry("batch"), entry("cat"), entry("bat"), entry("a bat flew"), entry("bat")}, "bat");
    REQUIRE(found.size() == 4);
    CHECK(found[0].title == "bat");
    CHECK(found[1].title == "bat");
    CHECK(found[2].title == "a bat flew");
    CHECK(found[3].title == "batch");
}

TEST_CASE("a question finds its subject if no entry has all of its words") {
    CHECK(subject_of("How does attention work?") == "attention");
    CHECK(subject_of("why is the softmax in it") == "softmax");
    CHECK(subject_of("what is it") == "");
    CHECK(subject_of("the bat") == "");  // not a question
    const auto entry = [](const char* title) { return PaletteEntry{title, "", "", "", {}, 0}; };
    const auto titles = [&](const char* query) {
        std::string all;
        for (const PaletteEntry& e : found_entries({entry("Attention"), entry("How does it end")}, query))
            all += e.title + "\n";
        return all;
    };
    CHECK(titles("how does attention work") == "Attention\n");
    CHECK(titles("how does it") == "How does it end\n");  // found literally
    CHECK(titles("how does a flumph work") == "");
}

TEST_CASE("the table of commands has no duplicate title") {
    std::set<std::string_view> titles;
    for (const WindowCommand& c : window_commands()) {
        CAPTURE(c.title);
        CHECK(titles.insert(c.title).second);
        const bool runs = c.run != nullptr;
        CHECK(runs);
    }
}

TEST_CASE("the glossary has the words that are on screen") {
    std::set<std::string_view> names;
    for (const GlossaryTerm& term : glossary()) {
        CAPTURE(term.name);
        CHECK(names.insert(term.name).second);
        CHECK(term.meaning.ends_with("."));
        CHECK(term.meaning.size() > 40);
        CHECK(find_term(term.name) == &term);
    }
    for (const char* name : {"query",
                             "key",
                             "value",
                             "score",
                             "softmax",
                             "attention weight",
                             "residual stream",
                             "layernorm",
                             "γ",
                             "β",
                             "head",
                             "block",
                             "logit",
                             "embedding",
                             "position",
                             "mlp",
                             "loss",
                             "learning rate",
                             "batch",
                             "seed",
                             "sense accuracy"}) {
        CAPTURE(name);
        CHECK(find_term(name) != nullptr);
    }
    CHECK(find_term("flumph") == nullptr);
}

TEST_CASE("the entry “nearest words” explains both lists with that name") {
    const std::string_view meaning = find_term("nearest words")->meaning;
    CHECK(contains(meaning, "compares embeddings"));     // the view Embedding
    CHECK(contains(meaning, "residual streams after"));  // the panel beside the map
}

TEST_CASE("a plural finds the singular") {
    CHECK(match("parameters", "What does “parameter” mean?", "") > 0);
    CHECK(match("heads", "Block 1 · head 2", "") > 0);
    CHECK(match("parameters", "parameters", "") > match("parameters", "parameter", ""));
    CHECK(match("loss", "los", "") == 0);
}

TEST_CASE("a term's page is a page of its view") {
    for (const GlossaryTerm& term : glossary()) {
        if (term.page.empty()) continue;
        CAPTURE(term.name);
        const auto view = std::ranges::find(all_views(), term.view, &glassformer::app::View::name);
        REQUIRE(view != all_views().end());
        CHECK(std::ranges::find(view->pages, term.page) != view->pages.end());
    }
    CHECK(find_term("byte pair")->page == "byte pairs");
}

TEST_CASE("a tooltip is beside what it explains, and inside the screen") {
    const ImVec2 screen{1000, 700}, size{300, 120};
    for (float x = 0; x < 1000; x += 37)
        for (float y = 0; y < 700; y += 29)
            for (const ImVec2 box : {ImVec2{10, 10}, ImVec2{200, 30}, ImVec2{60, 300}}) {
                const ImVec2 min{x, y}, max{std::min(x + box.x, 1000.0f), std::min(y + box.y, 700.0f)};
                const ImVec2 at = draw::beside(size, {min, max}, screen, 5, 6);
                CAPTURE(x);
                CAPTURE(y);
                const bool apart = at.x >= max.x || at.y >= max.y || at.x + size.x <= min.x || at.y + size.y <= min.y;
                CHECK(apart);
                CHECK((at.x >= 0 && at.y >= 0 && at.x + size.x <= 1000 && at.y + size.y <= 700));
            }
    // If there is no room beside it, at least on screen.
    const ImVec2 at = draw::beside(size, {{0, 0}, screen}, screen, 5, 6);
    CHECK((at.x >= 0 && at.y >= 0 && at.x + size.x <= 1000 && at.y + size.y <= 700));
}

TEST_CASE("a term's tooltip appears after the mouse rests, and does not cover the term") {
    Screen screen;
    screen.draw = [](const Ui& ui) {
        ui.items->add("label", {{700, 560}, {780, 580}});
        term_tip(ui, {{700, 560}, {780, 580}}, "softmax");
    };
    CHECK(screen.play(
              "hover label\nexpect_no_item tooltip\nexpect_item tooltip/waiting\nwait tooltip ~ \"add up to 1\"") ==
          "");
    const Item* tip = screen.host.items().find("tooltip");
    REQUIRE(tip);
    CHECK(tip->max.y <= 560);
    CHECK(tip->min.y >= 0);
    CHECK(tip->max.x <= 960);
}

TEST_CASE("a folder to save in: names, paths, quotes and ~ are accepted") {
    const auto absolute = [](const char* path) {
        return (std::filesystem::path(on_windows ? "C:/" : "/") / path).make_preferred().string();
    };
    const SetVariable home("HOME", absolute("home/someone"));
    {
        const WorkingFolder program(platform::program_file().parent_path());
        CHECK(save_folder("bats") == absolute("home/someone/bats"));  // not into the program's folder
    }
    const TemporaryFolder folder;
    const WorkingFolder here(folder.path());
    CHECK(save_folder("~/") == absolute("home/someone"));
    CHECK(save_folder("~/models/bats") == absolute("home/someone/models/bats"));
    CHECK(save_folder("~") == absolute("home/someone"));
    CHECK(save_folder("") == "");
    CHECK(save_folder("   ") == "");
    CHECK(save_folder(" " + absolute("srv/a//b/../c/") + " ") == absolute("srv/a/c"));
    // As some file managers copy a path.
    CHECK(save_folder("\"" + absolute("srv/my models/bats") + "\"") == absolute("srv/my models/bats"));
    CHECK(save_folder("'~/bats'") == absolute("home/someone/bats"));
    CHECK(save_folder("\"") == (std::filesystem::current_path() / "\"").string());
    CHECK(save_folder("bats") == (std::filesystem::current_path() / "bats").string());
}

TEST_CASE("a name becomes one that every system accepts as a file's") {
    CHECK(as_file_name("branch 2: lr") == "branch-2-lr");
    CHECK(as_file_name("a/b\\c: d?") == "a-b-c-d");
    for (const char* device : {"con", "CON", "Prn", "aux", "nul", "com1", "LPT9", "COM²"}) {
        CAPTURE(device);
        CHECK(as_file_name(device) == device + std::string("_"));
        CHECK(as_file_name(device + std::string(".tar.gz")) == device + std::string("_.tar.gz"));
    }
    for (const char* name : {"console", "com", "com10", "communism1", "lpt-1", "a.con"})
        CHECK(as_file_name(name) == name);
    CHECK(as_file_name("week 3. .") == "week-3");
    CHECK(as_file_name("nul.") == "nul_");
    CHECK(as_file_name("..") == "run");
    CHECK(as_file_name("  ") == "run");
}

TEST_CASE("one invalid setting does not affect the others, and the damaged file is copied before it is overwritten") {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder / "settings.json", copy = folder / "settings.json.damaged";
    const std::string wrong =
        R"({"theme": "dark", "width": 1e300, "height": -1e300, "scale": "large", "x": 1e30, "y": 7,
            "lesson_steps": {"bats": 3, "order": 1e99, "bad": "one"}, "of_tomorrow": [1, 2]})";
    std::ofstream(file) << wrong;
    Settings s = load_settings(file);
    CHECK(s.theme == ThemeKind::dark);
    CHECK(s.width == 16384);
    CHECK(s.height == 400);
    CHECK(s.scale == 1.0f);
    CHECK(s.place == ScreenPlace{100'000, 7});
    CHECK(s.lessons.at.at("bats") == 3);
    CHECK(s.lessons.at.at("order") == 1'000'000);
    CHECK(s.lessons.at.count("bad") == 0);
    s.width = 1234;
    save_settings(file, s);
    CHECK(read_file(copy, 1 << 16) == wrong);
    CHECK(load_settings(file).width == 1234);
    CHECK(contains(read_file(file, 1 << 16), "of_tomorrow"));
    save_settings(file, s);  // the file is valid now
    CHECK_FALSE(std::filesystem::exists(copy.string() + "-2"));
    std::ofstream(file) << "no JSON";
    CHECK(load_settings(file).width == 1600);
    save_settings(file, s);
    CHECK(read_file(copy.string() + "-2", 1 << 16) == "no JSON");
}

TEST_CASE("settings: two windows keep what either of them has changed") {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder / "settings.json";
    Settings at_start;
    at_start.lessons.at = {{"bats", 1}};
    save_settings(file, at_start);
    KeptSettings first(file, load_settings(file)), second(file, load_settings(file));
    Settings of_first = load_settings(file), of_second = of_first;
    of_second.lessons.at["order"] = 4;
    of_second.scale = 1.5f;
    second.finish(of_second);
    of_first.lessons.at["bats"] = 3;
    of_first.theme = ThemeKind::dark;
    first.finish(of_first);
    const Settings both = load_settings(file);
    CHECK(both.lessons.at == std::map<std::string, int>{{"bats", 3}, {"order", 4}});
    CHECK(both.theme == ThemeKind::dark);
    CHECK(both.scale == 1.5f);
    CHECK_FALSE(both.lessons.offer);
}

TEST_CASE("settings are restored as saved, and a broken file gives the defaults") {
    const TemporaryFolder parent;
    const std::filesystem::path file = parent / "not made yet" / "settings.json";
    CHECK(load_settings(file).width == 1600);
    Settings s;
    s.theme = ThemeKind::dark, s.scale = 1.5f, s.stage_scale = 1.25f, s.compare = false, s.reduce_motion = true;
    s.width = 1234, s.height = 777, s.view = "Attention", s.place = ScreenPlace{-40, 25};
    save_settings(file, s);
    const Settings back = load_settings(file);
    CHECK(back.theme == ThemeKind::dark);
    CHECK(back.scale == 1.5f);
    CHECK(back.stage_scale == 1.25f);
    CHECK_FALSE(back.compare);
    CHECK(back.reduce_motion);
    CHECK(back.width == 1234);
    CHECK(back.height == 777);
    CHECK(back.view == "Attention");
    CHECK(back.place == ScreenPlace{-40, 25});
    for (const char* broken : {"", "{", "[]", "{\"view\": 7}", "{\"x\": \"left\", \"y\": 2}", "\xff\xfe"}) {
        CAPTURE(broken);
        std::ofstream(file) << broken;
        const Settings plain = load_settings(file);
        CHECK(plain.width == 1600);
        CHECK(plain.view == "");
        CHECK_FALSE(plain.place);
    }
}
