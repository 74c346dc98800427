#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "app/panels/leaving/leaving_question.h"
#include "app/session/session.h"
#include "core/io/checkpoint.h"
#include "core/io/run_folder.h"
#include "tests/contains.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/plain_session.h"

using namespace glassformer;
using namespace glassformer::app;

TEST_CASE("a training whose model was saved counts as saved until it continues") {
    const TemporaryFolder folder;
    Session session(options(false));
    const auto saved = [](const Snapshot& s) { return !s.current_run()->unsaved; };
    session.send(command::MakeSteps{2});
    CHECK_FALSE(saved(*paused_at(session, 2)));
    session.send(command::Save{(folder.path() / "model").string()});
    CHECK(saved(*settled(session)));
    CHECK(session.snapshot()->current_run()->saved_step == 2);
    session.send(command::MakeSteps{1});
    CHECK_FALSE(saved(*paused_at(session, 3)));
}

TEST_CASE("a training that comes back where one left off still counts as unsaved") {
    const TemporaryFolder folder;
    const std::filesystem::path left = folder / "session.glass";
    {
        Session session(options(false));
        session.send(command::MakeSteps{2});
        paused_at(session, 2);
        session.leave_off(left, {});
        CHECK(settled(session)->error == "");
    }
    Session::Options where_i_was = options(false);
    where_i_was.checkpoint = left;
    where_i_was.world.clear();
    Session again(where_i_was);
    const auto back = settled(again);
    CHECK(back->live_step == 2);
    REQUIRE(unsaved_runs(*back).size() == 1);
    CHECK(unsaved_runs(*back).front()->saved_step == 0);
    // Once it is in a folder of the user's own, the next start has nothing to ask about.
    again.send(command::KeepRun{(folder / "run").string()});
    settled(again);
    again.leave_off(left, {});
    CHECK(settled(again)->error == "");
    Session third(where_i_was);
    CHECK(unsaved_runs(*settled(third)).empty());
    // A file that the user saves is a place of its own.
    third.send(command::MakeSteps{1});
    CHECK(unsaved_runs(*paused_at(third, 3)).size() == 1);
    third.hand_on(folder / "mine.glass", {});
    CHECK(unsaved_runs(*settled(third)).empty());
}

TEST_CASE("a kept run continues with the settings that were changed during training") {
    const TemporaryFolder folder;
    const std::string kept = (folder / "run").string();
    {
        Session session(options(false));
        const auto train_to = [&](std::int64_t step) {
            session.send(command::MakeSteps{step - session.snapshot()->live_step});
            paused_at(session, step);
        };
        train_to(2);
        session.send(command::KeepRun{kept});
        settled(session);
        session.send(command::SetLearningRate{0.007f});
        session.send(command::SetBatch{24});
        train_to(5);
        CHECK(settled(session)->current_run()->saved_step == 5);
    }
    Session again(options(false));
    settled(again);
    again.send(command::OpenRun{kept});
    const auto opened = settled(again);
    const RunInfo& run = *opened->current_run();
    CHECK(run.step == 5);
    CHECK(run.setup.options.schedule.peak == 0.007f);
    CHECK(run.setup.options.batch == 24);
    CHECK(run.origin.change == "learning rate 0.007");  // so it is not reproducible from its seed
}

TEST_CASE("a kept run's folder is behind until its training pauses") {
    const TemporaryFolder folder;
    const std::string kept = (folder / "run").string();
    Session session(options(false));
    session.send(command::MakeSteps{1});
    CHECK(folders_behind(*paused_at(session, 1)).empty());  // it has none
    session.send(command::KeepRun{kept});
    CHECK(folders_behind(*settled(session)).empty());
    session.send(command::Train{});
    const auto training = wait_for(session, [](const Snapshot& s) { return s.live_step >= 3; });
    CHECK(folders_behind(*training) == std::vector{kept});
    session.send(command::Pause{});
    while (!session.caught_up()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(folders_behind(*session.snapshot()).empty());
    CHECK(read_run(kept).state.step == session.snapshot()->live_step);
}

TEST_CASE("Reset leaves in a kept run's folder all that was trained, also while it trains") {
    const TemporaryFolder folder;
    Session session(options(false));
    session.send(command::KeepRun{(folder / "run").string()});
    session.send(command::Train{});
    CHECK(wait_for(session, [](const Snapshot& s) { return s.live_step >= 3; })->current_run()->kept());
    session.send(command::Reset{});
    CHECK(settled(session)->live_step == 0);
    CHECK(session.snapshot()->error == "");
    CHECK(session.snapshot()->current_run()->folder.empty());
    const SavedRun kept = read_run(folder / "run");
    CHECK(kept.state.step >= 3);
    CHECK(static_cast<std::int64_t>(kept.log.points.size()) == kept.state.step);
}

TEST_CASE("a kept run whose folder is gone is only dropped after a question" * doctest::skip(on_windows)) {
    const TemporaryFolder folder;
    Session session(options(false));
    session.send(command::KeepRun{(folder / "run").string()});
    session.send(command::MakeSteps{2});
    const auto before = paused_at(session, 2);
    CHECK(unsaved_runs(*before).empty());
    std::filesystem::remove_all(folder / "run");
    // The window does not know yet, and asks nothing.
    const command::OpenModel other{GLASSFORMER_SOURCE_DIR "/assets/models/order"};
    session.send(other);
    const auto stays = settled(session);
    CHECK(stays->model == before->model);
    CHECK(contains(stays->error, "run"));
    session.send(command::MakeSteps{2});
    const auto trained = paused_at(session, 4);
    REQUIRE(unsaved_runs(*trained).size() == 1);
    CHECK_FALSE(trained->current_run()->kept());
    // With its model saved elsewhere nothing would be lost, but the folder still does not have it.
    session.send(command::Save{(folder / "model").string()});
    CHECK(unsaved_runs(*settled(session)).empty());
    CHECK_FALSE(session.snapshot()->current_run()->kept());
    // Kept elsewhere, it is safe again.
    session.send(command::KeepRun{(folder / "second").string()});
    CHECK(unsaved_runs(*settled(session)).empty());
    session.send(other);
    CHECK(settled(session)->model != before->model);
    CHECK(read_run(folder / "second").state.step == 4);
}

TEST_CASE("a kept run's changed settings are written once its folder is back" * doctest::skip(on_windows)) {
    const TemporaryFolder folder;
    Session session(options(false));
    session.send(command::KeepRun{(folder / "run").string()});
    CHECK(settled(session)->error == "");
    std::filesystem::rename(folder / "run", folder / "away");
    session.send(command::SetLearningRate{0.007f});
    session.send(command::MakeSteps{1});
    CHECK(paused_at(session, 1)->error != "");
    std::filesystem::rename(folder / "away", folder / "run");
    session.send(command::MakeSteps{1});
    paused_at(session, 2);
    const SavedRun kept = read_run(folder / "run");
    CHECK(kept.state.step == 2);
    CHECK(kept.settings.options.schedule.peak == 0.007f);
}

TEST_CASE("every run has a curve of its own colour, and a model's first run has the first colour") {
    Session::Options o = options(false);
    o.assets = GLASSFORMER_SOURCE_DIR "/assets";
    Session session(o);
    for (int i = 0; i < 2; ++i) session.send(command::NewRun{settled(session)->current_run()->setup, ""});
    const auto s = settled(session);
    REQUIRE(s->runs.size() == 3);
    for (int i = 0; i < 3; ++i) CHECK(s->runs[i]->colour == i);
    session.send(command::OpenWorld{"sorting"});
    CHECK(settled(session)->runs.front()->colour == 0);
}

TEST_CASE("a new run or a branch that cannot be made trains no other run in its place") {
    Session session(options(false));
    TrainingSetup setup = settled(session)->current_run()->setup;
    setup.options.batch = 0;
    session.send(command::NewRun{setup, "", true});
    session.send(command::Branch{0, setup, {}, "", true});
    const auto s = settled(session);
    CHECK(s->error != "");
    CHECK(s->state == RunState::paused);
    CHECK(s->live_step == 0);
    REQUIRE(s->runs.size() == 1);
    setup.options.batch = 8;
    session.send(command::NewRun{setup, "", true});
    CHECK(wait_for(session, [](const Snapshot& now) { return now.live_step >= 2; })->runs.size() == 2);
}
