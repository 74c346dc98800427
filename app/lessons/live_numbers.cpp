#include "app/lessons/live_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "app/common/explanation.h"
#include "app/lessons/live_syntax.h"
#include "core/analysis/nearest_words.h"
#include "core/base/error.h"

namespace glassformer::app {

namespace {

using Words = std::vector<std::string>;

/// An expression with what it leaves out filled in. Looks things up in one snapshot; lives for one call.
class Reader {
public:
    Reader(const Expression& e, const LivePlace& place)
        : e_(e), s_(place.snapshot), layer_(e.layer.value_or(place.layer)), head_(e.head.value_or(place.head)) {
        if (layer_ == last_layer) layer_ = s_.model->config.n_layers - 1;
    }

    LiveValue weight() const { return pair("attn.hook_pattern"); }
    LiveValue score() const { return pair("attn.hook_attn_scores"); }
    LiveValue top() const {
        const int key = strongest(e_.slot);
        return key < 0 ? LiveValue{} : word(sentence(e_.slot).tokens[static_cast<std::size_t>(key)].text);
    }
    LiveValue sum() const {
        const TracePart part = pattern_row();
        const std::span<const float> row = part.values();
        return row.empty() ? LiveValue{} : number(std::accumulate(row.begin(), row.end(), 0.0));
    }
    LiveValue top_place() const { return whole(strongest(e_.slot)); }
    LiveValue place() const { return whole(position(e_.slot, 0)); }
    LiveValue length() const { return whole(static_cast<int>(sentence(e_.slot).tokens.size())); }
    LiveValue embedding() const { return component("hook_embed"); }
    LiveValue stream() const {
        if (!block()) return {};
        return component("blocks." + std::to_string(layer_) + ".hook_resid_post");
    }
    LiveValue accuracy() const {
        const auto at = static_cast<std::size_t>(layer_ + 1);
        if (!probe() || at >= s_.probe->accuracy.size()) return {};
        LiveValue v = number(static_cast<double>(s_.probe->accuracy[at]));
        v.shown = printed("%.0f %%", 100 * *v.number);
        return v;
    }
    LiveValue distance() const;
    LiveValue nearest() const {
        const std::optional<NearWord> near = near_word();
        return near ? word(s_.model->token_text(near->id)) : LiveValue{};
    }
    LiveValue nearness() const {
        const std::optional<NearWord> near = near_word();
        return near ? number(static_cast<double>(near->cosine)) : LiveValue{};
    }
    LiveValue guess() const {
        const std::optional<NearWord> likely = likely_word();
        return likely ? word(s_.model->token_text(likely->id)) : LiveValue{};
    }
    LiveValue chance() const {
        const std::optional<NearWord> likely = likely_word();
        return likely ? number(static_cast<double>(likely->cosine)) : LiveValue{};
    }
    LiveValue block_number() const { return block() ? whole(layer_) : LiveValue{}; }
    LiveValue head_number() const { return whole(head_); }
    LiveValue d_model() const { return whole(s_.model->config.d_model); }
    LiveValue homonyms() const { return whole(static_cast<int>(s_.model->senses.size() / 2)); }
    LiveValue uses() const { return s_.meaning ? whole(static_cast<int>(s_.meaning->sense.size())) : LiveValue{}; }
    LiveValue step() const { return whole(static_cast<int>(s_.step)); }

private:
    const WatchedSentence& sentence(int slot) const { return s_.sentences[static_cast<std::size_t>(slot)]; }
    const Trace* trace(int slot) const { return sentence(slot).trace.get(); }
    bool block() const { return layer_ >= 0 && layer_ < s_.model->config.n_layers; }
    /// Of the n-th word of the expression in a sentence, or −1.
    int position(int slot, std::size_t which) const {
        const auto& tokens = sentence(slot).tokens;
        const auto found = std::ranges::find(tokens, e_.words[which], &WordTokenizer::Token::text);
        return found == tokens.end() ? -1 : static_cast<int>(found - tokens.begin());
    }
    ViewState view() const {
        ViewState state;
        state.layer = layer_, state.head = head_;
        return state;
    }
    bool attends(int slot) const {
        return trace(slot) && block() && head_ >= 0 && head_ < s_.model->config.n_heads &&
               trace(slot)->graph().find("blocks." + std::to_string(layer_) + ".attn.hook_pattern").has_value();
    }
    int strongest(int slot) const { return attends(slot) ? strongest_key(view(), s_, slot, position(slot, 0)) : -1; }
    TracePart pattern_row() const {
        const int query = position(e_.slot, 0);
        if (!attends(e_.slot) || query < 0) return {};
        const Cell first = pattern_cell(view(), *trace(e_.slot), query, 0);
        return trace(e_.slot)->part_of(first).cut(first.offset, trace(e_.slot)->positions());
    }
    LiveValue pair(const char* node) const {
        const int query = position(e_.slot, 0), key = e_.strongest ? strongest(e_.slot) : position(e_.slot, 1);
        if (!attends(e_.slot) || query < 0 || key < 0) return {};
        Cell cell = pattern_cell(view(), *trace(e_.slot), query, key);
        cell.node = trace(e_.slot)->graph().find("blocks." + std::to_string(layer_) + "." + node).value_or(-1);
        return traced(cell);
    }
    LiveValue component(const std::string& node) const {
        const Trace* t = trace(e_.slot);
        const int at = position(e_.slot, 0), found = t ? t->graph().find(node).value_or(-1) : -1,
                  width = s_.model->config.d_model;
        if (found < 0 || at < 0 || e_.count >= width) return {};
        return traced({found, std::int64_t{at} * width + e_.count});
    }
    /// The word's residual stream: at the embedding what enters block 0, else what leaves the block.
    std::span<const float> stream_of(int slot, std::size_t which) const {
        const Trace* t = trace(slot);
        const int at = position(slot, which);
        const std::string node = layer_ == embedding_layer ? "blocks.0.hook_resid_pre"
                                                           : "blocks." + std::to_string(layer_) + ".hook_resid_post";
        const int found = t ? t->graph().find(node).value_or(-1) : -1;
        if (found < 0 || at < 0) return {};
        const auto width = static_cast<std::size_t>(s_.model->config.d_model);
        return t->values(found).subspan(static_cast<std::size_t>(at) * width, width);
    }
    /// Whether the probe is of what is on screen: not where the model was altered and is still to be measured again.
    bool probe() const { return s_.probe && (!s_.measured || s_.of_shown(s_.measured->of)); }
    std::optional<NearWord> near_word() const {
        const std::span<const float> here = stream_of(e_.slot, 0);
        if (here.empty() || !probe()) return {};
        const int itself = trace(e_.slot)->tokens()[static_cast<std::size_t>(position(e_.slot, 0))];
        const auto rank = static_cast<std::size_t>(e_.count);
        const std::vector<NearWord> near = nearest_words(*s_.probe, layer_ + 1, here, itself, rank);
        return near.size() < rank ? std::nullopt : std::optional(near.back());
    }
    std::optional<NearWord> likely_word() const;

    static std::string printed(const char* format, double value) {
        if (std::isinf(value)) return glassformer::app::shown(value);
        char text[32];
        std::snprintf(text, sizeof text, format, value);
        return typographic(text);
    }
    static LiveValue number(double value) { return {value, printed("%.2f", value), {}, true}; }
    static LiveValue whole(int value) {
        return value < 0 ? LiveValue{} : LiveValue{value, std::to_string(value), {}, true};
    }
    static LiveValue word(const std::string& text) { return {{}, text, {}, true}; }
    LiveValue traced(const Cell& cell) const {
        if (cell.node < 0) return {};
        LiveValue v = number(static_cast<double>(trace(e_.slot)->at(cell)));
        v.cell = TracedCell{e_.slot, cell};
        return v;
    }

    const Expression& e_;
    const Snapshot& s_;
    int layer_, head_;
};

/// 1 − cosine of the two words' raw streams: the first word's in A, the second's in B.
LiveValue Reader::distance() const {
    const std::span<const float> a = stream_of(0, 0), b = stream_of(1, 1);
    if (a.empty() || b.empty()) return {};
    double ab = 0, aa = 0, bb = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
        ab += x * y, aa += x * x, bb += y * y;
    }
    return number(1 - ab / std::sqrt(aa * bb + 1e-30));
}

std::optional<NearWord> Reader::likely_word() const {
    const int at = position(e_.slot, 0);
    const auto vocabulary = static_cast<std::size_t>(s_.model->config.d_vocab),
               rank = static_cast<std::size_t>(e_.count);
    const std::vector<float>& all = sentence(e_.slot).masked_probabilities;
    if (at < 0 || rank > vocabulary || all.size() < static_cast<std::size_t>(at + 1) * vocabulary) return {};
    const std::span<const float> row = std::span(all).subspan(static_cast<std::size_t>(at) * vocabulary, vocabulary);
    std::vector<int> ids(vocabulary);
    std::iota(ids.begin(), ids.end(), 0);
    std::ranges::stable_sort(ids, std::greater{}, [&](int id) { return row[static_cast<std::size_t>(id)]; });
    const int id = ids[rank - 1];
    return NearWord{id, row[static_cast<std::size_t>(id)]};
}

/// What a name takes, and what it gives.
struct Name {
    std::string_view name;
    int words;  // in quotes
    bool layer, embedding, head;
    int first_count;  // the least that its count may be; −1: it has none
    LiveValue (Reader::*read)() const;
};

constexpr std::array names{
    Name{"pattern", 2, true, false, true, -1, &Reader::weight},
    Name{"score", 2, true, false, true, -1, &Reader::score},
    Name{"top", 1, true, false, true, -1, &Reader::top},
    Name{"top_place", 1, true, false, true, -1, &Reader::top_place},
    Name{"sum", 1, true, false, true, -1, &Reader::sum},
    Name{"place", 1, false, false, false, -1, &Reader::place},
    Name{"length", 0, false, false, false, -1, &Reader::length},
    Name{"embed", 1, false, false, false, 0, &Reader::embedding},
    Name{"stream", 1, true, false, false, 0, &Reader::stream},
    Name{"accuracy", 0, true, true, false, -1, &Reader::accuracy},
    Name{"distance", 2, true, true, false, -1, &Reader::distance},
    Name{"nearest", 1, true, true, false, 1, &Reader::nearest},
    Name{"nearness", 1, true, true, false, 1, &Reader::nearness},
    Name{"guess", 1, false, false, false, 1, &Reader::guess},
    Name{"chance", 1, false, false, false, 1, &Reader::chance},
    Name{"block", 0, false, false, false, -1, &Reader::block_number},
    Name{"head", 0, false, false, false, -1, &Reader::head_number},
    Name{"d_model", 0, false, false, false, -1, &Reader::d_model},
    Name{"homonyms", 0, false, false, false, -1, &Reader::homonyms},
    Name{"uses", 0, false, false, false, -1, &Reader::uses},
    Name{"step", 0, false, false, false, -1, &Reader::step},
};

std::string known_names() {
    std::string all;
    for (const Name& n : names) all += (all.empty() ? "" : ", ") + std::string(n.name);
    return all;
}

}  // namespace

namespace live {

std::size_t name_index(std::string_view name) {
    const auto found = std::ranges::find(names, name, &Name::name);
    if (found == names.end())
        throw Error("there is no number called \"" + std::string(name) + "\"; those there are: " + known_names());
    return static_cast<std::size_t>(found - names.begin());
}

void require_complete(const Expression& e) {
    const Name& n = names[e.name];
    const auto fail = [&](const std::string& what) { throw Error(std::string(n.name) + " " + what); };
    const std::size_t given = e.words.size() + (e.strongest ? 1 : 0);
    if (given != static_cast<std::size_t>(n.words))
        fail("needs " + std::to_string(n.words) + (n.words == 1 ? " word" : " words") + " in double quotes, and has " +
             std::to_string(given));
    if (e.strongest && !n.head) fail("cannot take \"→ top\"");
    if (e.layer && !n.layer) fail("belongs to no block: leave out [" + std::to_string(*e.layer) + "]");
    if (e.layer == embedding_layer && !n.embedding) fail("is not there at the embedding; give a block");
    if (e.head && !n.head) fail("belongs to no head: leave out the second [ ]");
    if (n.first_count < 0 && e.count >= 0) fail("takes no count at its end");
    if (n.first_count >= 0 && e.count < n.first_count)
        fail("needs a count at its end, from " + std::to_string(n.first_count) + " on");
}

}  // namespace live

LiveValue evaluate(const Expression& e, const LivePlace& place) { return (Reader(e, place).*names[e.name].read)(); }

std::string evaluate(const LiveText& text, const LivePlace& place) {
    std::string all;
    for (const LiveText::Piece& piece : text.pieces)
        all += piece.live ? evaluate(*piece.live, place).shown : piece.text;
    return all;
}

std::optional<bool> holds(const Condition& c, const LivePlace& place) {
    const auto side = [&](const LiveText& text) {
        if (text.pieces.size() == 1 && text.pieces[0].live) return evaluate(*text.pieces[0].live, place);
        const std::string plain = evaluate(text, place);
        char* end = nullptr;
        const double number = std::strtod(plain.c_str(), &end);
        LiveValue v{{}, plain, {}, true};
        if (end != plain.c_str() && *end == '\0') v.number = number;
        return v;
    };
    const LiveValue a = side(c.left), b = side(c.right);
    if (!a.known || !b.known) return {};
    const bool numbers = a.number && b.number;
    const bool equal = numbers ? *a.number == *b.number : a.shown == b.shown;
    if (c.comparison == "=") return equal;
    if (c.comparison == "!=") return !equal;
    if (!numbers) return {};
    if (c.comparison == "<") return *a.number < *b.number;
    if (c.comparison == "<=") return *a.number <= *b.number;
    return c.comparison == ">" ? *a.number > *b.number : *a.number >= *b.number;
}

}  // namespace glassformer::app
