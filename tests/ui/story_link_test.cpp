#include "app/common/links.h"
#include "app/lessons/scene_format.h"
#include "app/lessons/view_moment.h"
#include "app/views/registry.h"
#include "core/base/error.h"
#include "tests/core/error_of.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

void open(Story& story, const std::string& link) {
    story.app.open_link(link);
    story.frames(3);
    story.settle(4);
    story.settle();
}

/// The output of block 0 for sentence A: as good a check as comparing all parameters up to there.
std::vector<float> first_block(const Story& story) {
    const Trace& trace = story.shown_trace(0);
    const std::span<const float> values = trace.values(trace.graph().at("blocks.0.hook_resid_post"));
    return {values.begin(), values.end()};
}

}  // namespace

TEST_CASE("link: its scene is read back, even with other text around the link") {
    const nlohmann::json scene{{"sentences", {"the bat hit the ball .", "Zoë 王 \"?\" ▢"}}, {"block", 1}};
    const std::string link = link_with("https://example.org/glassformer.html#glassformer=1.old", scene);
    CHECK(link.starts_with("https://example.org/glassformer.html#glassformer=1."));
    CHECK(has_link(link));
    CHECK(scene_of_link(link) == scene);
    CHECK(scene_of_link("see " + link + " .") == scene);
    CHECK_FALSE(has_link("https://example.org/glassformer.html#top"));
}

TEST_CASE("link: an invalid one is rejected with a message") {
    const auto why = [](const std::string& link) { return error_of([&] { scene_of_link(link); }); };
    CHECK(why("x#glassformer=2.e30") == "This link is of another version of Glassformer.");
    CHECK(why("x#glassformer=1.e3") == "This link is damaged, perhaps cut off. Copy all of it.");
    CHECK(why("x#glassformer=1.") == "This link is damaged, perhaps cut off. Copy all of it.");
    CHECK(why("x#glassformer=1.W10") == "This link is damaged, perhaps cut off. Copy all of it.");  // []
    CHECK(why("x#glassformer=1." + std::string(5000, 'A')) == "This link is too long to be one of Glassformer's.");
    const nlohmann::json long_scene{{"sentences", {std::string(2000, 'a')}}};
    CHECK(contains(error_of([&] { link_with("x", long_scene); }), "too long"));
}

TEST_CASE("story: a copied link restores the screen in another window") {
    std::string link;
    ViewMoment before;
    {
        Story story;
        CHECK(story.play("click \"view/All heads\"\nframes 2\nclick \"view/Attention\"\nframes 2") == "");
        story.session.send(command::Watch{0, "the bat flew ."});
        story.send(command::SetWhatIf{{what_if::HeadOff{0, 2}}});
        choose_head(story.state(), story.snapshot(), 1, 3);
        choose_token(story.state(), story.snapshot(), 0, 1);
        story.frames(3);
        REQUIRE(story.play("key Ctrl+K\nframes 2\ntype \"copy link\"\nframes 2\nkey Enter\nframes 3") == "");
        CHECK(contains(story.text("notice"), "clipboard"));
        link = ImGui::GetClipboardText();
        before = moment_of(story.state(), story.snapshot());
        CHECK(link == story.app.link());
        CHECK(link.size() <= most_link_bytes);
    }
    {
        Story story({.model = "induction"});
        open(story, link);
        CHECK(story.text("notice") == "");
        CHECK(story.snapshot().model->folder.ends_with("homonyms"));
        CHECK(moment_of(story.state(), story.snapshot()) == before);
    }
    {
        Story story;  // pasted into Ctrl+K
        REQUIRE(story.play("key Ctrl+K\nframes 2\ntype \"" + link + "\"\nframes 2\nkey Enter\nframes 4") == "");
        story.settle(4);
        story.settle();
        CHECK(moment_of(story.state(), story.snapshot()) == before);
    }
}

TEST_CASE("story: a link to a lesson's step starts the lesson there") {
    Story story;
    story.app.start_lesson("1_two_kinds_of_bat", 2);
    story.frames(3);
    story.settle(4);
    REQUIRE(story.app.lessons().progress().at == 1);
    const std::string link = story.app.link();
    Story other({.model = "induction"});
    open(other, link);
    CHECK(other.app.lessons().progress().lesson == story.app.lessons().progress().lesson);
    CHECK(other.app.lessons().progress().at == 1);
}

TEST_CASE("story: a link to another model, opened in the middle of a lesson, shows its screen") {
    Story story;
    story.app.start_lesson("1_two_kinds_of_bat", 2);
    story.frames(3);
    story.settle();
    REQUIRE(story.app.lessons().open());
    open(story, link_with("x", {{"model", "induction"}, {"view", "Flow"}, {"block", 1}, {"head", 2}}));
    CHECK_FALSE(story.app.lessons().open());
    CHECK(story.app.lessons().wanted() == nullptr);
    CHECK(story.state().view == view_index("Flow"));
    CHECK(story.state().layer == 1);
    CHECK(story.state().head == 2);
}

TEST_CASE("story: an invalid link changes nothing and says why") {
    Story story;
    const ViewMoment before = moment_of(story.state(), story.snapshot());
    const auto told = [&](const nlohmann::json& scene) {
        open(story, link_with("x", scene));
        return story.text("notice");
    };
    CHECK(contains(told({{"block", 1}}), "model"));
    CHECK(contains(told({{"model", "../../etc"}}), "no model \"../../etc\""));
    CHECK(contains(told({{"model", "homonyms"}, {"block", "x"}}), "block"));
    CHECK(contains(told({{"model", "homonyms"}, {"lesson", {{"name", "none"}}}}), "no lesson"));
    CHECK(contains(told({{"model", "homonyms"}, {"lesson", 3}}), "lesson"));
    CHECK(contains(told({{"model", "homonyms"}, {"trained_to", -1}}), "trained_to"));
    CHECK(contains(told({{"world", "homonyms"}, {"trained_to", 1e9}}), "trained_to"));
    CHECK(contains(told({{"world", "mars"}}), "no world \"mars\""));
    CHECK(contains(told({{"world", "homonyms"}, {"with", 3}}), "with"));
    CHECK(contains(told({{"world", "homonyms"}, {"with", {{"seed", {1}}}}}), "seed"));
    CHECK(told({{"world", "homonyms"}, {"with", {{"colour", "1"}}}}) == "");
    CHECK(contains(story.text("error"), "colour"));
    CHECK(told({{"world", "homonyms"}, {"with", {{"schedule.colour", "1"}}}}) == "");
    CHECK(contains(story.text("error"), "schedule"));
    CHECK(moment_of(story.state(), story.snapshot()) == before);
}

TEST_CASE("story: a link to a training trains it again up to its step") {
    std::string link, untrained;
    std::vector<float> at_12, at_0;
    {
        Story story({.world = "homonyms"});
        story.send(command::OpenWorld{"homonyms",
                                      {{"seed", "7"},
                                       {"attention.biases", "false"},
                                       {"schedule.warmup", "5"},
                                       {"optimizer.weight_decay", "0.02"},
                                       {"batch", "16"}}});
        story.frames(3);
        untrained = story.app.link();
        story.make_steps(12);
        at_12 = first_block(story);
        story.send(command::LookAt{0});
        story.frames(2);
        at_0 = first_block(story);
        link = story.app.link();
        story.send(command::SetBatch{8});
        story.make_steps(1);
        CHECK(contains(error_of([&] { story.app.link(); }), "was changed while it ran"));
    }
    const nlohmann::json scene = scene_of_link(link);
    CHECK(scene["world"] == "homonyms");
    CHECK(scene["with"].size() == 5);
    CHECK(scene["trained_to"] == 12);
    CHECK_FALSE(scene_of_link(untrained).contains("trained_to"));
    Story story;
    open(story, link);
    REQUIRE(story.until([&] { return story.snapshot().live_step == 12 && !story.snapshot().live; }));
    CHECK(story.text("notice") == "");
    CHECK(story.snapshot().state == RunState::paused);
    CHECK(story.snapshot().step == 0);
    CHECK(first_block(story) == at_0);
    CHECK(story.app.link() == link);
    story.send(command::FollowLive{});
    CHECK(first_block(story) == at_12);
}

TEST_CASE("story: a link's training that was paused no longer jumps to the link's step") {
    Story story;
    story.send(command::LimitSpeed{5});  // so that it is still on its way when it is paused
    const nlohmann::json scene{{"world", "homonyms"}, {"with", {{"batch", "8"}}}, {"trained_to", 100}, {"step", 0}};
    open(story, link_with("x", scene));
    story.send(command::Pause{});
    story.frames(4);
    REQUIRE(story.snapshot().live_step < 100);
    story.send(command::LimitSpeed{});
    story.send(command::TrainUntil{{.step = 100}});
    REQUIRE(story.until([&] { return story.snapshot().live_step == 100; }));
    story.settle(4);
    CHECK(story.snapshot().step == 100);
}

TEST_CASE("story: a link to a model that was trained further trains it to the same step") {
    Story story;
    story.make_steps(3);
    const std::string link = story.app.link();
    CHECK(scene_of_link(link)["model"] == "homonyms");
    CHECK(scene_of_link(link)["trained_to"] == 1203);
    Story other({.model = "induction"});
    open(other, link);
    REQUIRE(other.until([&] { return other.snapshot().live_step == 1203; }));
    other.settle();
    CHECK(first_block(other) == first_block(story));
    // A link to the shipped model reopens it, and therefore asks before it discards the training.
    open(other, link_with("x", {{"model", "homonyms"}, {"view", "Flow"}}));
    CHECK(other.state().view == attention_view());
    REQUIRE(other.play("click leaving/drop\nframes 3") == "");
    REQUIRE(other.until([&] { return other.snapshot().live_step == 1200 && other.state().view != attention_view(); }));
    // After a reset it is a fresh model.
    other.send(command::Reset{});
    other.make_steps(2);
    const std::string anew = other.app.link();
    CHECK(scene_of_link(anew)["world"] == "homonyms");
    open(story, anew);
    REQUIRE(story.play("click leaving/drop\nframes 3") == "");
    REQUIRE(story.until([&] { return story.snapshot().live_step == 2; }));
    story.settle();
    CHECK(first_block(story) == first_block(other));
    story.send(command::Branch{2, story.snapshot().current_run()->setup, {}, {}});
    CHECK(contains(error_of([&] { story.app.link(); }), "was changed while it ran"));
}

TEST_CASE("story: a link that is declined leaves nothing behind") {
    Story story;
    story.make_steps(1);
    open(story, link_with("x", {{"model", "induction"}, {"block", 1}, {"head", 2}, {"view", "Flow"}}));
    REQUIRE(story.play("click leaving/cancel\nframes 3") == "");
    story.settle(3);
    story.send(command::OpenModel{GLASSFORMER_SOURCE_DIR "/assets/models/induction"});
    story.frames(4);
    story.settle(4);
    CHECK(story.state().view == attention_view());
}
