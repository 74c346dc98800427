// What people do with a model of their own: open it, generate, check, measure.
#include "app/assets/assets.h"
#include "app/assets/open_model.h"
#include "app/session/model_check.h"
#include "app/session/sense_measurement.h"
#include "core/generate/generator.h"
#include "core/io/checkpoint.h"
#include "core/text/hf_tokenizer.h"
#include "tests/bench/window_parts.h"

namespace glassformer::app::bench {

namespace {

constexpr int prompt_length = 512, written_words = 64;

template <class Body>
double ms_of(const Body& body) {
    const Clock::time_point start = Clock::now();
    body();
    return elapsed_ms(start);
}

std::vector<int> prompt_for(const TransformerConfig& config) {
    std::vector<int> tokens;
    for (int p = 0; p < std::min(prompt_length, config.n_ctx - written_words - 1); ++p)
        tokens.push_back((p * 7919 + 11) % config.d_vocab);
    return tokens;
}

void write_words(const Checkpoint& model, int threads, nlohmann::json& result) {
    CpuBackend backend(threads);
    Rng rng(1);
    const auto write = [&](const std::vector<int>& prompt, Times& words) {
        Generator generator(backend, model.config, model.parameters);
        int next = 0;
        const double reading = ms_of([&] { next = sample(generator.read(prompt), 0.0f, 0, rng); });
        for (int i = 0; i < written_words; ++i)
            words.ms.push_back(ms_of([&] { next = sample(generator.read(std::vector<int>{next}), 0.0f, 0, rng); }));
        return reading;
    };
    Times few, many;
    result["first_word_ms"] = write({11 % model.config.d_vocab}, few);
    result["word_ms"] = few.median();
    result["prompt_ms"] = write(prompt_for(model.config), many);
    result["word_after_prompt_ms"] = many.median();
}

void measure_probe(const Checkpoint& model, int threads, nlohmann::json& result) {
    const SenseMeasurement asked{.config = model.config,
                                 .parameters = model.parameters,
                                 .tokenizer = model.tokenizer,
                                 .grammar = assets_folder() / "worlds/homonyms.grammar",
                                 .threads = threads};
    std::size_t sentences = 0;
    result["senses_s"] = ms_of([&] {
                             measure_senses(asked, [&](std::size_t, std::size_t all) {
                                 sentences = all;
                                 return true;
                             });
                         }) /
                         1e3;
    result["senses_sentences"] = sentences;
}

}  // namespace

nlohmann::json opened(const std::string& name, int threads) {
    nlohmann::json result;
    Checkpoint model;
    result["opening_s"] = ms_of([&] { model = open_model(name); }) / 1e3;
    const bool words = model.config.input == InputKind::words;
    if (words && model.config.family == Family::decoder) write_words(model, threads, result);
    const ModelCheck check{model.config, model.parameters, 24, 1, threads, BackendPreference::cpu};
    result["check_s"] = ms_of([&] { check_model(check, {[](const CheckedPart&) {}}); }) / 1e3;
    if (words && dynamic_cast<const HfTokenizer*>(model.tokenizer.get())) measure_probe(model, threads, result);
    return result;
}

}  // namespace glassformer::app::bench
