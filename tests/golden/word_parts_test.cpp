// The part of each word in an answer against numbers in double precision (make_golden_word_parts.py).
#include "core/analysis/word_parts.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/analysis/rollout.h"
#include "core/trace/tracer.h"
#include "tests/golden/golden.h"

using namespace glassformer;

namespace {

const std::vector<int> tokens{4, 7, 2, 9, 7, 5};
constexpr int position = 3, word = 6, minus = 8, mask = 1;

Answer answer_of(const golden::Case& c) {
    Answer answer{.position = position, .word = word};
    if (c.config().output == OutputKind::classes)
        answer.word = 2, answer.minus = 0;
    else if (c.text("reads") == "difference")
        answer.minus = minus;
    else
        answer.less_mean = c.text("reads") == "mean";
    return answer;
}

/// The largest difference, relative to the largest of theirs or to the answer itself, which float32 rounds.
double distance(std::span<const double> ours, std::span<const float> theirs, double answer) {
    REQUIRE(ours.size() == theirs.size());
    double worst = 0.0, largest = std::abs(answer);
    for (std::size_t i = 0; i < ours.size(); ++i) {
        const auto expected = static_cast<double>(theirs[i]);
        CHECK(std::isnan(ours[i]) == std::isnan(expected));
        if (std::isnan(expected)) continue;
        largest = std::max(largest, std::abs(expected));
        worst = std::max(worst, std::abs(ours[i] - expected));
    }
    return worst / largest;
}

}  // namespace

TEST_CASE("golden: the part of each word in an answer, by leaving out, gradients, their integral and rollout") {
    CpuBackend backend;
    for (const golden::Case& c : golden::cases("word_parts.safetensors")) {
        INFO("case ", c.name());
        const TransformerConfig config = c.config();
        const AlignedFloats values = c.parameters(*build_transformer(config, {1, 6}).graph);
        const auto parameters = std::make_shared<ParameterValues>(values.begin(), values.end());
        WordPartsRun run(backend, config, parameters, {tokens}, answer_of(c),
                         {.mask = mask, .tolerance = 1e-5, .most_steps = 1200});
        while (!run.complete()) run.step();
        const WordParts& found = run.found();
        const auto theirs = [&](const char* what) { return c.at("answer", what).values(); };
        const auto whole = static_cast<double>(theirs("whole")[0]);
        CHECK(std::abs(found.answer - whole) <= 1e-5 * std::max(1.0, std::abs(whole)));
        CHECK(distance({&found.baseline, 1}, theirs("baseline"), whole) <= 1e-5);
        CHECK(distance(found.removed, theirs("removed"), whole) <= 1e-5);
        CHECK(distance(found.hidden, theirs("hidden"), whole) <= 1e-5);
        CHECK(distance(found.gradient, theirs("gradient"), whole) <= 1e-5);
        CHECK(distance(found.integrated, theirs("integrated"), whole) <= 1e-5);
        Tracer tracer(backend, config);
        const std::vector<double> rollout = attention_rollout(*tracer.trace(tokens, parameters));
        CHECK(distance(rollout, theirs("rollout"), 1.0) <= 1e-5);
    }
}
