// The names on screen, and that the screen shows what it names.
#include <string>
#include <utility>

#include "app/common/provenance.h"
#include "app/session/model_catalog.h"
#include "app/views/registry.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

std::string chosen_of(Story& story, const std::string& words) {
    REQUIRE(story.play("key Ctrl+K\nframes 2\ntype \"" + words + "\"\nframes 2") == "");
    const std::string chosen = story.text("palette/chosen");
    REQUIRE(story.play("key Escape\nframes 2") == "");
    return chosen;
}

}  // namespace

TEST_CASE("story: the search finds things by their common names") {
    Story story;
    story.frames(20);
    for (const auto& [words, found] : {std::pair{"parameters", "Budget: parameters, memory, multiplications"},
                                       {"quadratic", "Training"},
                                       {"patch", "Patch q of the chosen head at “bat” from B"},
                                       {"svg", "Save this panel…"},
                                       {"pre-ln", "LayerNorm"},
                                       {"XX", "What does “self-attention” mean?"},
                                       {"bits", "Colour the words by surprise (bits)"},
                                       {"perplexity", "What does “perplexity” mean?"},
                                       {"entropy", "Colour the words by entropy (bits)"},
                                       {"Beijing", "Encoder, decoder, both"}}) {
        CAPTURE(words);
        CHECK(chosen_of(story, words) == found);
    }
    CHECK(chosen_of(story, "swap") != "");
    CHECK(chosen_of(story, "leave") == "Presenter");
    REQUIRE(story.play("lesson 1_two_kinds_of_bat 1\nframes 4") == "");
    CHECK(chosen_of(story, "leave") == "Leave the lesson");
    REQUIRE(story.play("key Ctrl+K\nframes 2\ntype leave\nframes 2\nkey Enter\nframes 6") == "");
    CHECK_FALSE(story.shows("lesson"));
    REQUIRE(story.play("key Ctrl+K\nframes 2\ntype svg\nframes 2\nkey Enter\nframes 4") == "");
    CHECK(story.shows("export/card"));
}

TEST_CASE("story: “Show me” on a term's card opens the page that shows it") {
    Story story;
    for (const auto& [term, page] :
         {std::pair{"byte pair", "A/pieces"}, {"W_O", "A/written sum 0"}, {"cost of attention", "cost/T"}}) {
        CAPTURE(term);
        REQUIRE(story.play("key Ctrl+K\nframes 2\ntype \"what does " + std::string(term) +
                           "\"\nframes 2\nkey Enter\nframes 3\nclick \"term card/show\"\nframes 6") == "");
        CHECK(story.shows(page));
    }
}

TEST_CASE("story: a view of one head or block names it while the other panels are closed") {
    Story story({.size = {1366, 768}});
    REQUIRE(story.play("key F2\nframes 2\nkey F3\nframes 2\nkey F4\nframes 3") == "");
    for (const app::View& view : all_views()) {
        CAPTURE(view.name);
        if (!story.offers(view)) continue;
        story.state().view = view_index(view.name);
        story.frames(4);
        for (const int slot : {0, 1}) {
            const std::string item = std::string(slot_letter(slot)) + "/head shown";
            CHECK(story.shows(item) == (view.of_head || view.of_block));
            if (view.of_head) CHECK(story.text(item) == head_name(head_of(story.state(), slot), false));
            if (view.of_block) CHECK(story.text(item) == "block " + std::to_string(story.state().layer));
        }
    }
}

TEST_CASE("story: the model map and the whole model say which way they run") {
    Story story;
    story.state().view = view_index("Whole model");
    story.frames(4);
    CHECK(story.text("map/direction") == "down ↓");
    CHECK(story.text("whole/direction") == "up ↑");
}

TEST_CASE("story: every shipped model has a title, and a default name to save it under") {
    Story story;
    for (const ModelCatalog::Model& model : story.snapshot().catalog->models) {
        CAPTURE(model.name);
        CHECK(model.title != "");
        CHECK(summary_of(*story.snapshot().catalog, model.name) != "");
    }
    story.send(command::OpenModel{GLASSFORMER_SOURCE_DIR "/assets/models/by_hand"});
    REQUIRE(story.play("key Ctrl+K\nframes 2\ntype \"Save the model\"\nframes 2\nkey Enter\nframes 3") == "");
    CHECK(contains(story.text("palette/chosen"), "by_hand"));
    CHECK_FALSE(contains(story.text("palette/chosen"), "step"));  // it was never trained
    story.send(command::OpenModel{GLASSFORMER_SOURCE_DIR "/assets/models/homonyms"});
    REQUIRE(story.play("key Escape\nframes 3\nkey Ctrl+K\nframes 2\ntype \"Save the model\"\nframes 2\nkey "
                       "Enter\nframes 3") == "");
    CHECK(contains(story.text("palette/chosen"), "homonyms-step-1200"));
}

TEST_CASE("story: the legend of the regression's curves is above them") {
    Story story({.size = {1366, 768}, .model = "regression"});
    REQUIRE(story.until([&] { return story.shows("error/model 1"); }));
    for (const char* name : {"model", "least squares", "ridge", "mean"}) {
        CAPTURE(name);
        const Item* legend = story.find("error legend/" + std::string(name));
        REQUIRE(legend);
        CHECK(legend->max.y < story.find("error/model 1")->min.y);
    }
}
