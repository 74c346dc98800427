#include "app/lessons/live_reader.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/common/explanation.h"
#include "app/common/said_words.h"
#include "app/language/sentences.h"
#include "core/base/number_text.h"
#include "core/graph/hook_names.h"

namespace glassformer::app::live {

namespace {

/// A blank also matches the ␣ of a letter model, and ▢ matches <mask>.
bool same_word(const WordTokenizer::Token& token, const std::string& wanted) {
    return token.text == wanted || (wanted == " " && token.text == "␣") || (wanted == "▢" && token.text == "<mask>");
}

std::string printed(double value, int decimals) { return typographic(with_decimals(value, decimals)); }

}  // namespace

std::string token_name(const WatchedSentence& sentence, int position) {
    const std::string& text = sentence.tokens[position].text;
    return text == "<mask>" ? "▢" : text;
}

std::int64_t patches_in(std::span<const WhatIf> changes) {
    return std::ranges::count_if(changes, [](const WhatIf& c) {
        return std::holds_alternative<what_if::Patch>(c) || std::holds_alternative<what_if::HeadPatch>(c);
    });
}

Reader::Reader(const Expression& expression, const LivePlace& place)
    : e(expression),
      s(place.snapshot),
      layer(expression.layer.value_or(place.shown_in(expression.slot).layer)),
      head(expression.head.value_or(place.shown_in(expression.slot).head)),
      held(place.held) {
    if (layer == last_layer) layer = model().config.n_layers - 1;
}

bool Reader::measured() const { return s.is_measured(e.slot) && !(e.unaltered && s.unaltered) && s.probe_of_shown(); }

const Trace* Reader::trace_of(int slot) const {
    const WatchedSentence& sentence = sentence_of(slot);
    return (e.unaltered ? sentence.unaltered() : sentence.trace).get();
}

int Reader::position_in(int slot, std::size_t which, bool source) const {
    if (which >= e.words.size()) return -1;
    const WatchedSentence& in = sentence_of(slot);
    const auto& tokens = source ? in.source : in.tokens;
    const WordName& name = e.words[which];
    const int count = static_cast<int>(tokens.size());
    if (name.place == last_place) return count - 1;
    if (name.place >= 0) return name.place < count ? name.place : -1;
    int nth = 0;
    for (int i = 0; i < count; ++i)
        if (same_word(tokens[i], name.text) && ++nth == name.nth) return i;
    return -1;
}

int Reader::key() const { return e.strongest ? strongest() : position_in(e.slot, 1, e.cross); }

int Reader::node(const std::string& hook) const {
    const Trace* t = trace();
    if (!t) return -1;
    const bool own = block() && !hook.starts_with("blocks.") && !hook.starts_with("encoder.");
    if (own)
        if (const auto found = t->graph().find(block_hook(layer, hook))) return *found;
    return t->graph().find(hook).value_or(-1);
}

int Reader::pairs_node(const std::string& name) const {
    if (!block() || head < 0 || head >= model().config.n_heads) return -1;
    return node((e.cross ? "cross_attn." : "attn.") + name);
}

SliceView Reader::pattern_row() const {
    const int found = pairs_node("hook_pattern"), query = position(0);
    if (found < 0 || query < 0) return {};
    const Shape shape = trace()->shape(found);
    const std::int64_t first = offset_of(shape, {head, query, 0});
    return trace()->part_of({found, first}).cut(first, shape.back());
}

int Reader::strongest() const {
    const SliceView part = pattern_row();
    const std::span<const float> row = part.values();
    return row.empty() ? -1 : static_cast<int>(std::ranges::max_element(row) - row.begin());
}

Cell Reader::cell(const std::string& hook) const {
    const int found = node(hook);
    if (found < 0) return {};
    const Shape shape = trace()->shape(found);
    const int at = e.words.empty() ? -1 : position(0);
    std::int64_t count = std::max(0, e.count), offset = 0;
    if (!e.words.empty()) {
        if (at < 0 || at >= shape[0]) return {};
        offset = at * (shape.elements() / shape[0]);
    }
    // [pos, head, d_head]: the count is within the head.
    const bool of_head = shape.rank() == 3 && at >= 0;
    if (of_head && (head < 0 || head >= shape[1])) return {};
    if (of_head) offset += head * shape[2];
    const std::int64_t room = of_head ? shape[2] : at >= 0 ? shape.elements() / shape[0] : shape.elements();
    // A single γ serves all features.
    if (at < 0 && room == 1) count = 0;
    return count < room ? Cell{found, offset + count} : Cell{};
}

std::span<const float> Reader::stream_of(int slot, std::size_t which) const {
    const Trace* t = trace_of(slot);
    const int at = position_in(slot, which, false);
    const int found = t ? t->graph().find(stream_name(layer + 1)).value_or(-1) : -1;
    if (found < 0 || at < 0) return {};
    const std::size_t width = s.model_of(slot).config.d_model;
    return t->values(found).subspan(static_cast<std::size_t>(at) * width, width);
}

std::span<const float> Reader::row(const std::string& hook) const {
    const int found = node(hook), at = position(0);
    if (found < 0 || at < 0) return {};
    const Shape shape = trace()->shape(found);
    const std::size_t width = shape.elements() / shape[0];
    return trace()->values(found).subspan(static_cast<std::size_t>(at) * width, width);
}

std::span<const float> Reader::said() const {
    const Trace* t = trace();
    if (!t || model().config.outputs_numbers() || t->model().probabilities < 0) return {};
    const std::size_t width = t->shape(t->model().probabilities).back();
    const std::span<const float> own = t->values(t->model().probabilities);
    if (model().config.output == OutputKind::classes) return own.first(width);
    const int at = position(0);
    if (at < 0) return {};
    const std::vector<float>& masked = e.unaltered && !sentence().original_masked_probabilities.empty()
                                           ? sentence().original_masked_probabilities
                                           : sentence().masked_probabilities;
    const std::span<const float> all = masked.empty() ? own : std::span<const float>(masked);
    const std::size_t first = static_cast<std::size_t>(at) * width;
    return all.size() < first + width ? std::span<const float>() : all.subspan(first, width);
}

std::vector<int> Reader::likeliest(std::size_t most) const {
    const std::span<const float> all = said();
    std::vector<int> ids(all.size());
    std::iota(ids.begin(), ids.end(), 0);
    std::ranges::stable_sort(ids, std::greater{}, [&](int id) { return all[id]; });
    ids.resize(std::min(most, ids.size()));
    return ids;
}

int Reader::id_of(const WordName& word) const {
    const ModelInfo& m = model();
    if (m.config.output == OutputKind::classes) {
        for (int i = 0; i < m.config.d_output; ++i)
            if (m.class_name(i) == tr_sentence(word.text)) return i;
        return -1;
    }
    for (int id = 0; id < m.config.d_vocab; ++id)
        if (m.token_text(id) == word.text || (word.text == " " && m.token_text(id) == "␣")) return id;
    return -1;
}

std::string Reader::name_of(int id) const {
    return model().config.output == OutputKind::classes ? model().class_name(id) : model().token_text(id);
}

std::vector<Neighbor> Reader::near(std::size_t count) const {
    const std::span<const float> here = stream_of(e.slot, 0);
    if (here.empty() || !measured()) return {};
    const int itself = trace()->tokens()[position(0)];
    return nearest_words(*s.probe, layer + 1, here, itself, count);
}

std::vector<double> Reader::curve() const {
    constexpr std::string_view at_pair = ", pair ";
    if (kind_of(e) != Kind::figure || e.words.empty() || !s.measured) return {};
    const std::size_t end = e.words[0].text.find(at_pair);
    if (end == std::string::npos) return {};
    const std::string_view name = std::string_view(e.words[0].text).substr(0, end + at_pair.size());
    std::vector<double> all;
    for (const auto& [figure, value] : s.measured->found.details)
        if (figure.starts_with(name)) all.push_back(value);
    return all;
}

LiveValue Reader::sum_of_weights() const {
    if (!trace()) return {};
    const std::span<const float> all = trace()->parameters()->all();
    return number(std::accumulate(all.begin(), all.end(), 0.0));
}

LiveValue Reader::number(double value) const {
    if (e.percent) return {value, printed(100 * value, e.decimals.value_or(0)) + " %", {}, true};
    return {value, printed(value, e.decimals.value_or(2)), {}, true};
}

LiveValue Reader::share(double value) const {
    LiveValue v = number(value);
    v.shown = std::isfinite(value) ? printed(100 * value, e.decimals.value_or(0)) + " %" : "–";
    return v;
}

LiveValue Reader::traced(const Cell& cell) const {
    if (cell.node < 0) return {};
    LiveValue v = number(static_cast<double>(trace()->at(cell)));
    // The window shows the altered model: only its cells can be opened.
    if (trace() == sentence().trace.get()) v.cell = TracedCell{e.slot, cell};
    return v;
}

LiveValue Reader::whole(std::int64_t value) {
    if (value < 0) return {};
    std::string text = std::to_string(value);
    for (int i = static_cast<int>(text.size()) - 3; value >= 10'000 && i > 0; i -= 3)
        text.insert(static_cast<std::size_t>(i), ",");
    return {static_cast<double>(value), text, {}, true};
}

}  // namespace glassformer::app::live
