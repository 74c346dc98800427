#include "core/train/training_events.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/rng.h"
#include "core/io/checkpoint.h"
#include "core/tasks/tasks.h"
#include "tests/contains.h"

using namespace glassformer;

namespace {

TrainingEvents of_share() { return {"held-out accuracy", true, 0.95}; }

std::vector<TrainingEvent> of_kind(const TrainingEvents& events, EventKind kind) {
    std::vector<TrainingEvent> found;
    for (const TrainingEvent& event : events.all())
        if (event.kind == kind) found.push_back(event);
    return found;
}

MetricPoint point(std::int64_t step, double loss) {
    MetricPoint p;
    p.step = step;
    p.loss = static_cast<float>(loss);
    return p;
}

MetricPoint measured(std::int64_t step, double loss, double accuracy, double held_out = -1.0) {
    MetricPoint p = point(step, loss);
    p.accuracy = static_cast<float>(accuracy);
    p.held_out_loss = static_cast<float>(held_out);
    return p;
}

/// A loss that falls from 4 towards `floor` over some hundred steps, with 5 % noise.
double falling(std::int64_t step, double floor, Rng& rng) {
    return (floor + (4.0 - floor) * std::exp(-static_cast<double>(step) / 150.0)) * (1.0 + 0.05 * rng.normal());
}

HeadScore head(int block, int number, float previous, float induction) {
    return {block, number, previous, induction, 0.05f};
}

}  // namespace

TEST_CASE("events: each level of a share is reported once, when it is first reached") {
    TrainingEvents events = of_share();
    std::int64_t step = 0;
    for (const double accuracy : {0.02, 0.3, 0.55, 0.48, 0.56, 0.93, 0.995, 0.97, 0.999})
        events.add(measured(step += 50, 1.0, accuracy));
    const std::vector<TrainingEvent> found = events.all();
    REQUIRE(found.size() == 3);
    CHECK(found[0] == TrainingEvent{150, EventKind::metric, "held-out accuracy passed 50 %: 55 %"});
    CHECK(found[1] == TrainingEvent{300, EventKind::metric, "held-out accuracy passed 90 %: 93 %"});
    CHECK(found[2].step == 350);
    CHECK(found[2].text == "held-out accuracy passed 99 %: 99.5 %");
}

TEST_CASE("events: a jump over two levels is one event, and a level within chance is none") {
    TrainingEvents events = of_share();
    events.add(measured(0, 0.0, 0.49));  // chance, with two answers
    events.add(measured(50, 1.0, 0.52));
    CHECK(events.all().empty());
    events.add(measured(100, 1.0, 0.995));
    REQUIRE(events.all().size() == 1);
    CHECK(contains(events.all()[0].text, "passed 99 %"));
}

TEST_CASE("events: an error is reported when it falls below its level") {
    TrainingEvents events("held-out error", false, 0.2);
    events.add(measured(0, 0.0, 1.1));
    events.add(measured(50, 1.0, 0.21));
    CHECK(events.all().empty());
    events.add(measured(100, 1.0, 0.187));
    events.add(measured(150, 1.0, 0.25));
    events.add(measured(200, 1.0, 0.15));
    REQUIRE(events.all().size() == 1);
    CHECK(events.all()[0] == TrainingEvent{100, EventKind::metric, "held-out error fell below 0.2: 0.187"});
}

TEST_CASE("events: a head whose score jumps and stays high is named, with the step of the jump") {
    TrainingEvents events = of_share();
    const float induction[] = {0.1f, 0.11f, 0.12f, 0.13f, 0.44f, 0.65f, 0.78f, 0.8f, 0.81f};
    std::int64_t step = 0;
    for (const float score : induction) {
        const HeadScore heads[] = {head(0, 2, 0.2f, 0.1f), head(1, 3, 0.1f, score)};
        events.add(point(step += 50, 1.0), heads);
    }
    REQUIRE(events.all().size() == 1);
    const TrainingEvent& event = events.all()[0];
    CHECK(event.kind == EventKind::head);
    CHECK(event.step == 250);
    CHECK(event.block == 1);
    CHECK(event.head == 3);
    CHECK(event.ability == HeadAbility::induction);
    CHECK(event.text == "head 1.3 began to copy what followed last time: induction score 0.13 → 0.44");
}

TEST_CASE("events: a head that jumps for one measurement has not formed, nor has one that was high from the start") {
    TrainingEvents flicker = of_share(), always = of_share();
    for (std::int64_t i = 1; i <= 40; ++i) {
        const HeadScore jumps[] = {head(0, 0, i % 7 == 0 ? 0.6f : 0.1f, 0.1f)};
        flicker.add(point(50 * i, 1.0), jumps);
        const HeadScore high[] = {head(0, 0, 0.5f + 0.01f * static_cast<float>(i), 0.1f)};
        always.add(point(50 * i, 1.0), high);
    }
    CHECK(of_kind(flicker, EventKind::head).empty());
    CHECK(of_kind(always, EventKind::head).empty());
}

TEST_CASE("events: a head that learns slowly has formed when it passes its score's own level") {
    TrainingEvents events = of_share();
    for (std::int64_t i = 0; i <= 40; ++i) {
        HeadScore slow = head(0, 0, 0.0f, 0.1f);
        slow.telling_word = 0.015f * static_cast<float>(i);
        const HeadScore heads[] = {slow};
        events.add(point(32 * i, 1.0), heads);
    }
    REQUIRE(events.all().size() == 1);
    CHECK(events.all()[0].step == 32 * 14);  // 0.21
    CHECK(events.all()[0].ability == HeadAbility::telling_word);
    CHECK(contains(events.all()[0].text, "telling-word score 0.195 → 0.21"));
}

TEST_CASE("events: a head that forgets and learns again is reported twice") {
    TrainingEvents events = of_share();
    std::int64_t step = 0;
    for (int round = 0; round < 2; ++round)
        for (const float score : {0.05f, 0.05f, 0.9f, 0.9f, 0.9f, 0.9f, 0.9f, 0.05f, 0.05f}) {
            const HeadScore heads[] = {head(0, 1, score, 0.1f)};
            events.add(point(step += 50, 1.0), heads);
        }
    REQUIRE(events.all().size() == 2);
    CHECK(contains(events.all()[0].text,
                   "head 0.1 began to attend to the previous word: previous-word score 0.05 → 0.9"));
    CHECK(events.all()[1].step == 150 + 450);
}

TEST_CASE("events: a spike is one event, however many steps it takes, and reports the gradient") {
    Rng rng(3);
    TrainingEvents events = of_share();
    for (std::int64_t step = 1; step <= 600; ++step) {
        MetricPoint p = point(step, falling(step, 0.3, rng));
        p.gradient_norm = 0.5f;
        if (step >= 400 && step < 406) p.loss = 2.5f, p.gradient_norm = 6.0f;
        events.add(p);
    }
    REQUIRE(events.all().size() == 1);
    CHECK(events.all()[0].kind == EventKind::spike);
    CHECK(events.all()[0].step == 400);
    CHECK(contains(events.all()[0].text, "to 2.5; the gradient was 12 times as long as usual"));
}

TEST_CASE("events: a spike says nothing of a gradient that is as long as usual or not known") {
    for (const double norm : {0.5, -1.0}) {
        Rng rng(3);
        TrainingEvents events = of_share();
        for (std::int64_t step = 1; step <= 600; ++step) {
            MetricPoint p = point(step, step >= 400 && step < 406 ? 2.5 : falling(step, 0.3, rng));
            p.gradient_norm = static_cast<float>(norm);
            events.add(p);
        }
        REQUIRE(events.all().size() == 1);
        CHECK(contains(events.all()[0].text, "to 2.5"));
        CHECK(!contains(events.all()[0].text, "gradient"));
    }
}

TEST_CASE("events: a loss that rises and stays up diverges; a short rise does not") {
    for (const std::int64_t high_until : {std::int64_t{1000}, std::int64_t{380}}) {
        Rng rng(4);
        TrainingEvents events = of_share();
        for (std::int64_t step = 1; step <= 800; ++step)
            events.add(point(
                step, step > 300 && step < high_until ? 3.0 * (1.0 + 0.05 * rng.normal()) : falling(step, 0.3, rng)));
        const auto found = of_kind(events, EventKind::divergence);
        REQUIRE(found.size() == (high_until == 1000 ? 1 : 0));
        if (found.empty()) continue;
        CHECK(found[0].step > 300);
        CHECK(found[0].step < 380);
        CHECK(contains(found[0].text, "the learning rate may be too high"));
    }
}

TEST_CASE("events: a loss that explodes from the first steps on is reported once, and one that oscillates is not") {
    TrainingEvents events = of_share();
    for (std::int64_t step = 1; step <= 40; ++step) events.add(point(step, 3.6 * std::pow(1.3, step - 1)));
    const std::vector<TrainingEvent> found = of_kind(events, EventKind::divergence);
    REQUIRE(found.size() == 1);
    CHECK(found[0].step == 6);  // 3.6 · 1.3⁵ is the first above 3 · 3.6
    CHECK(found[0].text.starts_with("the loss is diverging: "));
    TrainingEvents wavering = of_share();
    for (std::int64_t step = 1; step <= 40; ++step) wavering.add(point(step, step % 10 == 1 ? 3.0 : 12.0));
    wavering.add(point(41, 3.6));
    CHECK(of_kind(wavering, EventKind::divergence).empty());
}

TEST_CASE("events: a constant loss is one plateau, unless the metric moves or everything is learned") {
    const auto plateaus = [](double first_accuracy, double last_accuracy) {
        Rng rng(5);
        TrainingEvents events = of_share();
        for (std::int64_t step = 1; step <= 2000; ++step) {
            MetricPoint p = point(step, 3.0 * (1.0 + 0.05 * rng.normal()));
            if (step % 50 == 0)
                p.accuracy = static_cast<float>(first_accuracy +
                                                (last_accuracy - first_accuracy) * static_cast<double>(step) / 2000.0);
            events.add(p);
        }
        return of_kind(events, EventKind::plateau);
    };
    const auto still = plateaus(0.3, 0.3);
    REQUIRE(still.size() == 1);
    CHECK(still[0].step <= 500);
    CHECK(contains(still[0].text, "steps: the loss stays near "));
    CHECK(plateaus(0.1, 0.8).empty());
    CHECK(plateaus(0.995, 0.995).empty());
}

TEST_CASE("events: a loss that keeps falling has no plateau, and one that falls to a new plateau has two") {
    Rng rng(6);
    TrainingEvents falls = of_share(), stairs = of_share();
    for (std::int64_t step = 1; step <= 3000; ++step) {
        falls.add(point(step, 4.0 * std::pow(static_cast<double>(step), -0.3) * (1.0 + 0.1 * rng.normal())));
        stairs.add(point(step, (step < 1000 ? 3.0 : 1.5) * (1.0 + 0.05 * rng.normal())));
    }
    CHECK(falls.all().empty());
    const auto found = of_kind(stairs, EventKind::plateau);
    REQUIRE(found.size() == 2);
    CHECK(found[0].step < 600);
    CHECK(found[1].step > 1300);
}

TEST_CASE("events: a held-out loss that rises while the training loss falls is overfitting") {
    TrainingEvents overfits = of_share(), both_rise = of_share(), fine = of_share();
    for (std::int64_t i = 1; i <= 20; ++i) {
        const double training = 3.0 / std::sqrt(static_cast<double>(i));
        const double held_out = i <= 8 ? training + 0.1 : 1.2 + 0.05 * static_cast<double>(i - 8);
        overfits.add(measured(50 * i, training, 0.3, held_out));
        both_rise.add(measured(50 * i, held_out - 0.1, 0.3, held_out));
        fine.add(measured(50 * i, training, 0.3, training + 0.1));
    }
    const auto found = of_kind(overfits, EventKind::overfitting);
    REQUIRE(found.size() == 1);
    CHECK(found[0].step > 400);
    CHECK(found[0].step <= 550);
    CHECK(contains(found[0].text, "since step 400 the held-out loss rose from 1.16 to"));
    CHECK(of_kind(both_rise, EventKind::overfitting).empty());
    CHECK(of_kind(fine, EventKind::overfitting).empty());
}

TEST_CASE("events: a run at chance level never overfits, whatever its losses do") {
    TrainingEvents at_chance = of_share();
    for (std::int64_t i = 1; i <= 20; ++i)
        at_chance.add(
            measured(50 * i, 3.4 - 0.01 * static_cast<double>(i), 0.03, 3.38 + 0.02 * static_cast<double>(i)));
    CHECK(of_kind(at_chance, EventKind::overfitting).empty());
}

TEST_CASE("events: the runs of the shipped models reached their levels, and nothing went wrong") {
    const std::filesystem::path assets = GLASSFORMER_SOURCE_DIR "/assets";
    for (const std::string& world : world_names(assets / "worlds")) {
        CAPTURE(world);
        const std::unique_ptr<Task> task = make_task(world, assets / "worlds");
        TrainingEvents events(std::string(task->metric_name), task->metric_is_share, task->metric_level);
        for (const MetricPoint& p : load_checkpoint(assets / "models" / world).log) events.add(p);
        for (const TrainingEvent& event : events.all()) {
            CAPTURE(event.text);
            // Some of the few sentences of the Chinese world are memorised, and the run says so.
            const bool small = world == "homonyms_zh" && event.kind == EventKind::overfitting;
            CHECK((event.kind == EventKind::metric || small));
        }
        if (task->metric_is_share) CHECK_FALSE(events.all().empty());
    }
}
