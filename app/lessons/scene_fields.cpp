#include "app/lessons/scene_fields.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "app/lessons/scene_syntax.h"
#include "core/base/error.h"
#include "core/base/trimmed.h"

namespace glassformer::app {

namespace {

/// A field's text, and the line that it is in.
struct Value {
    std::string_view text;
    int line;
};

bool yes(const Value& v) { return one_of_names(v.text, {"no", "yes"}) == 1; }

/// "found": that of the head which the lesson has found.
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

/// So many steps of a fresh model.
void set_train(Scene& s, const Value& v) {
    if (!s.fresh) throw Error("only a fresh model is trained: say model: fresh NAME before it");
    s.step = whole_number(v.text.ends_with(" steps") ? v.text.substr(0, v.text.size() - 6) : v.text);
}

void set_wait(Scene& s, const Value& v) {
    if (!s.fresh) throw Error("only a fresh model is trained: say model: fresh NAME before it");
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
    const char* const what = "is one {…} that is a weight of a pattern, and the weight that it gets: {…} 0.9";
    if (brace == std::string_view::npos) throw Error(what);
    const float weight = decimal(trimmed(v.text.substr(brace + 1)));
    if (!(weight >= 0 && weight <= 1)) throw Error("a weight is a number from 0 to 1");
    s.paints.push_back({one_expression(v.text.substr(0, brace + 1), v.line, what), weight});
}

/// A command of a script, by which the check does what the text asks for.
void add_try(Scene& s, const Value& v) {
    if (s.tries.empty() || !s.tries.back().then.all.empty()) s.tries.push_back({v.line, {}, {}});
    s.tries.back().actions.emplace_back(v.text);
}

void set_then(Scene& s, const Value& v) {
    if (s.tries.empty() || !s.tries.back().then.all.empty()) throw Error("follows a line try:");
    s.tries.back().then = parse_condition(v.text, v.line);
}

/// "4", or "4 words".
void set_generate(Scene& s, const Value& v) {
    constexpr int most = 100;
    s.generate = whole_number(v.text.ends_with(" words") ? v.text.substr(0, v.text.size() - 6) : v.text);
    if (s.generate > most) throw Error("is a number of words, 100 at most");
}

using Setter = void (*)(Scene&, const Value&);
constexpr std::array<std::pair<std::string_view, Setter>, 23> field_setters{{
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
    {"claim", [](Scene& s, const Value& v) { s.claims.push_back(parse_condition(v.text, v.line)); }},
    {"try", add_try},
    {"then", set_then},
    {"explain",
     [](Scene& s, const Value& v) { s.explain = one_expression(v.text, v.line, "is one {…} that stands in a trace"); }},
    {"paint", set_paint},
    {"generate", set_generate},
}};

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
    throw Error("\"" + std::string(value) + "\" is not one of: " + all);
}

}  // namespace glassformer::app
