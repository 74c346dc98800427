// What becomes of an experiment that its user leaves: in a .glass file, and during a lesson with one of its own.
#include <fstream>

#include "app/lessons/experiment_json.h"
#include "core/base/error.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/experiment_story.h"

using namespace glassformer;
using namespace glassformer::app;

TEST_CASE("story: an experiment's results are saved in a .glass file, and load without its models") {
    ExperimentState saved;
    nlohmann::json object;
    {
        Story story({.trained = false});
        begin(story);
        story.state().own<ExperimentState>().claim = "{A: length} > 3";
        story.frames(2);
        saved = story.state().own<ExperimentState>();
        object = experiment_to_json(*story.snapshot().experiment, saved);
        const ExperimentInfo& then = *story.snapshot().experiment;
        const ExperimentState::Kept kept = experiment_from_json(nlohmann::json::parse(object.dump()), "x");
        REQUIRE(kept.experiment->runs.size() == 2);
        CHECK(kept.experiment->plan.knobs == then.plan.knobs);
        CHECK(kept.claim == "{A: length} > 3");
        for (std::size_t i = 0; i < 2; ++i) {
            const SideRun &was = then.runs[i].now, &is = kept.experiment->runs[i].now;
            CHECK(is.state == was.state);
            CHECK(is.found->value == was.found->value);
            CHECK(is.log->back().loss == was.log->back().loss);
            CHECK(kept.claims[i].holds == saved.claims[i].holds);
        }
    }
    const TemporaryFolder folder;
    const std::filesystem::path file = folder / "experiment.glass";
    {
        Story story({.trained = false});
        begin(story);
        story.state().own<ExperimentState>().claim = "{A: length} > 3";
        story.frames(2);
        story.session.hand_on(file, story.app.handed_on());
        story.settle();
    }
    Story story;
    story.send(command::OpenModel{file.string()});
    CHECK(story.until([&] { return story.state().own<ExperimentState>().kept.experiment != nullptr; }));
    story.frames(3);
    CHECK(story.state().own<ExperimentState>().open);
    CHECK(story.value("experiment") == 2);
    CHECK(story.value("experiment/metric 1") == object["runs"][1]["metric"].get<double>());
    CHECK(story.value("experiment/holds") == 2);
    // Another model replaces it.
    story.send(command::OpenModel{GLASSFORMER_SOURCE_DIR "/assets/models/homonyms"});
    CHECK(story.until([&] { return story.state().own<ExperimentState>().kept.experiment == nullptr; }));
    // Input that anyone may have written.
    const auto refuses = [&](auto&& change) {
        nlohmann::json wrong = object;
        change(wrong);
        CHECK_THROWS_AS(experiment_from_json(wrong, "x"), Error);
    };
    refuses([](auto& o) { o["runs"] = nlohmann::json::array(); });
    refuses([](auto& o) { o["runs"].push_back(o["runs"][0]); });
    refuses([](auto& o) { o["knobs"][0]["values"] = 3; });
    refuses([](auto& o) { o["runs"][0]["curve"] = {{1, 2, 3}}; });
    refuses([](auto& o) { o["runs"][0]["state"] = "training"; });
    refuses([](auto& o) { o["runs"][0]["step"] = -1; });
}

TEST_CASE("story: a lesson sets the user's experiment aside, and restores it at the end") {
    const TemporaryFolder folder;
    std::ofstream(folder / "try.lesson")
        << "lesson: Try\nmodel: any\n== One\nexperiment: seed 5..6; steps 3\nexperiment claim: {A: length} > 90\n\n"
           "{runs} runs.\n== Two\n\nText.\n";
    Story story({.trained = false, .lessons = folder.path()});
    begin(story);
    const auto page = [&]() -> ExperimentState& { return story.state().own<ExperimentState>(); };
    page().claim = "{A: length} > 3";
    story.frames(2);
    const ExperimentInfo before = *story.snapshot().experiment;
    const auto typed = page().values;
    const auto in_lesson = [&] { return story.snapshot().experiment->runs.front().setup.options.seed == 5; };
    REQUIRE(story.play("lesson try 1\nwait lesson/scene == 1\nframes 3") == "");
    REQUIRE(story.until([&] { return in_lesson() && !story.snapshot().experiment->under_way(); }));
    CHECK(story.value("experiment/holds") == 0);
    CHECK(story.play("click lesson/leave\nframes 4") == "");
    REQUIRE(story.until([&] { return !story.app.lessons().playing() && !in_lesson(); }));
    story.frames(3);
    CHECK(story.snapshot().experiment->id == before.id);
    CHECK(story.snapshot().experiment->runs[1].now.found->value == before.runs[1].now.found->value);
    CHECK(page().values == typed);
    CHECK(page().claim == "{A: length} > 3");
    CHECK(page().open);
    CHECK(story.value("experiment/holds") == 2);
    CHECK(story.play("click \"experiment/open 1\"") == "");
    CHECK(story.until([&] { return story.snapshot().current_run()->name == "seed 2"; }));
    // One that the user starts during the lesson is the newest, and stays.
    REQUIRE(story.play("lesson try 1\nwait lesson/scene == 1\nframes 3") == "");
    REQUIRE(story.until([&] { return in_lesson() && !story.snapshot().experiment->under_way(); }));
    page().values = {{"seed", "8, 9"}, {"steps", "2"}};
    CHECK(story.play("frames 3\nclick experiment/start") == "");
    const auto own = [&] { return story.snapshot().experiment->runs.front().setup.options.seed == 8; };
    REQUIRE(story.until([&] { return own() && !story.snapshot().experiment->under_way(); }));
    CHECK(story.play("click lesson/leave\nframes 4") == "");
    REQUIRE(story.until([&] { return !story.app.lessons().playing(); }));
    story.settle();
    CHECK(own());
}

TEST_CASE("story: an experiment from a file is restored after a lesson with another one") {
    const TemporaryFolder folder;
    std::ofstream(folder / "try.lesson")
        << "lesson: Try\nmodel: order\n== One\nexperiment: seed 5..6; steps 3\n\n{runs} runs.\n";
    const std::filesystem::path file = folder / "experiment.glass";
    {
        Story story({.trained = false});
        begin(story);
        story.session.hand_on(file, story.app.handed_on());
        story.settle();
    }
    Story story({.model = file.string(), .lessons = folder.path()});
    const auto shows_file = [&] {
        const ExperimentState& page = story.state().own<ExperimentState>();
        return page.open && page.kept.experiment && story.shows("experiment/metric 1") &&
               story.text("experiment/card 1") == "seed 2";
    };
    REQUIRE(story.until(shows_file));
    const double metric = story.value("experiment/metric 1");
    REQUIRE(story.play("lesson try 1\nwait lesson/scene == 1\nframes 3") == "");
    CHECK(story.snapshot().model->world == "order");
    REQUIRE(story.until([&] { return story.snapshot().experiment && !story.snapshot().experiment->under_way(); }));
    story.frames(3);
    CHECK_FALSE(shows_file());
    CHECK(story.play("click lesson/leave\nframes 4") == "");
    CHECK(story.until([&] { return !story.app.lessons().playing() && shows_file(); }));
    CHECK(story.value("experiment/metric 1") == metric);
}
