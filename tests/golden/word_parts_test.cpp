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

const std::vector<int> tokens{4, 7, 2, 9, 7, 5}, source{3, 8, 2, 6, 8};
constexpr int position = 3, word = 6, minus = 8, mask = 1;

Answer answer_of(const golden::Case& c) {
    Answer answer{.position = position, .word = word};
    const std::string reads = c.text("reads");
    if (c.config().output == OutputKind::classes) answer.word = 2;
    if (reads == "class") answer.minus = 0;
    if (reads == "difference") answer.minus = minus;
    answer.less_mean = reads == "mean";
    if (reads == "loss" || reads == "class_loss") answer.loss = AnswerLoss::of_word;
    if (reads == "next") answer.loss = AnswerLoss::of_next_words;
    return answer;
}

/// Returns the largest difference, relative to the largest of theirs or to the answer itself, which float32 rounds.
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

/// Checks the gradient of the answer at every node for which PyTorch has one, and the ways by which it came back.
void check_gradients(const golden::Case& c, const NodeGradients& gradients, const Trace& trace) {
    const std::vector<std::string> names = c.names("gradient");
    CHECK(names.size() >= 8);
    for (const std::string& name : names) {
        INFO(name);
        const std::span<const float> theirs = c.at("gradient", name).values();
        const int id = trace.graph().at(name);
        const std::span<const float> ours = gradients.of(trace.graph(), id);
        REQUIRE(!ours.empty());
        const std::vector<double> wide(ours.begin(), ours.end());
        CHECK(distance(wide, theirs, 1e-3) <= 1e-5);
        for (std::size_t cell = 3; cell < wide.size(); cell += 1 + wide.size() / 3) {
            double sum = 0.0;
            for (const auto& way : gradients.ways(trace, {id, static_cast<std::int64_t>(cell)})) sum += way.part;
            CHECK(sum == doctest::Approx(static_cast<double>(theirs[cell])).epsilon(1e-4).scale(1e-2));
        }
    }
}

}  // namespace

TEST_CASE("golden: each word's part in an answer, by removal, hiding, gradients, integrated gradients and rollout") {
    CpuBackend backend;
    for (const golden::Case& c : golden::cases("word_parts.safetensors")) {
        INFO("case ", c.name());
        const TransformerConfig config = c.config();
        const bool translates = config.family == Family::encoder_decoder;
        const TransformerGraph model = build_transformer(config, {1, 6, translates ? 5 : 0});
        const AlignedFloats values = c.parameters(*model.graph);
        const auto parameters = std::make_shared<ParameterValues>(values.begin(), values.end());
        TraceInput input{tokens};
        if (translates) input.source_tokens = source;
        WordPartsRun run(backend, config, parameters, input, answer_of(c),
                         {.mask = mask, .tolerance = 4e-6, .most_steps = 1200, .gradients = true});
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
        const auto trace = tracer.trace(input, parameters);
        if (!translates) CHECK(distance(attention_rollout(*trace), theirs("rollout"), 1.0) <= 1e-5);
        check_gradients(c, *run.gradients(), *trace);
    }
}
