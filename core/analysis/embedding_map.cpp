#include "core/analysis/embedding_map.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/error.h"

namespace glassformer {

namespace {

using Table = Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

Table table_of(std::span<const float> values, std::size_t d_model) {
    const auto width = static_cast<Eigen::Index>(d_model);
    return {values.data(), d_model ? static_cast<Eigen::Index>(values.size()) / width : 0, width};
}

}  // namespace

EmbeddingMap map_embedding(std::span<const float> table, std::size_t d_model, const EmbeddingMap* previous) {
    EmbeddingMap map;
    map.pca = pca(table, d_model, previous ? &previous->pca : nullptr);
    const Table rows = table_of(table, d_model);
    map.points.resize(static_cast<std::size_t>(rows.rows()));
    for (std::size_t word = 0; word < map.points.size(); ++word)
        map.points[word] = map.pca.project(table.subspan(word * d_model, d_model));
    return map;
}

float embedding_cosine(std::span<const float> table, std::size_t d_model, int a, int b) {
    const Table rows = table_of(table, d_model);
    const auto x = rows.row(a).cast<double>(), y = rows.row(b).cast<double>();
    const double lengths = x.norm() * y.norm();
    return lengths > 0 ? static_cast<float>(x.dot(y) / lengths) : 0.0f;
}

std::vector<NearWord> nearest_embeddings(std::span<const float> table, std::size_t d_model, int word,
                                         std::size_t count) {
    const Table rows = table_of(table, d_model);
    if (word < 0 || word >= rows.rows())
        throw Error("there is no word " + std::to_string(word) + " in an embedding of " + std::to_string(rows.rows()));
    // Found in single precision, which is what takes the time; said in double.
    const Eigen::VectorXf dots = rows * rows.row(word).transpose(), lengths = rows.rowwise().norm();
    std::vector<NearWord> found;
    found.reserve(static_cast<std::size_t>(rows.rows()));
    for (Eigen::Index id = 0; id < rows.rows(); ++id)
        if (id != word) found.push_back({static_cast<int>(id), lengths[id] > 0 ? dots[id] / lengths[id] : 0.0f});
    const auto nearer = [](const NearWord& a, const NearWord& b) {
        return a.cosine != b.cosine ? a.cosine > b.cosine : a.id < b.id;
    };
    const auto kept = static_cast<std::ptrdiff_t>(std::min(count, found.size()));
    std::partial_sort(found.begin(), found.begin() + kept, found.end(), nearer);
    found.resize(static_cast<std::size_t>(kept));
    for (NearWord& near : found) near.cosine = embedding_cosine(table, d_model, word, near.id);
    return found;
}

}  // namespace glassformer
