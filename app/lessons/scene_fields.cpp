#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "app/lessons/lesson_picture.h"
#include "app/lessons/scene_format.h"
#include "app/views/registry.h"
#include "core/base/error.h"
#include "core/base/join.h"
#include "core/base/mark_text.h"
#include "core/base/number_text.h"
#include "core/base/trimmed.h"

namespace glassformer::app {

namespace {

/// A field's text and its line.
struct Value {
    std::string_view text;
    int line;
};

bool yes(const Value& v) { return one_of_names(v.text, {"no", "yes"}) == 1; }

/// "found": the block of the head that the lesson has found.
void set_layer(Scene& s, const Value& v) {
    s.layer.reset();
    if (v.text != "found") s.layer = v.text == "last" ? last_layer : whole_number(v.text);
}

void set_head(Scene& s, const Value& v) {
    constexpr std::array<std::string_view, 4> ways{"", "strongest", "previous", "induction"};
    const auto way = std::ranges::find(ways, v.text);
    s.search = {way == ways.end() ? FindHead::no : static_cast<FindHead>(way - ways.begin())};
    if (s.search.how != FindHead::no)
        s.layer.reset(), s.head.reset();
    else
        s.head = whole_number(v.text);
}

void set_step(Scene& s, const Value& v) {
    s.step.reset();
    if (v.text != "newest") s.step = whole_number(v.text);
}

/// The number of steps to train a fresh model.
void set_train(Scene& s, const Value& v) {
    if (!s.fresh) throw Error("only a fresh model is trained: write model: fresh NAME before it");
    s.step = whole_number(v.text.ends_with(" steps") ? v.text.substr(0, v.text.size() - 6) : v.text);
}

void set_wait(Scene& s, const Value& v) {
    if (!s.fresh) throw Error("only a fresh model is trained: write model: fresh NAME before it");
    s.wait = parse_condition(v.text, v.line);
    s.step.reset();
}

void set_temperature(Scene& s, const Value& v) {
    s.temperature = decimal(v.text);
    if (!(s.temperature >= 0 && s.temperature <= 2)) throw Error("is a number from 0 to 2");
}

/// "{A: pattern "bat" → "foul"} 0.9"
void set_paint(Scene& s, const Value& v) {
    const std::size_t brace = v.text.rfind('}');
    const char* const what = N_("must be one {…} that is an attention weight, then its new weight: {…} 0.9");
    if (brace == std::string_view::npos) throw Error(what);
    const float weight = decimal(trimmed(v.text.substr(brace + 1)));
    if (!(weight >= 0 && weight <= 1)) throw Error("a weight is a number from 0 to 1");
    s.paints.push_back({one_expression(v.text.substr(0, brace + 1), v.line, what), weight});
}

/// A script command with which the check does what the text asks for.
void add_try(Scene& s, const Value& v) {
    if (s.tries.empty() || !s.tries.back().then.all.empty()) s.tries.push_back({v.line, {}, {}});
    s.tries.back().actions.emplace_back(v.text);
}

void set_then(Scene& s, const Value& v) {
    if (s.tries.empty() || !s.tries.back().then.all.empty()) throw Error("follows a line try:");
    s.tries.back().then = parse_condition(v.text, v.line);
}

/// "seed 1..4; steps 100": in what the runs differ, and what all of them have.
void set_experiment(Scene& s, const Value& v) {
    s.experiment.clear();
    for (std::string_view rest = v.text; v.text != "none" && !rest.empty();) {
        const std::size_t end = rest.find(';');
        const std::string_view one = trimmed(rest.substr(0, end));
        const std::size_t space = one.find(' ');
        if (space == std::string_view::npos)
            throw Error("\"{1}\" is not a setting and its values, such as seed 1..4", one);
        s.experiment.push_back(
            {switch_of_knob(std::string(one.substr(0, space))), values_in(std::string(one.substr(space)))});
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    if (s.experiment.size() > 2) throw Error("runs can differ in one thing or in two, not in {1}", s.experiment.size());
    if (s.experiment.empty()) s.experiment_claim.clear();
}

void set_experiment_claim(Scene& s, const Value& v) {
    if (v.text != "none") parse_condition(v.text, v.line);  // throws if invalid
    s.experiment_claim = v.text == "none" ? std::string_view() : v.text;
}

/// "4", or "4 words".
void set_generate(Scene& s, const Value& v) {
    constexpr int most = 100;
    s.generate = whole_number(v.text.ends_with(" words") ? v.text.substr(0, v.text.size() - 6) : v.text);
    if (s.generate > most) throw Error("is a number of words, 100 at most");
}

using Setter = void (*)(Scene&, const Value&);
constexpr std::array<std::pair<std::string_view, Setter>, 27> field_setters{{
    {"A", [](Scene& s, const Value& v) { s.sentences[0] = v.text; }},
    {"B", [](Scene& s, const Value& v) { s.sentences[1] = v.text; }},
    {"layer", set_layer},
    {"head", set_head},
    {"word A", [](Scene& s, const Value& v) { s.words[0] = v.text; }},
    {"word B", [](Scene& s, const Value& v) { s.words[1] = v.text; }},
    {"sentence",
     [](Scene& s, const Value& v) {
         s.slot = one_of_names(v.text, {"A", "B"});
     }},
    {"compare", [](Scene& s, const Value& v) { s.compare = yes(v); }},
    {"view", [](Scene& s, const Value& v) { std::tie(s.view, s.page) = parse_view(v.text); }},
    {"panel",
     [](Scene& s, const Value& v) {
         using enum Panel;
         constexpr std::array panels{map, sentence_a, sentence_b, number, meaning, words, timeline};
         s.panel = panels[one_of_names(v.text, {"Map", "A", "B", "Number", "Meaning", "Words", "Training"})];
     }},
    {"meaning map",
     [](Scene& s, const Value& v) {
         s.meaning_layer = v.text == "follow" ? -1 : v.text == "embedding" ? 0 : whole_number(v.text) + 1;
     }},
    {"step", set_step},
    {"train", set_train},
    {"wait", set_wait},
    {"beside", [](Scene& s, const Value& v) { s.beside = parse_beside(v.text); }},
    {"look at",
     [](Scene& s, const Value& v) {
         s.to_source = one_of_names(v.text, {"itself", "source"}) == 1;
     }},
    {"temperature", set_temperature},
    {"colour",
     [](Scene& s, const Value& v) {
         s.colour = static_cast<WordColour>(one_of_names(v.text, {"attention", "surprise", "entropy"}));
     }},
    {"experiment", set_experiment},
    {"experiment cards",
     [](Scene& s, const Value& v) {
         s.experiment_cards = one_of_names(v.text, {"attention", "prediction", "meaning"});
     }},
    {"experiment claim", set_experiment_claim},
    {"claim", [](Scene& s, const Value& v) { s.claims.push_back(parse_condition(v.text, v.line)); }},
    {"try", add_try},
    {"then", set_then},
    {"explain",
     [](Scene& s, const Value& v) { s.explain = one_expression(v.text, v.line, N_("must be one {…} of a trace")); }},
    {"paint", set_paint},
    {"generate", set_generate},
}};

using Words = std::vector<std::string_view>;

Words words_of(std::string_view text) {
    Words words;
    while (!text.empty()) {
        const std::size_t end = text.find(' ');
        if (end != 0) words.push_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return words;
}

constexpr const char* known_changes =
    "block 0 head 3 off, this head off, this head uniform, this head hard, block 0 attention off, block 0 MLP off, "
    "positions off, mask off, scale off, norm off, residual off, norm blocks.0.ln1 gamma 2 beta 1, "
    "block 0 head 3 v at \"bat\" from B, this head pattern at every word from mean of A";

std::optional<WhatIf> of_head(int block, int head, AttentionTo to, std::string_view what) {
    if (what == "off") return what_if::HeadOff{block, head, to};
    if (what == "uniform") return what_if::UniformAttention{block, head, to};
    if (what == "hard") return what_if::HardAttention{block, head, to};
    return {};
}

/// "block 0 head 3 v at "bat" from B": a part of a head; a word, named as in live numbers, or "every word"; and the
/// source: the other sentence, or the mean over the patched sentence's words or over its world. "v to source at": the
/// part of cross-attention.
std::optional<SceneChange> of_part(std::string_view text) {
    const std::size_t at = text.find(" at "), from = text.rfind(" from ");
    if (at == std::string_view::npos || from == std::string_view::npos || from < at + 4) return {};
    Words head = words_of(text.substr(0, at));
    what_if::HeadPatch patch;
    if (head.size() > 2 && head.back() == "source" && head[head.size() - 2] == "to") {
        patch.to = AttentionTo::source;
        head.resize(head.size() - 2);
    }
    const bool this_head = head.size() == 3 && head[0] == "this" && head[1] == "head";
    if (!this_head && !(head.size() == 5 && head[0] == "block" && head[2] == "head")) return {};
    const auto part = std::ranges::find(head_part_names, head.back());
    if (part == head_part_names.end()) return {};
    if (!this_head) patch.block = whole_number(head[1]), patch.head = whole_number(head[3]);
    patch.part = static_cast<HeadPart>(part - head_part_names.begin());
    const int source = one_of_names(text.substr(from + 6), {"B", "A", "mean of A", "mean of B",
                                                            "mean of the world of A", "mean of the world of B"});
    patch.slot = source % 2;
    patch.source = static_cast<PatchSource>(source / 2);
    const std::string_view word = text.substr(at + 4, from - at - 4);
    return SceneChange{patch, this_head, std::string(word == "every word" ? "" : word)};
}

std::optional<WhatIf> of_model(std::string_view text) {
    if (text == "positions off") return what_if::PositionsOff{};
    if (text == "mask off") return what_if::MaskOff{};
    if (text == "scale off") return what_if::ScaleOff{};
    if (text == "norm off") return what_if::NormOff{};
    if (text == "residual off") return what_if::ResidualOff{};
    return {};
}

}  // namespace

std::vector<std::string_view> scene_fields() {
    std::vector<std::string_view> names;
    for (const auto& [name, setter] : field_setters) names.push_back(name);
    return names;
}

bool set_scene_field(Scene& scene, std::string_view field, std::string_view value, int line) {
    const auto setter = std::ranges::find(field_setters, field, &std::pair<std::string_view, Setter>::first);
    if (setter == field_setters.end()) return false;
    setter->second(scene, {value, line});
    return true;
}

Expression one_expression(std::string_view source, int line, const char* what) {
    const LiveText text = parse_live_text(source, line);
    if (text.pieces.size() != 1 || !text.pieces[0].live) throw Error(what);
    return *text.pieces[0].live;
}

int one_of_names(std::string_view value, std::initializer_list<std::string_view> names) {
    std::string all;
    int i = 0;
    for (const std::string_view name : names) {
        if (name == value) return i;
        all += (i++ == 0 ? "" : ", ") + std::string(name);
    }
    throw Error("\"{1}\" is not one of: {2}", value, all);
}

int whole_number(std::string_view text) {
    const std::optional<int> n = whole_in_text<int>(text);
    if (!n || *n < 0) throw Error("\"{1}\" is not a whole number, 0 or more", text);
    return *n;
}

float decimal(std::string_view text) {
    const std::optional<float> value = number_in_text(text);
    if (!value) throw Error("\"{1}\" is not a number", text);
    return *value;
}

std::vector<SetupSwitch> parse_switches(std::string_view text) {
    std::vector<SetupSwitch> switches;
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        const Words w = words_of(trimmed(text.substr(0, comma)));
        if (w.size() != 2)
            throw Error(
                "\"{1}\" is no switch: each is a name and a value, as positions sinusoidal, with commas between",
                trimmed(text.substr(0, comma)));
        switches.push_back({std::string(w[0]), std::string(w[1])});
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    }
    return switches;
}

SceneChange parse_change(std::string_view text) {
    if (std::optional<SceneChange> part = of_part(text)) return *std::move(part);
    Words w = words_of(text);
    AttentionTo to = AttentionTo::itself;
    if (w.size() > 2 && w.back() == "source" && w[w.size() - 2] == "to") {
        to = AttentionTo::source;
        w.resize(w.size() - 2);
    }
    if (w.size() == 2)
        if (const auto change = of_model(text)) return {*change, false};
    if (w.size() == 3 && w[0] == "this" && w[1] == "head")
        if (const auto change = of_head(0, 0, to, w[2])) return {*change, true};
    if (w.size() == 5 && w[0] == "block" && w[2] == "head")
        if (const auto change = of_head(whole_number(w[1]), whole_number(w[3]), to, w[4])) return {*change, false};
    if (w.size() == 4 && w[0] == "block" && w[3] == "off") {
        const int block = whole_number(w[1]);
        if (w[2] == "attention") return {what_if::AttentionOff{block, to}, false};
        if (w[2] == "MLP") return {what_if::MlpOff{block}, false};
    }
    if (w.size() == 6 && w[0] == "norm" && w[2] == "gamma" && w[4] == "beta")
        return {what_if::NormScaled{std::string(w[1]), decimal(w[3]), decimal(w[5])}, false};
    throw Error("\"{1}\" is not a change to a model; the changes are: {2}", text, known_changes);
}

Beside parse_beside(std::string_view text) {
    const Words w = words_of(text);
    if (text == "sentence") return {};
    if (text == "heads") return {Comparing::What::heads, {}, 0};
    if (w.size() == 2 && w[0] == "step") return {Comparing::What::steps, {}, whole_number(w[1])};
    if (w.size() == 2 && w[0] == "model") return {Comparing::What::models, std::string(w[1]), 0};
    if (w.size() == 4 && w[0] == "block" && w[2] == "head")
        return {Comparing::What::heads, {}, 0, HeadChoice{whole_number(w[1]), whole_number(w[3])}};
    throw Error("\"{1}\" is none of: sentence, heads, block N head N, step N, model NAME", text);
}

Paragraph parse_paragraph(std::string_view source, int line) {
    constexpr std::string_view when = "when {", otherwise = "otherwise:";
    Paragraph p;
    if (source.starts_with(otherwise)) {
        p.otherwise = true;
        source = trimmed(source.substr(otherwise.size()));
    } else if (source.starts_with(when)) {
        int depth = 0;
        std::size_t end = 0;
        while (end < source.size() && (source[end] != ':' || depth > 0)) {
            depth += source[end] == '{' ? 1 : source[end] == '}' ? -1 : 0;
            ++end;
        }
        if (end == source.size()) throw Error("a paragraph that begins with when {…} needs a colon after it");
        p.when = parse_condition(source.substr(5, end - 5), line);
        source = trimmed(source.substr(end + 1));
    }
    if (source.empty()) throw Error("the paragraph is empty");
    if (std::optional<LiveText::Piece> picture = parse_picture(source, line))
        p.text = {{*std::move(picture)}, line};
    else
        p.text = parse_live_text(source, line);
    return p;
}

std::pair<std::string, int> parse_view(std::string_view text) {
    const std::size_t colon = text.find(": ");
    const std::string_view name = text.substr(0, colon);
    const auto view = std::ranges::find(all_views(), name, &View::name);
    if (view == all_views().end())
        throw Error("there is no view \"{1}\"; the views are: {2}", name,
                    join(all_views(), ", ", [](const View& known) { return quoted_name(known.name); }));
    if (colon == std::string_view::npos) return {std::string(name), 0};
    const auto page = std::ranges::find(view->pages, text.substr(colon + 2));
    if (page == view->pages.end() && view->pages.empty())
        throw Error("the view \"{1}\" has no page \"{2}\"", name, text.substr(colon + 2));
    if (page == view->pages.end())
        throw Error("the view \"{1}\" has no page \"{2}\"; its pages are: {3}", name, text.substr(colon + 2),
                    join(view->pages, ", ", quoted_name));
    return {std::string(name), static_cast<int>(page - view->pages.begin())};
}

}  // namespace glassformer::app
