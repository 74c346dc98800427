#include "core/io/run_folder.h"

#include <doctest/doctest.h>

#include <fstream>

#include "core/platform/atomic_file.h"
#include "core/tasks/tasks.h"
#include "core/train/trainer.h"
#include "tests/core/error_of.h"
#include "tests/core/run_to_keep.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

int files_in(const fs::path& folder, const std::string& part) {
    int count = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        count += contains(entry.path().filename().string(), part);
    return count;
}

}  // namespace

TEST_CASE("run folder: settings, log and newest state are restored, and two states are kept") {
    const TemporaryFolder folder;
    RunSettings settings = settings_to_keep();
    settings.started_from = {"first try", 40};
    settings.keyframes = 400;
    settings.options.schedule.kind = ScheduleKind::linear;
    settings.options.optimizer = {.kind = OptimizerKind::momentum, .beta2 = 0.97f, .momentum = 0.8f};
    settings.options.frozen_zero = {{3, 4}, {100, 16}};
    {
        RunFolder run = RunFolder::create(folder / "run", settings, nullptr, nullptr, state_at(0));
        for (std::int64_t step = 1; step <= 30; ++step) {
            const HeadScore heads[] = {{0, 0, 0.25f, 0.5f, 0.125f}, {1, 3, 1.0f, 0.0f, 0.1f}};
            run.append(metrics_at(step),
                       step % 10 == 0 ? std::span<const HeadScore>(heads) : std::span<const HeadScore>());
            if (step % 10 == 0) run.save_state(state_at(step));
        }
    }
    CHECK(files_in(folder / "run", "state-") == 2);
    RunFolder run = RunFolder::open(folder / "run");
    CHECK(run.notes().empty());
    CHECK(same_state(run.take_state(), state_at(30)));
    REQUIRE(run.log().points.size() == 30);
    CHECK(run.log().points[6] == metrics_at(7));
    REQUIRE(run.log().heads.size() == 3);
    CHECK(run.log().heads[1].step == 20);
    CHECK(run.log().heads[1].scores[1] == HeadScore{1, 3, 1.0f, 0.0f, 0.1f});
    CHECK(run.settings().name == settings.name);
    CHECK(run.settings().config == settings.config);
    CHECK(run.settings().started_from == settings.started_from);
    CHECK(run.settings().keyframes == 400);
    CHECK(run.settings().metric == settings.metric);
    CHECK(run.settings().options.optimizer == settings.options.optimizer);
    CHECK(run.settings().options.schedule == settings.options.schedule);
    CHECK(run.settings().options.frozen_zero == settings.options.frozen_zero);
}

TEST_CASE("run folder: name, colour and hidden are saved, and an invalid colour is refused") {
    const TemporaryFolder folder;
    {
        RunFolder run = create_run(folder / "run");
        RunSettings look = run.settings();
        look.name = "ten times the rate";
        look.colour = "#2f6fde";
        look.hidden = true;
        run.set_settings(look);
        look.colour = "blue";
        CHECK(contains(error_of([&] { run.set_settings(look); }), "blue"));
    }
    const SavedRun run = read_run(folder / "run");
    CHECK(run.settings.name == "ten times the rate");
    CHECK(run.settings.colour == "#2f6fde");
    CHECK(run.settings.hidden);
}

TEST_CASE("run folder: opening drops the log after the last state, and a torn last line") {
    const TemporaryFolder folder;
    {
        RunFolder run = twenty_steps(folder / "run");
        for (std::int64_t step = 21; step <= 27; ++step) run.append(metrics_at(step));
    }
    std::ofstream(folder / "run" / "log.jsonl", std::ios::app) << "{\"step\":28,\"lo";
    CHECK(read_run(folder / "run").log.points.size() == 27);
    {
        RunFolder run = RunFolder::open(folder / "run");
        CHECK(run.log().points.size() == 20);
        run.append(metrics_at(21));
    }
    CHECK(read_run(folder / "run").log.points.size() == 21);
}

TEST_CASE("run folder: if the newest state is damaged, the one before is used; if none is left, the error says so") {
    const TemporaryFolder folder;
    twenty_steps(folder / "run");
    fs::resize_file(folder / "run" / "state-20.safetensors", 100);
    {
        RunFolder run = RunFolder::open(folder / "run");
        CHECK(same_state(run.take_state(), state_at(10)));
        CHECK(run.log().points.size() == 10);
        REQUIRE(run.notes().size() == 2);
        CHECK(contains(run.notes()[0], "state-20.safetensors"));
        CHECK(contains(run.notes()[0], "state-20.safetensors.damaged, and the run continues from step 10"));
        CHECK(contains(run.notes()[1], "its lines after step 10 are dropped"));
        CHECK(fs::file_size(folder / "run" / "state-20.safetensors.damaged") == 100);
        run.save_state(state_at(15));
        CHECK(same_state(read_run(folder / "run").state, state_at(15)));
    }
    for (const int step : {10, 15})
        fs::resize_file(folder / "run" / ("state-" + std::to_string(step) + ".safetensors"), 9);
    const std::string message = error_of([&] { RunFolder::open(folder / "run"); });
    CHECK(contains(message, "no complete state"));
    CHECK(contains(message, "state-15.safetensors"));
}

TEST_CASE("run folder: a file that a killed program left half-written is removed") {
    const TemporaryFolder folder;
    twenty_steps(folder / "run");
    std::ofstream(folder / "run" / "state-30.safetensors.tmp-1-2") << "half";
    RunFolder::open(folder / "run");
    CHECK(files_in(folder / "run", ".tmp-") == 0);
    CHECK(same_state(read_run(folder / "run").state, state_at(20)));
}

TEST_CASE("run folder: an unreadable state is not taken for a damaged one, and nothing is changed") {
    const TemporaryFolder folder;
    twenty_steps(folder / "run");
    const fs::path state = folder / "run" / "state-20.safetensors", log = folder / "run" / "log.jsonl";
    const std::string logged = read_file(log, 1 << 20);
    fs::rename(state, folder / "kept");
    // A link to itself stands in for a file that must not be opened: permissions never stop root.
    if (!on_windows) SUBCASE("a link to itself") {
            fs::create_symlink("state-20.safetensors", state);
        }
    SUBCASE("a folder") { fs::create_directory(state); }
    const std::string message = error_of([&] { RunFolder::open(folder / "run"); });
    CHECK(contains(message, "state-20.safetensors"));
    CHECK(contains(message, "cannot read"));
    CHECK(message == error_of([&] { read_run(folder / "run"); }));
    CHECK(files_in(folder / "run", ".damaged") == 0);
    CHECK(read_file(log, 1 << 20) == logged);
    fs::remove(state);
    fs::rename(folder / "kept", state);
    RunFolder run = RunFolder::open(folder / "run");
    CHECK(same_state(run.take_state(), state_at(20)));
    CHECK(run.log().points.size() == 20);
}

TEST_CASE("run folder: a kept step that cannot be read is an error, not a step that was dropped" *
          doctest::skip(on_windows)) {
    const TemporaryFolder folder;
    {
        RunFolder run = twenty_steps(folder / "run");
        Timeline timeline;
        for (const std::int64_t step : {0, 10, 20}) timeline.keep(state_at(step));
        run.save_keyframes(timeline);
    }
    const fs::path moment = folder / "run" / "moments" / "step-10.safetensors";
    fs::rename(moment, folder / "kept");
    fs::create_symlink("step-10.safetensors", moment);
    RunFolder run = RunFolder::open(folder / "run");
    CHECK(contains(error_of([&] { run.keyframes(); }), "step-10.safetensors"));
    fs::remove(moment);
    fs::rename(folder / "kept", moment);
    CHECK(run.keyframes().size() == 3);
}

TEST_CASE("run folder: no step is logged twice") {
    const TemporaryFolder folder;
    RunFolder run = twenty_steps(folder / "run");
    CHECK(contains(error_of([&] { run.append(metrics_at(20)); }), "has step 20 already, so step 20 was not written"));
    run.append(metrics_at(21));
    CHECK(read_run(folder / "run").log.points.size() == 21);
}

TEST_CASE("run folder: a log that is deleted or replaced during training is restored") {
    const TemporaryFolder folder;
    const fs::path log = folder / "run" / "log.jsonl";
    RunFolder run = twenty_steps(folder / "run");
    fs::remove(log);
    bool replaced = false;
    SUBCASE("deleted") {}
    SUBCASE("replaced") {
        write_file_atomically(log, "mine");
        replaced = true;
    }
    run.append(metrics_at(21));
    run.save_state(state_at(21));
    run.append(metrics_at(22));
    CHECK(read_run(folder / "run").log.points.size() == 22);
    CHECK(fs::exists(folder / "run" / "log.jsonl.other") == replaced);
}

TEST_CASE("run folder: temporary files that the program did not write are kept") {
    const TemporaryFolder folder;
    twenty_steps(folder / "run");
    for (const char* name : {"my.tmp-notes", "thesis.txt.tmp-1-2", "state-1.tmp-x"})
        std::ofstream(folder / "run" / name) << "mine";
    RunFolder::open(folder / "run");
    CHECK(files_in(folder / "run", ".tmp-") == 3);
}

TEST_CASE("run folder: one program at a time writes; others may read") {
    const TemporaryFolder folder;
    const RunFolder run = twenty_steps(folder / "run");
    CHECK(contains(error_of([&] { RunFolder::open(folder / "run"); }), "another program is training in"));
    CHECK(same_state(read_run(folder / "run").state, state_at(20)));
}

TEST_CASE("run folder: none is created over something else, and only a run's folder can be opened") {
    const TemporaryFolder folder;
    create_run(folder / "run");
    CHECK(contains(error_of([&] { create_run(folder / "run"); }), "--resume"));
    fs::create_directory(folder / "photos");
    std::ofstream(folder / "photos" / "cat.png") << "cat";
    CHECK(contains(error_of([&] { create_run(folder / "photos"); }), "the folder is not empty"));
    CHECK(contains(error_of([&] { create_run(folder / "missing" / "run"); }), "missing"));
    CHECK(contains(error_of([&] { RunFolder::open(folder / "photos"); }), "not a run's folder"));
    CHECK(contains(error_of([&] { read_run(folder / "nothing"); }), "not a run's folder"));
    CHECK(files_in(folder.path(), "") == 2);
}

TEST_CASE("run folder: an error in run.json names the field") {
    const TemporaryFolder folder;
    create_run(folder / "run");
    const fs::path file = folder / "run" / "run.json";
    const std::string whole = read_file(file, 1 << 20);
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string text = whole;
        REQUIRE(contains(text, from));
        text.replace(text.find(from), from.size(), to);
        write_file_atomically(file, text);
        return error_of([&] { read_run(folder / "run"); });
    };
    CHECK(contains(with("\"format\": 1", "\"format\": 2"), "\"format\" is 2"));
    CHECK(contains(with("\"batch\": 64", "\"batch\": 0"), "\"batch\" must be between 1 and 4096"));
    CHECK(contains(with("\"batch\": 64", "\"batch\": 2000000000"), "\"batch\" must be between 1 and 4096"));
    CHECK(contains(with("\"kind\": \"adamw\"", "\"kind\": \"lion\""), "\"lion\""));
    CHECK(contains(with("\"kind\": \"cosine\"", "\"kind\": \"zigzag\""), "\"zigzag\""));
    CHECK(contains(with("\"momentum\": 0.9", "\"momentum\": 1.5"), "momentum must be"));
    CHECK(contains(with("\"held_at_zero\": []", "\"held_at_zero\": [3]"), "\"held_at_zero\" must be"));
    CHECK(contains(with("\"hidden\": false", "\"hidden\": 3"), "\"hidden\" must be true or false"));
    CHECK(contains(with("\"n_heads\": 4", "\"n_heads\": 5"), "n_heads"));
    CHECK(contains(with("\"colour\": \"\"", "\"colour\": \"red\""), "\"colour\" must be"));
    CHECK(contains(with("{", "["), "not a JSON object"));
}

TEST_CASE("run folder: continuing from a kept state gives the bytes of an uninterrupted training") {
    const TemporaryFolder folder;
    const auto task = make_task("induction", GLASSFORMER_SOURCE_DIR "/assets/worlds");
    CpuBackend backend(2);
    TrainOptions options = task->options;
    options.batch = 8;
    Trainer whole(backend, task->config, task->batches, options);
    for (int i = 0; i < 8; ++i) whole.step();
    Trainer half(backend, task->config, task->batches, options);
    for (int i = 0; i < 4; ++i) half.step();
    RunSettings settings = settings_to_keep();
    settings.config = task->config;
    RunFolder run = RunFolder::create(folder / "run", settings, task->tokenizer, nullptr, half.state());
    Trainer again(backend, task->config, task->batches, options, read_run(folder / "run").state);
    CHECK(same_state(again.state(), half.state()));
    for (int i = 0; i < 4; ++i) again.step();
    CHECK(same_state(again.state(), whole.state()));
    TrainingState other = half.state();
    other.optimizer.v = std::make_shared<const ParameterValues>(7);
    CHECK(contains(error_of([&] { again.restore(other); }), "moments"));
    CHECK(same_state(again.state(), whole.state()));
    const Checkpoint model = checkpoint_of(read_run(folder / "run"));
    CHECK(model.step == 4);
    CHECK((*model.parameters == *half.state().parameters));
    CHECK(model.tokenizer->size() == task->tokenizer->size());
}
