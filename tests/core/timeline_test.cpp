#include "core/train/timeline.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/base/error.h"
#include "core/platform/process.h"
#include "tests/core/error_of.h"
#include "tests/core/temporary_folder.h"
#include "tests/core/training_models.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

constexpr std::size_t values = 100;

Parameters of_step(std::int64_t step, float added = 0.0f) {
    return std::make_shared<const ParameterValues>(values, static_cast<float>(step) + added);
}

/// Returns a state of 1,200 bytes: parameters and both moments.
Timeline::Keyframe state_of(std::int64_t step) {
    return {step, of_step(step), {OptimizerKind::adam, step, of_step(step, 0.25f), of_step(step, 0.5f)}, 9};
}
constexpr std::size_t state_bytes = 3 * values * sizeof(float);

void keep_wanted(Timeline& timeline, std::int64_t from, std::int64_t to) {
    for (std::int64_t step = from; step <= to; ++step)
        if (timeline.wants(step)) timeline.keep(state_of(step));
}

void check_state(const Timeline::Keyframe& k, std::int64_t step) {
    CHECK(k.step == step);
    CHECK(k.exact());
    CHECK(k.seed == 9);
    CHECK(k.optimizer.kind == OptimizerKind::adam);
    CHECK(k.optimizer.updates == step);
    REQUIRE(k.parameters);
    REQUIRE(k.optimizer.m);
    REQUIRE(k.optimizer.v);
    CHECK(*k.parameters == *of_step(step));
    CHECK(*k.optimizer.m == *of_step(step, 0.25f));
    CHECK(*k.optimizer.v == *of_step(step, 0.5f));
}

const std::vector<std::int64_t> logarithmic{0, 1, 2, 4, 8, 16, 32, 64};

bool starts_logarithmically(const std::vector<std::int64_t>& steps) {
    return steps.size() >= logarithmic.size() && std::equal(logarithmic.begin(), logarithmic.end(), steps.begin());
}

}  // namespace

TEST_CASE("a timeline stays within its memory, thins the oldest steps first and covers the whole run") {
    Timeline timeline({.memory_bytes = 40 * state_bytes});
    keep_wanted(timeline, 0, 40 * 32);
    // 8 logarithmic steps and 38 even ones make 46; six are dropped, every second one of the oldest.
    CHECK(timeline.size() == 40);
    const std::vector<std::int64_t> early = timeline.steps();
    CHECK(starts_logarithmically(early));
    for (const std::int64_t step : {96, 160, 224, 288, 352}) CHECK_FALSE(std::ranges::count(early, step));
    for (const std::int64_t step : {128, 192, 256, 320, 1184, 1216, 1248, 1280}) CHECK(std::ranges::count(early, step));

    std::size_t most = 0;
    for (std::int64_t step = 40 * 32 + 1; step <= 200'000; ++step) {
        if (timeline.wants(step)) timeline.keep(state_of(step));
        most = std::max(most, timeline.memory_bytes());
    }
    CHECK(most <= 40 * state_bytes);
    const std::vector<std::int64_t> steps = timeline.steps();
    CHECK(steps.size() >= 38);
    CHECK(starts_logarithmically(steps));
    // No gap is wider than four times the average.
    const std::int64_t even = static_cast<std::int64_t>(steps.size() - logarithmic.size());
    for (std::size_t i = logarithmic.size(); i < steps.size(); ++i)
        CHECK(steps[i] - steps[i - 1] <= 4 * 200'000 / even);
    CHECK(timeline.memory_bytes() == steps.size() * state_bytes);
    check_state(timeline.nearest(steps[20]), steps[20]);
}

TEST_CASE("a state larger than the whole memory is kept while it is the newest") {
    Timeline timeline({.memory_bytes = 10});
    for (const std::int64_t step : {0, 1, 2}) timeline.keep(state_of(step));
    CHECK(timeline.steps() == std::vector<std::int64_t>{2});
    check_state(timeline.nearest(0), 2);
}

TEST_CASE("states that do not fit in memory are spilled to disk and read back whole") {
    const TemporaryFolder folder;
    {
        Timeline timeline({.memory_bytes = 12 * state_bytes, .spill = folder / "spill"});
        keep_wanted(timeline, 0, 6400);
        const std::vector<std::int64_t> steps = timeline.steps();
        CHECK(steps.size() == 8 + 198);  // nothing was lost
        CHECK(timeline.memory_bytes() <= 12 * state_bytes);
        CHECK(timeline.spill_bytes() == (steps.size() - 12) * state_bytes);
        CHECK(timeline.keyframes().size() == 12);
        for (const std::int64_t step : steps) check_state(timeline.nearest(step), step);
        // A step that is requested again gives the same object, so that its picture need not be drawn again.
        CHECK(timeline.nearest(96).parameters == timeline.nearest(100).parameters);
        CHECK_FALSE(std::filesystem::is_empty(folder / "spill"));
    }
    CHECK(std::filesystem::is_empty(folder / "spill"));
}

TEST_CASE("the spill folder is thinned like memory") {
    const TemporaryFolder folder;
    Timeline timeline({.memory_bytes = 12 * state_bytes, .spill = folder / "spill", .spill_bytes = 30 * state_bytes});
    keep_wanted(timeline, 0, 50'000);
    CHECK(timeline.spill_bytes() == 30 * state_bytes);
    const std::vector<std::int64_t> steps = timeline.steps();
    CHECK(steps.size() == 42);
    CHECK(starts_logarithmically(steps));
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "spill"))
        files += entry.is_regular_file();
    CHECK(files == timeline.spill_bytes() / state_bytes);
    for (const std::int64_t step : steps) check_state(timeline.nearest(step), step);
}

TEST_CASE("a missing or damaged spill file is named, and its step is dropped") {
    const TemporaryFolder folder;
    Timeline timeline({.memory_bytes = 9 * state_bytes, .spill = folder / "spill"});
    keep_wanted(timeline, 0, 640);
    std::filesystem::path of_96, of_128, of_192, of_256;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "spill")) {
        const std::string name = entry.path().filename().string();
        if (name == "step-96.state") of_96 = entry.path();
        if (name == "step-128.state") of_128 = entry.path();
        if (name == "step-192.state") of_192 = entry.path();
        if (name == "step-256.state") of_256 = entry.path();
    }
    const std::size_t before = timeline.size();
    const auto broken = [&](std::int64_t step, const std::filesystem::path& file, const std::string& what) {
        const std::string message = error_of([&] { timeline.nearest(step); });
        INFO(message);
        CHECK(contains(message, file.string()));
        CHECK(contains(message, what));
        CHECK(timeline.nearest(step).step != step);
        CHECK_FALSE(std::ranges::count(timeline.steps(), step));
    };
    REQUIRE_FALSE(of_96.empty());
    std::filesystem::remove(of_96);
    broken(96, of_96, "missing");
    std::filesystem::resize_file(of_128, std::filesystem::file_size(of_128) - 3);
    broken(128, of_128, "cut short");
    {
        std::fstream file(of_192, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(777);
        file.put('!');
    }
    broken(192, of_192, "not the ones that were written");
    std::ofstream(of_256, std::ios::trunc) << "x";
    broken(256, of_256, "not a file of kept steps");
    CHECK(timeline.size() == before - 4);
    CHECK(timeline.spill_bytes() == (timeline.size() - 9) * state_bytes);
}

TEST_CASE("a spill folder that cannot be created is named; if it disappears, spilling stops and the timeline goes on") {
    const TemporaryFolder folder;
    std::ofstream(folder / "file") << "x";
    CHECK(contains(error_of([&] { Timeline timeline({.spill = folder / "file"}); }), "file"));

    Timeline timeline({.memory_bytes = 9 * state_bytes, .spill = folder / "spill"});
    keep_wanted(timeline, 0, 64);
    std::filesystem::remove_all(folder / "spill");
    timeline.keep(state_of(96));
    const std::string message = error_of([&] { timeline.keep(state_of(128)); });
    CHECK(contains(message, "step 96 cannot be kept in"));
    keep_wanted(timeline, 129, 3000);
    CHECK(timeline.memory_bytes() <= 9 * state_bytes);
    CHECK(starts_logarithmically(timeline.steps()));
}

TEST_CASE("a full disk is reported once, spilled steps stay, and the timeline goes on in memory" *
          doctest::skip(on_windows)) {
    const TemporaryFolder folder;
    Timeline timeline({.memory_bytes = 9 * state_bytes, .spill = folder / "spill"});
    keep_wanted(timeline, 0, 128);
    const std::vector<std::int64_t> before = timeline.steps();
    const std::size_t spilled = timeline.spill_bytes();
    REQUIRE(spilled > 0);
    const std::filesystem::path files = std::filesystem::directory_iterator(folder / "spill")->path();
    // /dev/full refuses all data, like a full disk.
    for (std::int64_t step = 0; step <= 3000; step += 32)
        if (const auto file = files / ("step-" + std::to_string(step) + ".state"); !std::filesystem::exists(file))
            std::filesystem::create_symlink("/dev/full", file);
    const std::string message = error_of([&] { timeline.keep(state_of(160)); });
    CHECK(contains(message, "No space left on device"));
    CHECK(contains(message, "free some space"));
    CHECK(timeline.steps().back() == 160);
    CHECK(timeline.spill_bytes() == spilled);
    keep_wanted(timeline, 161, 3000);  // without another error
    CHECK(timeline.memory_bytes() <= 9 * state_bytes);
    CHECK(timeline.spill_bytes() == spilled);
    for (const std::int64_t step : timeline.steps()) check_state(timeline.nearest(step), step);
    CHECK(timeline.steps().front() == before.front());
}

TEST_CASE("a timeline can forget what came after a step, and continue from there") {
    Timeline timeline;
    keep_wanted(timeline, 0, 300);
    timeline.keep(state_of(301));
    timeline.forget_after(128);
    CHECK(timeline.steps().back() == 128);
    timeline.keep(state_of(130));
    CHECK(timeline.nearest(1000).step == 130);
    CHECK(contains(error_of([&] { timeline.keep(state_of(129)); }), "step 129"));
    timeline.clear();
    CHECK(timeline.empty());
    CHECK(timeline.memory_bytes() == 0);
    CHECK(contains(error_of([&] { timeline.nearest(0); }), "empty"));
}

TEST_CASE("from any step of a timeline, spilled or not, training continues with the same bytes as the first time") {
    const TemporaryFolder folder;
    CpuBackend backend(2);
    Trainer trainer(backend, training_config(), small_corpus(), training_options());
    const std::size_t bytes = trainer.state().bytes();
    Timeline timeline({.memory_bytes = 4 * bytes, .spill = folder / "spill"});
    timeline.keep(trainer.state());
    while (trainer.steps() < 40) {
        trainer.step();
        if (timeline.wants(trainer.steps())) timeline.keep(trainer.state());
    }
    const std::vector<float> end = copy_of(trainer.parameters());
    CHECK(timeline.spill_bytes() > 0);
    for (const std::int64_t step : timeline.steps()) {
        INFO("from step ", step);
        trainer.restore(timeline.nearest(step));
        while (trainer.steps() < 40) trainer.step();
        CHECK(same_bytes(end, trainer.parameters()));
    }
}

TEST_CASE("spilling can be turned on and off while the timeline is in use") {
    const TemporaryFolder folder;
    Timeline timeline({.memory_bytes = 12 * state_bytes});
    for (std::int64_t step = 0; step <= 640; step += 32) timeline.keep(state_of(step));
    CHECK(timeline.spill_bytes() == 0);
    const std::size_t before = timeline.size();
    timeline.spill_to(folder / "spill", 100 * state_bytes);
    for (std::int64_t step = 672; step <= 1280; step += 32) timeline.keep(state_of(step));
    CHECK(timeline.size() > before);
    CHECK(timeline.spill_bytes() > 0);
    const std::vector<std::int64_t> steps = timeline.steps();
    for (const std::int64_t step : steps) CHECK(timeline.nearest(step).step == step);
    timeline.spill_to(folder / "spill", 3 * state_bytes);
    CHECK(timeline.spill_bytes() <= 3 * state_bytes);
    timeline.spill_to({}, 0);
    CHECK(timeline.spill_bytes() == 0);
    CHECK(timeline.size() <= 12);
    CHECK(std::filesystem::is_empty(folder / "spill"));
    for (const std::int64_t step : timeline.steps()) CHECK(timeline.nearest(step).step == step);
    std::ofstream(folder / "file") << "x";
    CHECK_THROWS_AS(timeline.spill_to(folder / "file", 1), Error);
    CHECK(timeline.size() <= 12);
}

TEST_CASE("spilled steps that a killed program left behind are removed, and nothing else") {
    const TemporaryFolder folder;
    const std::string mine = "timeline-" + std::to_string(platform::process_id()) + "-99999";
    for (const char* name : {"timeline-999999999-0", "timeline-x", "other"})
        std::filesystem::create_directories(folder / name);
    std::filesystem::create_directories(folder / mine);
    DiskCache::remove_abandoned(folder.path());
    CHECK_FALSE(std::filesystem::exists(folder / "timeline-999999999-0"));
    for (const std::string& name : {std::string("timeline-x"), std::string("other"), mine})
        CHECK(std::filesystem::exists(folder / name));
    DiskCache::remove_abandoned(folder / "missing");
}
