// Unusual use: which model a number is next to, and under which words and name.

#include "app/views/registry.h"
#include "core/analysis/head_scores.h"
#include "tests/ui/whole_model_story.h"
#include "tests/ui/zeroed_model.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

/// True if a readout's name and figure fit next to each other.
bool fits(Story& story, const std::string& readout) {
    const Ui& ui = story.host.ui();
    const Item* item = story.find(readout);
    const float needed = draw::text_size(ui, story.text(readout + "/name"), FontRole::small).x +
                         draw::text_size(ui, story.text(readout), FontRole::small_bold).x;
    return item && needed <= item->max.x - item->min.x + 1;
}

/// The texts of all tooltips of the model map.
std::string map_tooltips(Story& story) {
    std::vector<std::string> labels;
    for (const Item& item : story.host.items().all())
        if (item.label.starts_with("map/") && item.label != "map/check") labels.emplace_back(item.label);
    std::string all;
    for (const std::string& label : labels)
        if (story.play("hover \"" + label + "\"\nframes 2") == "") all += story.text("tooltip") + "\n";
    return all;
}

}  // namespace

TEST_CASE("story: during a what-if the training's readouts are labelled unaltered") {
    Story story;
    const std::string held_out = story.text("held-out loss"), norm = story.text("gradient norm"),
                      rate = story.text("rate at step");
    REQUIRE(story.find("held-out loss")->value);
    story.send(command::SetWhatIf{{what_if::ResidualOff{}}});
    story.frames(2);
    CHECK(story.text("held-out loss") == held_out + " · unaltered");
    CHECK(story.text("gradient norm") == norm + " · unaltered");
    CHECK(story.text("rate at step") == rate);
    for (const char* readout : {"held-out loss", "gradient norm"}) CHECK(fits(story, readout));
    story.send(command::SetWhatIf{{}});
    story.frames(2);
    CHECK(story.text("held-out loss") == held_out);
}

TEST_CASE("story: next to a clip factor the gradient norm's name is shortened, so that neither is cut") {
    Story story({.trained = false});
    TrainingSetup setup = story.snapshot().current_run()->setup;
    setup.options.clip = 0.000123f;
    story.session.send(command::ChangeSetup{setup});
    CHECK(story.play("click \"one step\"\nwait step == 1 timeout 60\nwait train == 0 timeout 60") == "");
    story.settle();
    REQUIRE(story.snapshot().running.clip_factor < 0.1f);
    CHECK(contains(story.text("gradient norm"), " × "));
    CHECK(story.text("gradient norm/name") == "gradient");
    CHECK(fits(story, "gradient norm"));
    story.send(command::LookAt{0});
    CHECK(story.text("gradient norm/name") == "gradient norm");
}

TEST_CASE("story: the tooltips of the model map use the model's names for inputs and outputs") {
    const std::pair<const char*, const char*> worlds[] = {{"homonyms", "Each word"},
                                                          {"sample", "Each letter"},
                                                          {"induction", "Each syllable"},
                                                          {"sorting", "Each letter"}};
    for (const auto& [model, each] : worlds) {
        CAPTURE(model);
        Story story({.model = model});
        const std::string said = map_tooltips(story);
        CHECK(contains(said, std::string(each) + " attends to the others"));
        CHECK(contains(said, std::string(each) + "'s numbers are compared with every"));
        if (std::string(model) != "homonyms") CHECK_FALSE(contains(said, "word"));
    }
    Story order({.model = "order"});
    CHECK(contains(map_tooltips(order), "compared with every class"));
    Story regression({.model = "regression"});
    const std::string said = map_tooltips(regression);
    CHECK(contains(said, "A learned matrix turns the numbers at each position"));
    CHECK(contains(said, "become the model's prediction there"));
    CHECK_FALSE(contains(said, "word"));
    CHECK_FALSE(contains(said, "vocabulary"));
}

TEST_CASE("story: LayerNorm and the metric's details use the model's name for tokens") {
    for (const auto& [model, tokens] :
         {std::pair{"homonyms", "words"}, {"sample", "letters"}, {"induction", "syllables"}}) {
        CAPTURE(model);
        Story story({.model = model});
        story.state().view = view_index("LayerNorm");
        story.frames(3);
        CHECK(contains(story.text("A/norm words"), std::string("x: ") + tokens + " down"));
        const Item* over = story.find("A/norm over");
        REQUIRE(over);
        CHECK(story.play("click \"A/norm over/batch norm\"\nframes 3") == "");
        CHECK(contains(story.text("A/norm meaning"), std::string("Per feature, over the ") + tokens + " on screen"));
    }
    Story story({.model = "induction"});
    int by_distance = 0;
    for (const auto& [name, value] : story.snapshot().measured->found.details) {
        CHECK_FALSE(name.ends_with("words back"));
        by_distance += name.ends_with("syllables back");
    }
    CHECK(by_distance == 4);
}

TEST_CASE("story: a narrow window shows both sentences' words above a picture of both") {
    for (const StoryOptions& options : {StoryOptions{{1280, 720}, 1.5f}, StoryOptions{{640, 900}, 1}}) {
        CAPTURE(options.size.width);
        Story story(options);
        story.state().view = view_index("Whole model");
        story.frames(3);
        REQUIRE(story.play("click panel/A\nframes 2\nclick whole/difference\nframes 3") == "");
        for (const char* panel : {"panel/A", "panel/B"}) {
            REQUIRE(story.play(std::string("click ") + panel + "\nframes 3") == "");
            REQUIRE(story.shows("whole/difference legend"));
            const Item *a = story.find("A/headline"), *b = story.find("B/headline");
            REQUIRE(a);
            REQUIRE(b);
            CHECK(story.text("A/token 1") == "swung");
            CHECK(story.text("B/token 1") == "bat");
        }
        story.state().view = view_index("Difference");
        story.frames(3);
        CHECK(story.text("A/token 1") == "swung");
        CHECK(story.text("B/token 1") == "bat");
        story.state().view = view_index("Attention");  // of one sentence, below its own words
        REQUIRE(story.play("click panel/A\nframes 3") == "");
        CHECK(story.shows("A/token 1"));
        CHECK_FALSE(story.shows("B/token 1"));
    }
}

TEST_CASE("story: a picture of a pattern includes the names of its rows and columns") {
    Story story;
    story.state().view = view_index("Attention");
    story.frames(3);
    const Item *named = story.find("A/pattern with names"), *pattern = story.find("A/pattern");
    REQUIRE(named);
    REQUIRE(pattern);
    const float line = story.host.ui().line(FontRole::small);
    CHECK(named->min.x + line < pattern->min.x);
    CHECK(named->min.y + line < pattern->min.y);
    CHECK(named->max.x >= pattern->max.x);
    CHECK(named->max.y >= pattern->max.y);
    CHECK(named->max.x < story.find("B/headline")->min.x);
}

TEST_CASE("story: a zero vector has no nearest words") {
    const TemporaryFolder folder;
    Story story;
    story.state().side_panel = Panel::words;
    story.frames(2);
    CHECK(story.shows("A/near 0"));
    open_zeroed(story, folder, "homonyms");
    CHECK_FALSE(story.shows("A/near 0"));
    CHECK(contains(story.text("A/near none"), "no direction"));
    story.state().view = view_index("Embedding");
    story.frames(3);
    story.settle(3);
    CHECK_FALSE(story.shows("A/embed near 0"));
    CHECK(contains(story.text("A/embed near none"), "“bat” has the zero vector"));
}

TEST_CASE("story: the palette finds models and worlds by their titles") {
    Story story;
    REQUIRE(story.play("key Ctrl+k\nframes 2\ntype \"english french trained\"\nframes 3") == "");
    CHECK(story.text("palette/chosen") == "English to French, trained");
    REQUIRE(story.play("key Enter\nframes 3") == "");
    story.settle();
    CHECK(story.snapshot().model->world == "translation");
    CHECK_FALSE(story.snapshot().model->folder.empty());
    REQUIRE(story.play("key Ctrl+k\nframes 2\ntype \"two meanings scratch\"\nframes 3") == "");
    CHECK(story.text("palette/chosen") == "Words with two meanings, from scratch");
    REQUIRE(story.play("key Enter\nframes 3") == "");
    story.settle();
    CHECK(story.snapshot().model->world == "homonyms");
    CHECK(story.snapshot().step == 0);
}

TEST_CASE("story: All heads includes cross-attention heads, and marks only the chosen one") {
    Story story({.model = "translation"});
    story.state().view = view_index("All heads");
    story.frames(3);
    const Trace& trace = story.shown_trace(0);
    for (int head = 0; head < 4; ++head) {
        const auto weights = trace.part(*trace.graph().find("blocks.0.cross_attn.hook_pattern"), Slices{head, 1});
        const int queries = trace.positions(), keys = static_cast<int>(trace.source_tokens().size());
        CHECK(story.value("heads/A source toeplitz 0 " + number(head)) ==
              nearest_toeplitz(weights.values(), queries, keys, false).explained);
        CHECK_FALSE(story.shows("heads/A source previous 0 " + number(head)));  // no source word comes before
    }
    REQUIRE(story.state().cross_attention);
    const int chosen = story.state().head;
    CHECK(story.value("heads/A source 0 " + number(chosen)) == 1);
    CHECK(story.value("heads/A 0 " + number(chosen)) == 0);
    REQUIRE(story.play("click \"heads/A 0 1\"\nframes 3") == "");
    CHECK_FALSE(story.state().cross_attention);
    CHECK(story.value("heads/A 0 1") == 1);
    CHECK(story.value("heads/A source 0 1") == 0);
    REQUIRE(story.play("right_click \"heads/A source 0 2\"\nframes 3") == "");
    story.settle();
    REQUIRE(story.snapshot().what_if.size() == 1);
    CHECK(story.snapshot().what_if.front() == WhatIf{what_if::HeadOff{0, 2, AttentionTo::source}});
}

TEST_CASE("story: an audience sees that the model is altered") {
    Story story;
    REQUIRE(story.play("key F5\nframes 4") == "");
    CHECK(story.text("presenter/about") == "Words with two meanings · block 1 · head 2 · step 1200");
    story.send(command::SetWhatIf{{what_if::ResidualOff{}}});
    story.frames(2);
    CHECK(story.text("presenter/about").ends_with(" · step 1200 · altered · 1 change"));
}

TEST_CASE("story: Stages and Positions use the model's name for tokens") {
    Story story({.model = "sorting"});  // letters
    CHECK(story.play("hover \"stage Q\"\nframes 3\nexpect tooltip ~ \"What the letter is looking for\"") == "");
    story.state().view = view_index("Positions");
    story.frames(4);
    const std::string said = story.text("A/positions meaning");
    CAPTURE(said);
    CHECK(contains(said, "letter"));
    CHECK_FALSE(contains(said, "word"));
}

TEST_CASE("story: in a translation, Difference says whether a head is of the cross-attention") {
    Story story({.model = "translation"});
    story.state().view = view_index("Difference");
    story.state().cross_attention = true;
    story.frames(4);
    CHECK(contains(story.text("difference/title"), "block " + std::to_string(story.state().layer) + ", cross head " +
                                                       std::to_string(story.state().head)));
    story.state().cross_attention = false;
    story.frames(4);
    CHECK_FALSE(contains(story.text("difference/title"), "cross"));
}

TEST_CASE("story: the Training view names an update only if it shows its numbers") {
    Story story;  // trained before it was opened: its last update was not inspected
    CHECK(story.play("click view/Training\nframes 2\nclick \"training/page/Batch\"\nframes 4") == "");
    story.settle(4);
    CHECK(story.shows("training/not yet"));
    CHECK_FALSE(story.shows("training/step"));
    CHECK(story.play("click \"one step\"\nwait train == 0 timeout 60") == "");
    story.settle(4);
    CHECK_FALSE(story.shows("training/not yet"));
    CHECK(story.value("training/step") == static_cast<double>(story.snapshot().live_step));
}

TEST_CASE("story: the badge describes a patch, and a click undoes it; Logit attribution says why it is empty") {
    Story story;
    const what_if::Patch patch{0, {"blocks.1.hook_resid_pre", 2, -1}, {"blocks.1.hook_resid_pre", 3, -1}};
    story.send(command::SetWhatIf{{patch}});
    story.frames(3);
    CHECK(story.play("hover altered\nwait tooltip ~ \"residual stream before block 1 at position 2 of B patched into "
                     "residual stream before block 1 at position 3 of A\"") == "");
    story.state().view = view_index("Logit attribution");
    story.frames(4);
    CHECK(contains(story.text("A/argued why not"), "were patched"));
    CHECK(story.play("click altered\nframes 2") == "");
    story.settle(3);
    CHECK(story.snapshot().what_if.empty());
    CHECK_FALSE(story.shows("altered"));
    CHECK_FALSE(story.shows("A/argued why not"));
}

TEST_CASE("story: an exported timeline includes its axes") {
    Story story;
    const Item* plot = story.find("timeline");
    const Item* whole = story.find("timeline with names");
    REQUIRE(plot);
    REQUIRE(whole);
    CHECK(whole->min.x < plot->min.x);
    CHECK(whole->max.x > plot->max.x);
    CHECK(whole->max.y >= plot->max.y);
}

TEST_CASE("story: an export's caption names the head of the model that its card shows") {
    Story story({.model = "translation"});
    story.send(command::CompareWith{{Comparing::What::models, GLASSFORMER_SOURCE_DIR "/assets/models/homonyms", 0}});
    story.state().view = view_index("Attention");
    story.settle(4);
    story.state().cross_attention = true;
    story.frames(2);
    const std::string caption = story.app.export_caption(story.host);
    CAPTURE(caption);
    const std::size_t b = caption.find("\nB · homonyms · ");
    REQUIRE(b != std::string::npos);
    CHECK(contains(caption.substr(0, b), "cross head"));
    CHECK(!contains(caption.substr(b), "cross head"));  // an encoder has none
}
