#include "app/session/session.h"

#include <doctest/doctest.h>

#include <chrono>
#include <cstring>
#include <functional>
#include <thread>

#include "app/cli/startup.h"
#include "core/base/error.h"
#include "core/io/checkpoint.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

Session::Options options(bool trained = true) {
    Session::Options o;
    o.world = GLASSFORMER_SOURCE_DIR "/assets/worlds/homonyms.grammar";
    if (trained) o.checkpoint = GLASSFORMER_SOURCE_DIR "/assets/models/homonyms";
    o.sentences = {first_sentence, second_sentence};
    return o;
}

std::shared_ptr<const Snapshot> settled(Session& session) {
    while (!session.settled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return session.snapshot();
}

std::shared_ptr<const Snapshot> wait_for(Session& session, const std::function<bool(const Snapshot&)>& ready) {
    for (int i = 0; i < 600000; ++i) {
        const auto snapshot = session.snapshot();
        if (ready(*snapshot)) return snapshot;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    FAIL("the session did not get there within ten minutes");
    return session.snapshot();
}

}  // namespace

TEST_CASE("a session starts with both sentences traced by the shipped model") {
    Session session(options());
    const auto s = session.snapshot();
    CHECK(s->sentences[0].trace);
    CHECK(s->sentences[1].trace);
    CHECK(s->sentences[0].sense >= 0);
    CHECK(s->model->senses[static_cast<std::size_t>(s->sentences[1].sense)].name == "animal");
    CHECK(s->probe->accuracy.back() >= 0.95f);
    CHECK(s->meaning->homonym == "bat");
    CHECK(s->model->samples.size() >= 24);
    CHECK(s->kept_steps.size() >= 5);
    CHECK(s->live);
    // The words that are predicted for a masked place are probabilities.
    const auto v = static_cast<std::size_t>(s->model->config.d_vocab);
    double sum = 0.0;
    for (std::size_t i = 0; i < v; ++i) sum += static_cast<double>(s->sentences[0].masked_probabilities[3 * v + i]);
    CHECK(sum == doctest::Approx(1.0).epsilon(1e-5));
}

TEST_CASE("sentences that cannot be read say why; the other one stays") {
    Session session(options());
    session.send(command::Watch{0, ""});
    CHECK(settled(session)->sentences[0].error.find("no word") != std::string::npos);
    std::string endless;
    for (int i = 0; i < 1000; ++i) endless += "bat ";
    session.send(command::Watch{0, endless});
    CHECK(settled(session)->sentences[0].error.find("1000 tokens; this model reads at most") != std::string::npos);
    session.send(command::Watch{0,
                                "the b\xff"
                                "at"});
    CHECK(settled(session)->sentences[0].error.find("UTF-8") != std::string::npos);
    CHECK_FALSE(session.snapshot()->sentences[0].trace);
    CHECK(session.snapshot()->sentences[1].trace);
    session.send(command::Watch{0, "The flumph swung the bat."});
    const auto s = settled(session);
    CHECK(s->sentences[0].trace);
    CHECK(s->sentences[0].tokens[1].id == WordTokenizer::unknown);
    CHECK(s->sentences[0].nearest_known[1].size() == 3);
}

TEST_CASE("training moves every part of the snapshot, pauses, and looks back exactly") {
    Session session(options(false));
    const auto fresh = session.snapshot();
    CHECK(fresh->step == 0);
    const std::vector<float> first(fresh->sentences[0].trace->values("blocks.1.attn.hook_pattern").begin(),
                                   fresh->sentences[0].trace->values("blocks.1.attn.hook_pattern").end());
    session.send(command::Train{});
    const auto moving = wait_for(session, [](const Snapshot& s) { return s.step >= 5; });
    CHECK(moving->state == RunState::training);
    CHECK(moving->history->size() == static_cast<std::size_t>(moving->live_step));
    session.send(command::Pause{});
    const auto paused = settled(session);
    CHECK(paused->state == RunState::paused);
    CHECK(paused->step == paused->live_step);
    session.send(command::LookAt{0});
    const auto back = settled(session);
    CHECK_FALSE(back->live);
    CHECK(back->step == 0);
    const std::span<const float> again = back->sentences[0].trace->values("blocks.1.attn.hook_pattern");
    CHECK(std::memcmp(first.data(), again.data(), again.size_bytes()) == 0);
    session.send(command::FollowLive{});
    CHECK(settled(session)->step == paused->live_step);
    session.send(command::Reset{});
    const auto reset = settled(session);
    CHECK(reset->live_step == 0);
    CHECK(reset->history->empty());
}

TEST_CASE("a session can be closed while it trains") {
    Session session(options(false));
    session.send(command::Train{});
    wait_for(session, [](const Snapshot& s) { return s.step > 0; });
}

TEST_CASE("wrong settings become a message and change nothing") {
    Session session(options());
    session.send(command::SetLearningRate{-1.0f});
    const auto s = settled(session);
    CHECK(s->error.find("learning rate") != std::string::npos);
    CHECK(s->learning_rate > 0.0f);
    session.send(command::SetBatch{0});
    CHECK(settled(session)->error_number == s->error_number + 1);
    session.send(command::Save{"/no/such/folder/model"});
    CHECK(settled(session)->error.find("/no/such/folder") != std::string::npos);
}

TEST_CASE("a saved model opens again") {
    TemporaryFolder folder;
    Session session(options());
    session.send(command::Save{(folder.path() / "model").string()});
    CHECK(settled(session)->error == "");
    Session::Options again = options();
    again.checkpoint = folder.path() / "model";
    Session second(again);
    CHECK(second.snapshot()->step == session.snapshot()->step);
}

TEST_CASE("a checkpoint that the window cannot show is refused with the reason") {
    const TemporaryFolder folder;
    const auto refusal = [&](const std::function<void(Checkpoint&)>& change) -> std::string {
        Checkpoint model = load_checkpoint(GLASSFORMER_SOURCE_DIR "/assets/models/homonyms");
        change(model);
        save_checkpoint(folder.path() / "model", model);
        Session::Options o = options(false);
        o.checkpoint = folder.path() / "model";
        try {
            const Session session(o);
        } catch (const Error& e) {
            return e.what();
        }
        return "";
    };
    CHECK(refusal([](Checkpoint& m) { m.config.activation = Activation::relu; }).find("built otherwise") !=
          std::string::npos);
    CHECK(refusal([](Checkpoint& m) { m.tokenizer = nullptr; }).find("this window shows models of words") !=
          std::string::npos);
    CHECK(refusal([](Checkpoint& m) { m.config.init_std = 0.01f; }).empty());
}

TEST_CASE("a missing checkpoint or world is an error that names it") {
    Session::Options o = options();
    o.checkpoint = "/no/such/model";
    CHECK_THROWS_WITH_AS(Session{o}, doctest::Contains("/no/such/model"), Error);
    o = options();
    o.world = "/no/such.grammar";
    CHECK_THROWS_WITH_AS(Session{o}, doctest::Contains("/no/such.grammar"), Error);
}
