// What a lecturer found in unusual use: lessons that train, worlds with a borrowed name, two heads side by side.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "app/desktop/export_picture.h"
#include "app/export/export_dialog.h"
#include "app/lessons/scene_format.h"
#include "app/views/registry.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/one_lesson.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;
namespace fs = std::filesystem;

namespace {

const std::string begin = "lesson try 1\nwait lesson/scene == 1 timeout 120\nframes 4";

std::string lesson_text_on_screen(const Story& story) {
    std::string all;
    for (const Item& item : story.host.items().all())
        if (item.label.starts_with("lesson/number")) all += std::string(item.text) + " ";
    return all;
}

}  // namespace

TEST_CASE("story: a guess is neither right nor wrong while its answer's scene is training") {
    const OneLesson file(
        "model: fresh homonyms\n== One\nstep: 0\nchoice: above 1 when {loss} > 1\nchoice: below 1 when {loss} <= 1\n\n"
        "How much?\n\n---\ntrain: 200 steps\nstep: 200\n\nIt is {loss}.\n");
    Story story({.lessons = file.folder});
    REQUIRE(story.play(begin) == "");
    REQUIRE(story.play("click \"lesson/choice 1\"\nframes 3") == "");
    REQUIRE(story.snapshot().live_step < 200);
    // Only the buttons: the answer would be a second item of that name.
    const auto named = [&](const std::string& label) {
        return std::ranges::count(story.host.items().all(), label, &Item::label);
    };
    CHECK(named("lesson/choice 1") == 1);
    CHECK(named("lesson/choice 2") == 1);
    REQUIRE(story.play("wait lesson/scene == 1 timeout 300\nframes 4") == "");
    CHECK(named("lesson/choice 1") == 2);
    CHECK(story.value("lesson/choice 1") == 1);
    CHECK(story.value("lesson/choice 2") == 0);
    CHECK(story.app.lessons().error() == "");
}

TEST_CASE("story: numbers in a lesson's text are placeholders while its model is training") {
    const OneLesson file(
        "model: homonyms\n== One\nA: He swung the bat and hit a foul.\n\nFirst.\n"
        "== Two\nmodel: fresh homonyms\ntrain: 200 steps\nstep: 200\n\nStep {step}, loss {loss}.\n\n"
        "when {step} > 100: Far: {step}.\n\notherwise: Near: {step} and {loss}.\n");
    Story story({.lessons = file.folder});
    REQUIRE(story.play(begin) == "");
    REQUIRE(story.play("click lesson/next\nwait lesson == 2\nframes 3") == "");
    REQUIRE(story.until([&] { return story.session.snapshot()->model->folder.empty(); }));
    story.frames(1);
    REQUIRE(story.snapshot().live_step < 200);
    CHECK(lesson_text_on_screen(story) == "… … ");  // nor is either of the two paragraphs chosen
    CHECK(std::isnan(story.value("lesson/number 0")));
    REQUIRE(story.play("wait lesson/scene == 1 timeout 300\nframes 4") == "");
    CHECK(story.value("lesson/number 0") == 200);
    CHECK(story.value("lesson/number 2") == 200);
    CHECK_FALSE(story.shows("lesson/number 3"));
}

TEST_CASE("story: a scene that compares with a missing model names it, and is shown without it") {
    const OneLesson file(
        "model: homonyms\n== One\nA: He swung the bat and hit a foul.\nbeside: model nosuch\ncompare: yes\n\n"
        "It reads {A: top \"bat\"}.\n");
    Story story({.lessons = file.folder});
    REQUIRE(story.play(begin) == "");
    CHECK(contains(story.app.lessons().error(), "beside: there is no shipped model \"nosuch\""));
    CHECK(story.snapshot().comparing.of_sentences());
    CHECK(story.text("lesson/number 0") != "…");
}

TEST_CASE("story: a lesson does not accept the user's own world of the same name") {
    const TemporaryFolder folder;
    const fs::path own = folder / "homonyms.grammar";
    std::ifstream in(GLASSFORMER_SOURCE_DIR "/assets/worlds/homonyms.grammar");
    std::string text((std::istreambuf_iterator<char>(in)), {});
    std::ofstream(own) << text << "\n# changed\n";
    const OneLesson file("model: homonyms\n== One\nA: He swung the bat and hit a foul.\n\nText.\n");
    Story story({.world = own.string(), .lessons = file.folder});
    REQUIRE(story.snapshot().model->world == "homonyms");
    CHECK(story.snapshot().model->own_world);
    story.app.start_lesson("try");
    story.frames(4);
    CHECK_FALSE(story.app.lessons().open());
    CHECK(story.shows("lesson/wanted"));  // it asks for the model that it is about
    REQUIRE(story.play("click \"lesson/open model\"\nwait lesson/scene == 1 timeout 60\nframes 4") == "");
    CHECK_FALSE(story.snapshot().model->own_world);
}

TEST_CASE("story: when two heads are compared, a lesson's numbers of B belong to B's head") {
    const OneLesson file(
        "model: homonyms\n== One\nA: He swung the bat and hit a foul.\nlayer: 1\nhead: 1\nbeside: block 0 head 3\n"
        "compare: yes\n\n{block} {head} {B: block} {B: head} {A: pattern \"bat\" → \"foul\"} "
        "{B: pattern \"bat\" → \"foul\"} {B: pattern[1][2] \"bat\" → \"foul\"}\n"
        "== Two\nbeside: heads\n\n{B: block} {B: head}\n"
        "== Three\nbeside: block 0 head 9\n\nText.\n");
    Story story({.lessons = file.folder});
    REQUIRE(story.play(begin) == "");
    const auto number = [&](int i) { return story.value("lesson/number " + std::to_string(i)); };
    CHECK(number(0) == 1);
    CHECK(number(1) == 1);
    CHECK(number(2) == 0);
    CHECK(number(3) == 3);
    const auto trace = reference().trace(first_sentence);
    const auto weight = [&](int block, int head) {
        return static_cast<double>(pattern_row(*trace, block, head, 3)[7]);
    };
    CHECK(number(4) == doctest::Approx(weight(1, 1)));
    CHECK(number(5) == doctest::Approx(weight(0, 3)));
    CHECK(number(6) == doctest::Approx(weight(1, 2)));
    CHECK_FALSE(story.shows("lesson/again"));
    // B shows another head than the step wants; the step restores it.
    story.state().other_head = {0, 2};
    story.frames(2);
    REQUIRE(story.shows("lesson/again"));
    REQUIRE(story.play("click lesson/again\nframes 4") == "");
    story.settle(4);
    CHECK(head_of(story.state(), 1) == HeadChoice{0, 3});
    CHECK_FALSE(story.shows("lesson/again"));
    // The scene on screen records which head B shows.
    const Frame frame{story.host.ui(), story.snapshot(), story.state(), [](Command) {}};
    CHECK(contains(step_of_screen(frame, "x"), "\nbeside: block 0 head 3\n"));
    CHECK(contains(step_of_screen(frame, "x"), "\nlayer: 1\nhead: 1\n"));
    REQUIRE(story.play("click lesson/next\nwait lesson == 2\nwait lesson/scene == 1 timeout 60\nframes 4") == "");
    CHECK(number(0) == 1);
    CHECK(number(1) == 2);
    CHECK(story.app.lessons().error() == "");
    REQUIRE(story.play("click lesson/next\nwait lesson == 3\nwait lesson/scene == 1 timeout 60\nframes 4") == "");
    CHECK(contains(story.app.lessons().error(), "the model has only 2 blocks of 4 heads"));
}

TEST_CASE("story: when two steps are compared, both lines of a caption have the sentence that both read") {
    Story story;
    story.send(command::CompareWith{{Comparing::What::steps, {}, 0}});
    story.frames(2);
    const std::string caption = story.app.export_caption(story.host);
    const ViewState& state = story.state();
    const std::string head = " · block " + std::to_string(state.layer) + ", head " + std::to_string(state.head) + ": ";
    CHECK(contains(caption, "\nA · step 1200" + head + first_sentence));
    CHECK(contains(caption, "\nB · step 0" + head + first_sentence));
    // The MLP view names only its block; All heads names neither.
    story.state().view = view_index("MLP");
    story.frames(3);
    CHECK(contains(story.app.export_caption(story.host), " · block " + std::to_string(state.layer) + ": "));
    story.state().view = view_index("All heads");
    story.frames(3);
    CHECK(contains(story.app.export_caption(story.host), "\nA · step 1200: "));
}

TEST_CASE("story: a panel's exported numbers do not include another panel's scrolled items") {
    Story story({.size = {1280, 720}});
    story.state().view = view_index("Attention");
    story.frames(4);
    const Items& items = story.host.items();
    int hidden = 0;
    for (const Item& item : items.all()) hidden += item.value && !item.in_sight;
    REQUIRE(hidden > 0);  // in this window some items are scrolled out of view
    // The sentences' cards are in the left half of the window, the panels in the right half.
    for (const float from : {0.0f, 900.0f}) {
        const Box half{{from, 0}, {from + 640, 720}};
        int all = 0;
        for (const PanelNumber& number : panel_numbers(items, half)) {
            CAPTURE(number.label);
            const Item& item = *story.find(number.label);
            ++all;
            if (item.in_sight) continue;
            REQUIRE(item.area >= 0);
            const ScrolledArea& area = items.areas()[item.area];
            CHECK(area.min.x >= half.min.x - 1);
            CHECK(area.max.x <= half.max.x + 1);
        }
        CHECK(all > 5);
    }
}

TEST_CASE("story: a panel's table has the numbers on screen, but not the state of its controls") {
    Story story;
    story.state().view = view_index("Attention");
    story.frames(4);
    const std::vector<PanelNumber> numbers = panel_numbers(story.host.items(), {{0, 0}, {1600, 1000}});
    const auto has = [&](const std::string& label) {
        return std::ranges::any_of(numbers, [&](const PanelNumber& number) { return number.label == label; });
    };
    for (const char* control : {"A/token 3", "B/token 0", "B/samples", "compare", "theme", "train", "view/Attention",
                                "learning rate", "batch", "seed", "map", "timeline"}) {
        CAPTURE(control);
        REQUIRE(story.shows(control));
        CHECK_FALSE(has(control));
    }
    for (const PanelNumber& number : numbers) CHECK_FALSE(number.label.starts_with("scrolled"));
    for (const char* shown : {"A/weight 7", "B/weight 3", "accuracy 1", "timeline loss", "explain/value"})
        CHECK(has(shown));
}

TEST_CASE("story: a table of the logit lens has all its cells, also those scrolled out of view") {
    const auto numbers_of = [](Story& story) {
        const std::vector<PanelNumber> numbers =
            export_panel(story.app, story.host, *story.surface, [](const Items& items) {
                const Item& lens = *items.find("A/lens");
                return std::optional(Box{lens.min, lens.max});
            }).numbers;
        std::map<std::string, double> cells;
        for (const PanelNumber& number : numbers) cells[number.label] = number.value;
        return cells;
    };
    const auto check = [&](Story& story) {
        const Trace& trace = story.shown_trace(0);
        const int n = trace.positions(), layers = trace.model().config.n_layers + 1;
        std::map<std::string, double> cells;
        REQUIRE(
            story.until([&] { return (cells = numbers_of(story)).size() >= static_cast<std::size_t>(n * layers); }));
        CHECK(cells.size() == static_cast<std::size_t>(n * layers));
        const std::span<const float> probabilities = trace.values(trace.model().probabilities);
        const auto words = probabilities.size() / static_cast<std::size_t>(n);
        for (int position = 0; position < n; ++position) {
            const auto row = probabilities.subspan(static_cast<std::size_t>(position) * words, words);
            CHECK(cells.at("A/lens " + std::to_string(layers - 1) + " " + std::to_string(position)) ==
                  doctest::Approx(static_cast<double>(*std::ranges::max_element(row))).epsilon(1e-4));
        }
    };
    Story few({.size = {1280, 720}});
    few.send(command::Watch{0, "he noticed the furry bat in the attic after the sunset ."});
    few.state().view = view_index("Logit lens");
    few.frames(4);
    REQUIRE_FALSE(few.find("A/lens 0 0")->area < 0);  // its columns scroll
    check(few);
    Story many({.size = {1280, 720}, .model = "sample"});
    const std::vector<Sample>& samples = many.snapshot().model->samples;
    many.send(command::Watch{0, samples[0].text + samples[1].text});
    many.state().view = view_index("Logit lens");
    many.frames(4);
    REQUIRE(many.shown_trace(0).positions() > 40);
    check(many);
}
