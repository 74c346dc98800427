// Every task that runs beside the window fails once: the program goes on and reports it where the user waits for the
// result. The lens, the heads' pictures, the canvas and the model check have tests of their own.
#include <doctest/doctest.h>

#include <algorithm>

#include "app/panels/meaning/measured_senses.h"
#include "app/phones/phone_page.h"
#include "app/ui/glyphs/font_finder.h"
#include "app/views/training/cost_study.h"
#include "core/base/background.h"
#include "tests/ui/phones.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

constexpr const char* as_asked = "fails, as a test has asked";

void wait(const std::function<bool()>& done) {
    for (int tries = 0; !done() && tries < 60'000; ++tries) let_tasks_go_on(0.001);
    REQUIRE(done());
}

}  // namespace

TEST_CASE("background: a session that fails reports it, keeps its training and takes the next command") {
    Story story({.trained = false});
    story.make_steps(3);
    fail_at("session turn");
    story.session.send(command::Watch{0, "a bat flew ."});
    REQUIRE(story.until([&] { return contains(story.snapshot().error, as_asked); }));
    CHECK(fail_at({}));
    CHECK(story.snapshot().live_step == 3);
    story.make_steps(2);
    CHECK(story.snapshot().live_step == 5);
    story.send(command::Watch{0, "the bat hit the ball ."});
    CHECK(story.snapshot().sentences[0].text == "the bat hit the ball .");
}

TEST_CASE("background: without threads, the session, its training and the cost study run between frames") {
    const TasksWithoutThreads none;
    Story story({.trained = false});
    story.make_steps(12);
    const Parameters trained = reference().trained(1, 12, story.snapshot().planned_steps);
    const std::string text = story.snapshot().sentences[0].text;
    const auto trace = reference().trace(text, trained);
    const auto truth = trace->values(trace->model().logits), shown = story.shown_trace(0).values(trace->model().logits);
    CHECK(std::ranges::equal(shown, truth));

    fail_at("session turn");
    story.session.send(command::Watch{0, "a bat flew ."});
    REQUIRE(story.until([&] { return contains(story.snapshot().error, as_asked); }));
    CHECK(fail_at({}));
    story.session.send(command::Train{});
    REQUIRE(story.until([&] { return story.snapshot().live_step >= 20; }));
    story.send(command::Pause{});
    CHECK(story.snapshot().state == RunState::paused);

    const views::training::CostStudy cost({.d_model = 8, .n_heads = 1, .d_head = 8});
    wait([&] { return cost.done(); });
    CHECK(cost.error().empty());
    CHECK(cost.points().size() > 3);
}

TEST_CASE("background: a failed measurement of senses or of a layer's cost is reported") {
    fail_at("senses");
    const RunningSenses senses({}, {});
    wait([&] { return !senses.state().running; });
    CHECK(contains(senses.state().error, as_asked));
    CHECK_FALSE(senses.state().found);

    fail_at("cost");
    const views::training::CostStudy cost({});
    wait([&] { return cost.done(); });
    CHECK(contains(cost.error(), as_asked));
    CHECK(cost.points().empty());
    CHECK(fail_at({}));
}

TEST_CASE("background: a failed font search finds no font, and the next search works") {
    const FontFace face{"a font", 0};
    FontFinder finder(false, [&](char32_t, bool) { return face; });
    fail_at("fonts turn");
    finder.ask(U'猫', false);
    wait([&] { return finder.ask(U'猫', false).known; });
    CHECK_FALSE(finder.ask(U'猫', false).face);
    wait([&] { return finder.ask(U'犬', false).known; });
    CHECK(finder.ask(U'犬', false).face == face);

    FontFinder without(false, [&](char32_t, bool) { return face; });
    fail_at("fonts");
    without.ask(U'猫', false);
    wait([&] { return without.ask(U'猫', false).known; });
    CHECK_FALSE(without.ask(U'犬', false).face);
    CHECK_FALSE(without.looking());
    CHECK(fail_at({}));
}

TEST_CASE("background: after a failed turn the page for phones still answers") {
    BallotBox box;
    const PhonePage page(box, "127.0.0.1", PhonePage::any_port);
    fail_at("phones turn");
    const std::string first = phones::exchange(page.port(), "GET / HTTP/1.1\r\n" + phones::host(page.port()) + "\r\n");
    CHECK(first.starts_with("HTTP/1.1 200"));
    CHECK(fail_at({}));
}
