#include "app/lessons/scene_json.h"

#include <algorithm>
#include <cmath>

#include "app/language/tr.h"
#include "app/lessons/lesson_stage.h"
#include "app/views/registry.h"
#include "core/analysis/patching.h"
#include "core/io/json_fields.h"

namespace glassformer::app {

namespace {

using nlohmann::json;

constexpr std::size_t most_changes = 1000, most_weights = 1 << 16, most_text_bytes = 1 << 16;
constexpr std::array<const char*, 4> comparings{"sentences", "heads", "models", "steps"};
constexpr std::array<const char*, 2> slots{"A", "B"}, attentions{"itself", "source"};

template <std::size_t count>
int one_of(const json& object, const char* name, const std::array<const char*, count>& names, const std::string& file) {
    const std::string text = field_or<std::string>(object, name, names[0], file);
    for (std::size_t i = 0; i < count; ++i)
        if (text == names[i]) return static_cast<int>(i);
    fail_in_field(file, name, "is \"" + text + "\", which it cannot be");
}

const json& array_in(const json& object, const char* name, std::size_t most, const std::string& file) {
    static const json none = json::array();
    if (!has_field(object, name)) return none;
    const json& found = object[name];
    if (!found.is_array() || found.size() > most)
        fail_in_field(file, name, "must be a list of at most " + std::to_string(most));
    return found;
}

/// A number from −1 on; −1 is left out of the file.
int place_in(const json& object, const char* name, const std::string& file) {
    return field_or<int>(object, name, -1, file);
}

// --------------------------------------------------------------------------------------------- changes to the model

json site_to_json(const HookPoint& site) {
    json object{{"node", site.node}};
    if (site.position >= 0) object["position"] = site.position;
    if (site.head >= 0) object["head"] = site.head;
    return object;
}

HookPoint site_from_json(const json& object, const char* name, const std::string& file) {
    if (!has_field(object, name) || !object[name].is_object()) fail_in_field(file, name, "must be an object");
    const json& site = object[name];
    return {field<std::string>(site, "node", file), place_in(site, "position", file), place_in(site, "head", file)};
}

/// Each kind of change by its name in the file.
struct Writing {
    json operator()(const what_if::HeadOff& c) const { return of_head("head off", c); }
    json operator()(const what_if::UniformAttention& c) const { return of_head("head uniform", c); }
    json operator()(const what_if::HardAttention& c) const { return of_head("head hard", c); }
    json operator()(const what_if::AttentionOff& c) const {
        return {{"change", "attention off"}, {"block", c.block}, {"to", name_of_target(c.to)}};
    }
    json operator()(const what_if::MlpOff& c) const { return {{"change", "MLP off"}, {"block", c.block}}; }
    json operator()(const what_if::PositionsOff&) const { return {{"change", "positions off"}}; }
    json operator()(const what_if::MaskOff&) const { return {{"change", "mask off"}}; }
    json operator()(const what_if::ScaleOff&) const { return {{"change", "scale off"}}; }
    json operator()(const what_if::NormOff&) const { return {{"change", "norm off"}}; }
    json operator()(const what_if::ResidualOff&) const { return {{"change", "residual off"}}; }
    json operator()(const what_if::NormScaled& c) const {
        return {{"change", "norm scaled"}, {"norm", c.norm}, {"gamma", c.gamma}, {"beta", c.beta}};
    }
    json operator()(const what_if::AttentionRow& c) const {
        json object = of_head("attention row", c);
        object["sentence"] = slots[c.slot];
        object["query"] = c.query;
        object["weights"] = c.weights;
        return object;
    }
    json operator()(const what_if::Patch& c) const {
        return {{"change", "patch"},
                {"sentence", slots[c.slot]},
                {"from", site_to_json(c.from)},
                {"to", site_to_json(c.to)}};
    }

    static const char* name_of_target(AttentionTo to) { return attentions[to == AttentionTo::source ? 1 : 0]; }
    template <class Change>
    static json of_head(const char* name, const Change& c) {
        return {{"change", name}, {"block", c.block}, {"head", c.head}, {"to", name_of_target(c.to)}};
    }
};

std::vector<float> weights_from_json(const json& object, const std::string& file) {
    std::vector<float> weights;
    for (const json& weight : array_in(object, "weights", most_weights, file)) {
        const float value = weight.is_number() ? weight.get<float>() : NAN;
        if (!std::isfinite(value)) fail_in_field(file, "weights", "must be finite numbers");
        weights.push_back(value);
    }
    return weights;
}

WhatIf change_from_json(const json& object, const std::string& file) {
    if (!object.is_object()) fail_in_field(file, "what_if", "must be a list of objects");
    const auto kind = field<std::string>(object, "change", file);
    const auto block = [&] { return field<int>(object, "block", file); };
    const auto head = [&] { return field<int>(object, "head", file); };
    const auto to = [&] { return static_cast<AttentionTo>(one_of(object, "to", attentions, file)); };
    const auto slot = [&] { return one_of(object, "sentence", slots, file); };
    if (kind == "head off") return what_if::HeadOff{block(), head(), to()};
    if (kind == "head uniform") return what_if::UniformAttention{block(), head(), to()};
    if (kind == "head hard") return what_if::HardAttention{block(), head(), to()};
    if (kind == "attention off") return what_if::AttentionOff{block(), to()};
    if (kind == "MLP off") return what_if::MlpOff{block()};
    if (kind == "positions off") return what_if::PositionsOff{};
    if (kind == "mask off") return what_if::MaskOff{};
    if (kind == "scale off") return what_if::ScaleOff{};
    if (kind == "norm off") return what_if::NormOff{};
    if (kind == "residual off") return what_if::ResidualOff{};
    if (kind == "norm scaled")
        return what_if::NormScaled{field<std::string>(object, "norm", file), field<float>(object, "gamma", file),
                                   field<float>(object, "beta", file)};
    if (kind == "attention row")
        return what_if::AttentionRow{
            slot(), block(), head(), field<int>(object, "query", file), weights_from_json(object, file), to()};
    if (kind == "patch") {
        what_if::Patch patch{slot(), site_from_json(object, "from", file), site_from_json(object, "to", file)};
        // Any other, of an answer for instance, no window has made.
        if (!is_usual_patch(patch.from, patch.to))
            fail_in_field(file, "change",
                          "is a patch from " + patch.from.node + " to " + patch.to.node +
                              "; it must put one position of a block's hook_resid_pre, hook_attn_out or hook_mlp_out "
                              "into the same node of the other sentence");
        return patch;
    }
    fail_in_field(file, "change", "is \"" + kind + "\", which this program does not know");
}

// ------------------------------------------------------------------------------------------------- the rest of it

/// The shipped model of that folder, by its name; empty where it is another one.
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
    if (!beside.is_object()) fail_in_field(file, "beside", "must be an object");
    Comparing comparing;
    comparing.what = static_cast<Comparing::What>(one_of(beside, "what", comparings, file));
    if (comparing.what == Comparing::What::steps) comparing.step = field<std::int64_t>(beside, "step", file);
    if (comparing.what == Comparing::What::models) {
        comparing.folder = LessonStage::folder_of(snapshot, field<std::string>(beside, "model", file));
        if (comparing.folder.empty()) return {};
    }
    return comparing;
}

/// A node by its name: in the graph of another model, or of a changed one, it has another index.
json cell_to_json(const TracedCell& cell, const Snapshot& snapshot) {
    const auto& trace = snapshot.sentences[cell.slot].trace;
    if (!trace) return nullptr;
    return {{"sentence", slots[cell.slot]}, {"node", trace->graph()[cell.cell.node].name}, {"cell", cell.cell.offset}};
}

/// Both cards show one model while it is opened, so that A's graph has the node of either.
std::optional<TracedCell> cell_from_json(const json& object, const Snapshot& snapshot, const std::string& file) {
    if (!has_field(object, "explain")) return {};
    const json& cell = object["explain"];
    if (!cell.is_object()) fail_in_field(file, "explain", "must be an object");
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
    for (const WhatIf& change : m.what_if) object["what_if"].push_back(std::visit(Writing(), change));
    if (!m.follow_strongest && !m.trail.empty())
        if (json cell = cell_to_json(m.trail.back(), snapshot); !cell.is_null()) object["explain"] = std::move(cell);
    return object;
}

ViewMoment scene_from_json(const json& object, const Snapshot& snapshot, const std::string& file) {
    if (!object.is_object()) throw Error(file + ": the scene must be an object");
    ViewMoment m;
    const json& texts = array_in(object, "sentences", 2, file);
    for (std::size_t i = 0; i < m.text.size(); ++i) {
        if (i < texts.size() &&
            (!texts[i].is_string() || texts[i].get_ref<const std::string&>().size() > most_text_bytes))
            fail_in_field(file, "sentences", "must be two texts of no more than 64 KiB");
        m.text[i] = i < texts.size() ? texts[i].get<std::string>() : snapshot.text_of(static_cast<int>(i));
    }
    const json& words = array_in(object, "words", 2, file);
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (!words[i].is_number_unsigned() || words[i].get<std::uint64_t>() > 1u << 20)
            fail_in_field(file, "words", "must be two places in the sentences, from 0 on");
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
