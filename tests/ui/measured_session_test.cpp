#include <algorithm>

#include "app/session/training_curve.h"
#include "core/analysis/altered_backend.h"
#include "core/analysis/neurons.h"
#include "core/io/checkpoint.h"
#include "core/tasks/sense_probe.h"
#include "core/tasks/tasks.h"
#include "tests/ui/plain_session.h"

// Whether a measured number is of the model as it is, or of the model with its changes.
using namespace glassformer;
using namespace glassformer::app;

namespace {

const std::string assets = GLASSFORMER_SOURCE_DIR "/assets";

Checkpoint shipped(const std::string& model) { return load_checkpoint(assets + "/models/" + model); }

/// The probe of a model that is built with other options, without a what-if.
std::vector<float> probed(const TransformerConfig& config, const Parameters& parameters) {
    CpuBackend backend{1};
    WorldTraining training(World::load(assets + "/worlds/homonyms.grammar"));
    training.config = config;
    return SenseProbe(backend, training).measure(*parameters).accuracy;
}

/// Trains to step 600 at the given speed.
std::shared_ptr<const Snapshot> trained(double steps_per_second) {
    Session session(options(false));
    session.send(command::LimitSpeed{steps_per_second});
    session.send(command::TrainUntil{{.step = 600}});
    return paused_at(session, 600);
}

}  // namespace

TEST_CASE("the sense accuracy of an altered model is measured, and the original's is shown beside it") {
    Session session(options());
    const auto before = session.snapshot();
    CHECK(before->of_shown(before->measured->of));
    CHECK_FALSE(before->unaltered);
    const Checkpoint model = shipped("homonyms");
    for (const WhatIf& change :
         {WhatIf{what_if::ResidualOff{}}, WhatIf{what_if::PositionsOff{}}, WhatIf{what_if::NormOff{}}}) {
        CAPTURE(describe(change));
        session.send(command::SetWhatIf{{change}});
        const auto s = settled(session);
        const AlteredModel altered = alter(model.config, model.parameters, std::vector{change});
        CHECK(s->probe->accuracy == probed(altered.config, altered.parameters));
        CHECK(s->measured->found.value == static_cast<double>(s->probe->accuracy.back()));
        CHECK(s->of_shown(s->measured->of));
        CHECK(s->of_shown(s->meaning->of));
        REQUIRE(s->unaltered);
        CHECK(s->unaltered->found.value == before->measured->found.value);
        CHECK(s->meaning->layers[1].points != before->meaning->layers[1].points);
    }
    session.send(command::SetWhatIf{{}});
    const auto after = settled(session);
    CHECK(after->probe->accuracy == before->probe->accuracy);
    CHECK(after->meaning->layers[1].points == before->meaning->layers[1].points);
    CHECK_FALSE(after->unaltered);
}

TEST_CASE("attention that is off is also off when measuring; a row painted in one sentence changes nothing") {
    Session session(options());
    const auto before = session.snapshot();
    const std::vector<WhatIf> off{what_if::AttentionOff{0}, what_if::AttentionOff{1}};
    session.send(command::SetWhatIf{off});
    auto s = settled(session);
    // Without attention no word sees the others: what remains is chance and what the position gives away.
    CHECK(s->measured->found.value < 0.75);
    CHECK(s->unaltered->found.value > 0.95);
    CHECK(s->probe->accuracy.front() == before->probe->accuracy.front());  // the embedding precedes all attention
    session.send(command::SetWhatIf{{what_if::AttentionRow{0, 0, 0, 0, std::vector<float>(9, 1.0f / 9)}}});
    s = settled(session);
    REQUIRE(s->what_if.size() == 1);
    CHECK(s->measured->found.value == before->measured->found.value);
    CHECK(s->of_shown(s->measured->of));
    CHECK_FALSE(s->unaltered);
}

TEST_CASE("each world's metric is measured on the altered model") {
    for (const char* world : {"induction", "order", "coreference", "translation", "regression", "next_word"}) {
        CAPTURE(world);
        Session::Options o;
        o.checkpoint = assets + "/models/" + world;
        o.assets = assets;
        Session session(o);
        const Measurement before = session.snapshot()->measured->found;
        const std::vector<WhatIf> off{what_if::AttentionOff{0}, what_if::ScaleOff{}};
        session.send(command::SetWhatIf{off});
        const auto s = settled(session);
        REQUIRE(s->error == "");
        const Checkpoint model = shipped(world);
        CpuBackend backend{1};
        AlteredBackend altered(backend, model.config, off);
        const auto truth = make_task(world, assets + "/worlds")
                               ->metric(altered, altered.config())
                               ->measure(*altered.parameters(model.parameters));
        CHECK(s->measured->found.value == truth.value);
        CHECK(s->measured->found.details == truth.details);
        CHECK((truth.value != before.value || truth.details != before.details));
        CHECK(s->unaltered->found.value == before.value);
    }
}

TEST_CASE("the words that excite a neuron are found with the altered model") {
    Session session(options());
    session.send(command::ShowNeurons{1});
    const auto before = settled(session)->neurons;
    const std::vector<WhatIf> off{what_if::AttentionOff{0}, what_if::ResidualOff{}};
    session.send(command::SetWhatIf{off});
    const auto now = settled(session)->neurons;
    const Checkpoint model = shipped("homonyms");
    CpuBackend backend{1};
    AlteredBackend altered(backend, model.config, off);
    const auto task = make_task("homonyms", assets + "/worlds");
    const NeuronExamples truth =
        NeuronCorpus(altered, altered.config(), *task->batches, 1).study(*altered.parameters(model.parameters));
    REQUIRE(now->top.size() == truth.top.size());
    const auto same = [](const TopActivation& a, const TopActivation& b) {
        return a.sentence == b.sentence && a.position == b.position && a.activation == b.activation;
    };
    CHECK(std::ranges::equal(now->top, truth.top, same));
    CHECK_FALSE(std::ranges::equal(now->top, before->top, same));
}

TEST_CASE("events of a training happen at the same steps, at any speed") {
    const auto fast = trained(0), slow = trained(120);
    const auto events = [](const Snapshot& s) {
        std::vector<std::pair<std::int64_t, std::string>> found;
        for (const TrainingEvent& event : *s.current_run()->events) found.emplace_back(event.step, event.text);
        return found;
    };
    const auto measured_at = [](const Snapshot& s) {
        std::vector<std::pair<std::int64_t, float>> found;
        for (const MetricPoint& p : *s.history)
            if (p.accuracy >= 0.0f) found.emplace_back(p.step, p.accuracy);
        return found;
    };
    CHECK(events(*fast) == events(*slow));
    CHECK(measured_at(*fast) == measured_at(*slow));
    CHECK(measured_at(*fast).size() == 12);  // every 50 steps
    CHECK_FALSE(events(*fast).empty());
}

TEST_CASE("training until the current step makes no further step") {
    Session session(options(false));
    for (int times = 0; times < 2; ++times) {
        session.send(command::TrainUntil{{.step = 5}});
        wait_for(session, [](const Snapshot& s) { return s.live_step >= 5 && s.state == RunState::paused; });
        CHECK(settled(session)->live_step == 5);
    }
}

TEST_CASE("training until a metric is reached does not stop at the metric of an older step that was looked at") {
    Session session(options());
    settled(session);
    session.send(command::SetLearningRate{0.5f});  // breaks the trained model
    session.send(command::MakeSteps{5});
    std::shared_ptr<const Snapshot> now =
        wait_for(session, [](const Snapshot& s) { return s.live_step == 1205 && s.state == RunState::paused; });
    now = settled(session);
    REQUIRE(now->measured->found.value < 0.9);
    session.send(command::LookAt{1200});
    now = settled(session);
    REQUIRE(now->measured->found.value > 0.9);
    session.send(command::TrainUntil{{.metric = 0.9}});
    now = wait_for(session, [](const Snapshot& s) {
        return s.live_step >= 1270 || (s.live_step > 1205 && s.state == RunState::paused);
    });
    CHECK((now->live_step >= 1270 || now->measured->found.value >= 0.9));
}

TEST_CASE("a branch knows how the untrained model did: its first level is an event in the branch, too") {
    const TrainingEvents nothing("accuracy", true, 0.9);
    TrainingCurve parent(nothing);
    parent.measured(0, 0.1, 1.0f, {});
    const auto train_to = [](TrainingCurve& curve, std::int64_t step, double metric) {
        StepReport report;
        report.step = step;
        report.loss = 1.0f;
        curve.add(report, 1.0);
        curve.measured(step, metric, 1.0f, {});
        curve.close_points();
    };
    train_to(parent, 50, 0.95);
    REQUIRE(!parent.events().empty());
    TrainingCurve branch(nothing);
    branch.begin_as(parent, 0);
    train_to(branch, 50, 0.95);
    CHECK(branch.events() == parent.events());
}

TEST_CASE("a thinned curve keeps what was measured and the branch still knows when a head formed") {
    const TrainingEvents nothing("accuracy", true, 0.9);
    TrainingCurve curve(nothing);
    constexpr std::int64_t steps = 16500;  // thins the older half of its points
    for (std::int64_t step = 1; step <= steps; ++step) {
        curve.close_points();
        StepReport report;
        report.step = step;
        report.loss = 1.0f;
        curve.add(report, 1.0);
        if (step % steps_between_measurements != 0) continue;
        const float score = step < 1000 ? 0.1f : 0.9f;
        curve.measured(step, step < 2000 ? 0.1 : 0.95, 1.0f, {{.block = 0, .head = 1, .previous_word = score}});
    }
    curve.close_points();
    REQUIRE(std::ssize(curve.points()) < steps);
    std::int64_t measured = 0;
    for (const MetricPoint& p : curve.points()) {
        if (p.accuracy < 0.0f) continue;
        ++measured;
        CHECK(p.step % steps_between_measurements == 0);
        CHECK(curve.heads_at(p.step).size() == 1);
    }
    CHECK(measured == steps / steps_between_measurements);
    const std::vector<TrainingEvent> events = curve.events();
    REQUIRE(std::ranges::any_of(events,
                                [](const TrainingEvent& e) { return e.kind == EventKind::head && e.step == 1000; }));
    TrainingCurve branch(nothing);
    branch.begin_as(curve, steps);
    for (const EventKind kind : {EventKind::head, EventKind::metric}) {
        std::vector<TrainingEvent> before, after;
        const auto is_kind = [&](const TrainingEvent& e) { return e.kind == kind; };
        std::ranges::copy_if(events, std::back_inserter(before), is_kind);
        std::ranges::copy_if(branch.events(), std::back_inserter(after), is_kind);
        CHECK(before == after);
    }
    // Heads of a kept step without a point of its own count as well: here, of a curve opened without its heads.
    TrainingCurve opened(nothing);
    std::vector<MetricPoint> log(curve.points());
    std::erase_if(log, [](const MetricPoint& p) { return p.step > 60 && p.step < 4000; });
    opened.begin(log, {}, steps);
    const std::vector<std::int64_t> kept{0, 64, 960, 1024, 1088, 1152};
    for (const std::int64_t step : kept)
        opened.heads_measured(step, {{.block = 0, .head = 1, .previous_word = step < 1000 ? 0.1f : 0.9f}}, kept);
    CHECK(std::ranges::any_of(opened.events(),
                              [](const TrainingEvent& e) { return e.kind == EventKind::head && e.step == 1024; }));
}

TEST_CASE("an altered model is measured again as it trains") {
    Session session(options(false));
    const std::vector<WhatIf> off{what_if::HeadOff{0, 0}};
    session.send(command::SetWhatIf{off});
    session.send(command::TrainUntil{{.step = 100}});
    paused_at(session, 100);
    const auto s = settled(session);
    CHECK(s->measured->of.step == 100);
    CHECK(s->measured->of.changes == off);
    CHECK(s->unaltered->of.step == 100);
    CHECK(s->unaltered->of.changes.empty());
    // The run's own curve is of the model that is trained.
    CHECK(static_cast<double>(s->history->back().accuracy) == doctest::Approx(s->unaltered->found.value));
}
