#include "app/common/links.h"
#include "app/lessons/scene_format.h"
#include "app/lessons/view_moment.h"
#include "core/base/error.h"
#include "tests/core/error_of.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

void open(Story& story, const std::string& link) {
    story.app.open_link(link);
    story.frames(3);
    story.settle();
    story.frames(4);
    story.settle();
}

}  // namespace

TEST_CASE("link: what it holds comes back, whatever stands around it") {
    const nlohmann::json scene{{"sentences", {"the bat hit the ball .", "Zoë 王 \"?\" ▢"}}, {"block", 1}};
    const std::string link = link_with("https://example.org/glassformer.html#glassformer=1.old", scene);
    CHECK(link.starts_with("https://example.org/glassformer.html#glassformer=1."));
    CHECK(has_link(link));
    CHECK(scene_of_link(link) == scene);
    CHECK(scene_of_link("see " + link + " .") == scene);
    CHECK_FALSE(has_link("https://example.org/glassformer.html#top"));
}

TEST_CASE("link: a wrong one is told in a sentence") {
    const auto why = [](const std::string& link) { return error_of([&] { scene_of_link(link); }); };
    CHECK(why("x#glassformer=2.e30") == "This link is of another version of Glassformer.");
    CHECK(why("x#glassformer=1.e3") == "This link is damaged, perhaps cut off. Copy all of it.");
    CHECK(why("x#glassformer=1.") == "This link is damaged, perhaps cut off. Copy all of it.");
    CHECK(why("x#glassformer=1.W10") == "This link is damaged, perhaps cut off. Copy all of it.");  // []
    CHECK(why("x#glassformer=1." + std::string(5000, 'A')) == "This link is too long to be one of Glassformer's.");
    const nlohmann::json long_scene{{"sentences", {std::string(2000, 'a')}}};
    CHECK(error_of([&] { link_with("x", long_scene); }).find("too long") != std::string::npos);
}

TEST_CASE("story: a link that was copied brings the screen back in another window, its lesson too") {
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
        CHECK(story.text("notice").find("clipboard") != std::string::npos);
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
        story.settle();
        story.frames(4);
        story.settle();
        CHECK(moment_of(story.state(), story.snapshot()) == before);
    }
}

TEST_CASE("story: a link to a step of a lesson begins it there") {
    Story story;
    story.app.start_lesson("1_two_kinds_of_bat", 2);
    story.frames(3);
    story.settle();
    story.frames(4);
    REQUIRE(story.app.lessons().progress().at == 1);
    const std::string link = story.app.link();
    Story other({.model = "induction"});
    open(other, link);
    CHECK(other.app.lessons().progress().lesson == story.app.lessons().progress().lesson);
    CHECK(other.app.lessons().progress().at == 1);
}

TEST_CASE("story: a wrong link changes nothing and says why") {
    Story story;
    const ViewMoment before = moment_of(story.state(), story.snapshot());
    const auto told = [&](const nlohmann::json& scene) {
        open(story, link_with("x", scene));
        return story.text("notice");
    };
    CHECK(told({{"block", 1}}).find("model") != std::string::npos);
    CHECK(told({{"model", "../../etc"}}).find("no model \"../../etc\"") != std::string::npos);
    CHECK(told({{"model", "homonyms"}, {"block", "x"}}).find("block") != std::string::npos);
    CHECK(told({{"model", "homonyms"}, {"lesson", {{"name", "none"}}}}).find("no lesson") != std::string::npos);
    CHECK(told({{"model", "homonyms"}, {"lesson", 3}}).find("lesson") != std::string::npos);
    CHECK(moment_of(story.state(), story.snapshot()) == before);
}
