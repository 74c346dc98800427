#include <algorithm>
#include <cstdio>
#include <new>

#include "core/backend/gl/gl_backend.h"
#include "core/backend/gl/gl_training.h"
#include "core/base/error.h"
#include "core/graph/hook_names.h"
#include "core/graph/plan.h"
#include "core/nn/transformer.h"
#include "core/platform/process.h"
#include "tests/bench/bench.h"

namespace glassformer::app::bench {

namespace {

// What a software renderer manages in seconds: the side of a product's matrices, and d_model of a training step.
constexpr std::int64_t largest_product_in_software = 512;
constexpr int largest_in_software = 256;

/// One run of this benchmark.
struct Run {
    GlBackend& gl;
    std::span<const std::string> parts;
    bool full = false;

    bool wanted(const char* part) const { return parts.empty() || std::ranges::find(parts, part) != parts.end(); }
    /// True if this size is too slow to be measured more than once.
    bool slow(std::int64_t size, std::int64_t largest) const { return gl.software() && size > largest; }
};

/// Returns what `measure` finds, or a "note" if there is too little memory. A software renderer uses the machine's own
/// memory, and running out of it would end the program, so it is checked beforehand.
template <class Measure>
nlohmann::json in_memory(const Run& run, const std::string& what, std::int64_t bytes, const Measure& measure) {
    const double needed = static_cast<double>(bytes) / (1 << 20), left = platform::available_memory_mb();
    if (run.full) std::fprintf(stderr, "%s, %.0f MB …\n", what.c_str(), needed);
    std::string trouble;
    if (run.gl.software() && needed > 0.9 * left) {
        char text[128];
        std::snprintf(text, sizeof text, "needs %.0f MB of memory, and %.0f MB are left", needed, left);
        trouble = text;
    } else {
        try {
            nlohmann::json found = measure();
            if (run.full) std::fprintf(stderr, "  %s\n", found.dump().c_str());  // kept if stopped early
            return found;
        } catch (const Error& e) {
            trouble = e.what();
        } catch (const std::bad_alloc&) {
            trouble = "the memory does not suffice";
        }
    }
    std::fprintf(stderr, "glassformer: %s not measured: %s\n", what.c_str(), trouble.c_str());
    return {{"note", trouble}};
}

/// GFLOP/s by the side length of the matrices.
nlohmann::json products(const Run& run) {
    nlohmann::json list = nlohmann::json::array();
    for (std::int64_t side = 256; side <= 4096; side *= 2) {
        const bool slow = run.slow(side, largest_product_in_software);
        if (slow && !run.full) break;
        // Three matrices, and the sources of two of them.
        nlohmann::json found = in_memory(run, "product of " + std::to_string(side) + "³", 4 * 5 * side * side, [&] {
            const double n = static_cast<double>(side),
                         seconds = gl_seconds_of_product(run.gl, side, slow ? 1 : gl_product_runs);
            return nlohmann::json{{"ms", 1e3 * seconds}, {"gflops", 2.0 * n * n * n / seconds / 1e9}};
        });
        found["side"] = side;
        list.push_back(std::move(found));
    }
    return list;
}

struct StepCost {
    double ms = 0.0;
    std::int64_t bytes = 0;  // of values and gradients
};

/// How many steps are made: before timing starts, and while timing.
struct Repeats {
    int before = 3, timed = 1;
    Repeats(const GlBackend& gl, const Size& s, bool slow)
        : before(slow ? 1 : 3),
          timed(slow            ? 1
                : gl.software() ? std::max(3, s.repeats / 10)
                                : s.repeats) {}
};

/// The cost of one step, with steps queued without waiting in between. `keep`: the nodes to keep.
StepCost step_cost(GlBackend& gl, const TransformerGraph& model, const Size& s, const Repeats& repeats,
                   const std::vector<int>& keep = {}) {
    GlTraining training(gl, model.graph, {keep, model.loss, true}, {});
    training.set_parameters(initial_parameters(*model.graph, 1));
    const std::vector<float> tokens = random_tokens(s), ones(tokens.size(), 1.0f);
    int pending = 0;
    const auto step = [&] {
        Execution& run = training.execution();
        run.set_input(model.tokens, tokens);
        run.set_input(model.key_mask, ones);
        run.set_input(model.targets, tokens);
        run.set_input(model.loss_weights, ones);
        if (pending == GlTraining::most_pending && training.wait()) --pending;
        training.step(1e-3f);
        ++pending;
    };
    const auto settle = [&] {
        while (training.wait()) --pending;
    };
    for (int i = 0; i < repeats.before; ++i) step();
    settle();
    const Clock::time_point start = Clock::now();
    for (int i = 0; i < repeats.timed; ++i) step();
    settle();
    return {elapsed_ms(start) / repeats.timed, training.execution().arena_bytes()};
}

/// Values and gradients; parameters, gradients and AdamW's moments; two more copies of the parameters to initialise.
std::int64_t bytes_of_training(const TransformerGraph& model) {
    return 4 * (Plan(*model.graph, {{}, model.loss, true}).arena_size() + 6 * model.graph->parameter_count());
}

nlohmann::json training(const Run& run) {
    nlohmann::json list = nlohmann::json::array();
    for (const Size& s : training_sizes()) {
        const bool slow = run.slow(s.d_model, largest_in_software);
        if (slow && !run.full) continue;
        const TransformerGraph model = build_transformer(s.config(), {s.batch, s.positions});
        const std::int64_t parameters = model.graph->parameter_count();
        nlohmann::json found = in_memory(run, "training step, " + std::string(s.name), bytes_of_training(model), [&] {
            const double ms = step_cost(run.gl, model, s, {run.gl, s, slow}).ms;
            return nlohmann::json{{"step_ms", ms}, {"gflops", s.gflop(parameters) / (ms / 1e3)}};
        });
        found["size"] = s.name, found["parameters"] = parameters;
        list.push_back(std::move(found));
    }
    return list;
}

/// A step over long sentences: with fused attention, and with every pattern kept, which needs the single steps.
nlohmann::json long_attention(GlBackend& gl) {
    nlohmann::json list = nlohmann::json::array();
    for (const int positions : {256, 512, 1024}) {
        const Size s{"long", 1, positions, 128, 2, 4, 160, 10};
        const TransformerGraph model = build_transformer(s.config(), {s.batch, s.positions});
        std::vector<int> patterns;
        for (int layer = 0; layer < s.n_layers; ++layer)
            patterns.push_back(model.graph->at(block_hook(layer, "attn.hook_pattern")));
        const Repeats repeats(gl, s, false);
        const StepCost one = step_cost(gl, model, s, repeats), single = step_cost(gl, model, s, repeats, patterns);
        list.push_back({{"positions", positions},
                        {"step_ms", one.ms},
                        {"bytes", one.bytes},
                        {"step_ms_in_single_steps", single.ms},
                        {"bytes_in_single_steps", single.bytes}});
    }
    return list;
}

}  // namespace

nlohmann::json open_gl(GlBackend& gl, std::span<const std::string> parts, bool full) {
    const Run run{gl, parts, full};
    nlohmann::json result = nlohmann::json::object();
    if (run.wanted("dispatch")) result["dispatch_us"] = 1e6 * gl_seconds_of_dispatch(gl);
    if (run.wanted("products")) result["products"] = products(run);
    if (run.wanted("training")) result["training_steps"] = training(run);
    if (run.wanted("attention")) result["long_attention"] = long_attention(gl);
    return result;
}

}  // namespace glassformer::app::bench
