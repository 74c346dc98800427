#include "core/tasks/regression_task.h"

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "core/tasks/tasks.h"
#include "tests/core/training_smoke.h"

using namespace glassformer;

namespace {

const std::filesystem::path worlds = GLASSFORMER_SOURCE_DIR "/assets/worlds";

const RegressionBatches& prompts() {
    static const RegressionBatches batches(LinearFunctions(3, 6));
    return batches;
}

}  // namespace

TEST_CASE("a prompt alternates x and f(x), and asks for f(x) at each x") {
    const Batch batch = prompts().held_out(20);
    const std::size_t width = 4, positions = 12;
    REQUIRE(batch.values.size() == 20 * positions * width);
    for (std::size_t cell = 0; cell < 20 * positions; ++cell) {
        const bool asks = cell % 2 == 0;
        CHECK(batch.loss_weights[cell] == (asks ? 1.0f : 0.0f));
        CHECK(batch.key_mask[cell] == 1.0f);
        if (asks) {
            CHECK(batch.values[cell * width + 3] == 0.0f);
            CHECK(batch.target_values[cell] == batch.values[(cell + 1) * width + 3]);
        } else {
            for (std::size_t i = 0; i < 3; ++i) CHECK(batch.values[cell * width + i] == 0.0f);
        }
    }
}

TEST_CASE("batches of prompts depend only on seed and step, and are not the held-out ones") {
    Batch a, b;
    prompts().draw(1, 3, 8, a);
    prompts().draw(1, 4, 8, b);
    CHECK(a.values != b.values);
    CHECK(a.values != prompts().held_out(8).values);
    prompts().draw(1, 3, 8, b);
    CHECK(a.values == b.values);
    CHECK(a.target_values == b.target_values);
    CHECK(prompts().held_out(8).values == prompts().held_out(8).values);
}

TEST_CASE("values have variance d, points variance 1") {
    const Batch batch = prompts().held_out(2000);
    double x = 0.0, y = 0.0, points = 0.0;
    for (std::size_t cell = 0; cell < batch.target_values.size(); cell += 2) {
        x += static_cast<double>(batch.values[cell * 4] * batch.values[cell * 4]);
        y += static_cast<double>(batch.target_values[cell] * batch.target_values[cell]);
        points += 1.0;
    }
    CHECK(x / points == doctest::Approx(1.0).epsilon(0.05));
    CHECK(y / points == doctest::Approx(3.0).epsilon(0.1));
}

TEST_CASE("least squares is exact from d pairs on, and takes the shortest w before that") {
    const std::vector<double> errors = errors_by_pair(prompts(), prompts().held_out(300), least_squares);
    CHECK(errors[0] == doctest::Approx(1.0).epsilon(0.2));
    CHECK(errors[1] < 0.8 * errors[0]);
    CHECK(errors[2] < 0.7 * errors[1]);
    for (std::size_t pair = 3; pair < errors.size(); ++pair) CHECK(errors[pair] < 1e-4);
    // One pair in two dimensions: w = y·x / |x|².
    const std::vector<float> x = {3, 4}, y = {10}, asked = {1, 1};
    CHECK(least_squares(x, y, asked) == doctest::Approx(10.0 * 7.0 / 25.0));
    CHECK(least_squares({}, {}, asked) == 0.0);
}

TEST_CASE("ridge pulls w towards 0, and becomes least squares as λ vanishes") {
    const std::vector<float> x = {1, 2}, y = {3, 5}, asked = {1};
    CHECK(ridge(0.5, x, y, asked) == doctest::Approx(13.0 / 5.5));  // Σxy / (Σx² + λ)
    CHECK(ridge(1e-9, x, y, asked) == doctest::Approx(least_squares(x, y, asked)));
    const Batch batch = prompts().held_out(300);
    const auto with = [&](double lambda) {
        return errors_by_pair(prompts(), batch,
                              [lambda](auto xs, auto ys, auto at) { return ridge(lambda, xs, ys, at); });
    };
    const std::vector<double> weak = with(0.1), strong = with(1.0);
    for (std::size_t pair = 3; pair < weak.size(); ++pair) {
        CHECK(weak[pair] > 1e-4);  // not exact, though there is no noise
        CHECK(strong[pair] > weak[pair]);
    }
    CHECK(weak[5] < weak[3]);
}

TEST_CASE("the error of perfect predictions is 0; predictions of another batch are refused") {
    const Batch batch = prompts().held_out(10);
    for (const double error : errors_by_pair(prompts(), batch, batch.target_values)) CHECK(error == 0.0);
    CHECK_THROWS_AS(errors_by_pair(prompts(), batch, std::span(batch.target_values).first(12)), Error);
}

TEST_CASE("a model that predicts 0 has the same error as the mean predictor") {
    const Measurement zeros = measure_zeros(*make_task("regression", worlds));
    double last_half = 0.0;
    for (int pair = 1; pair <= 8; ++pair) {
        const std::string suffix = ", pair " + std::to_string(pair);
        CHECK(detail(zeros, "model" + suffix) == doctest::Approx(detail(zeros, "mean" + suffix)));
        if (pair > 2) CHECK(detail(zeros, "least squares" + suffix) < 1e-3);
        if (pair > 4) last_half += detail(zeros, "model" + suffix) / 4.0;
    }
    CHECK(zeros.value == doctest::Approx(last_half));
}

TEST_CASE("300 steps of regression teach a model to do better with more pairs") {
    const SmokeRun run = train_briefly(*make_task("regression", worlds), 300);
    CHECK(run.after.value < 0.6 * run.before.value);
    CHECK(detail(run.after, "model, pair 8") < 0.7 * detail(run.after, "model, pair 1"));
}

TEST_CASE("sizes out of range are refused") {
    CHECK_THROWS_AS(LinearFunctions(0, 8), Error);
    CHECK_THROWS_AS(LinearFunctions(17, 8), Error);
    CHECK_THROWS_AS(LinearFunctions(2, 0), Error);
}
