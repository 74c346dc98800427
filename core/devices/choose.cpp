#include "core/devices/choose.h"

#include <algorithm>
#include <cmath>

#include "core/base/aligned.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/base/rng.h"
#include "core/base/seconds_since.h"
#include "core/devices/gl_training_device.h"
#include "core/nn/transformer.h"
#include "core/train/trainer.h"

namespace glassformer {

namespace {

constexpr int warm_steps = 3, timed_steps = 8;

/// The first line, without the colon that introduces the others.
std::string first_line(const std::string& text) {
    std::string line = text.substr(0, text.find('\n'));
    if (line.ends_with(':')) line.pop_back();
    return line;
}

/// A compiler's messages on one line.
std::string one_line(std::string text) {
    while (text.ends_with('\n')) text.pop_back();
    std::ranges::replace(text, '\n', ' ');
    return text;
}

BackendChoice processor(CpuBackend& cpu, const std::string& why) {
    return {nullptr, why.empty() ? cpu.description() : filled_with(N_("{1}: {2}"), cpu.description(), why), ""};
}

BackendChoice failed(CpuBackend& cpu, const std::string& why) {
    BackendChoice choice = processor(cpu, first_line(why));
    choice.trouble = filled_with(N_("{1}; continuing on the CPU"), one_line(why));
    return choice;
}

/// "" if OpenGL should be preferred, else why not.
std::string slower(CpuBackend& cpu, GlBackend& gl, const Trial& trial) {
    const double here = seconds_of_step(cpu, trial, nullptr),
                 there = seconds_of_step(cpu, trial, std::make_unique<GlTrainingDevice>(gl));
    if (there < here) return "";
    return filled_with(N_("faster than {1} (a training step takes {2} ms there and {3} ms here)"), gl.description(),
                       with_decimals(1e3 * there), with_decimals(1e3 * here));
}

constexpr double tolerance = 1e-3;

TransformerGraph small_encoder(int n_layers, int batch, int positions) {
    const TransformerConfig config{
        .d_vocab = 37, .n_ctx = positions, .d_model = 24, .n_heads = 3, .n_layers = n_layers, .d_mlp = 52};
    return build_transformer(config, {batch, positions});
}

/// Logits and gradients.
struct Answers {
    std::vector<float> logits;
    AlignedFloats gradients;
};

Answers answers_of(Backend& backend, const TransformerGraph& model, std::span<const float> parameters) {
    const std::unique_ptr<Execution> run = backend.prepare(model.graph, {{model.logits}, model.loss});
    std::vector<float> tokens(static_cast<std::size_t>((*model.graph)[model.tokens].shape.elements())),
        keep(tokens.size(), 1.0f);
    for (std::size_t i = 0; i < tokens.size(); ++i) tokens[i] = static_cast<float>(i * 11 % 37);
    keep[6] = keep[12] = keep[13] = 0.0f;  // padding
    run->set_input(model.tokens, tokens);
    run->set_input(model.key_mask, keep);
    run->set_input(model.targets, tokens);
    run->set_input(model.loss_weights, keep);
    Answers a;
    run->forward(parameters);
    a.logits.resize((*model.graph)[model.logits].shape.elements());
    run->read(model.logits, a.logits);
    a.gradients.resize(parameters.size());
    run->backward(a.gradients);
    return a;
}

/// The largest difference relative to the root mean square.
double difference(std::span<const float> expected, std::span<const float> given) {
    double squares = 0.0, largest = 0.0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double x = expected[i], d = std::abs(x - static_cast<double>(given[i]));
        squares += x * x;
        largest = std::isfinite(d) ? std::max(largest, d) : INFINITY;
    }
    return largest / std::sqrt(squares / static_cast<double>(expected.size()));
}

std::string error_of(GlBackend& gl, CpuBackend& cpu, const TransformerGraph& model) {
    const std::vector<float> fresh = initial_parameters(*model.graph, 1);
    AlignedFloats parameters(fresh.begin(), fresh.end());
    Rng rng(2);
    for (float& p : parameters) p += static_cast<float>(0.1 * rng.normal());  // also makes biases nonzero
    const Answers expected = answers_of(cpu, model, parameters), given = answers_of(gl, model, parameters);
    if (!(difference(expected.logits, given.logits) <= tolerance))
        return N_("the graphics driver computes different values of a small model than the CPU");
    if (!(difference(expected.gradients, given.gradients) <= tolerance))
        return N_("the graphics driver computes different gradients of a small model than the CPU");
    return "";
}

}  // namespace

double seconds_of_step(CpuBackend& cpu, const Trial& trial, std::unique_ptr<TrainingDevice> device) {
    Trainer trainer(cpu, trial.config, trial.batches, trial.options);
    const bool elsewhere = device != nullptr;
    if (device) trainer.use(std::move(device));
    for (int i = 0; i < warm_steps; ++i) trainer.step();
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < timed_steps; ++i) trainer.step_async();
    while (trainer.next_report()) {
    }
    if (elsewhere && !trainer.device()) throw Error(trainer.take_device_trouble());
    return seconds_since(start) / timed_steps;
}

BackendChoice choose_backend(BackendPreference preference, const std::string& no_context, CpuBackend& cpu,
                             const GlOptions& options, const Trial* trial) {
    if (preference == BackendPreference::cpu) return processor(cpu, "");
    if (!no_context.empty())
        return preference == BackendPreference::gl
                   ? failed(cpu, no_context)
                   : processor(cpu, GlBackend::compiled() ? N_("no OpenGL 4.3 here") : no_context);
    try {
        auto gl = std::make_unique<GlBackend>(options);
        if (preference == BackendPreference::automatic && gl->software())
            return processor(cpu, N_("the OpenGL renderer is software"));
        if (const std::string error = self_test(*gl, cpu); !error.empty()) return failed(cpu, error);
        if (preference == BackendPreference::automatic && trial)
            if (const std::string why = slower(cpu, *gl, *trial); !why.empty()) return processor(cpu, why);
        BackendChoice choice;
        choice.description = gl->description();
        choice.gl = std::move(gl);
        return choice;
    } catch (const Error& e) {
        return failed(cpu, e.what());
    }
}

// The second model's sentence is long enough for attention to run as one fused op.
std::string self_test(GlBackend& gl, CpuBackend& cpu) {
    const std::string error = error_of(gl, cpu, small_encoder(2, 3, 7));
    return error.empty() ? error_of(gl, cpu, small_encoder(1, 1, GlOptions{}.fuse_from)) : error;
}

}  // namespace glassformer
