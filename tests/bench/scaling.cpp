#include <cmath>

#include "core/analysis/running_time.h"
#include "core/generate/generator.h"
#include "tests/bench/bench.h"

namespace glassformer::app::bench {

namespace {

constexpr int scaling_runs = 5, most_words = 4096;

/// The exponent of y ~ x^slope, fitted by least squares to the logarithms of the larger half.
double slope(const std::vector<double>& x, const std::vector<double>& y) {
    const std::size_t first = x.size() / 2;
    double n = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    for (std::size_t i = first; i < x.size(); ++i) {
        const double a = std::log(x[i]), b = std::log(y[i]);
        n += 1.0, sx += a, sy += b, sxx += a * a, sxy += a * b;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

nlohmann::json curve(const char* of, const std::vector<double>& x,
                     const std::vector<std::pair<const char*, std::vector<double>>>& measured) {
    nlohmann::json result{{of, x}};
    for (const auto& [name, y] : measured) {
        result[name] = y;
        result[std::string(name) + "_slope"] = slope(x, y);
    }
    return result;
}

TransformerConfig decoder(int width, int words) {
    TransformerConfig c;
    c.family = Family::decoder;
    c.d_vocab = 512, c.n_ctx = words, c.d_model = width, c.n_heads = width / 64, c.n_layers = 2, c.d_mlp = 4 * width;
    return c;
}

std::vector<int> some_tokens(int count) {
    std::vector<int> tokens(count);
    for (int p = 0; p < count; ++p) tokens[p] = (p * 7919 + 11) % 512;
    return tokens;
}

Parameters random_parameters(const TransformerConfig& config) {
    return std::make_shared<ParameterValues>(initial_parameters(*build_transformer(config, {1, 1}).graph, 1));
}

struct Pass {
    double ms = 0.0, mb = 0.0;
};

/// The forward pass to the next-token probabilities: its best time, and the memory of its buffers.
Pass pass(CpuBackend& backend, const TransformerConfig& config, const Parameters& parameters, int words) {
    const TransformerGraph model = build_transformer(config, {1, words});
    const std::unique_ptr<Execution> run = backend.prepare(model.graph, {{model.probabilities}, -1});
    const std::vector<int> tokens = some_tokens(words);
    run->set_input(model.tokens, std::vector<float>(tokens.begin(), tokens.end()));
    run->set_input(model.key_mask, std::vector<float>(tokens.size(), 1.0f));
    Times times;
    for (int i = 0; i < scaling_runs; ++i) {
        const Clock::time_point start = Clock::now();
        run->forward(*parameters);
        times.ms.push_back(elapsed_ms(start));
    }
    return {times.quantile(0.0), static_cast<double>(run->arena_bytes()) / (1 << 20)};
}

/// Milliseconds to generate one more token after `words` tokens.
double word_ms(CpuBackend& backend, const TransformerConfig& config, const Parameters& parameters, int words) {
    Generator generator(backend, config, parameters);
    generator.read(some_tokens(words));
    Times times;
    for (int i = 0; i < 4 * scaling_runs; ++i) {
        const Clock::time_point start = Clock::now();
        generator.read(std::vector<int>{i});
        times.ms.push_back(elapsed_ms(start));
    }
    return times.quantile(0.0);
}

nlohmann::json against_length(CpuBackend& backend) {
    const TransformerConfig config = decoder(256, 2 * most_words);
    const Parameters parameters = random_parameters(config);
    std::vector<double> lengths, forward, memory, word, attention, mlp;
    for (int words = 128; words <= most_words; words *= 2) {
        lengths.push_back(words);
        const Pass whole = pass(backend, config, parameters, words);
        forward.push_back(whole.ms);
        memory.push_back(whole.mb);
        word.push_back(word_ms(backend, config, parameters, words));
        attention.push_back(best_milliseconds(backend, LayerPart::attention, {}, words, scaling_runs));
        mlp.push_back(best_milliseconds(backend, LayerPart::mlp, {}, words, scaling_runs));
    }
    return curve("words", lengths,
                 {{"forward_ms", forward},
                  {"forward_mb", memory},
                  {"next_word_ms", word},
                  {"attention_ms", attention},
                  {"mlp_ms", mlp}});
}

nlohmann::json against_width(CpuBackend& backend) {
    std::vector<double> widths, forward, memory, word;
    for (int width = 64; width <= 1024; width *= 2) {
        const TransformerConfig config = decoder(width, 512);
        const Parameters parameters = random_parameters(config);
        widths.push_back(width);
        const Pass whole = pass(backend, config, parameters, 256);
        forward.push_back(whole.ms);
        memory.push_back(whole.mb);
        word.push_back(word_ms(backend, config, parameters, 256));
    }
    return curve("d_model", widths, {{"forward_ms", forward}, {"forward_mb", memory}, {"next_word_ms", word}});
}

}  // namespace

nlohmann::json scaling(CpuBackend& backend) {
    return {{"length", against_length(backend)}, {"width", against_width(backend)}};
}

}  // namespace glassformer::app::bench
