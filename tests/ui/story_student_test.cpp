// What a student found by switching parts off and looking elsewhere: what the screen says must follow.
#include "app/common/stages.h"
#include "app/common/what_if_changes.h"
#include "tests/ui/whole_model_story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

void change(Story& story, std::vector<WhatIf> changes) {
    story.send(command::SetWhatIf{std::move(changes)});
    story.frames(3);
}

void look(Story& story, const char* view) {
    story.state().view = view_index(view);
    story.frames(4);
}

/// All captions of the story of the forward pass, from the first stage to the last.
std::string all_captions(Story& story) {
    std::string all;
    for (const std::string& caption : captions(story)) all += caption + "\n";
    return all;
}

}  // namespace

TEST_CASE("story: the whole model's captions never describe heads or MLPs that are off as working") {
    Story story;
    open_canvas(story);
    const std::string before = all_captions(story);
    CHECK(contains(before, "Block 0, attention: every word attends to others;"));
    CHECK(contains(before, "The output of the 4 heads is written and added"));
    CHECK(contains(before, "Block 1, MLP"));
    change(story, {what_if::AttentionOff{0}, what_if::MlpOff{1}, what_if::HeadOff{1, 2}});
    const std::string now = all_captions(story);
    CAPTURE(now);
    CHECK(contains(now, "Block 0, attention: switched off. It writes nothing."));
    CHECK(contains(now, "All heads are off: nothing is written."));
    CHECK(contains(now, "The output of the 3 heads that are on is written and added"));
    CHECK(contains(now, "Block 1, MLP · GELU: switched off. It writes nothing."));
    CHECK_FALSE(contains(now, "head 2)"));
    // The line below the picture does not mention heads that are off.
    const std::string hint = story.text("whole/hint");
    CAPTURE(hint);
    CHECK(contains(hint, "in block 1, head "));
    CHECK_FALSE(contains(hint, "head 2)"));
    change(story, {what_if::AttentionOff{0}, what_if::AttentionOff{1}});
    CHECK_FALSE(contains(story.text("whole/hint"), "in block"));
}

TEST_CASE("story: without a residual stream no caption says that something is added to it") {
    Story story;
    open_canvas(story);
    CHECK(contains(all_captions(story), "It is added to the residual stream: this is each word after block 0"));
    change(story, {what_if::ResidualOff{}});
    const std::string now = all_captions(story);
    CAPTURE(now);
    CHECK_FALSE(contains(now, "added"));
    CHECK(contains(now, "This is each word after block 0"));
}

TEST_CASE("story: in a translation, the line below the whole model names the attention of a head") {
    Story story({.model = "translation"});
    open_canvas(story);
    CHECK(contains(story.text("whole/hint"), "cross-attention head"));
}

TEST_CASE("story: Attention and Flow say that the chosen head is off") {
    Story story;
    choose_head(story.state(), story.snapshot(), 1, 2);
    look(story, "Attention");
    CHECK_FALSE(story.shows("A/head off"));
    CHECK(story.text("stage/headline") == "Block 1 · head 2");
    change(story, {what_if::HeadOff{1, 2}});
    CHECK(story.shows("A/head off"));
    CHECK(story.text("stage/headline") == "Block 1 · head 2 · off");
    look(story, "Flow");
    CHECK(story.shows("flow/A head 2 off"));
    CHECK_FALSE(story.shows("flow/A head 1 off"));
    CHECK_FALSE(story.shows("flow/A off"));  // this one is for all heads
    REQUIRE(story.play("click \"flow/A heads/this head\"\nframes 3") == "");
    CHECK(story.shows("flow/A off"));
    choose_head(story.state(), story.snapshot(), 1, 1);
    story.frames(3);
    CHECK_FALSE(story.shows("flow/A off"));
    CHECK(story.text("stage/headline") == "Block 1 · head 1");
}

TEST_CASE("story: the model map crosses out an MLP that is off") {
    Story story;
    CHECK_FALSE(story.shows("map/0/mlp off"));
    change(story, {what_if::MlpOff{0}});
    CHECK(story.shows("map/0/mlp off"));
    CHECK_FALSE(story.shows("map/1/mlp off"));
}

TEST_CASE("story: weights are named after their origin: softmax, hardmax, uniform, painted") {
    Story story;
    choose_head(story.state(), story.snapshot(), 1, 2);
    look(story, "Attention");
    CHECK(story.text("A/weights title") == "softmax");
    change(story, {what_if::HardAttention{1, 2}});
    CHECK(story.text("A/weights title") == "hardmax");
    change(story, {what_if::UniformAttention{1, 2}});
    CHECK(story.text("A/weights title") == "uniform");
    const int query = story.state().token[0];
    std::vector<float> row(static_cast<std::size_t>(story.shown_trace(0).positions()), 0.0f);
    row[0] = 1;
    change(story, {what_if::AttentionRow{0, 1, 2, query, row}});
    CHECK(story.text("A/weights title") == "painted");
    CHECK(story.text("B/weights title") == "softmax");
    story.session.send(command::CompareWith{{Comparing::What::steps, {}, 0}});  // B shows A's sentence and its row
    story.settle(3);
    CHECK(story.text("B/weights title") == "painted");
    // A model with hard attention throughout.
    TransformerConfig config = story.snapshot().model->config;
    config.attention.hard = true;
    const Stages hard(build_transformer(config, {1, 5}));
    REQUIRE(hard.find(0, "attn.hook_pattern"));
    CHECK(hard.find(0, "attn.hook_pattern")->label == "hardmax");
}

TEST_CASE("story: the tooltip of the sizes uses the model's name for tokens") {
    Story story({.model = "sample"});
    REQUIRE(story.play("hover model\nwait tooltip timeout 20\nframes 2") == "");
    const std::string tip = story.text("tooltip");
    CAPTURE(tip);
    CHECK(contains(tip, "numbers per letter"));
    CHECK(contains(tip, "letters it knows"));
    CHECK_FALSE(contains(tip, "word"));
}

TEST_CASE("story: the Branch button names the kept step from which it branches") {
    Story story;
    story.make_steps(1);
    story.make_steps(2);
    REQUIRE(story.snapshot().step == 1203);
    REQUIRE(story.play("click branch\nframes 4") == "");
    const std::string from = story.text("branch/from"), button = story.text("branch");
    CAPTURE(from);
    CAPTURE(button);
    const std::string begin = "Branch from ";
    REQUIRE(button.starts_with(begin));
    const std::string step = button.substr(begin.size(), button.find("…") - begin.size());
    CHECK(contains(from, "step " + step));
}
