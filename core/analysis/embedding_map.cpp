#include "core/analysis/embedding_map.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace glassformer {

namespace {

constexpr double least_apart = 1e-6;  // relative to the mean's length: anything less is rounding of the sums

}  // namespace

std::vector<Neighbor> nearest_words(const SenseProbeResult& probe, int layer, std::span<const float> vector, int except,
                                    std::size_t count) {
    const std::size_t at = layer;
    if (at >= probe.mean.size()) return {};
    const std::vector<float>&mean = probe.mean[at], &words = probe.word_means[at];
    const std::size_t d = mean.size();
    double length = 0.0;
    for (const float m : mean) length += static_cast<double>(m) * static_cast<double>(m);
    const double least = least_apart * least_apart * length;
    std::vector<Neighbor> found;
    for (std::size_t id = 0; id < probe.word_seen.size(); ++id) {
        if (!probe.word_seen[id] || static_cast<int>(id) == except) continue;
        double ab = 0.0, aa = 0.0, bb = 0.0;
        for (std::size_t j = 0; j < d; ++j) {
            const double a = static_cast<double>(vector[j]) - static_cast<double>(mean[j]);
            const double b = static_cast<double>(words[id * d + j]) - static_cast<double>(mean[j]);
            ab += a * b;
            aa += a * a;
            bb += b * b;
        }
        if (aa > least && bb > least)
            found.push_back({static_cast<int>(id), static_cast<float>(ab / std::sqrt(aa * bb + 1e-30))});
    }
    std::ranges::stable_sort(found, [](const Neighbor& a, const Neighbor& b) { return a.cosine > b.cosine; });
    if (found.size() > count) found.resize(count);
    return found;
}

namespace {

constexpr std::size_t words_at_once = 8192;

using Table = Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

Table table_of(std::span<const float> values, std::size_t d_model) {
    const auto width = static_cast<Eigen::Index>(d_model);
    return {values.data(), d_model ? static_cast<Eigen::Index>(values.size()) / width : 0, width};
}

}  // namespace

EmbeddingMapRun::EmbeddingMapRun(std::span<const float> table, std::size_t d_model, std::optional<Pca> previous)
    : table_(table), width_(d_model), previous_(std::move(previous)), sums_(table, d_model) {
    map_.points.resize(d_model ? table.size() / d_model : 0);
}

void EmbeddingMapRun::step() {
    if (!sums_.complete()) return sums_.add_rows();
    if (found_) return project_rows();
    map_.pca = sums_.directions(previous_ ? &*previous_ : nullptr);
    found_ = true;
}

void EmbeddingMapRun::project_rows() {
    const std::size_t end = std::min(map_.points.size(), projected_ + words_at_once);
    for (; projected_ < end; ++projected_)
        map_.points[projected_] = map_.pca.project(table_.subspan(projected_ * width_, width_));
}

EmbeddingMap map_embedding(std::span<const float> table, std::size_t d_model, const EmbeddingMap* previous) {
    EmbeddingMapRun run(table, d_model, previous ? std::optional(previous->pca) : std::nullopt);
    while (!run.done()) run.step();
    return run.take();
}

float embedding_cosine(std::span<const float> table, std::size_t d_model, int a, int b) {
    const Table rows = table_of(table, d_model);
    const auto x = rows.row(a).cast<double>(), y = rows.row(b).cast<double>();
    const double lengths = x.norm() * y.norm();
    return lengths > 0 ? static_cast<float>(x.dot(y) / lengths) : 0.0f;
}

std::vector<Neighbor> nearest_embeddings(std::span<const float> table, std::size_t d_model, int word,
                                         std::size_t count) {
    const Table rows = table_of(table, d_model);
    if (word < 0 || word >= rows.rows()) throw Error("there is no word {1} in an embedding of {2}", word, rows.rows());
    // Searched in single precision, which dominates the time; reported in double.
    const Eigen::VectorXf dots = rows * rows.row(word).transpose(), lengths = rows.rowwise().norm();
    std::vector<Neighbor> found;
    if (!(lengths[word] > 0)) return found;
    found.reserve(rows.rows());
    for (Eigen::Index id = 0; id < rows.rows(); ++id)
        if (id != word && lengths[id] > 0) found.push_back({static_cast<int>(id), dots[id] / lengths[id]});
    const auto nearer = [](const Neighbor& a, const Neighbor& b) {
        return a.cosine != b.cosine ? a.cosine > b.cosine : a.id < b.id;
    };
    const auto kept = static_cast<std::ptrdiff_t>(std::min(count, found.size()));
    std::partial_sort(found.begin(), found.begin() + kept, found.end(), nearer);
    found.resize(kept);
    for (Neighbor& near : found) near.cosine = embedding_cosine(table, d_model, word, near.id);
    return found;
}

}  // namespace glassformer
