#include "core/tasks/sense_probe.h"

#include <algorithm>
#include <cmath>

namespace glassformer {

namespace {

TransformerConfig config_for(const World& world, const WordTokenizer& tokenizer) {
    TransformerConfig config;
    config.d_vocab = tokenizer.size();
    config.n_ctx = world.longest_sentence();
    return config;
}

constexpr std::size_t largest_batch = 128;  // sentences that run together

// Probe sentences are drawn independently of the training corpus.
constexpr std::uint64_t probe_seed = 7919;

double product(std::span<const float> a, std::span<const float> b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    return sum;
}

}  // namespace

WorldTraining::WorldTraining(World from)
    : world(std::move(from)), tokenizer(world.vocabulary()), config(config_for(world, tokenizer)) {}

std::vector<int> WorldTraining::encode(const Sentence& sentence) const { return word_ids(tokenizer, sentence.words); }

std::shared_ptr<const MaskedWords> WorldTraining::masked_words(Split split) const {
    std::vector<std::vector<int>> corpus;
    for (const Sentence& sentence : world.corpus(split, sentences_per_sense, corpus_seed))
        corpus.push_back(encode(sentence));
    return std::make_shared<MaskedWords>(std::move(corpus), config.n_ctx);
}

ContextualVectors::ContextualVectors(Backend& backend, const TransformerConfig& config,
                                     std::vector<std::vector<int>> sentences)
    : sentences_(std::move(sentences)), layers_(config.n_layers + 1), d_model_(config.d_model) {
    std::size_t words = 0;
    for (std::size_t i = 0; i < sentences_.size(); ++i) {
        first_word_.push_back(words);
        words += sentences_[i].size();
        groups_[sentences_[i].size()].members.push_back(i);
    }
    for (auto& [length, group] : groups_) {
        // As few batches as possible, all of the same size, so that hardly any row is idle.
        const std::size_t count = group.members.size(), batches = (count + largest_batch - 1) / largest_batch;
        group.batch = (count + batches - 1) / batches;
        group.model = build_transformer(config, {static_cast<int>(group.batch), static_cast<int>(length)});
        for (int layer = 0; layer < layers_; ++layer)
            group.streams.push_back(group.model.graph->at(stream_name(layer)));
        group.run = backend.prepare(group.model.graph, {group.streams, -1});
    }
    values_.assign(static_cast<std::size_t>(layers_), std::vector<float>(words * static_cast<std::size_t>(d_model_)));
}

void ContextualVectors::run(std::span<const float> parameters) {
    for (auto& [length, group] : groups_)
        for (std::size_t first = 0; first < group.members.size(); first += group.batch)
            run_batch(group, first, parameters);
}

// If the last batch is not full, its last sentence is repeated; those rows are not copied.
void ContextualVectors::run_batch(Group& group, std::size_t first, std::span<const float> parameters) {
    const auto length = static_cast<std::size_t>(group.model.positions), d = static_cast<std::size_t>(d_model_);
    const std::size_t batch = group.batch;
    const std::size_t count = std::min(batch, group.members.size() - first);
    tokens_.resize(batch * length);
    ones_.assign(batch * length, 1.0f);
    block_.resize(batch * length * d);
    for (std::size_t b = 0; b < batch; ++b) {
        const std::vector<int>& sentence = sentences_[group.members[first + std::min(b, count - 1)]];
        std::ranges::copy(sentence, tokens_.begin() + static_cast<std::ptrdiff_t>(b * length));
    }
    group.run->set_input(group.model.tokens, tokens_);
    group.run->set_input(group.model.key_mask, ones_);
    group.run->forward(parameters);
    for (std::size_t layer = 0; layer < values_.size(); ++layer) {
        group.run->read(group.streams[layer], block_);
        for (std::size_t b = 0; b < count; ++b)
            std::copy_n(
                block_.begin() + static_cast<std::ptrdiff_t>(b * length * d), length * d,
                values_[layer].begin() + static_cast<std::ptrdiff_t>(first_word_[group.members[first + b]] * d));
    }
}

std::span<const float> ContextualVectors::at(int layer, std::size_t sentence, int position) const {
    const std::size_t d = d_model_;
    const std::size_t word = first_word_[sentence] + static_cast<std::size_t>(position);
    return std::span(values_[layer]).subspan(word * d, d);
}

SenseProbe::SenseProbe(Backend& backend, const WorldTraining& training, std::size_t per_sense)
    : senses_(static_cast<int>(training.world.senses().size())), d_vocab_(training.config.d_vocab) {
    std::vector<std::vector<int>> ids;
    const auto add = [&](Split split) {
        for (const Sentence& sentence : training.world.corpus(split, per_sense, probe_seed)) {
            truth_.push_back({sentence.sense, sentence.homonym_pos});
            ids.push_back(training.encode(sentence));
        }
    };
    add(Split::train);
    learned_ = truth_.size();
    add(Split::held_out);
    vectors_ = std::make_unique<ContextualVectors>(backend, training.config, std::move(ids));
}

SenseProbeResult SenseProbe::measure(std::span<const float> parameters) {
    vectors_->run(parameters);
    SenseProbeResult result;
    result.word_seen.assign(static_cast<std::size_t>(d_vocab_), false);
    for (int layer = 0; layer < vectors_->layers(); ++layer) {
        result.centroids.push_back(sense_centroids(points(layer, 0, learned_), static_cast<std::size_t>(senses_)));
        result.accuracy.push_back(sense_accuracy(points(layer, learned_, truth_.size()), result.centroids.back()));
        word_means(layer, result);
    }
    return result;
}

std::vector<SensePoint> SenseProbe::points(int layer, std::size_t first, std::size_t end) const {
    std::vector<SensePoint> points;
    for (std::size_t i = first; i < end; ++i)
        points.push_back({vectors_->at(layer, i, truth_[i].position), truth_[i].sense});
    return points;
}

void SenseProbe::word_means(int layer, SenseProbeResult& result) const {
    const std::size_t d = vectors_->d_model();
    std::vector<float> sums(static_cast<std::size_t>(d_vocab_) * d), all(d);
    std::vector<float> counts(static_cast<std::size_t>(d_vocab_));
    float total = 0.0f;
    for (std::size_t i = 0; i < learned_; ++i)
        for (std::size_t p = 0; p < vectors_->sentences()[i].size(); ++p) {
            const std::size_t word = vectors_->sentences()[i][p];
            const std::span<const float> v = vectors_->at(layer, i, static_cast<int>(p));
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

std::vector<std::vector<float>> sense_centroids(std::span<const SensePoint> points, std::size_t senses) {
    const std::size_t d = points.empty() ? 0 : points.front().stream.size();
    std::vector<std::vector<float>> centroids(senses, std::vector<float>(d));
    for (const SensePoint& point : points) {
        std::vector<float>& sum = centroids[point.sense];
        const auto length = static_cast<float>(std::sqrt(product(point.stream, point.stream)));
        for (std::size_t j = 0; j < d; ++j) sum[j] += point.stream[j] / (length > 0.0f ? length : 1.0f);
    }
    return centroids;
}

float sense_accuracy(std::span<const SensePoint> points, std::span<const std::vector<float>> centroids) {
    if (points.empty()) return 0.0f;
    double right = 0.0;
    for (const SensePoint& point : points) {
        const auto own = static_cast<std::size_t>(point.sense),
                   other = own ^ 1u;  // the senses of a homonym are adjacent
        const auto nearness = [&](std::size_t sense) {
            return product(point.stream, centroids[sense]) /
                   std::sqrt(product(centroids[sense], centroids[sense]) + 1e-30);
        };
        const double here = nearness(own), there = nearness(other);
        if (!std::isfinite(here - there)) return std::nanf("");
        right += here > there ? 1.0 : here == there ? 0.5 : 0.0;
    }
    return static_cast<float>(right / static_cast<double>(points.size()));
}

}  // namespace glassformer
