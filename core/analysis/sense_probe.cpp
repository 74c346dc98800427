#include "core/analysis/sense_probe.h"

#include <cmath>

namespace glassformer {

namespace {

// Probe sentences are drawn apart from the training corpus.
constexpr std::uint64_t probe_seed = 7919;

double dot(std::span<const float> a, std::span<const float> b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    return sum;
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

// The mean of unit vectors, so that long ones do not count more.
std::vector<std::vector<float>> SenseProbe::centroids(int layer) const {
    const auto d = static_cast<std::size_t>(train_->d_model());
    std::vector<std::vector<float>> sum(static_cast<std::size_t>(senses_), std::vector<float>(d));
    for (std::size_t i = 0; i < train_truth_.size(); ++i) {
        const std::span<const float> v = train_->at(layer, i, train_truth_[i].position);
        const auto length = static_cast<float>(std::sqrt(dot(v, v)));
        for (std::size_t j = 0; j < d; ++j)
            sum[static_cast<std::size_t>(train_truth_[i].sense)][j] += v[j] / (length > 0.0f ? length : 1.0f);
    }
    return sum;
}

float SenseProbe::accuracy(int layer, const std::vector<std::vector<float>>& centroids) const {
    if (test_truth_.empty()) return 0.0f;
    double right = 0.0;
    for (std::size_t i = 0; i < test_truth_.size(); ++i) {
        const std::span<const float> v = test_->at(layer, i, test_truth_[i].position);
        const auto own = static_cast<std::size_t>(test_truth_[i].sense),
                   other = own ^ 1u;  // the senses of a homonym are neighbours
        const auto nearness = [&](std::size_t sense) {
            return dot(v, centroids[sense]) / std::sqrt(dot(centroids[sense], centroids[sense]) + 1e-30);
        };
        const double here = nearness(own), there = nearness(other);
        right += here > there ? 1.0 : here == there ? 0.5 : 0.0;  // a tie is a guess between the two
    }
    return static_cast<float>(right / static_cast<double>(test_truth_.size()));
}

void SenseProbe::word_means(int layer, SenseProbeResult& result) const {
    const auto d = static_cast<std::size_t>(train_->d_model());
    std::vector<float> sums(static_cast<std::size_t>(d_vocab_) * d), all(d);
    std::vector<float> counts(static_cast<std::size_t>(d_vocab_));
    float total = 0.0f;
    for (std::size_t i = 0; i < train_->sentences().size(); ++i)
        for (std::size_t p = 0; p < train_->sentences()[i].size(); ++p) {
            const auto word = static_cast<std::size_t>(train_->sentences()[i][p]);
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
