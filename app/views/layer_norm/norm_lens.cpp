#include "app/views/layer_norm/norm_lens.h"

#include <algorithm>
#include <cmath>

#include "app/language/tr.h"

namespace glassformer::app::views::layer_norm {

namespace {

int found(const Trace& trace, const std::string& name) { return trace.graph().find(name).value_or(-1); }

double at(const Trace& trace, int node, std::int64_t offset) { return trace.at({node, offset}); }

std::vector<WordPlace> words_on_screen(const Frame& frame) {
    std::vector<WordPlace> words;
    for (int slot = 0; slot < 2; ++slot)
        if (const Trace* trace = frame.trace(slot); trace && (slot == frame.state.card || frame.same_model()))
            for (int position = 0; position < trace->positions(); ++position) words.push_back({slot, position});
    return words;
}

/// Reads the chosen word's features from the model.
void take_word(const Trace& trace, NormLens& lens) {
    const NormNodes& n = lens.nodes;
    const std::int64_t first = lens.cell(lens.token, 0), count = lens.features;
    const std::array nodes{n.x, n.normalized, n.out};
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const SliceView part = trace.part(nodes[i], trace.slices(nodes[i]).around(first, count));
        const std::span<const float> row = part.cells(first, count);
        lens.values[i].assign(row.begin(), row.end());
    }
    const std::int64_t here = lens.cell(lens.token, lens.feature), of = n.of_features() ? lens.feature : lens.token;
    lens.mean = n.mean >= 0 ? at(trace, n.mean, of) : 0;
    lens.scale = n.of_features() ? std::sqrt(at(trace, n.variance, of) + lens.epsilon) : at(trace, n.scale, of);
    lens.normalized = at(trace, n.normalized, here), lens.out = at(trace, n.out, here);
}

/// Reads the chosen feature of every word on screen, and computes what batch norm would make of it.
void take_feature(const Frame& frame, NormLens& lens) {
    for (const WordPlace& word : lens.words) {
        const Trace& trace = *frame.trace(word.slot);
        if (const auto nodes = find_norm(trace, lens.prefix))
            lens.values[0].push_back(trace.at({nodes->x, lens.cell(word.position, lens.feature)}));
    }
    const Spread s = spread(lens.values[0]);
    lens.mean = s.mean, lens.scale = std::sqrt(s.deviation * s.deviation + lens.epsilon);
    for (const float x : lens.values[0]) {
        const double normalized = (static_cast<double>(x) - lens.mean) / lens.scale;
        lens.values[1].push_back(to_float(normalized));
        lens.values[2].push_back(to_float(lens.gamma * normalized + lens.beta));
    }
    lens.normalized = (lens.x - lens.mean) / lens.scale;
    lens.out = lens.gamma * lens.normalized + lens.beta;
}

}  // namespace

std::optional<NormNodes> find_norm(const Trace& trace, const std::string& prefix) {
    NormNodes n;
    n.normalized = found(trace, prefix + ".hook_normalized"), n.out = found(trace, prefix + ".hook_out");
    if (n.normalized < 0 || n.out < 0) return {};
    n.x = trace.graph()[n.normalized].inputs[0];
    n.mean = found(trace, prefix + ".hook_mean"), n.scale = found(trace, prefix + ".hook_scale");
    n.variance = found(trace, prefix + ".hook_variance");
    n.gamma = found(trace, prefix + ".w"), n.beta = found(trace, prefix + ".b");
    return n;
}

std::vector<NormChoice> norm_choices(const Frame& frame, const Trace& trace) {
    std::vector<NormChoice> choices;
    for (const NormChoice& choice :
         {NormChoice{"ln1", hook(frame.state, "ln1")}, NormChoice{N_("cross"), hook(frame.state, "ln_cross")},
          NormChoice{"ln2", hook(frame.state, "ln2")}, NormChoice{N_("final"), "ln_final"}})
        if (find_norm(trace, choice.prefix)) choices.push_back(choice);
    return choices;
}

bool has_norm(const Frame& frame) {
    if (const Trace* trace = frame.trace(frame.state.card)) return !norm_choices(frame, *trace).empty();
    return frame.model().config.norm_placement != NormPlacement::none;
}

Spread spread(std::span<const float> values, bool about_zero) {
    if (values.empty()) return {};
    const auto count = static_cast<double>(values.size());
    Spread s;
    if (!about_zero)
        for (const float v : values) s.mean += static_cast<double>(v) / count;
    double variance = 0;
    for (const float v : values) {
        const double away = static_cast<double>(v) - s.mean;
        variance += away * away / count;
    }
    s.deviation = std::sqrt(variance);
    return s;
}

int NormHistogram::piece(float value) const {
    if (!std::isfinite(value)) return -1;
    const double along = (static_cast<double>(value) + limit) / (2 * limit);
    return std::clamp(static_cast<int>(std::clamp(along, 0.0, 1.0) * pieces), 0, pieces - 1);
}

double round_limit(std::span<const float> values) {
    double largest = 0;
    for (const float v : values)
        if (std::isfinite(v)) largest = std::max<double>(largest, std::abs(v));
    if (!(largest > 0)) return 1;
    const double step = std::pow(10.0, std::floor(std::log10(largest))) / 2;
    return std::ceil(largest / step) * step;
}

NormHistogram histogram(std::span<const float> values, double limit) {
    NormHistogram h;
    h.limit = limit;
    for (const float v : values)
        if (const int piece = h.piece(v); piece >= 0) ++h.count[piece];
    return h;
}

int NormLens::index() const {
    if (!over_words) return feature;
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i].slot == slot && words[i].position == token) return static_cast<int>(i);
    return 0;
}

std::int64_t NormLens::gamma_cell(const Trace& trace) const {
    return trace.graph()[nodes.gamma].shape.elements() > 1 ? feature : 0;
}

NormLens norm_lens(const Frame& frame, int slot) {
    const Trace& trace = *frame.trace(slot);
    const NormLensChoice& chosen = frame.state.own<NormLensChoice>();
    const std::vector<NormChoice> choices = norm_choices(frame, trace);
    const std::string_view wanted = chosen.final_norm               ? "final"
                                    : frame.state.second_layer_norm ? "ln2"
                                    : frame.state.cross_attention   ? "cross"
                                                                    : "ln1";
    const auto choice = std::ranges::find(choices, wanted, &NormChoice::name);
    NormLens lens;
    lens.slot = slot, lens.over_words = chosen.over_words;
    lens.prefix = choice == choices.end() ? choices.front().prefix : choice->prefix;
    lens.nodes = *find_norm(trace, lens.prefix);
    lens.kind = frame.model().config.norm;
    lens.epsilon = frame.model().config.norm_epsilon;
    lens.features = static_cast<int>(trace.shape(lens.nodes.x).back());
    lens.feature = std::clamp(chosen.feature, 0, lens.features - 1);
    lens.token = std::clamp(frame.state.token[slot], 0, trace.positions() - 1);
    lens.words = words_on_screen(frame);
    lens.x = at(trace, lens.nodes.x, lens.cell(lens.token, lens.feature));
    if (lens.nodes.gamma >= 0) lens.gamma = at(trace, lens.nodes.gamma, lens.gamma_cell(trace));
    if (lens.nodes.beta >= 0) lens.beta = at(trace, lens.nodes.beta, lens.gamma_cell(trace));
    if (lens.over_words)
        take_feature(frame, lens);
    else
        take_word(trace, lens);
    for (std::size_t i = 0; i < lens.values.size(); ++i) lens.spreads[i] = spread(lens.values[i], !lens.takes_mean());
    return lens;
}

}  // namespace glassformer::app::views::layer_norm
