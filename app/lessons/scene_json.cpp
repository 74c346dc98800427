#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "app/lessons/lesson_stage.h"
#include "app/lessons/scene_format.h"
#include "app/views/registry.h"
#include "core/analysis/patching.h"
#include "core/base/mark_text.h"
#include "core/io/json_fields.h"

namespace glassformer::app {

namespace {

using nlohmann::json;

constexpr std::size_t most_changes = 1000, most_weights = 1 << 16, most_partners = 1 << 16, most_text_bytes = 1 << 16;
constexpr std::array<const char*, 4> comparings{"sentences", "heads", "models", "steps"};
constexpr std::array<const char*, 2> slots{"A", "B"}, attentions{"itself", "source"};
constexpr std::array<const char*, 3> sources{"other", "mean", "world"};     // by PatchSource
constexpr std::array<const char*, 5> parts{"q", "k", "v", "pattern", "z"};  // by HeadPart

template <std::size_t count>
int one_of(const json& object, const char* name, const std::array<const char*, count>& names, const std::string& file) {
    const std::string text = field_or<std::string>(object, name, names[0], file);
    for (std::size_t i = 0; i < count; ++i)
        if (text == names[i]) return static_cast<int>(i);
    fail_in_field(file, name, filled_with(N_("is \"{1}\", which is not a valid value"), text));
}

const json& array_in(const json& object, const char* name, std::size_t most, const std::string& file) {
    static const json none = json::array();
    if (!has_field(object, name)) return none;
    const json& found = object[name];
    if (!found.is_array() || found.size() > most)
        fail_in_field(file, name, filled_with(N_("must be a list of at most {1}"), most));
    return found;
}

// --------------------------------------------------------------------------------------------- changes to the model

/// By index in WhatIf.
constexpr std::array<const char*, std::variant_size_v<WhatIf>> kinds{
    "head off",     "attention off", "MLP off",   "positions off", "mask off", "scale off",   "norm off",
    "residual off", "head uniform",  "head hard", "attention row", "patch",    "norm scaled", "head patch"};

/// Visits each field of a change once: kinds that share a field use the same name for it.
template <class Change, class Visitor>
void visit_fields(Change& c, Visitor&& v) {
    if constexpr (requires { c.slot; }) v.choice("sentence", c.slot, slots);
    if constexpr (requires { c.block; }) v.field("block", c.block);
    if constexpr (requires { c.head; }) v.field("head", c.head);
    if constexpr (requires { c.query; }) v.field("query", c.query);
    if constexpr (requires { c.weights; }) v.weights("weights", c.weights);
    if constexpr (requires { c.norm; }) v.field("norm", c.norm), v.field("gamma", c.gamma), v.field("beta", c.beta);
    if constexpr (requires { c.part; }) v.choice("part", c.part, parts), v.choice("source", c.source, sources);
    if constexpr (requires { c.partners; }) {
        v.place("position", c.position);
        v.partners("partners", c.partners);
        v.partners("source partners", c.source_partners);
    }
    if constexpr (requires { c.from; })
        v.site("from", c.from), v.site("to", c.to);
    else if constexpr (requires { c.to; })
        v.choice("to", c.to, attentions);
}

struct Writer {
    json& object;

    void field(const char* name, const auto& value) { object[name] = value; }
    void weights(const char* name, const std::vector<float>& values) { object[name] = values; }
    template <class Choice, class Names>
    void choice(const char* name, Choice value, const Names& names) {
        object[name] = names[static_cast<std::size_t>(value)];
    }
    void partners(const char* name, const PatchPartners& places) {
        if (!places.empty()) object[name] = places;
    }
    /// −1 means no position, and is left out.
    void place(const char* name, int position) {
        if (position >= 0) object[name] = position;
    }
    void site(const char* name, const HookPoint& site) {
        json& written = object[name] = {{"node", site.node}};
        if (site.position >= 0) written["position"] = site.position;
        if (site.head >= 0) written["head"] = site.head;
    }
};

struct Reader {
    const json& object;
    const std::string& file;

    template <class T>
    void field(const char* name, T& value) {
        value = glassformer::field<T>(object, name, file);
    }
    void weights(const char* name, std::vector<float>& values) {
        for (const json& weight : array_in(object, name, most_weights, file)) {
            values.push_back(weight.is_number() ? weight.get<float>() : NAN);
            if (!std::isfinite(values.back())) fail_in_field(file, name, N_("must be finite numbers"));
        }
    }
    void partners(const char* name, PatchPartners& places) {
        for (const json& place : array_in(object, name, most_partners, file)) {
            if (!place.is_number_integer() || place.get<std::int64_t>() < -1 || place.get<std::int64_t>() > 1 << 20)
                fail_in_field(file, name, N_("must be positions in the other sentence, or −1 where there is none"));
            places.push_back(place.get<int>());
        }
    }
    void place(const char* name, int& position) { position = field_or<int>(object, name, -1, file); }
    template <class Choice, class Names>
    void choice(const char* name, Choice& value, const Names& names) {
        value = static_cast<Choice>(one_of(object, name, names, file));
    }
    void site(const char* name, HookPoint& site) {
        if (!has_field(object, name) || !object[name].is_object()) fail_in_field(file, name, N_("must be an object"));
        const json& read = object[name];
        site = {glassformer::field<std::string>(read, "node", file), field_or<int>(read, "position", -1, file),
                field_or<int>(read, "head", -1, file)};
    }
};

json change_to_json(const WhatIf& change) {
    json object{{"change", kinds[change.index()]}};
    std::visit([&](const auto& c) { visit_fields(c, Writer{object}); }, change);
    return object;
}

template <std::size_t... kind>
WhatIf change_of_kind(std::size_t wanted, std::index_sequence<kind...>) {
    const std::array<WhatIf, sizeof...(kind)> all{WhatIf(std::in_place_index<kind>)...};
    return all[wanted];
}

WhatIf change_from_json(const json& object, const std::string& file) {
    if (!object.is_object()) fail_in_field(file, "what_if", N_("must be a list of objects"));
    const auto name = field<std::string>(object, "change", file);
    const auto kind = std::ranges::find(kinds, name);
    if (kind == kinds.end())
        fail_in_field(file, "change", filled_with(N_("is \"{1}\", which this program does not know"), name));
    WhatIf change = change_of_kind(kind - kinds.begin(), std::make_index_sequence<kinds.size()>());
    std::visit([&](auto& c) { visit_fields(c, Reader{object, file}); }, change);
    // No window makes any other patch, for instance of an answer.
    if (const auto* patch = std::get_if<what_if::Patch>(&change); patch && !is_usual_patch(patch->from, patch->to))
        fail_in_field(
            file, "change",
            filled_with(N_("is a patch from {1} to {2}; it must put one position of a block's hook_resid_pre, "
                           "hook_attn_out or hook_mlp_out into the same node of the other sentence"),
                        patch->from.node, patch->to.node));
    return change;
}

// ------------------------------------------------------------------------------------------------- the rest of it

/// Returns the name of the shipped model in that folder; empty for any other.
std::string shipped_name(const Snapshot& snapshot, const std::string& folder) {
    if (!snapshot.catalog) return {};
    const auto found = std::ranges::find(snapshot.catalog->models, folder, &ModelCatalog::Model::folder);
    return found == snapshot.catalog->models.end() ? std::string() : found->name;
}

json comparing_to_json(const Comparing& comparing, const Snapshot& snapshot) {
    const auto what = static_cast<std::size_t>(comparing.what);
    json object{{"what", comparings[what]}};
    if (comparing.what == Comparing::What::steps) object["step"] = comparing.step;
    if (comparing.what == Comparing::What::models) {
        const std::string name = shipped_name(snapshot, comparing.folder);
        if (name.empty()) return {{"what", comparings[0]}};
        object["model"] = name;
    }
    return object;
}

Comparing comparing_from_json(const json& object, const Snapshot& snapshot, const std::string& file) {
    if (!has_field(object, "beside")) return {};
    const json& beside = object["beside"];
    if (!beside.is_object()) fail_in_field(file, "beside", N_("must be an object"));
    Comparing comparing;
    comparing.what = static_cast<Comparing::What>(one_of(beside, "what", comparings, file));
    if (comparing.what == Comparing::What::steps) comparing.step = field<std::int64_t>(beside, "step", file);
    if (comparing.what == Comparing::What::models) {
        comparing.folder = LessonStage::folder_of(snapshot, field<std::string>(beside, "model", file));
        if (comparing.folder.empty()) return {};
    }
    return comparing;
}

/// Names the node: its index differs in the graph of another or an altered model.
json cell_to_json(const TracedCell& cell, const Snapshot& snapshot) {
    const auto& trace = snapshot.sentences[cell.slot].trace;
    if (!trace) return nullptr;
    return {{"sentence", slots[cell.slot]}, {"node", trace->graph()[cell.cell.node].name}, {"cell", cell.cell.offset}};
}

/// Both cards show one model while it is opened, so that A's graph has the nodes of both.
std::optional<TracedCell> cell_from_json(const json& object, const Snapshot& snapshot, const std::string& file) {
    if (!has_field(object, "explain")) return {};
    const json& cell = object["explain"];
    if (!cell.is_object()) fail_in_field(file, "explain", N_("must be an object"));
    const int slot = one_of(cell, "sentence", slots, file);
    const auto node_name = field<std::string>(cell, "node", file);
    const auto offset = field<std::int64_t>(cell, "cell", file);
    const auto& trace = snapshot.sentences[slot].trace;
    const std::optional<int> node = trace ? trace->graph().find(node_name) : std::nullopt;
    if (!node) return {};
    return TracedCell{slot, {*node, offset}};
}

}  // namespace

json scene_to_json(const ViewMoment& m, const Snapshot& snapshot) {
    json object{{"sentences", m.text},
                {"block", m.layer},
                {"head", m.head},
                {"view", std::string(all_views()[m.view].name)},
                {"sentence", slots[m.slot]},
                {"compare", m.compare},
                {"beside", comparing_to_json(m.comparing, snapshot)},
                {"other_block", m.other_head.layer},
                {"other_head", m.other_head.head},
                {"words", m.token},
                {"second_layer_norm", m.second_layer_norm}};
    if (m.step >= 0) object["step"] = m.step;
    for (const WhatIf& change : m.what_if) object["what_if"].push_back(change_to_json(change));
    if (!m.follow_strongest && !m.trail.empty())
        if (json cell = cell_to_json(m.trail.back(), snapshot); !cell.is_null()) object["explain"] = std::move(cell);
    return object;
}

ViewMoment scene_from_json(const json& object, const Snapshot& snapshot, const std::string& file) {
    if (!object.is_object()) throw Error("{1}: the scene must be an object", file);
    ViewMoment m;
    const json& texts = array_in(object, "sentences", 2, file);
    for (std::size_t i = 0; i < m.text.size(); ++i) {
        if (i < texts.size() &&
            (!texts[i].is_string() || texts[i].get_ref<const std::string&>().size() > most_text_bytes))
            fail_in_field(file, "sentences", N_("must be two texts of no more than 64 KiB"));
        m.text[i] = i < texts.size() ? texts[i].get<std::string>() : snapshot.text_of(static_cast<int>(i));
    }
    const json& words = array_in(object, "words", 2, file);
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (!words[i].is_number_unsigned() || words[i].get<std::uint64_t>() > 1u << 20)
            fail_in_field(file, "words", N_("must be two positions in the sentences, 0 or more"));
        m.token[i] = words[i].get<int>();
    }
    m.layer = field_or<int>(object, "block", 0, file);
    m.head = field_or<int>(object, "head", 0, file);
    m.view = std::max(0, view_index(field_or<std::string>(object, "view", "", file)));
    m.slot = one_of(object, "sentence", slots, file);
    m.compare = field_or<bool>(object, "compare", true, file);
    m.comparing = comparing_from_json(object, snapshot, file);
    m.other_head = {field_or<int>(object, "other_block", 0, file), field_or<int>(object, "other_head", 0, file)};
    m.second_layer_norm = field_or<bool>(object, "second_layer_norm", false, file);
    m.step = field_or<std::int64_t>(object, "step", -1, file);
    for (const json& change : array_in(object, "what_if", most_changes, file))
        m.what_if.push_back(change_from_json(change, file));
    if (const auto cell = cell_from_json(object, snapshot, file)) {
        m.follow_strongest = false;
        m.trail = {*cell};
    }
    return m;
}

}  // namespace glassformer::app
