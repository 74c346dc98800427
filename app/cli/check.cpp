#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/assets/open_model.h"
#include "app/cli/cli.h"
#include "app/context/headless_context.h"
#include "core/analysis/explanation_check.h"
#include "core/analysis/trace_difference.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/backend/gl/gl_backend.h"
#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/devices/backend_preference.h"
#include "core/generate/generator.h"
#include "core/trace/tracer.h"

namespace glassformer::app {

namespace {

constexpr int cells_of_each_op = 200;
constexpr double generation_tolerance = 1e-4;

std::vector<int> random_words(Rng& rng, int count, int vocabulary) {
    std::vector<int> words;
    for (int i = 0; i < count; ++i)
        words.push_back(static_cast<int>(rng.below(static_cast<std::uint64_t>(vocabulary))));
    return words;
}

TraceInput random_input(const TransformerConfig& config, int length, std::uint64_t seed) {
    Rng rng(seed, 1);
    TraceInput input;
    if (config.input == InputKind::values) {
        for (int i = 0; i < length * config.d_input; ++i) input.values.push_back(static_cast<float>(rng.normal()));
        return input;
    }
    input.tokens = random_words(rng, length, config.d_vocab);
    if (config.family == Family::encoder_decoder)
        input.source_tokens =
            random_words(rng, length, config.d_source_vocab > 0 ? config.d_source_vocab : config.d_vocab);
    return input;
}

/// One line of the report; whether it passed.
bool report(const std::string& what, const std::string& of, double error, double tolerance, const std::string& where) {
    const bool passed = error <= tolerance;
    std::printf("%-6s%-26s%-28slargest error %.1e%s%s\n", passed ? "pass" : "FAIL", what.c_str(), of.c_str(), error,
                where.empty() ? "" : " at ", where.c_str());
    return passed;
}

bool check_ops(const Trace& trace, std::uint64_t seed) {
    bool passed = true;
    for (const auto& [op, check] : check_explanations(trace, cells_of_each_op, seed))
        passed &= report(op, std::to_string(check.looked_at) + " of " + std::to_string(check.cells) + " cells",
                         check.largest_error, explanation_tolerance, check.where);
    return passed;
}

/// The logits of each word, read one after the other with keys and values kept, against those of the whole pass.
bool check_generation(Backend& backend, const Checkpoint& model, const Trace& trace) {
    if (!can_keep_keys(model.config)) {
        std::printf("      generation                this model keeps no keys and values\n");
        return true;
    }
    const std::span<const float> whole = trace.values("logits");
    const auto width = static_cast<std::size_t>(model.config.d_vocab);
    Generator generator(backend, model.config, model.parameters);
    double largest = 0.0;
    std::size_t worst = 0;
    for (std::size_t i = 0; i < trace.tokens().size(); ++i) {
        const std::span<const float> ours = generator.read({&trace.tokens()[i], 1}),
                                     theirs = whole.subspan(i * width, width);
        double size = 1e-30, difference = 0.0;
        for (std::size_t v = 0; v < width; ++v) {
            size = std::max(size, std::abs(static_cast<double>(theirs[v])));
            const double d = std::abs(static_cast<double>(ours[v]) - static_cast<double>(theirs[v]));
            difference = std::isfinite(d) ? std::max(difference, d) : HUGE_VAL;
        }
        if (difference / size > largest) largest = difference / size, worst = i;
    }
    return report("generation", std::to_string(trace.tokens().size()) + " words, keys kept", largest,
                  generation_tolerance, "word " + std::to_string(worst));
}

/// Every value of the same pass on the graphics card, or what stands in for one. Not to have OpenGL is a failure where
/// it was asked for.
bool check_open_gl(const Checkpoint& model, const TraceInput& input, const Trace& trace, bool required) {
    const auto left_out = [&](const std::string& why) {
        std::printf("%-6s%-26snot compared: %s\n", required ? "FAIL" : "", "OpenGL", why.c_str());
        return !required;
    };
    std::string why;
    const std::unique_ptr<HeadlessContext> context = HeadlessContext::open(&why);
    if (!context) return left_out(why);
    try {
        GlBackend gl;
        Tracer tracer(gl, model.config);
        const std::shared_ptr<const Trace> theirs = tracer.trace(input, model.parameters);
        const TraceDifference found = difference_of(trace, *theirs);
        return report("OpenGL", std::to_string(found.compared) + " tensors", found.largest, trace_tolerance,
                      (found.where.empty() ? "every cell" : found.where) + ", with " + gl.description());
    } catch (const Error& e) {
        return left_out(e.what());
    }
}

}  // namespace

int run_check(const CheckArgs& args) {
    const Checkpoint model = open_model(args.model);
    CpuBackend backend(args.threads);
    const int length = std::min(args.words, model.config.n_ctx);
    Tracer tracer(backend, model.config);
    const TraceInput input = random_input(model.config, length, args.seed);
    const auto trace = tracer.trace(input, model.parameters);
    std::printf("%s: %d random %s, %zu parameters\n", args.model.c_str(), length,
                model.config.input == InputKind::values ? "vectors" : "words", model.parameters->size());
    bool passed = check_ops(*trace, args.seed);
    passed &= check_generation(backend, model, *trace);
    if (const BackendPreference wanted = backend_preference(args.backend); wanted != BackendPreference::cpu)
        passed &= check_open_gl(model, input, *trace, wanted == BackendPreference::gl);
    std::printf("%s\n", passed ? "passed: every number agrees with its explanation"
                               : "FAILED: a number does not agree with its explanation, generation with the pass, or "
                                 "OpenGL with the processor");
    return passed ? 0 : 1;
}

}  // namespace glassformer::app
