#include "app/session/sense_measurement.h"

#include <algorithm>

#include "core/analysis/altered_backend.h"
#include "core/analysis/sense_vectors.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/base/error.h"
#include "core/tasks/sense_probe.h"
#include "core/text/hf_tokenizer.h"

namespace glassformer::app {

namespace {

constexpr std::uint64_t sense_seed = 6151;
/// For an estimate: multiplications per second of a small laptop, and words per sentence with special tokens.
constexpr double laptop_speed = 25e9, usual_length = 12, usual_sentences = 480;

std::vector<SensePoint> points_of(const SenseVectors& vectors, std::size_t layer,
                                  std::span<const SenseSentence> sentences) {
    std::vector<SensePoint> points;
    for (std::size_t i = 0; i < sentences.size(); ++i) points.push_back({vectors.at(layer, i), sentences[i].sense});
    return points;
}

/// Maps every sentence with a homonym, in every layer.
MeaningMap map_of(const SenseVectors& vectors, std::span<const SenseSentence> sentences, int homonym,
                  const std::string& word) {
    MeaningMap map;
    map.homonym = word;
    map.first_sense = 2 * homonym;
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        if (sentences[i].sense / 2 != homonym) continue;
        members.push_back(i);
        map.sense.push_back(sentences[i].sense);
        map.text.push_back(sentences[i].text);
    }
    for (std::size_t layer = 0; layer < vectors.layers.size(); ++layer) {
        std::vector<float> cloud;
        for (const std::size_t i : members) {
            const std::span<const float> stream = vectors.at(layer, i);
            cloud.insert(cloud.end(), stream.begin(), stream.end());
        }
        MeaningMap::Layer seen;
        // The directions turn smoothly from layer to layer.
        seen.pca = pca(cloud, vectors.d_model, map.layers.empty() ? nullptr : &map.layers.back().pca);
        for (const std::size_t i : members) seen.points.push_back(seen.pca.project(vectors.at(layer, i)));
        map.layers.push_back(std::move(seen));
    }
    return map;
}

}  // namespace

bool can_measure_senses(const ModelInfo& model) {
    const Tokenizer* tokenizer = model.tokenizer.get();
    return model.world.empty() && model.config.input == InputKind::words && !model.translates() &&
           dynamic_cast<const HfTokenizer*>(tokenizer);
}

std::vector<SenseSentence> sentences_of(const SenseMeasurement& asked, const World& world, Split split) {
    return sense_sentences(world, split, asked.per_sense, sense_seed, *asked.tokenizer, asked.config.n_ctx);
}

std::optional<MeasuredSenses> measure_senses(const SenseMeasurement& asked,
                                             const std::function<bool(std::size_t done, std::size_t all)>& go_on) {
    const World world = World::load(asked.grammar);
    std::vector<SenseSentence> sentences = sentences_of(asked, world, Split::train);
    MeasuredSenses found;
    found.learned = sentences.size();
    std::ranges::move(sentences_of(asked, world, Split::held_out), std::back_inserter(sentences));
    found.tested = sentences.size() - found.learned;
    if (found.learned == 0 || found.tested == 0)
        throw Error("This model's tokenizer knows none of the homonyms (bat, bank, spring …).");

    CpuBackend processor(asked.threads);
    AlteredBackend backend(processor, asked.config, asked.changes);
    const std::size_t all = sentences.size();
    const std::optional<SenseVectors> vectors =
        sense_vectors(backend, backend.config(), *backend.parameters(asked.parameters), sentences,
                      [&](std::size_t done) { return go_on(done, all); });
    if (!vectors) return std::nullopt;
    for (std::size_t layer = 0; layer < vectors->layers.size(); ++layer) {
        const auto points = points_of(*vectors, layer, sentences);
        const auto learned = std::span(points).first(found.learned), tested = std::span(points).last(found.tested);
        found.accuracy.push_back(sense_accuracy(tested, sense_centroids(learned, world.senses().size())));
    }
    found.senses = world.senses();
    for (std::size_t h = 0; h < world.homonyms().size(); ++h) {
        const std::string& word = world.homonyms()[h];
        const auto has = [&](const SenseSentence& s) { return s.sense / 2 == static_cast<int>(h); };
        const auto in_pieces = [&](const SenseSentence& s) { return has(s) && s.homonym.count > 1; };
        if (std::ranges::none_of(sentences, has)) {
            found.unknown.push_back(word);
            continue;
        }
        if (std::ranges::any_of(sentences, in_pieces)) found.in_pieces.push_back(word);
        found.maps.push_back(map_of(*vectors, sentences, static_cast<int>(h), word));
    }
    return found;
}

double guessed_seconds(const ModelInfo& model) {
    const TransformerConfig& c = model.config;
    const double tables = static_cast<double>(c.d_vocab) * c.d_model * (c.tied ? 1 : 2);
    const double in_blocks = std::max(0.0, static_cast<double>(model.parameter_count) - tables);
    return usual_sentences * usual_length * in_blocks / laptop_speed;
}

}  // namespace glassformer::app
