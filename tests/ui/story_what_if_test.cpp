#include <algorithm>
#include <cmath>
#include <functional>

#include "app/common/what_if_paint.h"
#include "app/session/startup.h"
#include "app/views/registry.h"
#include "core/analysis/interventions.h"
#include "core/analysis/what_if_tracer.h"
#include "core/tasks/tasks.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/what_if_story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

/// A switch of the panel, and the change that it makes.
struct Switch {
    const char* item;
    WhatIf change;
};

const std::vector<Switch>& switches() {
    using namespace what_if;
    static const std::vector<Switch> all = {{"what if/head 0 3", HeadOff{0, 3}},
                                            {"what if/head 1 0", HeadOff{1, 0}},
                                            {"what if/attention 0", AttentionOff{0}},
                                            {"what if/mlp 1", MlpOff{1}},
                                            {"what if/positions", PositionsOff{}},
                                            {"what if/scale", ScaleOff{}},
                                            {"what if/norm", NormOff{}},
                                            {"what if/residual", ResidualOff{}}};
    return all;
}

std::vector<int> ids_of(const std::string& sentence) {
    std::vector<int> ids;
    for (const WordTokenizer::Token& token : reference().shipped().words()->encode(sentence)) ids.push_back(token.id);
    return ids;
}

/// The probabilities that core alone computes at a masked word, with changes.
std::vector<float> hidden_word(const std::string& sentence, int position, const std::vector<WhatIf>& changes) {
    WhatIfTracer tracer(reference().backend, reference().shipped().config);
    std::vector<int> ids = ids_of(sentence);
    ids[position] = WordTokenizer::mask;
    const auto trace = tracer.trace({{ids}, 0, {}}, reference().shipped().parameters, changes);
    const std::size_t width = trace->shape(trace->model().probabilities).back();
    const auto row =
        trace->values(trace->model().probabilities).subspan(static_cast<std::size_t>(position) * width, width);
    return {row.begin(), row.end()};
}

int id_of(const Story& story, const std::string& word) {
    for (int id = 0; id < story.snapshot().model->config.d_vocab; ++id)
        if (story.snapshot().model->token_text(id) == word) return id;
    return -1;
}

/// Compares the panel's list for sentence A with core alone.
void compare_list(Story& story, const std::vector<WhatIf>& changes, Differences& differences) {
    const int position = story.state().token[0];
    const std::vector<float> now = hidden_word(first_sentence, position, changes),
                             before = hidden_word(first_sentence, position, {});
    for (int i = 0; story.shows("A/what if/word " + std::to_string(i)); ++i) {
        const std::string row = std::to_string(i);
        const int id = id_of(story, story.text("A/what if/word " + row));
        REQUIRE(id >= 0);
        const std::size_t at = id;
        differences.expect(story, "A/what if/word " + row, static_cast<double>(now[at]));
        if (changes.empty()) continue;
        differences.expect(story, "A/what if/before " + row, static_cast<double>(before[at]));
        differences.expect(story, "A/what if/change " + row,
                           static_cast<double>(now[at]) - static_cast<double>(before[at]));
    }
    CHECK(story.value("A/what if/word 0") >= 0.0);
}

void wait_long(Story& story) { story.frames(40); }  // longer than changes are merged

}  // namespace

TEST_CASE("story: each what-if switch shows core's numbers beside the original's, and switches off again") {
    Story story;
    REQUIRE(show(story, "What if") == "");
    const auto original = everything(story);
    Differences differences;
    compare_list(story, {}, differences);
    for (const Switch& s : switches()) {
        CAPTURE(s.item);
        CHECK(story.value(s.item) == 0);
        REQUIRE(click(story, s.item) == "");
        CHECK(changes_of(story) == std::vector<WhatIf>{s.change});
        CHECK(story.value(s.item) == 1);
        CHECK(story.value("altered") == 1);
        CHECK_FALSE(same_bytes(everything(story), original));
        compare_list(story, {s.change}, differences);
        // The explained value is the changed model's, wherever its graph keeps it.
        const TracedCell& explained = story.state().trail.back();
        differences.expect(story, "explain/value",
                           static_cast<double>(story.shown_trace(explained.slot).at(explained.cell)));
        REQUIRE(click(story, s.item) == "");
        CHECK(story.value(s.item) == 0);
        CHECK_FALSE(story.shows("altered"));
        CHECK(same_bytes(everything(story), original));
    }
    CHECK(differences.report() == "");
    CHECK(differences.compared() > 100);
}

TEST_CASE("story: switching a head off gives the same values as core's ablation") {
    Story story;
    CHECK(story.play("click \"map/head 0 3\"") == "");
    CHECK(press(story, "x") == "");
    CHECK(changes_of(story) == std::vector<WhatIf>{what_if::HeadOff{0, 3}});
    Tracer tracer(reference().backend, reference().shipped().config);
    const auto plain = reference().trace(first_sentence);
    const auto ablated =
        tracer.trace(ids_of(first_sentence), reference().shipped().parameters, {ablate_head(plain->model(), 0, 3)});
    const Trace& shown = story.shown_trace(0);
    for (const char* node : {"blocks.0.attn.hook_z", "blocks.1.hook_resid_post", "probabilities"}) {
        CAPTURE(node);
        const auto a = ablated->values(node), b = shown.values(node);
        REQUIRE(a.size() == b.size());
        float most = 0;
        for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
        CHECK(most <= 1e-5f);
    }
    CHECK(press(story, "x") == "");
    CHECK(changes_of(story).empty());
}

TEST_CASE("story: what-ifs are made by key, mouse and palette, and one key undoes them all") {
    Story story;
    const auto original = everything(story);
    CHECK(story.play("right_click \"map/head 0 1\"") == "");
    story.settle();
    REQUIRE(show(story, "All heads") == "");
    CHECK(story.play("right_click \"heads/B 1 2\"") == "");
    story.settle();
    CHECK(story.play("key Ctrl+k\nframes 2\ntype \"no scale\"\nframes 2\nkey Enter\nframes 3") == "");
    story.settle(2);
    using namespace what_if;
    CHECK(changes_of(story) == std::vector<WhatIf>{HeadOff{0, 1}, HeadOff{1, 2}, ScaleOff{}});
    CHECK(story.value("altered") == 3);
    CHECK(story.play("hover altered\nframes 40") == "");
    CHECK(contains(story.text("tooltip"), describe(HeadOff{1, 2})));
    // The training's own figures belong to the model as it is trained, and say so.
    for (const char* figure : {"loss", "timeline loss", "timeline accuracy"})
        if (story.shows(figure)) CHECK_MESSAGE(story.text(figure).ends_with(" · unaltered"), figure);
    CHECK(story.shows("loss"));
    CHECK(press(story, "r") == "");
    CHECK_FALSE(story.shows("altered"));
    CHECK(story.text("loss").starts_with("loss "));
    CHECK_FALSE(story.text("loss").ends_with("unaltered"));
    CHECK(same_bytes(everything(story), original));
    // Two clicks before the worker answers are two changes.
    REQUIRE(show(story, "What if") == "");
    CHECK(story.play("click \"what if/head 0 0\"\nclick \"what if/mlp 0\"") == "");
    story.settle(2);
    CHECK(changes_of(story) == std::vector<WhatIf>{HeadOff{0, 0}, MlpOff{0}});
    CHECK(click(story, "altered") == "");
    CHECK(same_bytes(everything(story), original));
}

TEST_CASE("story: what-ifs are undone and redone") {
    Story story;
    REQUIRE(show(story, "What if") == "");
    const auto original = everything(story);
    wait_long(story);
    using namespace what_if;
    CHECK(click(story, "what if/head 0 3") == "");
    wait_long(story);
    CHECK(click(story, "what if/residual") == "");
    wait_long(story);
    const auto both = everything(story);
    CHECK(press(story, "Ctrl+z") == "");
    CHECK(changes_of(story) == std::vector<WhatIf>{HeadOff{0, 3}});
    CHECK(press(story, "Ctrl+z") == "");
    CHECK(changes_of(story).empty());
    CHECK(same_bytes(everything(story), original));
    CHECK(press(story, "Ctrl+y") == "");
    CHECK(press(story, "Ctrl+y") == "");
    CHECK(changes_of(story) == std::vector<WhatIf>{HeadOff{0, 3}, ResidualOff{}});
    CHECK(same_bytes(everything(story), both));
    wait_long(story);
    CHECK(press(story, "r") == "");
    wait_long(story);
    CHECK(press(story, "Ctrl+z") == "");
    CHECK(changes_of(story).size() == 2);
}

TEST_CASE("story: the chosen head is made uniform or hard, and its row is painted with the mouse") {
    Story story;
    CHECK(story.play("click \"map/head 1 0\"") == "");
    REQUIRE(show(story, "What if") == "");
    CHECK(click(story, "what if/chosen head/uniform") == "");
    const int n = story.shown_trace(0).positions();
    for (const float weight : pattern_row(story.shown_trace(0), 1, 0, 3))
        CHECK(weight == doctest::Approx(1.0 / n).epsilon(1e-5));
    CHECK(click(story, "what if/chosen head/hard") == "");
    const auto hard = pattern_row(story.shown_trace(0), 1, 0, 3);
    CHECK(std::ranges::count(hard, 1.0f) == 1);
    CHECK(changes_of(story).size() == 1);
    CHECK(click(story, "what if/chosen head/learned") == "");
    CHECK(changes_of(story).empty());

    CHECK(click(story, "what if/paint") == "");
    CHECK(click(story, "A/pattern 3 5") == "");
    CHECK(story.value("A/pattern 3 5") == 1);
    CHECK(story.value("A/pattern 3 4") == 0);
    CHECK(story.play("drag \"A/pattern 3 5\" 0 60") == "");  // half the way from 1 to 0
    story.settle(2);
    double sum = 0;
    for (int key = 0; key < n; ++key) sum += story.value("A/pattern 3 " + std::to_string(key));
    CHECK(sum == doctest::Approx(1).epsilon(1e-5));
    CHECK(story.value("A/pattern 3 5") == doctest::Approx(0.5).epsilon(0.02));
    CHECK(changes_of(story).size() == 1);  // the row replaced the one painted before
    CHECK(story.shows("what if/stop painting"));
    CHECK(press(story, "Escape") == "");
    CHECK_FALSE(story.shows("what if/stop painting"));
    CHECK(click(story, "A/pattern 3 5") == "");  // now a click explains, as usual
    CHECK(changes_of(story).size() == 1);
}

TEST_CASE("story: a part that the model lacks cannot be switched off, and the tooltip says why") {
    Story story;
    REQUIRE(show(story, "What if") == "");
    CHECK(click(story, "what if/mask") == "");
    CHECK(changes_of(story).empty());
    CHECK(story.play("hover \"what if/mask\"\nframes 3") == "");
    CHECK(contains(story.text("tooltip"), "mask"));
}

TEST_CASE("story: every view draws every altered model") {
    Story story;
    for (const Switch& s : switches()) {
        story.send(command::SetWhatIf{{s.change}});
        CAPTURE(s.item);
        CHECK(story.snapshot().what_if == std::vector<WhatIf>{s.change});
        for (int view = 0; view < static_cast<int>(all_views().size()); ++view) {
            CAPTURE(all_views()[view].name);
            story.state().view = view;
            story.frames(3);
            CHECK(story.snapshot().error.empty());
        }
    }
    CHECK(press(story, "r") == "");
}

TEST_CASE("story: the mask of a causal and of a translation model can be switched off and on") {
    for (const char* world : {"induction", "translation"}) {
        CAPTURE(world);
        Story story({.world = world});
        REQUIRE(show(story, "What if") == "");
        const auto original = everything(story);
        CHECK(click(story, "what if/mask") == "");
        CHECK(changes_of(story) == std::vector<WhatIf>{what_if::MaskOff{}});
        CHECK_FALSE(same_bytes(everything(story), original));
        for (int view = 0; view < static_cast<int>(all_views().size()); ++view) {
            story.state().view = view;
            story.frames(3);
        }
        CHECK(press(story, "r") == "");
        CHECK(same_bytes(everything(story), original));
    }
}

TEST_CASE("story: in every world a head, a block's attention and the scale are switched off and on again") {
    for (const std::string& world : world_names(GLASSFORMER_SOURCE_DIR "/assets/worlds")) {
        CAPTURE(world);
        Story story({.world = world});
        REQUIRE(show(story, "What if") == "");
        const auto original = everything(story);
        for (const std::string item : {"what if/head 0 0", "what if/attention 0", "what if/scale"}) {
            CAPTURE(item);
            CHECK(click(story, item) == "");
            CHECK(story.snapshot().error == "");
            if (changes_of(story).empty()) continue;  // this model lacks it
            CHECK_FALSE(same_bytes(everything(story), original));
            CHECK(press(story, "r") == "");
            CHECK(same_bytes(everything(story), original));
        }
    }
}

TEST_CASE("story: the what-if switches and the badge fit a small window and large text") {
    for (const StoryOptions& options : {StoryOptions{{1280, 720}, 1, true}, StoryOptions{{1280, 720}, 2, true}}) {
        Story story(options);
        REQUIRE(show(story, "What if") == "");
        CHECK(press(story, "x") == "");
        const Item* badge = story.find("altered");
        REQUIRE(badge);
        CHECK(badge->max.x <= static_cast<float>(options.size.width));
        const Item* panel = story.find("what if");
        REQUIRE(panel);
        CHECK(panel->max.x <= static_cast<float>(options.size.width));
        if (options.scale <= 1) CHECK(panel->max.y <= static_cast<float>(options.size.height));  // otherwise it scrolls
    }
}
