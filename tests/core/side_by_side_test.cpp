#include "core/experiments/side_by_side.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "core/experiments/matched_heads.h"
#include "core/trace/tracer.h"
#include "core/train/trainer.h"
#include "tests/core/error_of.h"
#include "tests/core/same_state.h"
#include "tests/core/training_models.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

struct NoWords final : Metric {
    Measurement measure(std::span<const float> parameters) override {
        return {static_cast<double>(parameters[0]), {{"first", static_cast<double>(parameters[0])}}};
    }
};

std::shared_ptr<const Task> small_task() {
    auto task = std::make_shared<Task>();
    task->name = "small";
    task->config = training_config();
    task->options = training_options();
    task->batches = small_corpus();
    task->make_metric = [](Backend&, const TransformerConfig&) { return std::make_unique<NoWords>(); };
    return task;
}

std::vector<PlannedRun> seeds(const Task& task, std::uint64_t last) {
    std::vector<PlannedRun> runs;
    for (std::uint64_t seed = 1; seed <= last; ++seed) {
        runs.push_back({task.config, task.options});
        runs.back().options.seed = seed;
    }
    return runs;
}

/// Runs the same training by itself, on two threads.
TrainingState alone(const Task& task, const PlannedRun& plan) {
    CpuBackend backend(2);
    Trainer trainer(backend, plan.config, task.batches, plan.options);
    while (trainer.steps() < plan.options.schedule.total) trainer.step();
    return trainer.state();
}

}  // namespace

TEST_CASE("trainings side by side end with the same bytes as each one alone") {
    const auto task = small_task();
    std::vector<PlannedRun> plans = seeds(*task, 5);
    plans[3].config.n_heads = 4;  // another model, another length
    plans[4].options.schedule.total = 20;
    for (const int at_once : {1, 3}) {
        SideBySide all(task, plans, at_once);
        CHECK(all.at_once() == at_once);
        all.wait();
        const std::vector<SideRun> runs = all.runs();
        for (std::size_t i = 0; i < runs.size(); ++i) {
            CHECK(runs[i].state == SideRun::State::done);
            CHECK(same_state(all.ended(i)->state, alone(*task, plans[i])));
            CHECK(runs[i].step == plans[i].options.schedule.total);
            CHECK(runs[i].log->size() == static_cast<std::size_t>(runs[i].step));
            CHECK(runs[i].measured_step == runs[i].step);
            CHECK(runs[i].found->value == static_cast<double>(runs[i].parameters->all()[0]));
            CHECK(runs[i].log->back().accuracy == static_cast<float>(runs[i].found->value));
            CHECK(runs[i].log->back().held_out_loss > 0.0f);
            CHECK(all.ended(i)->keyframes.front().step == 0);
            CHECK(all.ended(i)->keyframes.back().step == runs[i].step);
        }
        CHECK(all.seconds_left() == 0.0);
    }
}

TEST_CASE("without threads, trainings take turns and end with the same bytes") {
    const TasksWithoutThreads none;
    const auto task = small_task();
    SideBySide all(task, seeds(*task, 2));
    CHECK(all.at_once() == 1);
    while (all.under_way()) take_turns(0.0005);  // shorter than an update
    for (std::size_t i = 0; i < 2; ++i) CHECK(same_state(all.ended(i)->state, alone(*task, all.plan(i))));
}

TEST_CASE("stopped trainings keep what is done, and waiting ones never start") {
    const auto task = small_task();
    std::vector<PlannedRun> plans = seeds(*task, 3);
    for (PlannedRun& plan : plans) plan.options.schedule.total = 1'000'000;
    plans[0].options.schedule.total = 3;
    SideBySide all(task, plans, 1);
    while (all.runs()[1].step < 2) let_tasks_go_on(0.001);
    all.stop();
    all.wait();
    const std::vector<SideRun> runs = all.runs();
    CHECK(runs[0].state == SideRun::State::done);
    CHECK(runs[1].state == SideRun::State::stopped);
    CHECK(runs[2].state == SideRun::State::stopped);
    CHECK(runs[2].step == 0);
    CHECK_FALSE(runs[2].parameters);
    CHECK_FALSE(all.ended(2));
    const EndedRun& left = *all.ended(1);
    CHECK(left.state.step == runs[1].step);
    CHECK(left.log.size() == static_cast<std::size_t>(runs[1].step));
    // It can be continued.
    CpuBackend backend(1);
    Trainer trainer(backend, plans[1].config, task->batches, plans[1].options, left.state);
    CHECK(trainer.step().step == runs[1].step + 1);
}

TEST_CASE("a training whose numbers overflow ends with the reason, and the others go on") {
    const auto task = small_task();
    std::vector<PlannedRun> plans = seeds(*task, 2);
    plans[0].options.schedule.peak = 1e30f;
    plans[0].options.clip = 1e30f;
    plans[0].options.optimizer.kind = OptimizerKind::sgd;
    SideBySide all(task, plans, 1);
    all.wait();
    CHECK(all.runs()[0].state == SideRun::State::failed);
    CHECK(contains(all.runs()[0].failure, "step"));
    CHECK(all.ended(0)->state.step == all.runs()[0].step);
    CHECK(all.runs()[1].state == SideRun::State::done);
    CHECK(same_state(all.ended(1)->state, alone(*task, plans[1])));
}

TEST_CASE("an experiment without runs, with too many or with an invalid one is refused") {
    const auto task = small_task();
    CHECK(error_of([&] { SideBySide(task, {}); }) == "an experiment has 1 to 12 runs, not 0");
    CHECK(error_of([&] { SideBySide(task, seeds(*task, 13)); }) == "an experiment has 1 to 12 runs, not 13");
    std::vector<PlannedRun> plans = seeds(*task, 2);
    plans[1].config.n_heads = 3;
    CHECK(contains(error_of([&] { SideBySide(task, plans); }), "n_heads"));
}

TEST_CASE("the cheapest assignment is the best of all permutations") {
    std::mt19937 random(3);
    for (int round = 0; round < 40; ++round) {
        const int rows = 1 + round % 5, columns = rows + round % 3;
        std::vector<double> costs(static_cast<std::size_t>(rows * columns));
        for (double& cost : costs) cost = static_cast<double>(random() % 100) / 7.0;
        std::vector<int> order(static_cast<std::size_t>(columns));
        for (int c = 0; c < columns; ++c) order[static_cast<std::size_t>(c)] = c;
        const auto sum = [&](const std::vector<int>& of) {
            double all = 0.0;
            for (int r = 0; r < rows; ++r)
                all += costs[static_cast<std::size_t>(r * columns + of[static_cast<std::size_t>(r)])];
            return all;
        };
        double best = 1e9;
        do best = std::min(best, sum(order));
        while (std::ranges::next_permutation(order).found);
        std::vector<int> found = cheapest_assignment(costs, rows, columns);
        CHECK(sum(found) == doctest::Approx(best));
        std::ranges::sort(found);
        CHECK(std::ranges::adjacent_find(found) == found.end());
    }
}

TEST_CASE("heads are matched by their patterns, whatever their index") {
    TransformerConfig config = training_config();
    config.n_heads = 4;
    CpuBackend backend(1);
    const auto model = build_transformer(config, {1, 1, 0});
    Tracer tracer(backend, config);
    const auto patterns = [&](std::uint64_t seed) {
        const auto parameters = std::make_shared<const ParameterValues>(initial_parameters(*model.graph, seed));
        return head_patterns(*tracer.trace(TraceInput{.tokens = {3, 9, 4, 7, 5}}, parameters));
    };
    const HeadPatterns a = patterns(1);
    CHECK(a.heads.size() == 8);
    CHECK(a.find(1, 2) == 6);
    HeadPatterns b = patterns(1);
    std::ranges::reverse(b.heads);
    const std::vector<MatchedHead> matched = match_heads(a, b);
    for (std::size_t i = 0; i < matched.size(); ++i) {
        CHECK(matched[i].index == static_cast<int>(7 - i));
        CHECK(matched[i].distance == 0.0);
        CHECK_FALSE(matched[i].shared);
    }
    // Fewer heads in b: each has one partner of its own; the other heads of a say that they share theirs.
    b.heads.resize(3);
    int own = 0;
    for (const MatchedHead& m : match_heads(a, b)) own += m.shared ? 0 : 1;
    CHECK(own == 3);
    CHECK(match_heads(a, {}).empty());
}

TEST_CASE("the distance of two patterns is the mean share of attention that goes elsewhere") {
    const std::vector<float> a{1, 0, 0.5f, 0.5f}, b{0, 1, 0.25f, 0.75f};
    CHECK(pattern_distance(a, a, 2) == 0.0);
    CHECK(pattern_distance(a, b, 2) == doctest::Approx((1.0 + 0.25) / 2));
    CHECK(error_of([&] { pattern_distance(a, std::vector<float>{1}, 1); }) ==
          "patterns of 4 and 1 weights cannot be compared");
}

TEST_CASE("a head whose pattern is NaN has the largest distance to all others, and matching still ends") {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const HeadPatterns whole{1, 2, {{0, 0, {0.25f, 0.75f}}, {0, 1, {1.0f, 0.0f}}}},
        broken{1, 2, {{0, 0, {nan, nan}}, {0, 1, {nan, nan}}}};
    CHECK(pattern_distance(broken.heads[0].weights, whole.heads[0].weights, 1) == 1.0);
    for (const auto& [one, other] : {std::pair{&whole, &broken}, {&broken, &whole}, {&broken, &broken}}) {
        const std::vector<MatchedHead> matched = match_heads(*one, *other);
        REQUIRE(matched.size() == 2);
        CHECK(matched[0].index != matched[1].index);
        CHECK(matched[0].distance == 1.0);
    }
    CHECK(contains(error_of([] { cheapest_assignment(std::vector<double>(1, std::nan("")), 1, 1); }), "finite"));
}
