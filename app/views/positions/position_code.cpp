#include "app/views/positions/position_code.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace glassformer::app::views::positions {

namespace {

constexpr double slowest = 10000.0;

/// The angle by which the features 2i and 2i + 1 rotate from one position to the next.
double turn(int pair, int width) {
    return std::pow(slowest, -static_cast<double>(2 * pair) / static_cast<double>(width));
}

double dot(const PositionCode& code, int a, int b) {
    const std::size_t width = code.width;
    const float *x = code.values.data() + static_cast<std::size_t>(a) * width,
                *y = code.values.data() + static_cast<std::size_t>(b) * width;
    double sum = 0;
    for (std::size_t i = 0; i < width; ++i) sum += static_cast<double>(x[i]) * static_cast<double>(y[i]);
    return sum;
}

PositionCode empty_code(int positions, int width) {
    PositionCode code;
    code.positions = positions, code.width = width;
    code.values.resize(static_cast<std::size_t>(positions) * static_cast<std::size_t>(width));
    return code;
}

/// Copies the first rows of a node or parameter [rows, width].
std::shared_ptr<const PositionCode> copied(const Trace& trace, int node, int positions) {
    PositionCode code = empty_code(positions, static_cast<int>(trace.shape(node).back()));
    const std::span<const float> from = trace.values(node).first(code.values.size());
    code.values.assign(from.begin(), from.end());
    compare_positions(code);
    return std::make_shared<const PositionCode>(std::move(code));
}

/// What a code was computed from. Holding on to the parameters rules out others at the same address.
struct Kept {
    Parameters parameters;
    int table = -1, positions = 0, in_sentence = 0;
    std::shared_ptr<const PositionCode> code;
};

std::shared_ptr<const PositionCode> make(const Frame& frame, const Trace& trace, const ModelPositions& of,
                                         int positions) {
    const TransformerConfig& config = frame.model().config;
    if (of.kind == Positions::rotary)
        return std::make_shared<const PositionCode>(rotary_code(positions, config.rotary_dims()));
    if (of.kind == Positions::sinusoidal)
        return std::make_shared<const PositionCode>(sinusoidal_code(positions, config.d_model));
    return copied(trace, of.table >= 0 ? of.table : of.node, positions);
}

}  // namespace

void compare_positions(PositionCode& code) {
    const int n = code.positions;
    code.similarity.assign(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), 0.0f);
    code.by_distance.assign(static_cast<std::size_t>(n), 0.0f);
    std::vector<double> length(static_cast<std::size_t>(n));
    for (int a = 0; a < n; ++a) length[a] = std::sqrt(dot(code, a, a));
    std::vector<double> sum(static_cast<std::size_t>(n));
    for (int a = 0; a < n; ++a)
        for (int b = a; b < n; ++b) {
            const double size = length[a] * length[b];
            const double cosine = !(size > 0) ? 0 : a == b ? 1 : dot(code, a, b) / size;
            code.similarity[a * n + b] = to_float(cosine);
            code.similarity[b * n + a] = to_float(cosine);
            sum[b - a] += cosine;
        }
    for (int d = 0; d < n; ++d) code.by_distance[d] = to_float(sum[d] / (n - d));
}

PositionCode sinusoidal_code(int positions, int width) {
    PositionCode code = empty_code(positions, width);
    for (int p = 0; p < positions; ++p)
        for (int j = 0; j < width; ++j) {
            const double angle = p * turn(j / 2, width);
            code.values[p * width + j] = to_float(j % 2 == 0 ? std::sin(angle) : std::cos(angle));
        }
    compare_positions(code);
    return code;
}

PositionCode rotary_code(int positions, int d_head) {
    PositionCode code = empty_code(positions, d_head);
    for (int p = 0; p < positions; ++p)
        for (int j = 0; j < d_head; ++j) {
            const double angle = p * turn(j / 2, d_head);
            code.values[p * d_head + j] = to_float(j % 2 == 0 ? std::cos(angle) : std::sin(angle));
        }
    compare_positions(code);
    return code;
}

std::vector<float> alibi_penalties(int heads, int distances) {
    std::vector<float> table(static_cast<std::size_t>(heads) * static_cast<std::size_t>(distances));
    for (int h = 0; h < heads; ++h) {
        const double slope = std::exp2(-8.0 * (h + 1) / heads);
        for (int d = 0; d < distances; ++d) table[h * distances + d] = to_float(-slope * d);
    }
    return table;
}

std::optional<Cell> ModelPositions::cell(int position, int feature) const {
    if (!code || feature >= code->width) return {};
    const std::int64_t offset = std::int64_t{position} * code->width + feature;
    if (node >= 0 && position < in_sentence) return Cell{node, offset};
    if (table >= 0) return Cell{table, offset};
    return {};
}

ModelPositions model_positions(const Frame& frame, int slot) {
    const Trace& trace = *frame.trace(slot);
    const TransformerConfig& config = trace.model().config;
    ModelPositions of;
    of.kind = config.positions;
    of.node = trace.graph().find("hook_pos_embed").value_or(-1);
    if (of.kind == Positions::learned) of.table = trace.graph().find("pos_embed.W_pos").value_or(-1);
    of.in_sentence = of.node >= 0 ? trace.positions() : 0;
    of.all = of.kind == Positions::index || of.kind == Positions::index_over_length ? trace.positions() : config.n_ctx;
    if (of.kind == Positions::none || of.kind == Positions::alibi) return of;
    if (of.kind != Positions::rotary && of.kind != Positions::sinusoidal && of.table < 0 && of.node < 0) return of;
    static std::array<Kept, 2> kept;  // one per sentence; only one thread draws
    Kept& k = kept[slot];
    const int positions = std::min(of.all, most_positions);
    if (!k.code || k.parameters != trace.parameters() || k.table != of.table || k.positions != positions ||
        k.in_sentence != of.in_sentence)
        k = {trace.parameters(), of.table, positions, of.in_sentence, make(frame, trace, of, positions)};
    of.code = k.code;
    return of;
}

std::shared_ptr<const PositionCode> sinusoidal_beside(const PositionCode& code) {
    static std::shared_ptr<const PositionCode> kept;
    if (!kept || kept->positions != code.positions || kept->width != code.width)
        kept = std::make_shared<const PositionCode>(sinusoidal_code(code.positions, code.width));
    return kept;
}

}  // namespace glassformer::app::views::positions
