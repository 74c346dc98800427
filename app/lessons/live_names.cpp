#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "app/common/head_summaries.h"
#include "app/common/metric_curves.h"
#include "app/lessons/live_reader.h"
#include "app/lessons/live_syntax.h"
#include "app/panels/sentence/prompt_numbers.h"
#include "app/session/running_at.h"
#include "core/base/error.h"
#include "core/base/join.h"

namespace glassformer::app {

namespace {

using live::Reader;

double live_length(std::span<const float> vector) {
    double sum = 0;
    for (const float x : vector) sum += static_cast<double>(x) * static_cast<double>(x);
    return std::sqrt(sum);
}

// ------------------------------------------------------------------------------------------------------- attention

LiveValue pair(const Reader& r, const std::string& name) {
    const int node = r.pairs_node(name), query = r.position(0), key = r.key();
    if (node < 0 || query < 0 || key < 0) return {};
    const Shape shape = r.trace()->shape(node);
    if (query >= shape[1] || key >= shape[2]) return {};
    return r.traced({node, offset_of(shape, {r.head, query, key})});
}
LiveValue pattern(const Reader& r) { return pair(r, "hook_pattern"); }
LiveValue score(const Reader& r) { return pair(r, "hook_attn_scores"); }
LiveValue raw(const Reader& r) { return pair(r, "hook_attn_scores_raw"); }
LiveValue top(const Reader& r) {
    const int key = r.strongest();
    if (key < 0) return {};
    if (r.e.cross) return Reader::word(r.sentence().source[key].text);
    return Reader::word(live::token_name(r.sentence(), key));
}
LiveValue top_place(const Reader& r) { return Reader::whole(r.strongest()); }
LiveValue sum(const Reader& r) {
    const SliceView part = r.pattern_row();
    const std::span<const float> row = part.values();
    return row.empty() ? LiveValue{} : r.number(std::accumulate(row.begin(), row.end(), 0.0));
}

/// What a head is known for, in this sentence.
template <class Pick>
LiveValue summary(const Reader& r, const Pick& pick) {
    if (!r.trace() || r.pairs_node("hook_pattern") < 0) return {};
    const std::optional<double> found = pick(summarize_head(*r.trace(), r.layer, r.head, r.e.cross));
    return found ? r.number(*found) : LiveValue{};
}
LiveValue previous(const Reader& r) {
    return summary(r, [](const HeadSummary& h) { return h.previous; });
}
LiveValue induction(const Reader& r) {
    return summary(r, [](const HeadSummary& h) { return h.induction; });
}
LiveValue toeplitz(const Reader& r) {
    return summary(r, [](const HeadSummary& h) { return h.toeplitz; });
}

// ------------------------------------------------------------------------------------------------------- sentences

LiveValue place(const Reader& r) { return Reader::whole(r.position(0)); }
LiveValue source_place(const Reader& r) { return Reader::whole(r.position_in(r.e.slot, 0, true)); }
LiveValue length(const Reader& r) { return Reader::whole(static_cast<int>(r.sentence().tokens.size())); }
LiveValue word(const Reader& r) {
    const std::size_t at = r.e.count;
    return at < r.sentence().tokens.size() ? Reader::word(live::token_name(r.sentence(), r.e.count)) : LiveValue{};
}
LiveValue source_word(const Reader& r) {
    const std::size_t at = r.e.count;
    return at < r.sentence().source.size() ? Reader::word(r.sentence().source[at].text) : LiveValue{};
}
LiveValue id(const Reader& r) {
    const int at = r.position(0);
    return at < 0 ? LiveValue{} : Reader::whole(r.sentence().tokens[at].id);
}

// --------------------------------------------------------------------------------------------- vectors and streams

LiveValue size_of(const Reader& r, const char* hook) {
    const std::span<const float> row = r.row(hook);
    return row.empty() ? LiveValue{} : r.number(live_length(row));
}
LiveValue size(const Reader& r) {
    const std::span<const float> row = r.stream_of(r.e.slot, 0);
    return row.empty() ? LiveValue{} : r.number(live_length(row));
}
LiveValue size_attention(const Reader& r) { return size_of(r, "hook_attn_out"); }
LiveValue size_middle(const Reader& r) { return size_of(r, "hook_resid_mid"); }
LiveValue size_mlp(const Reader& r) { return size_of(r, "hook_mlp_out"); }

/// 1 − cosine of two words' raw streams: the first word's in A, the second's in B.
LiveValue distance(const Reader& r) {
    const std::span<const float> a = r.stream_of(0, 0), b = r.stream_of(1, 1);
    if (a.empty() || b.empty() || a.size() != b.size()) return {};
    double ab = 0;
    for (std::size_t i = 0; i < a.size(); ++i) ab += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    return r.number(1 - ab / std::max(live_length(a) * live_length(b), 1e-15));
}
LiveValue nearest(const Reader& r) {
    const auto near = r.near(static_cast<std::size_t>(r.e.count));
    const bool there = near.size() == static_cast<std::size_t>(r.e.count);
    return there ? Reader::word(r.s.model->token_text(near.back().id)) : LiveValue{};
}
LiveValue nearness(const Reader& r) {
    const auto near = r.near(static_cast<std::size_t>(r.e.count));
    const bool there = near.size() == static_cast<std::size_t>(r.e.count);
    return there ? r.number(static_cast<double>(near.back().cosine)) : LiveValue{};
}
LiveValue nearness_of(const Reader& r) {
    const int id = r.id_of(r.e.words.back());
    for (const Neighbor& near : r.near(static_cast<std::size_t>(r.model().config.d_vocab)))
        if (near.id == id) return r.number(static_cast<double>(near.cosine));
    return {};
}

// --------------------------------------------------------------------------------------------- what the model says

LiveValue guess(const Reader& r) {
    const auto best = r.likeliest(static_cast<std::size_t>(r.e.count));
    return best.size() == static_cast<std::size_t>(r.e.count) ? Reader::word(r.name_of(best.back())) : LiveValue{};
}
LiveValue chance(const Reader& r) {
    const auto best = r.likeliest(static_cast<std::size_t>(r.e.count));
    if (best.size() != static_cast<std::size_t>(r.e.count)) return {};
    return r.number(static_cast<double>(r.said()[best.back()]));
}
LiveValue chance_of(const Reader& r) {
    const int id = r.id_of(r.e.words.back());
    const std::span<const float> all = r.said();
    if (id < 0 || static_cast<std::size_t>(id) >= all.size()) return {};
    return r.number(static_cast<double>(all[id]));
}
LiveValue verdict(const Reader& r) {
    const auto best = r.likeliest(1);
    return best.empty() ? LiveValue{} : Reader::word(r.name_of(best.front()));
}
LiveValue logit(const Reader& r) {
    const int word = r.id_of(r.e.words.back()), at = r.position(0);
    if (!r.trace() || word < 0 || at < 0) return {};
    const int node = r.trace()->model().logits;
    const std::int64_t width = r.trace()->shape(node).back();
    return word < width ? r.traced({node, at * width + word}) : LiveValue{};
}
LiveValue live_says(const Reader& r) {
    if (!r.model().config.outputs_numbers() || !r.trace()) return {};
    const int at = r.position(0);
    return at < 0 ? LiveValue{} : r.traced({r.trace()->model().logits, std::int64_t{at} * r.model().config.d_output});
}
LiveValue truth(const Reader& r) {
    const int at = r.position(0);
    const std::size_t i = std::max(0, at * r.model().config.d_output);
    if (at < 0 || i >= r.sentence().true_values.size() || std::isnan(r.sentence().true_values[i])) return {};
    return r.number(static_cast<double>(r.sentence().true_values[i]));
}
LiveValue input(const Reader& r) {
    const int at = r.position(0), width = r.model().config.d_input;
    const std::size_t i = std::max(0, at * width + std::max(0, r.e.count));
    if (at < 0 || r.e.count >= width || i >= r.sentence().values.size()) return {};
    return r.number(static_cast<double>(r.sentence().values[i]));
}

/// The textbook's answer at a point of the prompt on screen.
LiveValue textbook(const Reader& r, const Regressor& method) {
    const auto answer = textbook_answer(r.sentence(), r.model().config.d_input, r.position(0), method);
    return answer ? r.number(*answer) : LiveValue{};
}
LiveValue least_squares_here(const Reader& r) { return textbook(r, least_squares); }
LiveValue ridge_here(const Reader& r) {
    return textbook(r, [](auto xs, auto ys, auto x) { return ridge(ridge_lambda, xs, ys, x); });
}

// ------------------------------------------------------------------------------------------ the model, its training

LiveValue accuracy(const Reader& r) {
    const std::size_t at = r.layer + 1;
    if (r.e.unaltered && r.s.unaltered && r.s.probe && r.s.is_measured(r.e.slot)) {
        const auto& by_layer = r.s.unaltered->found.details;  // of a world of senses
        return at < by_layer.size() ? r.share(by_layer[at].second) : LiveValue{};
    }
    if (!r.measured() || at >= r.s.probe->accuracy.size()) return {};
    return r.share(static_cast<double>(r.s.probe->accuracy[at]));
}
LiveValue metric(const Reader& r) {
    const Measured* of = (r.e.unaltered && r.s.unaltered ? r.s.unaltered : r.s.measured).get();
    if (!of || !r.s.is_measured(r.e.slot) || (of == r.s.measured.get() && !r.s.of_shown(of->of))) return {};
    const Measurement& found = of->found;
    double value = found.value;
    if (!r.e.words.empty()) {
        const auto named = std::ranges::find(found.details, r.e.words[0].text, &std::pair<std::string, double>::first);
        if (named == found.details.end()) return {};
        value = named->second;
    }
    return r.s.model->metric_is_share ? r.share(value) : r.number(value);
}
/// True if the curves reach the step that is asked about.
bool reach(const Reader& r) { return r.s.history && !r.s.history->empty() && r.e.count <= r.s.history->back().step; }
/// The newest measured point of the curves at this step or before.
template <class Pick>
std::optional<double> at_step(const Reader& r, const Pick& pick) {
    std::optional<double> found;
    if (reach(r))
        for (const MetricPoint& point : *r.s.history)
            if (point.step <= r.e.count && pick(point) >= 0) found = static_cast<double>(pick(point));
    return found;
}
LiveValue metric_at(const Reader& r) {
    const auto found = at_step(r, [](const MetricPoint& p) { return p.accuracy; });
    if (!found) return {};
    return r.s.model->metric_is_share ? r.share(*found) : r.number(*found);
}
/// The same running mean as {loss}.
LiveValue loss_at(const Reader& r) {
    const float found = reach(r) ? smooth_loss_at(*r.s.history, r.e.count) : -1.0f;
    return found >= 0 ? r.number(static_cast<double>(found)) : LiveValue{};
}
LiveValue loss(const Reader& r) {
    const std::optional<double> found = measured_loss(r.s);  // none before the first step
    return found && r.s.is_measured(r.e.slot) ? r.number(*found) : LiveValue{};
}
LiveValue gradient_norm(const Reader& r) {
    const float norm = running_at(r.s).gradient_norm;
    return norm < 0 ? LiveValue{} : r.number(static_cast<double>(norm));
}
LiveValue clip_factor(const Reader& r) {
    const float factor = running_at(r.s).clip_factor;
    return factor < 0 ? LiveValue{} : r.number(static_cast<double>(factor));
}
LiveValue learning_rate(const Reader& r) { return r.number(static_cast<double>(r.s.learning_rate)); }
LiveValue step(const Reader& r) {
    const auto known = r.model().known_step(r.s.is_measured(r.e.slot) ? r.s.step : r.sentence().step);
    return known ? Reader::whole(*known) : LiveValue{};
}
LiveValue stopped(const Reader& r) { return Reader::whole(r.s.trouble ? r.s.trouble->step : 0); }
LiveValue changes(const Reader& r) { return Reader::whole(static_cast<std::int64_t>(r.s.what_if.size())); }
LiveValue patches(const Reader& r) { return Reader::whole(live::patches_in(r.s.what_if)); }
LiveValue parameters(const Reader& r) { return Reader::whole(r.model().parameter_count); }
template <auto size>
LiveValue size_in_config(const Reader& r) {
    return Reader::whole(std::invoke(size, r.model().config));
}
LiveValue block(const Reader& r) { return r.block() ? Reader::whole(r.layer) : LiveValue{}; }
LiveValue head(const Reader& r) { return Reader::whole(r.head); }
LiveValue homonyms(const Reader& r) { return Reader::whole(static_cast<int>(r.model().senses.size() / 2)); }
LiveValue uses(const Reader& r) {
    return r.s.meaning ? Reader::whole(static_cast<int>(r.s.meaning->sense.size())) : LiveValue{};
}

// ----------------------------------------------------------------------------------------------------- their table

using live::Kind;
/// What a name takes and returns.
struct Name {
    std::string_view name;
    int words, least_words;  // in quotes
    bool layer, embedding, head;
    int first_count;  // least value of the count; −1: no count; −2: optional
    LiveValue (*read)(const Reader&);
    Kind kind = Kind::number;
    std::string_view hook = {};  // for names that simply read a cell of the trace
};

constexpr int no_count = -1, optional_count = -2;
constexpr Name live_of_head(std::string_view name, int words, LiveValue (*read)(const Reader&), Kind kind = Kind::row) {
    return {name, words, words, true, false, true, no_count, read, kind};
}
constexpr Name of_word(std::string_view name, LiveValue (*read)(const Reader&)) {
    return {name, 1, 1, true, false, false, no_count, read};
}
LiveValue traced(const Reader& r);
constexpr Name component(std::string_view name, bool head, std::string_view hook) {
    return {name, 1, 1, true, false, head, 0, traced, Kind::number, hook};
}
constexpr Name plain(std::string_view name, LiveValue (*read)(const Reader&)) {
    return {name, 0, 0, false, false, false, no_count, read};
}

constexpr std::array names{
    live_of_head("pattern", 2, pattern),
    live_of_head("score", 2, score),
    live_of_head("raw", 2, raw),
    live_of_head("top", 1, top),
    live_of_head("top_place", 1, top_place),
    live_of_head("sum", 1, sum, Kind::number),
    live_of_head("previous", 0, previous, Kind::number),
    live_of_head("induction", 0, induction, Kind::number),
    live_of_head("toeplitz", 0, toeplitz, Kind::number),
    Name{"place", 1, 1, false, false, false, no_count, place},
    Name{"source_place", 1, 1, false, false, false, no_count, source_place},
    plain("length", length),
    Name{"word", 0, 0, false, false, false, 0, word},
    Name{"source_word", 0, 0, false, false, false, 0, source_word},
    Name{"id", 1, 1, false, false, false, no_count, id},
    Name{"embed", 1, 1, false, false, false, 0, traced, Kind::number, "hook_embed"},
    component("stream", false, "hook_resid_post"),
    component("stream_before", false, "hook_resid_pre"),
    component("q", true, "attn.hook_q"),
    component("k", true, "attn.hook_k"),
    component("v", true, "attn.hook_v"),
    component("z", true, "attn.hook_z"),
    Name{"mean", 1, 1, true, false, false, no_count, traced, Kind::number, "ln1.hook_mean"},
    Name{"sigma", 1, 1, true, false, false, no_count, traced, Kind::number, "ln1.hook_scale"},
    component("normalized", false, "ln1.hook_normalized"),
    component("norm_out", false, "ln1.hook_out"),
    Name{"gamma", 0, 0, true, false, false, 0, traced, Kind::number, "ln1.w"},
    Name{"beta", 0, 0, true, false, false, 0, traced, Kind::number, "ln1.b"},
    Name{"size", 1, 1, true, true, false, no_count, size},
    of_word("size_attention", size_attention),
    of_word("size_middle", size_middle),
    of_word("size_mlp", size_mlp),
    Name{"distance", 2, 2, true, true, false, no_count, distance},
    Name{"nearest", 1, 1, true, true, false, 1, nearest, Kind::near},
    Name{"nearness", 1, 1, true, true, false, 1, nearness, Kind::near},
    Name{"nearness_of", 2, 2, true, true, false, no_count, nearness_of, Kind::near},
    Name{"guess", 1, 1, false, false, false, 1, guess, Kind::said},
    Name{"chance", 1, 1, false, false, false, 1, chance, Kind::said},
    Name{"chance_of", 2, 1, false, false, false, no_count, chance_of, Kind::said},
    Name{"verdict", 0, 0, false, false, false, no_count, verdict, Kind::said},
    Name{"logit", 2, 2, false, false, false, no_count, logit, Kind::said},
    Name{"says", 1, 1, false, false, false, no_count, live_says},
    Name{"truth", 1, 1, false, false, false, no_count, truth},
    Name{"input", 1, 1, false, false, false, optional_count, input},
    Name{"least_squares", 1, 1, false, false, false, no_count, least_squares_here},
    Name{"ridge", 1, 1, false, false, false, no_count, ridge_here},
    Name{"accuracy", 0, 0, true, true, false, no_count, accuracy},
    Name{"metric", 1, 0, false, false, false, no_count, metric, Kind::figure},
    Name{"metric_at", 0, 0, false, false, false, 0, metric_at},
    Name{"loss_at", 0, 0, false, false, false, 0, loss_at},
    plain("loss", loss),
    plain("gradient_norm", gradient_norm),
    plain("clip_factor", clip_factor),
    plain("learning_rate", learning_rate),
    plain("step", step),
    plain("steps", [](const Reader& r) { return Reader::whole(r.s.planned_steps); }),
    plain("stopped", stopped),
    plain("changes", changes),
    plain("patches", patches),
    plain("parameters", parameters),
    plain("weights", [](const Reader& r) { return r.sum_of_weights(); }),
    plain("vocabulary", size_in_config<&TransformerConfig::d_vocab>),
    plain("context", size_in_config<&TransformerConfig::n_ctx>),
    plain("layers", size_in_config<&TransformerConfig::n_layers>),
    plain("heads", size_in_config<&TransformerConfig::n_heads>),
    plain("d_model", size_in_config<&TransformerConfig::d_model>),
    plain("d_head", size_in_config<&TransformerConfig::d_head>),
    plain("d_mlp", size_in_config<&TransformerConfig::d_mlp>),
    plain("block", block),
    plain("head", head),
    plain("runs", live::runs),
    plain("held", [](const Reader& r) { return r.held ? Reader::whole(*r.held) : LiveValue{}; }),
    plain("lowest", live::lowest),
    plain("highest", live::highest),
    plain("mean_of_runs", live::mean_of_runs),
    plain("spread_of_runs", live::spread_of_runs),
    Name{"run_metric", 0, 0, false, false, false, 1, live::run_metric},
    Name{"run_head", 1, 1, false, false, false, 1, live::run_head},
    Name{"run_top", 1, 1, false, false, false, 1, live::run_top},
    Name{"run_heads", 1, 1, false, false, false, no_count, live::run_heads},
    Name{"runs_alike", 1, 1, false, false, false, no_count, live::runs_alike},
    plain("homonyms", homonyms),
    plain("uses", uses),
};

LiveValue traced(const Reader& r) { return r.traced(r.cell(std::string(names[r.e.name].hook))); }

std::string known_names() {
    return join(names, ", ", [](const Name& n) { return quoted_name(n.name); });
}

}  // namespace

namespace live {

std::size_t name_index(std::string_view name) {
    const auto found = std::ranges::find(names, name, &Name::name);
    if (found == names.end())
        throw Error("there is no number called \"{1}\"; the known names are: {2}", name, known_names());
    return static_cast<std::size_t>(found - names.begin());
}

void require_complete(const Expression& e) {
    const Name& n = names[e.name];
    const int given = static_cast<int>(e.words.size()) + (e.strongest ? 1 : 0);
    if (given > n.words || given < n.least_words)
        throw n.words == 1 ? Error("{1} needs {2} word in double quotes, but has {3}", n.name, n.words, given)
                           : Error("{1} needs {2} words in double quotes, but has {3}", n.name, n.words, given);
    if (e.strongest && (!n.head || n.words != 2)) throw Error("{1} cannot take \"→ top\"", n.name);
    if (e.cross && !n.head) throw Error("{1} has no cross-attention: leave out cross", n.name);
    if (e.layer && !n.layer) throw Error("{1} belongs to no block: leave out [{2}]", n.name, *e.layer);
    if (e.layer == embedding_layer && !n.embedding)
        throw Error("{1} does not exist at the embedding; give a block", n.name);
    if (e.head && !n.head) throw Error("{1} belongs to no head: leave out the second [ ]", n.name);
    if (n.first_count == no_count && e.count >= 0) throw Error("{1} takes no count at the end", n.name);
    if (n.first_count >= 0 && e.count < n.first_count)
        throw Error("{1} needs a count at the end, {2} or more", n.name, n.first_count);
}

Kind kind_of(const Expression& e) { return names[e.name].kind; }

}  // namespace live

LiveValue evaluate(const Expression& e, const LivePlace& place) { return names[e.name].read(Reader(e, place)); }

}  // namespace glassformer::app
