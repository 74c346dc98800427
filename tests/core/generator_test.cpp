#include "core/generate/generator.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/backend/cpu/cpu_backend.h"
#include "core/trace/tracer.h"
#include "tests/core/error_of.h"
#include "tests/core/fresh_parameters.h"

using namespace glassformer;

namespace {

TransformerConfig decoder() {
    TransformerConfig c;
    c.family = Family::decoder;
    c.d_vocab = 19, c.n_ctx = 90, c.d_model = 16, c.n_heads = 2, c.n_layers = 2, c.d_mlp = 24, c.init_std = 0.3f;
    return c;
}

/// Reads one word at a time and compares the logits with those of a single pass over all the words.
void check_against_whole(const TransformerConfig& config, std::size_t prompt) {
    CpuBackend backend(1);
    const Parameters parameters = fresh_parameters(config, 3);
    Generator generator(backend, config, parameters);
    Tracer tracer(backend, config);
    std::vector<int> tokens;
    for (int i = 0; i < 80; ++i) tokens.push_back((7 * i + i * i) % config.d_vocab);
    std::span<const float> logits = generator.read(std::span(tokens).first(prompt));
    for (std::size_t read = prompt;; ++read) {
        const std::vector<int> so_far(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(read));
        CHECK(generator.tokens() == so_far);
        const auto trace = tracer.trace(so_far, parameters);
        const std::span<const float> whole = trace->values("logits").last(logits.size());
        for (std::size_t i = 0; i < whole.size(); ++i)
            CHECK(static_cast<double>(logits[i]) == doctest::Approx(static_cast<double>(whole[i])).epsilon(1e-4));
        if (read == tokens.size()) break;
        logits = generator.read({&tokens[read], 1});
    }
}

}  // namespace

TEST_CASE("the KV cache gives the logits of a full pass, also after it has grown") {
    for (const std::size_t prompt : {std::size_t{1}, std::size_t{9}, std::size_t{70}})
        check_against_whole(decoder(), prompt);
    TransformerConfig llama = decoder();
    llama.norm = NormKind::rms_norm, llama.activation = Activation::swiglu, llama.positions = Positions::none;
    llama.attention.biases = false, llama.tied = false;
    REQUIRE(supports_kv_cache(llama));
    check_against_whole(llama, 5);
}

TEST_CASE("reading a prompt computes the logits of its last word only") {
    // Records how many positions the requested logits have.
    struct Watching final : Backend {
        std::string description() const override { return real.description(); }
        std::unique_ptr<Execution> prepare(std::shared_ptr<const Graph> graph, const PlanRequest& request) override {
            for (const int node : request.keep)
                if ((*graph)[node].name == "logits") positions.push_back((*graph)[node].shape[1]);
            return real.prepare(std::move(graph), request);
        }
        CpuBackend real{1};
        std::vector<std::int64_t> positions;
    };
    Watching backend;
    Generator generator(backend, decoder(), fresh_parameters(decoder(), 3));
    generator.read(std::vector<int>{1, 2, 3, 4, 5});
    CHECK(backend.positions == std::vector<std::int64_t>{1});
}

TEST_CASE("the KV cache works with rotary positions, ALiBi, q/k norm, shared key heads and windows") {
    const auto check = [](const auto& change) {
        TransformerConfig config = decoder();
        change(config);
        REQUIRE(supports_kv_cache(config));
        check_against_whole(config, 1);
        check_against_whole(config, 70);
    };
    check([](TransformerConfig& c) { c.positions = Positions::rotary; });
    check([](TransformerConfig& c) { c.positions = Positions::rotary, c.rotary.halves = true, c.rotary_pct = 0.5f; });
    check([](TransformerConfig& c) { c.positions = Positions::alibi; });
    check([](TransformerConfig& c) { c.positions = Positions::none, c.attention.qk_norm = true; });
    check([](TransformerConfig& c) { c.attention.n_key_value_heads = 1; });
    check([](TransformerConfig& c) { c.attention.window = 3, c.attention.window_layers = "-w"; });
}

TEST_CASE("models without a KV cache read the whole text again") {
    TransformerConfig config = decoder();
    config.positions = Positions::sinusoidal;
    REQUIRE_FALSE(supports_kv_cache(config));
    check_against_whole(config, 77);
    TransformerConfig gru = decoder();
    gru.family = Family::gru, gru.activation = Activation::none;
    check_against_whole(gru, 78);
}

TEST_CASE("a generator restarts, and refuses invalid input without losing its text") {
    CpuBackend backend(1);
    const Parameters parameters = fresh_parameters(decoder(), 3);
    Generator generator(backend, decoder(), parameters);
    const std::vector<int> three{4, 5, 6};
    const std::span<const float> logits = generator.read(three);
    const std::vector<float> first(logits.begin(), logits.end());
    CHECK(contains(error_of([&] { generator.read(std::vector<int>{}); }), "is empty"));
    CHECK(contains(error_of([&] { generator.read(std::vector<int>{1, 19}); }), "token 19"));
    CHECK(contains(error_of([&] { generator.read(std::vector<int>(88, 1)); }), "91 tokens"));
    CHECK(generator.tokens() == three);
    generator.restart();
    const std::span<const float> again = generator.read(three);
    CHECK(std::equal(first.begin(), first.end(), again.begin()));
    TransformerConfig encoder = decoder();
    encoder.family = Family::encoder;
    CHECK(contains(error_of([&] { Generator(backend, encoder, parameters); }), "cannot continue a text"));
    CHECK(contains(error_of([&] { build_next_word(decoder(), 91); }), "1 to 90"));
}

TEST_CASE("sampling follows the probabilities") {
    const std::vector<float> logits{std::log(1.0f), std::log(4.0f), std::log(2.0f), std::log(1.0f)};
    Rng rng(8);
    CHECK(sample(logits, 0.0f, 0, rng) == 1);
    const auto shares = [&](float temperature, int top_k) {
        std::vector<double> share(4);
        for (int i = 0; i < 40000; ++i) share[sample(logits, temperature, top_k, rng)] += 1 / 40000.0;
        return share;
    };
    const std::vector<double> plain = shares(1.0f, 0), two = shares(1.0f, 2), cool = shares(0.5f, 0);
    CHECK(plain[0] == doctest::Approx(0.125).epsilon(0.05));
    CHECK(plain[1] == doctest::Approx(0.5).epsilon(0.05));
    CHECK(plain[2] == doctest::Approx(0.25).epsilon(0.05));
    CHECK(two[1] == doctest::Approx(2.0 / 3.0).epsilon(0.05));
    CHECK(two[0] + two[3] == 0.0);
    CHECK(cool[1] == doctest::Approx(16.0 / 22.0).epsilon(0.05));  // squares: 1, 16, 4, 1
    CHECK(contains(error_of([&] { sample(logits, -1.0f, 0, rng); }), "temperature"));
    CHECK(contains(error_of([&] { sample(logits, NAN, 0, rng); }), "temperature"));
    for (const float broken : {NAN, INFINITY}) {
        std::vector<float> wild(5000, 0.0f);
        for (std::size_t i = 0; i < wild.size(); i += 3) wild[i] = broken;
        for (const int top_k : {0, 10})
            CHECK(contains(error_of([&] { sample(wild, 1.0f, top_k, rng); }), "infinite or NaN"));
        CHECK(contains(error_of([&] { sample(wild, 0.0f, 0, rng); }), "infinite or NaN"));
    }
}

TEST_CASE("sampling draws the same words as a reference that sorts all words") {
    std::vector<float> logits;
    Rng numbers(3);
    for (int i = 0; i < 5000; ++i) logits.push_back(static_cast<float>(numbers.below(40)) / 4.0f);  // with many ties
    std::vector<int> order(logits.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater{}, [&](int id) { return logits[id]; });
    for (const int top_k : {0, 1, 10, 700, 5000, 9000})
        for (const float temperature : {0.3f, 1.0f, 20.0f}) {
            CAPTURE(top_k);
            CAPTURE(temperature);
            const std::size_t count = top_k == 0 ? order.size() : std::min<std::size_t>(top_k, order.size());
            std::vector<double> upto;
            for (std::size_t i = 0; i < count; ++i)
                upto.push_back((upto.empty() ? 0.0 : upto.back()) +
                               std::exp(static_cast<double>(logits[order[i]] - logits[order[0]]) /
                                        static_cast<double>(temperature)));
            Rng drawn(7), told(7);
            for (int i = 0; i < 200; ++i) {
                const auto at = std::ranges::upper_bound(upto, told.uniform() * upto.back()) - upto.begin();
                CHECK(sample(logits, temperature, top_k, drawn) == order[std::min<std::size_t>(at, count - 1)]);
            }
        }
}

TEST_CASE("sampling: top p and min p keep the likeliest words, after top k") {
    // Probabilities 0.4, 0.3, 0.2, 0.1, shuffled.
    const std::vector<float> logits{std::log(0.2f), std::log(0.4f), std::log(0.1f), std::log(0.3f)};
    const auto stays = [&](int top_k, float top_p, float min_p) {
        const Remaining found = remaining(logits, 1.0f, top_k, {top_p, min_p});
        return std::pair{found.words, std::round(1e5 * found.probability) / 1e5};
    };
    CHECK(stays(0, 1, 0) == std::pair{std::size_t{4}, 1.0});
    CHECK(stays(0, 0.69f, 0) == std::pair{std::size_t{2}, 0.7});
    CHECK(stays(0, 0.71f, 0) == std::pair{std::size_t{3}, 0.9});
    CHECK(stays(0, 0, 0) == std::pair{std::size_t{1}, 0.4});
    CHECK(stays(0, 1, 0.49f) == std::pair{std::size_t{3}, 0.9});
    CHECK(stays(0, 1, 0.51f) == std::pair{std::size_t{2}, 0.7});
    CHECK(stays(0, 1, 1) == std::pair{std::size_t{1}, 0.4});
    CHECK(stays(2, 0.5f, 0) == std::pair{std::size_t{1}, 0.4});  // 0.4 of 0.7 is more than half
    CHECK(stays(2, 0.6f, 0) == std::pair{std::size_t{2}, 0.7});
    Rng rng(5);
    std::array<double, 4> share{};
    for (int i = 0; i < 40000; ++i) share[sample(logits, 1.0f, 0, rng, {0.71f, 0.6f})] += 1 / 40000.0;
    CHECK(share[1] == doctest::Approx(4.0 / 7).epsilon(0.03));
    CHECK(share[3] == doctest::Approx(3.0 / 7).epsilon(0.03));
    CHECK(share[0] + share[2] == 0.0);
}
