#include "app/session/model_check.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/context/headless_context.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "core/analysis/trace_checks.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/backend/gl/gl_backend.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/base/rng.h"
#include "core/generate/generator.h"
#include "core/trace/tracer.h"

namespace glassformer::app {

namespace {

constexpr int cells_of_each_op = 200;
constexpr double generation_tolerance = 1e-4;

using Verdict = CheckedPart::Verdict;

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

int length_of(const ModelCheck& check) { return std::min(check.words, check.config.n_ctx); }

/// One run of the checks.
class Run {
public:
    Run(const ModelCheck& check, const CheckListener& listener)
        : check_(check), listener_(listener), backend_(check.threads), tracer_(backend_, check.config) {}

    bool all() {
        if (!go_on({N_("the model's own pass"), 0, 1})) return true;
        const TraceInput input = random_input(check_.config, length_of(check_), check_.seed);
        const std::shared_ptr<const Trace> trace = tracer_.trace(input, check_.parameters);
        check_ops(*trace);
        if (!stopped_) check_generation(*trace);
        if (!stopped_ && check_.backend != BackendPreference::cpu) check_open_gl(input, *trace);
        return passed_;
    }

private:
    bool go_on(const CheckProgress& progress) {
        stopped_ = stopped_ || (listener_.go_on && !listener_.go_on(progress));
        return !stopped_;
    }

    void tell(const std::string& what, const std::string& of, double error, double tolerance,
              const std::string& where) {
        const bool good = error <= tolerance;
        passed_ = passed_ && good;
        listener_.tell({good ? Verdict::passed : Verdict::failed, what, of, error, where});
    }

    void check_ops(const Trace& trace) {
        check_explanations(trace, cells_of_each_op, check_.seed,
                           [&](const std::string& op, const ExplanationCheck& found, bool all) {
                               if (all)
                                   tell(op, filled_with(N_("{1} of {2} cells"), found.checked, found.cells),
                                        found.largest_error, explanation_tolerance, found.where);
                               return go_on({op, found.checked, std::min<std::int64_t>(cells_of_each_op, found.cells)});
                           });
    }

    /// Compares the logits of words read one by one with the key/value cache with those of the full pass.
    void check_generation(const Trace& trace) {
        if (!supports_kv_cache(check_.config))
            return listener_.tell({Verdict::left_out, N_("generation"), N_("this model keeps no keys and values")});
        const std::span<const float> whole = trace.values("logits");
        const std::size_t width = check_.config.d_vocab;
        Generator generator(backend_, check_.config, check_.parameters);
        const std::vector<int>& words = trace.tokens();
        double largest = 0.0;
        std::size_t worst = 0;
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (!go_on({N_("generation"), static_cast<std::int64_t>(i), static_cast<std::int64_t>(words.size())}))
                return;
            const std::span<const float> ours = generator.read({&words[i], 1}),
                                         theirs = whole.subspan(i * width, width);
            double size = 1e-30, difference = 0.0;
            for (std::size_t v = 0; v < width; ++v) {
                size = std::max(size, std::abs(static_cast<double>(theirs[v])));
                const double d = std::abs(static_cast<double>(ours[v]) - static_cast<double>(theirs[v]));
                difference = std::isfinite(d) ? std::max(difference, d) : HUGE_VAL;
            }
            if (difference / size > largest) largest = difference / size, worst = i;
        }
        tell(N_("generation"), filled_with(N_("{1} words, keys kept"), words.size()), largest, generation_tolerance,
             filled_with(N_("word {1}"), worst));
    }

    /// Compares every value of the same pass on OpenGL, by GPU or in software. A missing OpenGL counts as a failure
    /// only if it was asked for.
    void check_open_gl(const TraceInput& input, const Trace& trace) {
        const auto left_out = [&](const std::string& why) {
            const bool required = check_.backend == BackendPreference::gl;
            passed_ = passed_ && !required;
            listener_.tell(
                {required ? Verdict::failed : Verdict::left_out, "OpenGL", filled_with(N_("not compared: {1}"), why)});
        };
        if (!go_on({"OpenGL", 0, 1})) return;
        std::string why;
        const std::unique_ptr<HeadlessContext> context = HeadlessContext::open(&why);
        if (!context) return left_out(why);
        try {
            GlBackend gl;
            Tracer tracer(gl, check_.config);
            const std::shared_ptr<const Trace> theirs = tracer.trace(input, check_.parameters);
            const TraceDifference found = difference_of(trace, *theirs);
            tell("OpenGL", filled_with(N_("{1} tensors"), found.compared), found.largest, trace_tolerance,
                 found.where.empty() ? filled_with(N_("every cell, with {1}"), gl.description())
                                     : filled_with(N_("{1}, with {2}"), found.where, gl.description()));
        } catch (const Error& e) {
            left_out(e.what());
        }
    }

    const ModelCheck& check_;
    const CheckListener& listener_;
    CpuBackend backend_;
    Tracer tracer_;
    bool passed_ = true, stopped_ = false;
};

}  // namespace

std::string line_of(const CheckedPart& part) {
    const std::string what = tr_sentence(part.what), of = tr_sentence(part.of), where = tr_sentence(part.where),
                      error = significant(part.error, 2);
    const char* const verdict = part.verdict == Verdict::failed ? tr("FAIL") : tr("pass");
    char text[1024];
    if (part.error == 0.0 && part.where.empty())  // nothing was measured
        std::snprintf(text, sizeof text, "%-6s%-26s%s", part.verdict == Verdict::failed ? verdict : "", what.c_str(),
                      of.c_str());
    else if (part.where.empty())
        std::snprintf(text, sizeof text, tr("%-6s%-26s%-28slargest error %s"), verdict, what.c_str(), of.c_str(),
                      error.c_str());
    else
        std::snprintf(text, sizeof text, tr("%-6s%-26s%-28slargest error %s at %s"), verdict, what.c_str(), of.c_str(),
                      error.c_str(), where.c_str());
    return text;
}

std::string heading_of(const ModelCheck& check) {
    return filled_with(check.config.input == InputKind::values ? tr("{1} random vectors, {2} parameters")
                                                               : tr("{1} random words, {2} parameters"),
                       length_of(check), check.parameters->size());
}

std::string verdict_text(bool passed) {
    return passed ? tr("passed: every number agrees with its explanation")
                  : tr("FAILED: a number does not agree with its explanation, generation does not agree with the "
                       "forward pass, or OpenGL does not agree with the CPU");
}

bool check_model(const ModelCheck& check, const CheckListener& listener) { return Run(check, listener).all(); }

}  // namespace glassformer::app
