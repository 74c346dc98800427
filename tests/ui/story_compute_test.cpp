#include <filesystem>
#include <fstream>

#include "app/context/headless_context.h"
#include "app/context/software_renderer.h"
#include "app/session/startup.h"
#include "tests/core/set_variable.h"
#include "tests/core/temporary_folder.h"
#include "tests/gl/breaking_device.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

StoryOptions untrained(const ComputeOptions& compute) {
    StoryOptions options;
    options.trained = false;
    options.compute = &compute;
    return options;
}

ComputeOptions with_gl() {
    ComputeOptions compute;
    compute.preference = BackendPreference::gl;
    return compute;
}

/// Checks that every step up to `steps` is in the curve, with the loss that the CPU alone computes.
void check_losses(Story& story, std::int64_t steps) {
    static std::vector<float> truth;
    if (truth.size() < static_cast<std::size_t>(steps)) {
        truth.clear();
        TrainOptions options;
        options.seed = 1;
        options.schedule.total = story.snapshot().planned_steps;
        CpuBackend all_cores;
        Trainer trainer(all_cores, reference().world().config, reference().world().masked_words(), options);
        while (trainer.steps() < std::max<std::int64_t>(steps, 40)) truth.push_back(trainer.step().loss);
    }
    const std::vector<MetricPoint>& history = *story.snapshot().history;
    REQUIRE(history.size() == static_cast<std::size_t>(steps));
    for (std::size_t i = 0; i < history.size(); ++i) {
        CAPTURE(i);
        REQUIRE(history[i].step == static_cast<std::int64_t>(i + 1));
        REQUIRE(history[i].loss == doctest::Approx(truth[i]).epsilon(1e-3));
    }
}

/// Trains to that step and pauses there.
void train_to(Story& story, std::int64_t step) {
    command::TrainUntil until;
    until.at.step = step;
    story.session.send(until);
    CHECK(story.play("wait step >= " + std::to_string(step) + " timeout 120\nwait train == 0 timeout 60") == "");
    story.settle();
    CHECK(story.snapshot().step == step);
}

}  // namespace

TEST_CASE("story: training with OpenGL gives the CPU's losses, and the chip names the device") {
    Story story(untrained(with_gl()));
    const Computing& computing = story.snapshot().computing;
    if (!computing.open_gl) {
        MESSAGE("no OpenGL 4.3 here: " << story.snapshot().error);
        CHECK(contains(story.snapshot().error, "continuing on the "));
        return;
    }
    CHECK(story.snapshot().error == "");
    CHECK(computing.preference == BackendPreference::gl);
    CHECK(computing.description.starts_with(story.text("backend")));
    CHECK(story.value("backend") == 2);
    train_to(story, 4);
    check_losses(story, 4);
    CHECK(story.snapshot().running.gradient_norm > 0.0f);
    CHECK(story.snapshot().running.tokens_per_second > 0.0);
    // The sentences on screen use the parameters that were fetched.
    CHECK(story.play("click \"timeline first\"\nwait step == 0 timeout 60\nclick \"timeline now\"\nwait step == 4") ==
          "");
    CHECK(story.play("click reset\nframes 2\nclick reset/confirm\nwait step == 0 timeout 60") == "");
    train_to(story, 2);
    check_losses(story, 2);
    CHECK(story.snapshot().computing.open_gl);
}

TEST_CASE("story: switching a training to OpenGL and back while it runs loses nothing") {
    Story story(untrained({}));
    CHECK(story.snapshot().computing.preference == BackendPreference::cpu);
    train_to(story, 5);
    CHECK(story.play("click backend\nframes 2\nclick \"backend/GPU: OpenGL compute shaders\"\nframes 2") == "");
    story.settle();
    CHECK(story.snapshot().computing.preference == BackendPreference::gl);
    const bool open_gl = story.snapshot().computing.open_gl;
    CHECK((story.snapshot().error == "") == open_gl);
    train_to(story, 7);
    CHECK(story.play("click backend\nframes 2\nclick \"backend/CPU\"\nframes 2") == "");
    story.settle();
    CHECK_FALSE(story.snapshot().computing.open_gl);
    train_to(story, 10);
    command::TrainUntil until;
    until.at.step = 20;
    story.session.send(until);
    CHECK(story.play("wait step >= 12 timeout 60") == "");
    story.session.send(command::ChooseBackend{BackendPreference::gl});
    CHECK(story.play("wait step >= 14 timeout 120") == "");
    story.session.send(command::ChooseBackend{BackendPreference::cpu});
    CHECK(story.play("wait step >= 20 timeout 120\nwait train == 0 timeout 60") == "");
    story.settle();
    check_losses(story, 20);
}

TEST_CASE("story: without a GPU the automatic choice is the CPU, and it says why it is") {
    const bool software = [] {
        const auto context = HeadlessContext::open();
        return !context || draws_in_software();
    }();
    ComputeOptions compute;
    compute.preference = BackendPreference::automatic;
    Story story(untrained(compute));
    CHECK(story.snapshot().error == "");
    const Computing& computing = story.snapshot().computing;
    CHECK(story.value("backend") == 0);
    if (software) CHECK_FALSE(computing.open_gl);
    if (!computing.open_gl) {
        CHECK(story.text("backend").starts_with("CPU · "));
        CHECK(computing.description.starts_with(story.text("backend")));
        CHECK(contains(computing.description, ": "));
    }
    CHECK(story.play("hover backend\nwait tooltip ~ \"What computes\"") == "");
}

TEST_CASE("story: a GPU lost during training is reported once, and the training loses nothing") {
    ComputeOptions compute = with_gl();
    compute.device = [](GlBackend& gl) { return std::make_unique<testing::BreakingDevice>(gl, 3); };
    Story story(untrained(compute));
    if (!story.snapshot().computing.open_gl) return;
    train_to(story, 5);
    CHECK(contains(story.snapshot().error, "the OpenGL context was lost"));
    CHECK(contains(story.snapshot().error, "continues on the CPU"));
    CHECK(story.snapshot().error_number == 1);
    CHECK_FALSE(story.snapshot().computing.open_gl);
    CHECK(contains(story.snapshot().computing.description, "the OpenGL context was lost"));
    CHECK(story.play("click error/dismiss\nframes 2\nexpect_no_item error") == "");
    train_to(story, 8);
    CHECK(story.snapshot().error_number == 1);
    check_losses(story, 8);
}

TEST_CASE("story: out of memory, a device limit or a broken shader keeps the training on the CPU") {
    SUBCASE("not enough memory for this model") {
        ComputeOptions compute = with_gl();
        compute.device = [](GlBackend&) -> std::unique_ptr<TrainingDevice> {
            throw Error("the graphics card has no 512 MiB left");
        };
        Story story(untrained(compute));
        if (!GlBackend::compiled()) return;
        CHECK(contains(story.snapshot().error, "the graphics card has no 512 MiB left"));
        CHECK(story.snapshot().error_number == 1);
        CHECK_FALSE(story.snapshot().computing.open_gl);
        train_to(story, 3);
        check_losses(story, 3);
    }
    SUBCASE("a device limit that is too low") {
        ComputeOptions compute = with_gl();
        compute.gl.largest_block = 64;
        Story story(untrained(compute));
        CHECK(contains(story.snapshot().error, "continuing on the "));
        CHECK(story.snapshot().error_number == 1);
        train_to(story, 3);
        check_losses(story, 3);
    }
    SUBCASE("a broken shader, in the middle of a training") {
        Story story(untrained({}));
        train_to(story, 2);
        const TemporaryFolder folder;
        std::filesystem::copy(GLASSFORMER_SOURCE_DIR "/shaders", folder / "shaders",
                              std::filesystem::copy_options::recursive);
        std::ofstream(folder / "shaders" / "compute" / "linear.comp") << "void main() { nonsense }\n";
        {
            const SetVariable shaders("GLASSFORMER_SHADERS", (folder / "shaders").string());
            story.send(command::ChooseBackend{BackendPreference::gl});
        }
        CHECK(contains(story.snapshot().error, "continuing on the "));
        CHECK(story.snapshot().error_number == 1);
        train_to(story, 5);
        check_losses(story, 5);
    }
}
