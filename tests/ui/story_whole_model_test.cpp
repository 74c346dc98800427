#include <algorithm>
#include <cmath>

#include "app/common/predict_first.h"
#include "app/desktop/settings.h"
#include "app/session/startup.h"
#include "app/views/registry.h"
#include "core/analysis/logit_lens.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/whole_model_story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

constexpr int bat = 3, block_of_bat = 1;

/// Compares the values in the chosen word's row of a node.
void compare_row(Differences& differences, const Story& story, const Trace& trace, const std::string& key,
                 const std::string& node) {
    const SliceView row = trace.part(trace.graph().at(node), {bat, 1});
    for (std::size_t i = 0; i < row.values().size(); ++i)
        differences.expect(story, "whole/A/" + key + " " + number(bat) + " " + std::to_string(i),
                           static_cast<double>(row.values()[i]));
}

}  // namespace

TEST_CASE("the whole model is the first view, and attention_view() finds Attention") {
    CHECK(all_views().front().name == "Whole model");
    CHECK(all_views()[attention_view()].name == "Attention");
    CHECK(ViewState().view == view_index("Whole model"));
}

TEST_CASE("story: the whole model shows the trace's arcs and predictions, and the lens's values") {
    Story story;
    const auto trace = reference().trace(first_sentence);
    open_canvas(story);
    Differences differences;
    const int words = trace->positions();
    for (int layer = 0; layer < 2; ++layer)
        for (int head = 0; head < 4; ++head) {
            const auto row = pattern_row(*trace, layer, head, bat);
            for (int key = 0; key < words; ++key) {
                const float weight = row[key];
                const std::string label =
                    "whole/A/arc " + number(layer) + " " + number(head) + " " + number(bat) + " " + number(key);
                if (weight >= 0.1f || key == largest(row))
                    differences.expect(story, label, static_cast<double>(weight));
                else if (story.shows(label))
                    differences.add(label + " is on screen");
            }
        }
    ThreadPool pool(1);
    const LogitLens lens(trace, pool);
    for (int layer = 0; layer < 2; ++layer) {
        const LensLayer after = lens.layer(layer + 1);
        for (int word = 0; word < words; ++word)
            differences.expect(story, "whole/A/lens " + number(layer) + " " + number(word),
                               static_cast<double>(top_words(after, word, 1).front().probability));
    }
    const LensLayer said = lens.layer(2);
    for (int word = 0; word < words; ++word)
        for (int i = 0; i < 3; ++i)
            differences.expect(story, "whole/A/said " + number(word) + " " + number(i),
                               static_cast<double>(top_words(said, word, 3)[i].probability));
    CHECK(differences.report() == "");
    CHECK(differences.compared() > 60);
}

TEST_CASE("story: the numbers of a block, a head and a product are the trace's") {
    Story story;
    const auto trace = reference().trace(first_sentence);
    open_canvas(story);
    choose_head(story.state(), story.snapshot(), block_of_bat, 0);
    REQUIRE(story.play("key +\nframes 3") == "");
    REQUIRE(level(story) == CanvasLevel::block);
    Differences differences;
    for (const auto& [key, node] : {std::pair{"x", "hook_resid_pre"},
                                    {"ln1", "ln1.hook_out"},
                                    {"q", "attn.hook_q"},
                                    {"k", "attn.hook_k"},
                                    {"v", "attn.hook_v"},
                                    {"z", "attn.hook_z"},
                                    {"out", "hook_attn_out"},
                                    {"add 0", "hook_resid_mid"},
                                    {"ln2", "ln2.hook_out"},
                                    {"pre", "mlp.hook_pre"},
                                    {"post", "mlp.hook_post"},
                                    {"mlp_out", "hook_mlp_out"},
                                    {"add 1", "hook_resid_post"}})
        compare_row(differences, story, *trace, key, block(block_of_bat, node));
    for (int head = 0; head < 4; ++head) {
        const auto row = pattern_row(*trace, block_of_bat, head, bat);
        for (std::size_t key = 0; key < row.size(); ++key)
            differences.expect(story, "whole/A/pattern " + number(head) + " " + number(bat) + " " + std::to_string(key),
                               static_cast<double>(row[key]));
    }
    CHECK(differences.compared() > 1000);
    REQUIRE(story.play("key +\nframes 3") == "");
    REQUIRE(level(story) == CanvasLevel::head);
    const auto row = pattern_row(*trace, block_of_bat, 0, bat);
    for (int key = 0; key < static_cast<int>(row.size()); ++key) {
        differences.expect(story, "whole/A/head/weight " + number(key), static_cast<double>(row[key]));
        for (const char* of : {"k", "v"}) {
            const auto vector = head_vector(*trace, block(block_of_bat, std::string("attn.hook_") + of), key, 0);
            for (std::size_t i = 0; i < vector.size(); ++i)
                differences.expect(story,
                                   std::string("whole/A/head/") + of + " " + number(key) + " " + std::to_string(i),
                                   static_cast<double>(vector[i]));
        }
        const auto scores = trace->values(block(block_of_bat, "attn.hook_attn_scores_raw"));
        differences.expect(story, "whole/A/head/step 0 " + number(key),
                           static_cast<double>(scores[bat * trace->positions() + key]));
    }
    CHECK(differences.report() == "");
    const std::string strongest = "whole/A/head/weight " + number(largest(row));
    REQUIRE(story.play("click \"" + strongest + "\"\nframes 2\nkey +\nframes 3") == "");
    REQUIRE(level(story) == CanvasLevel::number);
    CHECK(story.value("whole/A/number") == static_cast<double>(row[largest(row)]));
    const TracedCell at = story.state().trail.back();
    CHECK(story.play("click \"whole/A/term 0\"\nframes 2") == "");  // then to its source
    CHECK_FALSE(story.state().trail.back() == at);
}

TEST_CASE("story: a click on any tile explains one of its numbers") {
    Story story;
    open_canvas(story);
    story.state().window.panels.number = true;
    story.frames(2);
    const Trace& trace = story.shown_trace(0);
    const auto expect = [&](const std::string& label, const std::string& node, int word) {
        CAPTURE(label);
        REQUIRE(story.play("click \"" + label + "\"\nframes 2") == "");
        const Cell cell = story.state().trail.back().cell;
        CHECK(cell.node == trace.graph().at(node));
        CHECK(cell.offset / trace.slices(cell.node).width == word);
        CHECK(story.value("explain/value") == static_cast<double>(trace.at(cell)));
    };
    for (const int word : {0, bat, 8}) {
        expect("whole/A/embedding " + number(word), "blocks.0.hook_resid_pre", word);
        for (int layer = 0; layer < 2; ++layer) {
            const std::string at = number(layer) + " " + number(word);
            expect("whole/A/stream " + at, block(layer, "hook_resid_post"), word);
            expect("whole/A/mlp " + at, block(layer, "mlp.hook_post"), word);
            for (int head = 0; head < 4; ++head)
                expect("whole/A/z " + number(layer) + " " + number(head) + " " + number(word),
                       block(layer, "attn.hook_z"), word);
        }
    }
}

TEST_CASE("story: wheel, keyboard, breadcrumb and double click zoom in and out") {
    Story story;
    open_canvas(story);
    REQUIRE(story.play("scroll \"whole/A/attention 1\" 8\nframes 3") == "");
    CHECK(level(story) == CanvasLevel::block);
    CHECK(story.state().layer == 1);
    REQUIRE(story.play("scroll \"whole/A/x\" -3\nframes 3") == "");
    CHECK(level(story) == CanvasLevel::model);
    REQUIRE(story.play("key Home\nkey Up\nkey +\nframes 2\nkey +\nframes 2\nkey +\nframes 2") == "");
    CHECK(level(story) == CanvasLevel::number);
    CHECK(story.state().layer == 0);
    REQUIRE(story.play("key -\nframes 2") == "");
    CHECK(level(story) == CanvasLevel::head);
    REQUIRE(story.play("key Right\nkey Tab\nframes 2") == "");
    CHECK(story.state().token[0] == bat + 1);
    REQUIRE(story.play("click \"whole/crumb 1\"\nframes 2") == "");
    CHECK(level(story) == CanvasLevel::block);
    REQUIRE(story.play("key Escape\nframes 2") == "");
    CHECK(level(story) == CanvasLevel::model);
    REQUIRE(story.play("double_click \"whole/A/z 0 2 0\"\nframes 3") == "");
    CHECK(level(story) == CanvasLevel::head);
    CHECK(story.state().head == 2);
    REQUIRE(story.play("key Home\nframes 2") == "");
    CHECK(level(story) == CanvasLevel::model);
}

TEST_CASE("story: the captions describe the forward pass in order, stage by stage") {
    Story story;
    open_canvas(story);
    REQUIRE(story.play("key Space\nframes 2") == "");
    CHECK(story.state().own<CanvasState>().story.playing);
    REQUIRE(story.play("key Space\nframes 2") == "");
    CHECK_FALSE(story.state().own<CanvasState>().story.playing);
    const int stages = story.state().own<CanvasState>().story.stage_count;
    CHECK(stages == 11);
    std::vector<std::string> told{story.text("whole/story/caption")};
    for (int i = 1; i < stages; ++i) {
        REQUIRE(story.play("key .\nframes 2") == "");
        CHECK(story.value("whole/story/caption") == i);
        told.push_back(story.text("whole/story/caption"));
    }
    const std::vector<std::string> beginnings{"These are the words",           "Each word becomes 64 numbers",
                                              "Block 0, attention:",           "The output of the 4 heads is",
                                              "Block 0, MLP · GELU:",          "It is added to the residual stream",
                                              "Block 1, attention:",           "The output of the 4 heads is",
                                              "Block 1, MLP · GELU:",          "It is added to the residual stream",
                                              "Each word’s vector is compared"};
    for (std::size_t i = 0; i < beginnings.size(); ++i) {
        CAPTURE(i);
        CHECK(told[i].starts_with(beginnings[i]));
    }
    CHECK(contains(told[6], "“bat” attends most to “foul” (0.61, head 2)"));
    CHECK(story.shows("whole/A/said 3 0"));
    REQUIRE(story.play("key ,\nframes 2") == "");
    CHECK_FALSE(story.shows("whole/A/said 3 0"));  // not predicted yet
    REQUIRE(story.play("key Escape\nframes 2") == "");
    CHECK(story.shows("whole/A/said 3 0"));
}

TEST_CASE("story: the canvas does not give away what has to be guessed") {
    Story story;
    open_canvas(story);
    choose_head(story.state(), story.snapshot(), block_of_bat, 0);
    toggle_prediction(story.state());
    story.frames(3);
    const auto told = [&](const std::string& start) {
        return std::ranges::any_of(story.host.items().all(),
                                   [&](const Item& item) { return item.label.starts_with(start) && item.value; });
    };
    CHECK_FALSE(told("whole/A/arc 1 0 3"));
    CHECK(told("whole/A/arc 1 1 3"));
    CHECK_FALSE(told("whole/A/said 3 0"));
    CHECK_FALSE(told("whole/A/lens 1 3"));
    REQUIRE(story.play("key +\nframes 2") == "");
    CHECK_FALSE(told("whole/A/pattern 0 3"));
    CHECK(told("whole/A/pattern 1 3"));
    REQUIRE(story.play("key +\nframes 2") == "");
    CHECK_FALSE(told("whole/A/head/weight"));
    REQUIRE(story.play("key +\nframes 2") == "");
    CHECK_FALSE(told("whole/A/number"));
    CHECK(story.shows("whole/A/hidden"));
}

TEST_CASE("story: a head and an MLP are switched off in the picture, and the difference is shown") {
    Story story;
    open_canvas(story);
    REQUIRE(story.play("right_click \"whole/A/z 1 0 3\"\nframes 4") == "");
    story.settle();
    CHECK(story.snapshot().what_if == std::vector<WhatIf>{what_if::HeadOff{1, 0}});
    REQUIRE(story.play("click whole/difference\nframes 3") == "");
    const WatchedSentence& sentence = story.snapshot().sentences[0];
    const int node = sentence.trace->graph().at("blocks.1.hook_resid_post"),
              before = sentence.original->graph().at("blocks.1.hook_resid_post");
    double most = 0;
    const SliceView now = sentence.trace->part(node, {bat, 1}), was = sentence.original->part(before, {bat, 1});
    for (std::size_t i = 0; i < now.values().size(); ++i)
        if (const double d = static_cast<double>(now.values()[i] - was.values()[i]); std::abs(d) > std::abs(most))
            most = d;
    CHECK(story.value("whole/A/stream 1 3") == most);
    CHECK(story.value("whole/A/stream 0 3") == 0);  // below the change everything is the same
    REQUIRE(story.play("right_click \"whole/A/mlp 0 3\"\nframes 4") == "");
    story.settle();
    CHECK(story.snapshot().what_if.size() == 2);
}

TEST_CASE("story: A is drawn above B, and the picture is updated by training") {
    Story story({.trained = false});
    story.state().view = view_index("Whole model");
    story.frames(3);
    REQUIRE(story.shows("whole/A/stream 1 3"));
    REQUIRE(story.shows("whole/B/stream 1 1"));
    CHECK(story.find("whole/A/stream 1 3")->max.y < story.find("whole/B/stream 1 1")->min.y);
    const double before = story.value("whole/A/stream 1 3");
    CHECK(story.play("click train\nwait step >= 10 timeout 60\nclick train\nwait train == 0 timeout 60") == "");
    story.settle(2);
    CHECK(story.value("whole/A/stream 1 3") != before);
    const Trace& trace = story.shown_trace(0);
    const SliceView row = trace.part(trace.graph().at("blocks.1.hook_resid_post"), {bat, 1});
    const auto most = std::ranges::max_element(row.values(), {}, [](float v) { return std::abs(v); });
    CHECK(story.value("whole/A/stream 1 3") == static_cast<double>(*most));
}

TEST_CASE("story: panels open and close by key and click, and a lesson opens the ones that it needs") {
    Story story;
    for (const auto& [key, name, shown] :
         {std::tuple{"F2", "map", "map"}, {"F3", "number", "explain/value"}, {"F4", "timeline", "loss curve"}}) {
        CAPTURE(name);
        REQUIRE(story.play(std::string("key ") + key + "\nframes 2") == "");
        CHECK(story.shows(std::string("rail/") + name));
        if (std::string(name) != "timeline") CHECK_FALSE(story.shows(shown));
        REQUIRE(story.play(std::string("click rail/") + name + "\nframes 2") == "");
        CHECK_FALSE(story.shows(std::string("rail/") + name));
        REQUIRE(story.play(std::string("click fold/") + name + "\nframes 2") == "");
        CHECK(story.shows(std::string("rail/") + name));
    }
    story.state().window.panels = {true, false, false};
    REQUIRE(story.play("lesson 1_two_kinds_of_bat 1\nframes 6") == "");  // lights two words of the sentences
    CHECK(story.shows("rail/map"));
    CHECK(story.shows("rail/number"));
    CHECK(story.state().view == attention_view());
    REQUIRE(story.play("click \"A/weight 0\"\nframes 2") == "");  // a number opens its explanation
    CHECK(story.shows("explain/value"));
    story.frames(3);  // the pointer is elsewhere
    CHECK_FALSE(story.shows("rail/number"));
    REQUIRE(story.play("lesson 1_two_kinds_of_bat 3\nframes 6") == "");
    CHECK(story.shows("rail/number"));
    REQUIRE(story.play("click \"lesson/choice 1\"\nframes 6") == "");  // the answer has an explanation
    CHECK(story.shows("rail/map"));
    CHECK_FALSE(story.shows("rail/number"));
    REQUIRE(story.play("lesson 1_two_kinds_of_bat 10\nframes 6") == "");
    CHECK(story.shows("rail/number"));
    REQUIRE(story.play("lesson 8_residual_stream 2\nframes 6") == "");
    CHECK_FALSE(story.shows("rail/map"));
    REQUIRE(story.play("click lesson/leave\nframes 6") == "");  // restored
    CHECK_FALSE(story.shows("rail/map"));
    CHECK(story.shows("rail/number"));
    CHECK(story.shows("rail/timeline"));
}

TEST_CASE("story: a scrolling page scrolls to what a lesson points at") {
    Story story({.size = {1280, 720}});
    REQUIRE(story.play("lesson 7_layer_norm 2\nframes 6\nclick \"lesson/choice 2\"\nframes 12") == "");
    REQUIRE(story.shows("A/norm example mean"));
    REQUIRE(story.shows("lesson/light"));
    CHECK(story.find("A/norm example mean")->max.y <= story.find("lesson")->min.y);
}

TEST_CASE("the first start shows one sentence and no panels, and panels are remembered") {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder / "settings.json";
    Settings settings = load_settings(file);
    CHECK_FALSE(settings.compare);
    CHECK(settings.panels == PanelsOpen{false, false, false});
    CHECK(settings.lessons.offer);
    settings.panels.map = true;
    save_settings(file, settings);
    CHECK(load_settings(file).panels == PanelsOpen{true, false, false});
}

TEST_CASE("story: the canvas stays within the window at every size") {
    for (const StoryOptions& options :
         {StoryOptions{.size = {1280, 720}}, StoryOptions{.size = {2560, 1440}, .scale = 2},
          StoryOptions{.size = {960, 600}, .scale = 2}, StoryOptions{.size = {640, 400}}}) {
        CAPTURE(options.size.width);
        Story story(options);
        story.state().view = view_index("Whole model");
        for (const CanvasLevel at : {CanvasLevel::model, CanvasLevel::block, CanvasLevel::head, CanvasLevel::number}) {
            story.state().own<CanvasState>().camera.go(at, 0, true);
            story.frames(3);
            const ImVec2 screen = ImGui::GetIO().DisplaySize;
            Differences differences;
            for (const Item& item : story.host.items().all())
                if (item.label.starts_with("whole/") &&
                    (item.min.x < -1 || item.max.x > screen.x + 1 || item.max.y > screen.y + 1))
                    differences.add(std::string(item.label) + " is cut");
            CHECK(differences.report() == "");
        }
        CHECK_FALSE(story.picture().rgba.empty());
    }
}
