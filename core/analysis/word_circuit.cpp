#include "core/analysis/word_circuit.h"

#include <Eigen/Dense>
#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/analysis/head_circuits.h"
#include "core/analysis/word_factors.h"
#include "core/base/error.h"

namespace glassformer {

namespace {

using Row = Eigen::RowVectorXf;
using Floats = WordSide::Floats;
using Kind = WordCircuitOf::Kind;

// Multiplications per step: a few milliseconds.
constexpr std::int64_t step_products = 100'000'000;
constexpr Eigen::Index tile_columns = 1024;

bool larger(const WordPair& a, const WordPair& b) {
    if (a.value != b.value) return a.value > b.value;
    return a.row != b.row ? a.row < b.row : a.column < b.column;
}
bool smaller(const WordPair& a, const WordPair& b) {
    if (a.value != b.value) return a.value < b.value;
    return a.row != b.row ? a.row < b.row : a.column < b.column;
}

template <class Before>
void keep(std::vector<WordPair>& pairs, const WordPair& pair, const Before& before) {
    if (pairs.size() == WordCircuit::most_pairs) {
        if (!before(pair, pairs.back())) return;
        pairs.pop_back();
    }
    pairs.insert(std::ranges::upper_bound(pairs, pair, before), pair);
}

}  // namespace

struct WordCircuit::Work {
    WordCircuitOf of;
    Parameters parameters;
    std::shared_ptr<const Graph> graph;
    WordSide left, right;
    float scale = 1.0f;
    bool same_words = false;
    std::int64_t made_rows = 0, scanned = 0;
    std::vector<WordPair> largest = {}, smallest = {};
    OwnWords found = {};
    std::optional<OwnWords> own = {};
    Eigen::MatrixXd overlap = {};  // rightᵀ · left
    std::atomic<bool> is_made{false}, is_done{false};
    std::atomic<double> progress{0.0};

    std::int64_t longer() const { return std::max(left.words, right.words); }

    void step() {
        if (is_done) return;
        is_made ? scan() : make();
    }

    void make() {
        const std::int64_t width = left.weights.cols(), first = made_rows,
                           count = std::clamp<std::int64_t>(step_products / (2 * left.width * width), 16, 4096);
        const auto some = [&](const WordSide& side) { return std::clamp<std::int64_t>(side.words - first, 0, count); };
        if (const std::int64_t rows = some(left)) {
            left.make(*parameters, first, rows);
            auto block = left.made.middleRows(first, rows);
            if (of.kind == Kind::query_key)
                turn_queries(*graph, of.prefix, of.distance, width,
                             {block.data(), static_cast<std::size_t>(block.size())});
            if (scale != 1.0f) block *= scale;
        }
        if (const std::int64_t rows = some(right)) right.make(*parameters, first, rows);
        if (same_words) {
            const std::int64_t rows = some(left);
            overlap += right.made.middleRows(first, rows).cast<double>().transpose() *
                       left.made.middleRows(first, rows).cast<double>();
        }
        made_rows += count;
        progress = 0.1 * std::min(1.0, static_cast<double>(made_rows) / static_cast<double>(longer()));
        if (made_rows < longer()) return;
        if (same_words && overlap.allFinite()) found.eigenvalues = share_of_eigenvalues();
        is_made.store(true, std::memory_order_release);
    }

    std::optional<double> share_of_eigenvalues() const {
        const Eigen::EigenSolver<Eigen::MatrixXd> solver(overlap, false);
        if (solver.info() != Eigen::Success) return std::nullopt;
        double sum = 0.0, sizes = 0.0;
        for (const std::complex<double>& value : solver.eigenvalues()) sum += value.real(), sizes += std::abs(value);
        return sizes > 0.0 ? std::optional(sum / sizes) : std::nullopt;
    }

    void scan() {
        const std::int64_t first = scanned,
                           count = std::clamp<std::int64_t>(step_products / (right.words * left.weights.cols()), 1,
                                                            std::min<std::int64_t>(256, left.words - first));
        Row most = Row::Constant(count, -HUGE_VALF);
        Floats tile;
        for (Eigen::Index column = 0; column < right.words; column += tile_columns) {
            const Eigen::Index width = std::min<Eigen::Index>(tile_columns, right.words - column);
            tile.noalias() = left.made.middleRows(first, count) * right.made.middleRows(column, width).transpose();
            for (Eigen::Index r = 0; r < count; ++r) {
                const float high = tile.row(r).maxCoeff(), low = tile.row(r).minCoeff();
                most[r] = std::max(most[r], high);
                if (worth(high, low)) keep_of({tile.row(r).data(), static_cast<std::size_t>(width)}, first + r, column);
            }
        }
        for (Eigen::Index r = 0; same_words && r < count; ++r) {
            const float itself = left.made.row(first + r).dot(right.made.row(first + r));
            // The tile rounds the same sum in a different order.
            const float near = 1e-6f * left.made.row(first + r).norm() * right.made.row(first + r).norm();
            found.raised += itself > 0.0f;
            found.most += itself >= most[r] - near;
        }
        scanned += count;
        progress = 0.1 + 0.9 * static_cast<double>(scanned) / static_cast<double>(left.words);
        if (scanned < left.words) return;
        found.words = static_cast<int>(left.words);
        if (same_words) own = found;
        is_done.store(true, std::memory_order_release);
    }

    bool worth(float high, float low) const {
        return largest.size() < most_pairs || high >= largest.back().value || low <= smallest.back().value;
    }

    void keep_of(std::span<const float> values, std::int64_t row, std::int64_t column) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (!worth(values[i], values[i])) continue;
            const WordPair pair{static_cast<int>(row), static_cast<int>(column) + static_cast<int>(i), values[i]};
            keep(largest, pair, larger);
            keep(smallest, pair, smaller);
        }
    }
};

bool has_word_circuit(const TransformerGraph& model, const std::string& prefix, Kind kind) {
    const Graph& graph = *model.graph;
    return has_circuits(graph, prefix) && model.config.input == InputKind::words &&
           (kind == Kind::query_key || has_unembedding(model));
}

WordCircuit::WordCircuit(const Trace& trace, const WordCircuitOf& of) {
    if (!has_word_circuit(trace.model(), of.prefix, of.kind))
        throw Error("the head's weights connect no words here: {1}", of.prefix);
    const HeadWeights weights = head_weights(trace, of.prefix, of.head);
    const bool looks = of.kind == Kind::query_key;
    work_.reset(new Work{of, trace.parameters(), trace.model().graph,
                         reading_side(trace, of, weights, looks ? 'q' : 'v'),
                         looks ? reading_side(trace, of, weights, 'k') : saying_side(trace, of, weights)});
    Work& w = *work_;
    const TransformerConfig& config = trace.model().config;
    if (looks && config.attention.scale) {
        const int width = config.attention.scale_width > 0 ? config.attention.scale_width : config.d_head();
        w.scale = 1.0f / std::sqrt(static_cast<float>(width));
    }
    const int said = trace.graph().at("embed.W_E");
    w.same_words = w.left.words == w.right.words && w.left.table == (looks ? w.right.table : said);
    w.overlap = Eigen::MatrixXd::Zero(w.left.weights.cols(), w.left.weights.cols());
    for (WordSide* side : {&w.left, &w.right}) side->made.resize(side->words, side->weights.cols());
}

WordCircuit::~WordCircuit() = default;
WordCircuit::WordCircuit(WordCircuit&&) noexcept = default;
WordCircuit& WordCircuit::operator=(WordCircuit&&) noexcept = default;

const WordCircuitOf& WordCircuit::of() const { return work_->of; }
int WordCircuit::rows() const { return static_cast<int>(work_->left.words); }
int WordCircuit::columns() const { return static_cast<int>(work_->right.words); }
void WordCircuit::step() { work_->step(); }
bool WordCircuit::made() const { return work_->is_made.load(std::memory_order_acquire); }
bool WordCircuit::done() const { return work_->is_done.load(std::memory_order_acquire); }
double WordCircuit::progress() const { return work_->progress; }
const std::vector<WordPair>& WordCircuit::largest() const { return work_->largest; }
const std::vector<WordPair>& WordCircuit::smallest() const { return work_->smallest; }
const std::optional<OwnWords>& WordCircuit::own() const { return work_->own; }

std::vector<float> WordCircuit::row(int word) const {
    if (word < 0 || word >= rows()) throw Error("there is no word {1}; ids go from 0 to {2}", word, rows() - 1);
    std::vector<float> found(static_cast<std::size_t>(columns()));
    Eigen::Map<Eigen::VectorXf>(found.data(), columns()).noalias() =
        work_->right.made * work_->left.made.row(word).transpose();
    return found;
}

std::vector<WordScore> top_of_row(std::span<const float> row, std::size_t count, bool smallest) {
    std::vector<WordScore> all(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) all[i] = {static_cast<int>(i), row[i]};
    const auto most = static_cast<std::ptrdiff_t>(std::min(count, all.size()));
    std::partial_sort(all.begin(), all.begin() + most, all.end(), [&](const WordScore& a, const WordScore& b) {
        if (a.value != b.value) return smallest ? a.value < b.value : a.value > b.value;
        return a.word < b.word;
    });
    all.resize(static_cast<std::size_t>(most));
    return all;
}

}  // namespace glassformer
