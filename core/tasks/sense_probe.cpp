#include "core/tasks/sense_probe.h"

#include "core/tasks/sense_accuracy.h"

namespace glassformer {

namespace {

// Probe sentences are drawn apart from the training corpus.
constexpr std::uint64_t probe_seed = 7919;

template <class Truths>
std::vector<SensePoint> points(const ContextualVectors& vectors, const Truths& truths, int layer) {
    std::vector<SensePoint> points;
    for (std::size_t i = 0; i < truths.size(); ++i)
        points.push_back({vectors.at(layer, i, truths[i].position), truths[i].sense});
    return points;
}

}  // namespace

SenseProbe::SenseProbe(Backend& backend, const WorldTraining& training, std::size_t per_sense)
    : senses_(static_cast<int>(training.world.senses().size())), d_vocab_(training.config.d_vocab) {
    const auto collect = [&](Split split, std::vector<Truth>& truth) {
        std::vector<std::vector<int>> ids;
        for (const Sentence& sentence : training.world.corpus(split, per_sense, probe_seed)) {
            truth.push_back({sentence.sense, sentence.homonym_pos});
            ids.push_back(training.encode(sentence));
        }
        return std::make_unique<ContextualVectors>(backend, training.config, std::move(ids));
    };
    train_ = collect(Split::train, train_truth_);
    test_ = collect(Split::held_out, test_truth_);
}

SenseProbeResult SenseProbe::measure(std::span<const float> parameters) {
    train_->run(parameters);
    test_->run(parameters);
    SenseProbeResult result;
    result.word_seen.assign(static_cast<std::size_t>(d_vocab_), false);
    for (int layer = 0; layer < train_->layers(); ++layer) {
        result.accuracy.push_back(accuracy(layer, centroids(layer)));
        word_means(layer, result);
    }
    return result;
}

std::vector<std::vector<float>> SenseProbe::centroids(int layer) const {
    return sense_centroids(points(*train_, train_truth_, layer), static_cast<std::size_t>(senses_));
}

float SenseProbe::accuracy(int layer, const std::vector<std::vector<float>>& centroids) const {
    return sense_accuracy(points(*test_, test_truth_, layer), centroids);
}

void SenseProbe::word_means(int layer, SenseProbeResult& result) const {
    const std::size_t d = train_->d_model();
    std::vector<float> sums(static_cast<std::size_t>(d_vocab_) * d), all(d);
    std::vector<float> counts(static_cast<std::size_t>(d_vocab_));
    float total = 0.0f;
    for (std::size_t i = 0; i < train_->sentences().size(); ++i)
        for (std::size_t p = 0; p < train_->sentences()[i].size(); ++p) {
            const std::size_t word = train_->sentences()[i][p];
            const std::span<const float> v = train_->at(layer, i, static_cast<int>(p));
            for (std::size_t j = 0; j < d; ++j) {
                sums[word * d + j] += v[j];
                all[j] += v[j];
            }
            counts[word] += 1.0f;
            total += 1.0f;
        }
    for (std::size_t word = 0; word < counts.size(); ++word) {
        if (counts[word] == 0.0f) continue;
        result.word_seen[word] = true;
        for (std::size_t j = 0; j < d; ++j) sums[word * d + j] /= counts[word];
    }
    for (float& v : all) v /= total > 0.0f ? total : 1.0f;
    result.word_means.push_back(std::move(sums));
    result.mean.push_back(std::move(all));
}

}  // namespace glassformer
