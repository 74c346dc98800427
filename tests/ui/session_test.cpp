#include "app/session/session.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <optional>
#include <thread>

#include "app/session/startup.h"
#include "core/base/error.h"
#include "core/io/checkpoint.h"
#include "tests/contains.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/plain_session.h"

using namespace glassformer;
using namespace glassformer::app;

TEST_CASE("a session starts with both sentences traced by the shipped model") {
    Session session(options());
    const auto s = session.snapshot();
    CHECK(s->sentences[0].trace);
    CHECK(s->sentences[1].trace);
    CHECK(s->sentences[0].sense >= 0);
    CHECK(s->model->senses[s->sentences[1].sense].name == "animal");
    CHECK(s->probe->accuracy.back() >= 0.95f);
    CHECK(s->meaning->homonym == "bat");
    CHECK(s->model->samples.size() >= 24);
    CHECK(s->kept_steps.size() >= 5);
    CHECK(s->live);
    // The predictions at a masked place are probabilities.
    const std::size_t v = s->model->config.d_vocab;
    double sum = 0.0;
    for (std::size_t i = 0; i < v; ++i) sum += static_cast<double>(s->sentences[0].masked_probabilities[3 * v + i]);
    CHECK(sum == doctest::Approx(1.0).epsilon(1e-5));
}

TEST_CASE("unreadable sentences are reported with the reason; the other sentence stays") {
    Session session(options());
    session.send(command::Watch{0, ""});
    CHECK(contains(settled(session)->sentences[0].error, "no word"));
    std::string endless;
    for (int i = 0; i < 1000; ++i) endless += "bat ";
    session.send(command::Watch{0, endless});
    CHECK(contains(settled(session)->sentences[0].error, "1000 tokens; this model reads at most"));
    session.send(command::Watch{0,
                                "the b\xff"
                                "at"});
    CHECK(contains(settled(session)->sentences[0].error, "UTF-8"));
    CHECK_FALSE(session.snapshot()->sentences[0].trace);
    CHECK(session.snapshot()->sentences[1].trace);
    session.send(command::Watch{0, "The flumph swung the bat."});
    const auto s = settled(session);
    CHECK(s->sentences[0].trace);
    CHECK(s->sentences[0].tokens[1].id == WordTokenizer::unknown);
    CHECK(s->sentences[0].nearest_known[1].size() == 3);
}

TEST_CASE("training changes every part of the snapshot, pauses, and looking back is exact") {
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

TEST_CASE("measurements of a kept step are reused on the way back, and belong to that step") {
    Session session(options()), fresh(options());
    const std::vector<std::int64_t> kept = session.snapshot()->kept_steps;
    REQUIRE(kept.size() >= 4);
    const auto at = [](Session& of, std::int64_t step) {
        of.send(command::LookAt{step});
        return settled(of);
    };
    const auto first = at(session, kept[1]), other = at(session, kept[3]), again = at(session, kept[1]);
    CHECK(again->probe == first->probe);
    CHECK(again->measured == first->measured);
    CHECK(again->meaning == first->meaning);
    CHECK(again->measured->of.step == kept[1]);
    CHECK(other->measured->of.step == kept[3]);
    CHECK(other->probe->accuracy != first->probe->accuracy);
    CHECK(at(fresh, kept[3])->probe->accuracy == other->probe->accuracy);
    // The map of another word is computed anew, for the step on screen.
    session.send(command::ShowMeaning{"bank"});
    CHECK(settled(session)->meaning->homonym == "bank");
    const auto bank = at(session, kept[3]);
    CHECK(bank->meaning->homonym == "bank");
    CHECK(bank->meaning->of.step == kept[3]);
    CHECK(bank->probe == other->probe);
}

TEST_CASE("a session can be closed while it trains") {
    Session session(options(false));
    session.send(command::Train{});
    wait_for(session, [](const Snapshot& s) { return s.step > 0; });
}

TEST_CASE("invalid settings are reported and change nothing") {
    Session session(options());
    session.send(command::SetLearningRate{-1.0f});
    const auto s = settled(session);
    CHECK(contains(s->error, "learning rate"));
    CHECK(s->learning_rate > 0.0f);
    session.send(command::SetBatch{0});
    CHECK(settled(session)->error_number == s->error_number + 1);
    session.send(command::Save{"/no/such/folder/model"});
    CHECK(contains(settled(session)->error, "/no/such/folder"));
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

TEST_CASE("a model with another architecture can be trained, one with another vocabulary can only be viewed") {
    const TemporaryFolder folder;
    const auto opened = [&](const std::function<void(Checkpoint&)>& change) {
        Checkpoint model = load_checkpoint(GLASSFORMER_SOURCE_DIR "/assets/models/homonyms");
        change(model);
        save_checkpoint(folder.path() / "model", model);
        Session::Options o = options(false);
        o.checkpoint = folder.path() / "model";
        const Session session(o);
        return session.snapshot();
    };
    const auto relu = opened([](Checkpoint& m) { m.config.activation = Activation::relu; });
    CHECK(relu->model->trainable());
    CHECK(relu->probe);
    CHECK(opened([](Checkpoint& m) { m.tokenizer = nullptr; })->sentences[0].trace);
    CHECK(opened([](Checkpoint& m) { m.config.init_std = 0.01f; })->model->trainable());
    const auto others = opened([](Checkpoint& m) {
        std::vector<std::string> words;
        for (int id = 3; id < m.tokenizer->size(); ++id) words.push_back("w" + std::to_string(id));
        m.tokenizer = std::make_shared<WordTokenizer>(words);
    });
    CHECK_FALSE(others->model->trainable());
    CHECK(contains(others->model->why_not_trained, "inputs and outputs of its world"));
    CHECK_FALSE(others->probe);
    CHECK(others->sentences[0].trace);
}

TEST_CASE("a model without a world can be viewed; training is refused with the reason") {
    const TemporaryFolder folder;
    Checkpoint model = load_checkpoint(GLASSFORMER_SOURCE_DIR "/assets/models/homonyms");
    model.world.clear();
    save_checkpoint(folder.path() / "model", model);
    Session::Options o;
    o.checkpoint = folder.path() / "model";
    Session session(o);
    CHECK_FALSE(session.snapshot()->model->trainable());
    CHECK(session.snapshot()->sentences[0].trace);
    session.send(command::Train{});
    const auto s = settled(session);
    CHECK(contains(s->error, "names no world"));
    CHECK(s->state == RunState::paused);
    session.send(command::Save{(folder.path() / "again").string()});
    CHECK(settled(session)->error_number == s->error_number);
    CHECK(*load_checkpoint(folder.path() / "again").parameters == *model.parameters);
}

TEST_CASE("another model is opened while the session runs; the previous snapshot stays intact") {
    Session::Options o = options();
    o.assets = GLASSFORMER_SOURCE_DIR "/assets";
    Session session(o);
    const auto before = session.snapshot();
    CHECK(before->catalog->models.size() >= 1);
    CHECK(before->catalog->worlds.size() >= 8);
    const float weight = before->sentences[0].trace->values("blocks.0.attn.hook_pattern")[0];
    session.send(command::OpenWorld{"induction"});
    const auto induction = settled(session);
    CHECK(induction->error.empty());
    CHECK(induction->model->world == "induction");
    CHECK(induction->step == 0);
    CHECK_FALSE(induction->probe);
    CHECK_FALSE(induction->meaning);
    REQUIRE(induction->measured);
    CHECK(induction->measured->found.details.front().first == "induction-head score");
    CHECK(induction->sentences[1].trace);
    CHECK(before->sentences[0].trace->values("blocks.0.attn.hook_pattern")[0] == weight);
    CHECK(before->sentences[0].trace->explain({before->sentences[0].trace->model().logits, 0}).terms.size() > 1);
    session.send(command::OpenWorld{"inducion"});
    const auto wrong = settled(session);
    CHECK(contains(wrong->error, "induction"));
    CHECK(wrong->model == induction->model);
    session.send(command::OpenModel{before->catalog->models.front().folder});
    CHECK(settled(session)->model->folder == before->catalog->models.front().folder);
}

TEST_CASE("a translation is generated by the model, or is the one that was typed") {
    Session::Options o;
    o.world = "translation";
    o.assets = GLASSFORMER_SOURCE_DIR "/assets";
    Session session(o);
    const auto s = session.snapshot();
    const WatchedSentence& own = s->sentences[0];
    REQUIRE(own.trace);
    CHECK(own.source.size() == own.trace->source_tokens().size());
    const std::size_t words = s->model->config.d_vocab;
    for (std::size_t p = 0; p + 1 < own.tokens.size(); ++p) {
        const auto logits = own.trace->values(own.trace->model().logits).subspan(p * words, words);
        CHECK(std::ranges::max_element(logits) - logits.begin() == own.tokens[p + 1].id);
    }
    session.send(command::Watch{0, own.text + " → le chat"});
    const auto given = settled(session);
    CHECK(given->sentences[0].target_given);
    CHECK(given->sentences[0].tokens.size() == 3);
    CHECK(given->sentences[0].trace);
}

TEST_CASE("a prompt of numbers is a numbered sample or is typed") {
    Session::Options o;
    o.world = "regression";
    o.assets = GLASSFORMER_SOURCE_DIR "/assets";
    Session session(o);
    const auto s = session.snapshot();
    const std::size_t width = s->model->config.d_input;
    CHECK(s->sentences[0].text == "sample 1");
    CHECK(s->sentences[0].tokens[0].text == "x₁");
    CHECK(s->sentences[0].tokens[1].text == "y₁");
    CHECK(s->sentences[0].values.size() == s->sentences[0].tokens.size() * width);
    // y₁ is the answer wanted at x₁; at y₁ nothing is asked.
    CHECK(s->sentences[0].true_values[0] == s->sentences[0].values[2 * width - 1]);
    CHECK(std::isnan(s->sentences[0].true_values[1]));
    CHECK_FALSE(s->model->metric_is_share);
    session.send(command::Watch{0, "sample 0"});
    CHECK(contains(settled(session)->sentences[0].error, "samples go from 1"));
    session.send(command::Watch{0, "0.5 1 0; 0 0 2"});
    CHECK(settled(session)->sentences[0].trace->positions() == 2);
    session.send(command::Watch{0, "0.5 1"});
    CHECK(contains(settled(session)->sentences[0].error, "rows of 3 numbers"));
}

TEST_CASE("a missing checkpoint or world is reported by name") {
    Session::Options o = options();
    o.checkpoint = "/no/such/model";
    CHECK_THROWS_WITH_AS(Session{o}, doctest::Contains("/no/such/model"), Error);
    o = options();
    o.world = "/no/such.grammar";
    CHECK_THROWS_WITH_AS(Session{o}, doctest::Contains("/no/such.grammar"), Error);
}

TEST_CASE("a failed command is reported, and the training continues") {
    Session session(options(false));
    session.send(command::Train{});
    wait_for(session, [](const Snapshot& s) { return s.live_step > 5; });
    session.send(command::Propose{"/no/such/story.txt", std::nullopt});
    session.send(command::SetBatch{0});
    const auto s = wait_for(session, [](const Snapshot& n) { return n.error_number == 2; });
    CHECK(s->state == RunState::training);
    const std::int64_t step = s->live_step;
    CHECK(wait_for(session, [&](const Snapshot& n) { return n.live_step > step + 5; })->state == RunState::training);
}

TEST_CASE("when a text is memorized, the gap between the losses becomes an event") {
    const TemporaryFolder folder;
    // Random words: there is nothing to learn but the text itself.
    std::ofstream text(folder / "noise.txt");
    std::uint64_t random = 7;
    for (int i = 0; i < 700; ++i) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        text << "w" << (random >> 33) % 25 << (i % 10 == 9 ? ".\n" : " ");
    }
    text.close();
    Session::Options o;
    o.world = (folder / "noise.txt").string();
    Session session(std::move(o));
    const auto overfitting = [](const Snapshot& s) -> const TrainingEvent* {
        const auto& events = *s.current_run()->events;
        const auto found = std::ranges::find(events, EventKind::overfitting, &TrainingEvent::kind);
        return found == events.end() ? nullptr : &*found;
    };
    // One block and smaller batches memorise it too, in a quarter of the time, which matters under sanitizers.
    TrainingSetup setup = settled(session)->current_run()->setup;
    setup.config.n_layers = 1;
    setup.options.batch = 32;
    setup.options.schedule.peak = 0.01f;
    session.send(command::NewRun{setup, "by heart"});
    std::shared_ptr<const Snapshot> s = settled(session);
    for (std::int64_t step = 50; step <= 1600 && !overfitting(*s); step += 50) {
        session.send(command::MakeSteps{50});
        s = paused_at(session, step);
    }
    REQUIRE(overfitting(*s) != nullptr);
    CHECK(contains(overfitting(*s)->text, "the model is starting to overfit"));
    float best = 1e9f;
    for (const MetricPoint& p : *s->history)
        if (p.held_out_loss >= 0.0f) best = std::min(best, p.held_out_loss);
    CHECK(s->running.held_out_loss > best);
    CHECK(s->history->back().loss < best);
    // The readout and the world's metric are the same number.
    CHECK(s->running.held_out_loss == static_cast<float>(s->measured->found.value));
}

TEST_CASE("a fresh model that does not fit in memory is refused with its size, and opening can be given up") {
    Session::Options o = options();
    o.assets = GLASSFORMER_SOURCE_DIR "/assets";
    Session session(std::move(o));
    const std::shared_ptr<const ModelInfo> before = session.snapshot()->model;
    const auto open = [&](const char* layers, const char* width) {
        session.send(command::OpenWorld{"homonyms", {{"n_layers", layers}, {"d_model", width}, {"d_mlp", width}}});
    };
    open("1024", "16384");  // 33 TB
    CHECK(contains(settled(session)->error, "GB in training"));
    CHECK(session.snapshot()->model == before);
    const std::uint64_t errors = session.snapshot()->error_number;
    // Given up while its parameters are drawn or while it is first traced: in any case the previous model stays.
    std::uint64_t given_up = 0;
    for (const int milliseconds : {0, 100, 300, 600}) {
        open("1", "4096");
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
        session.send(command::GiveUpOpening{});
        CHECK(settled(session)->given_up == ++given_up);
        CHECK(session.snapshot()->model == before);
        CHECK(session.snapshot()->error_number == errors);
    }
    session.send(command::OpenWorld{"homonyms"});  // the next model is created
    CHECK(settled(session)->model != before);
}
