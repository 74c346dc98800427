// Models of a custom world, reopened after its file is gone.
#include <fstream>

#include "app/panels/setup/setup_state.h"
#include "core/base/error.h"
#include "core/io/run_folder.h"
#include "core/platform/atomic_file.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/plain_session.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;
namespace fs = std::filesystem;

namespace {

Session::Options of_world(const fs::path& world) {
    Session::Options o;
    o.world = world.string();
    o.assets = GLASSFORMER_SOURCE_DIR "/assets";
    return o;
}

Session::Options of_model(const fs::path& folder) {
    Session::Options o;
    o.checkpoint = folder;
    o.assets = GLASSFORMER_SOURCE_DIR "/assets";
    return o;
}

fs::path own_grammar(const TemporaryFolder& folder) {
    const fs::path file = folder / "colours.grammar";
    fs::copy_file(GLASSFORMER_SOURCE_DIR "/assets/worlds/homonyms.grammar", file);
    return file;
}

fs::path own_text(const TemporaryFolder& folder) {
    const fs::path file = folder / "story.txt";
    std::ofstream out(file);
    for (int i = 0; i < 400; ++i) out << (i % 7 ? "the cat sees the dog.\n" : "a bird sings.\n");
    return file;
}

/// Trains twelve steps, saves them as a model and as a run, then deletes the world's file.
std::shared_ptr<const Snapshot> train_and_lose(const fs::path& world, const TemporaryFolder& folder) {
    Session session(of_world(world));
    session.send(command::MakeSteps{12});
    paused_at(session, 12);
    session.send(command::Save{(folder / "model").string()});
    session.send(command::KeepRun{(folder / "run").string()});
    const auto last = settled(session);
    CHECK(last->error == "");
    fs::remove(world);
    return last;
}

}  // namespace

TEST_CASE("a model of a custom grammar opens and trains although the grammar's file is gone") {
    const TemporaryFolder folder;
    const auto before = train_and_lose(own_grammar(folder), folder);
    Session session(of_model(folder / "model"));
    const auto s = session.snapshot();
    CHECK(s->model->why_not_trained == "");
    CHECK(s->model->world == "colours");
    CHECK(s->model->senses.size() == before->model->senses.size());
    CHECK(s->model->samples.size() == before->model->samples.size());
    REQUIRE(s->probe);
    CHECK(s->probe->accuracy == before->probe->accuracy);
    CHECK(s->live_step == 12);
    CHECK(s->history->size() == before->history->size());
    session.send(command::MakeSteps{3});
    CHECK(wait_for(session, [](const Snapshot& now) { return now.live_step == 15; })->error == "");
    // Another run of the same world, whose file no longer exists.
    session.send(command::Propose{session.snapshot()->current_run()->setup.world, {}});
    const auto proposed = settled(session);
    REQUIRE(proposed->preview);
    CHECK(proposed->preview->refusal == "");
    session.send(command::NewRun{proposed->preview->setup, "again"});
    CHECK(settled(session)->runs.size() == 2);
    // Saved again, it still contains its world.
    session.send(command::Save{(folder / "second").string()});
    CHECK(settled(session)->error == "");
    CHECK(fs::exists(folder / "second" / "world.json"));
}

TEST_CASE("a kept run of a custom world continues in the window although the world's file is gone") {
    for (const bool text : {false, true}) {
        const TemporaryFolder folder;
        train_and_lose(text ? own_text(folder) : own_grammar(folder), folder);
        Session looking(of_model(folder / "run"));  // only looked at
        CHECK(looking.snapshot()->model->why_not_trained == "");
        CHECK(looking.snapshot()->live_step == 12);
        CHECK(looking.snapshot()->kept_steps.size() >= 4);
        Session session(options());
        session.send(command::OpenRun{(folder / "run").string()});
        CHECK(settled(session)->error == "");
        session.send(command::MakeSteps{3});
        CHECK(wait_for(session, [](const Snapshot& s) { return s.live_step == 15; })->error == "");
    }
}

TEST_CASE("a model of a custom text is measured without its file, and says why it cannot be trained") {
    const TemporaryFolder folder;
    const auto before = train_and_lose(own_text(folder), folder);
    Session session(of_model(folder / "model"));
    const auto s = settled(session);
    REQUIRE(s->measured);
    REQUIRE(before->measured);
    CHECK(s->measured->found.value == before->measured->found.value);
    CHECK(s->model->samples.size() == before->model->samples.size());
    CHECK(s->history->size() == 12);
    CHECK(contains(s->model->why_not_trained, "story.txt"));
    CHECK_FALSE(s->model->trainable());
    session.send(command::ShowNeurons{0});  // they would be searched for in the training text
    CHECK(settled(session)->neurons == nullptr);
    session.send(command::Train{});
    CHECK(contains(settled(session)->error, "story.txt"));
    CHECK(session.snapshot()->state == RunState::paused);
    // With its text it can be trained; with another one, it would be measured on what it has learned from.
    own_text(folder);
    Session::Options with = of_model(folder / "model");
    with.world = (folder / "story.txt").string();
    CHECK(Session(with).snapshot()->model->trainable());
    std::ofstream(folder / "story.txt", std::ios::app) << "the cat sees the dog.\n";
    CHECK_THROWS_AS(Session{with}, Error);
}

TEST_CASE("a word-level model of a custom text opens without its file, and is a text model") {
    const TemporaryFolder folder;
    Session training(options());
    training.send(command::Propose{own_text(folder).string(), "words"});
    const auto proposed = settled(training);
    REQUIRE(proposed->preview);
    training.send(command::NewRun{proposed->preview->setup, "by words"});
    training.send(command::Save{(folder / "model").string()});
    CHECK(settled(training)->error == "");
    fs::remove(folder / "story.txt");
    Session session(of_model(folder / "model"));
    const auto s = settled(session);
    CHECK(s->error == "");
    CHECK(s->model->words());
    CHECK_FALSE(s->model->hides_words);
    CHECK(contains(s->model->why_not_trained, "story.txt"));
}

TEST_CASE("story: a run left unsaved by a killed program is offered, and opens as it was left") {
    const TemporaryFolder folder;
    const fs::path first = folder / "first", second = folder / "second";
    std::string texts[2];
    {
        Story story({.trained = false, .recovery = first.string()});
        CHECK_FALSE(story.shows("recovery"));
        story.session.send(command::MakeSteps{10});
        story.session.send(command::Watch{0, "He caught the bat with a stick."});
        paused_at(story.session, 10);
        story.settle();
        CHECK(story.play("key Down\nkey Right\nframes 3") == "");
        story.state().layer = 1, story.state().head = 3;
        story.settle();
        story.send(command::Pause{});
        CHECK(story.snapshot().current_run()->unsaved);
        CHECK(story.snapshot().current_run()->folder.empty());
        for (int slot = 0; slot < 2; ++slot) texts[slot] = story.snapshot().text_of(slot);
        // What a killed program leaves behind.
        fs::copy(first, second, fs::copy_options::recursive);
        REQUIRE(lost_runs(second).size() == 1);
        CHECK(lost_runs(first).empty());  // still in use
        story.send(command::EndCleanly{});
        CHECK(fs::is_empty(first));
    }
    Story story({.recovery = second.string()});
    CHECK(story.play("expect recovery == 1\nexpect recovery ~ \"Words with two meanings, step 10\"\nkey Right\nframes "
                     "2\nclick recovery/open") == "");
    story.settle(3);
    CHECK_FALSE(story.shows("recovery"));
    CHECK(story.snapshot().live_step == 10);
    CHECK(story.snapshot().runs.size() == 2);
    CHECK(story.state().layer == 1);
    CHECK(story.state().head == 3);
    for (int slot = 0; slot < 2; ++slot) CHECK(story.snapshot().text_of(slot) == texts[slot]);
    CHECK(story.snapshot().current_run()->unsaved);
    // It is not saved elsewhere yet; once saved, it needs no recovery.
    CHECK_FALSE(fs::is_empty(second));
    story.send(command::KeepRun{(folder / "kept").string()});
    CHECK(fs::is_empty(second));
    CHECK(read_run(folder / "kept").state.step == 10);
    CHECK(read_run(folder / "kept").log.points.size() == 10);
}

TEST_CASE("story: a kept run opened as a model also opens as it was left") {
    const TemporaryFolder folder;
    const std::string sentence = "He caught the bat with a stick.";
    HeadChoice left;
    {
        Story story({.trained = false});
        story.session.send(command::MakeSteps{4});
        story.session.send(command::Watch{0, sentence});
        paused_at(story.session, 4);
        story.settle();
        // Not the head that it opens with by default.
        left = {1 - story.state().layer, (story.state().head + 1) % 4};
        choose_head(story.state(), story.snapshot(), left.layer, left.head);
        story.settle();
        story.send(command::KeepRun{(folder / "run").string()});
    }
    Story story({.model = (folder / "run").string()});
    CHECK(story.state().layer == left.layer);
    CHECK(story.state().head == left.head);
    CHECK(story.snapshot().text_of(0) == sentence);
    CHECK(story.snapshot().text_of(1) == second_sentence);
    CHECK(story.snapshot().live_step == 4);
}

TEST_CASE("story: lost runs are discarded, or offered again at the next start") {
    const TemporaryFolder folder;
    const fs::path lost = folder / "lost";
    {
        Session::Options o = options(false);
        o.recovery = folder / "alive";
        Session session(o);
        session.send(command::MakeSteps{4});
        paused_at(session, 4);
        settled(session);
        fs::copy(folder / "alive", lost, fs::copy_options::recursive);
        // As if ended by a signal, without asking the user: the run stays.
    }
    CHECK(lost_runs(folder / "alive").size() == 1);
    std::ofstream(lost / "notes.txt") << "mine";
    fs::create_directory(lost / "run-1-2");  // killed before it wrote anything
    {
        Story story({.recovery = lost.string()});
        CHECK(story.play("expect recovery == 1\nclick recovery/later\nframes 2\nexpect_no_item recovery") == "");
    }
    CHECK(lost_runs(lost).size() == 1);
    Story story({.recovery = lost.string()});
    CHECK(story.play("click recovery/drop\nframes 3\nexpect_no_item recovery") == "");
    story.settle();
    CHECK(lost_runs(lost).empty());
    CHECK(fs::exists(lost / "notes.txt"));
    CHECK(story.snapshot().runs.size() == 1);
}

TEST_CASE("a lost run that another window continues is not discarded") {
    const TemporaryFolder folder;
    Session::Options o = options(false);
    o.recovery = folder / "alive";
    {
        Session session(o);
        session.send(command::MakeSteps{4});
        paused_at(session, 4);
    }
    Session first(o), second(o);  // both offer it
    REQUIRE(second.snapshot()->lost_runs.size() == 1);
    const fs::path lost = second.snapshot()->lost_runs.front().folder;
    first.send(command::OpenLostRuns{});
    CHECK(settled(first)->error == "");
    second.send(command::RemoveLostRuns{});
    CHECK(settled(second)->lost_runs.empty());
    first.send(command::MakeSteps{2});
    CHECK(paused_at(first, 6)->error == "");
    CHECK(read_run(lost).state.step == 6);
}

TEST_CASE("if recovery files cannot be written, training continues and it is reported once") {
    const TemporaryFolder folder;
    std::ofstream(folder / "file") << "x";
    Session::Options o = options(false);
    o.recovery = folder / "file" / "recovery";
    Session session(o);
    session.send(command::MakeSteps{3});
    paused_at(session, 3);
    session.send(command::MakeSteps{3});
    const auto s = wait_for(session, [](const Snapshot& now) { return now.live_step == 6; });
    CHECK(contains(s->error, "would be lost"));
    CHECK(s->error_number == 1);
}

TEST_CASE("story: a custom file is set up by its path, also in quotes; an error is shown in view") {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "Zoë's class" / "tale.txt";
    fs::create_directories(file.parent_path());
    Story story({.size = {1280, 720}, .trained = false});
    REQUIRE(story.play("key Ctrl+n\nwait setup == 1 timeout 60\nscroll setup/world/sorting -40\nframes 5") == "");
    const auto open = [&](const std::string& typed) {
        return story.play("click setup/file\nframes 2\nkey Ctrl+a\ntype \"" + typed +
                          "\"\nframes 2\nkey Enter\nframes 5");
    };
    REQUIRE(open(file.string()) == "");
    REQUIRE(story.play("wait setup/failure ~ \"Zoë\" timeout 60\nframes 5") == "");
    const Item *why = story.find("setup/failure"), *start = story.find("setup/start");
    REQUIRE((why && start));
    CHECK(contains(why->text, "tale.txt"));
    CHECK(why->max.y < start->min.y);

    std::string text;
    for (int i = 0; i < 200; ++i) text += "once upon a time there was a cat that sat on a mat. ";
    write_file_atomically(file, text);
    REQUIRE(open("'" + file.string() + "'") == "");
    CHECK(story.play("wait \"setup/title\" ~ tale timeout 60\nexpect_no_item setup/failure") == "");
    CHECK(fs::equivalent(story.state().own<SetupState>().setup.world, file));
}

TEST_CASE("story: dropping a grammar opens New run; a dropped text is used there only while New run is open") {
    const TemporaryFolder folder;
    const fs::path grammar = own_grammar(folder), text = own_text(folder);
    Story story({.size = {1280, 720}, .trained = false});
    const std::string sentence = story.session.snapshot()->sentences[0].text;
    story.app.open_dropped(text);
    story.frames(3);
    story.settle();
    CHECK_FALSE(story.find("setup"));
    CHECK(story.session.snapshot()->sentences[0].text != sentence);
    story.app.open_dropped(grammar);
    CHECK(story.until([&] { return story.state().own<SetupState>().setup.world == grammar.string(); }));
    CHECK(story.play("wait setup == 1 timeout 60\nexpect_no_item setup/failure") == "");
    story.app.open_dropped(text);
    CHECK(story.play("wait setup/title ~ story timeout 60\nexpect_no_item setup/failure") == "");
    const fs::path wrong = folder / "wrong.words";
    write_file_atomically(wrong, "nothing of the kind");
    story.app.open_dropped(wrong);
    CHECK(story.play("wait setup/failure ~ wrong.words timeout 60") == "");
}
