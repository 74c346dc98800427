#include "app/session/setup_switches.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <type_traits>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/base/number_text.h"
#include "core/io/config_json.h"
#include "core/io/json_fields.h"
#include "core/io/run_settings.h"
#include "core/text/json_file.h"

namespace glassformer::app {

namespace {

using nlohmann::json;

template <class Number>
Number number_of(const SetupSwitch& s) {
    std::optional<Number> value;
    if constexpr (std::is_floating_point_v<Number>)
        value = number_in_text(s.value);
    else
        value = whole_in_text<Number>(s.value);
    if (!value) throw Error("{1} must be a number, not \"{2}\"", s.name, s.value);
    return *value;
}

/// Parses a number, true, false, or a word.
json value_of(const std::string& text) {
    json value = parse_json(text);
    return value.is_number() || value.is_boolean() ? value : json(text);
}

/// Sets an option of the schedule or the optimizer; false if there is none of that name.
bool in_group(TrainOptions& options, const SetupSwitch& s) {
    const std::size_t dot = std::min(s.name.find('.'), s.name.size());
    json all = train_options_to_json(options);
    const auto group = all.find(s.name.substr(0, dot));
    if (dot == s.name.size() || group == all.end() || !group->contains(s.name.substr(dot + 1))) return false;
    (*group)[s.name.substr(dot + 1)] = value_of(s.value);
    options = train_options_from_json(all, N_("the training"));
    return true;
}

/// Applies a switch of the training; false if it is one of the model.
bool of_training(TrainOptions& options, const SetupSwitch& s) {
    if (s.name == "longest") return options.longest = number_of<int>(s), true;
    if (s.name == "data_share") return options.data_share = number_of<float>(s), true;
    if (s.name == "learning_rate") return options.schedule.peak = number_of<float>(s), true;
    if (s.name == "batch") return options.batch = number_of<int>(s), true;
    if (s.name == "seed") return options.seed = number_of<std::uint64_t>(s), true;
    if (s.name == "steps") return options.schedule.total = number_of<std::int64_t>(s), true;
    if (s.name == "clip") return options.clip = number_of<float>(s), true;
    if (s.name == "optimizer") return options.optimizer.kind = optimizer_kind(s.value), true;
    return in_group(options, s);
}

/// The names of a struct's fields, with those that its JSON leaves out.
template <class Struct>
std::vector<std::string> field_names(Struct fields) {
    std::vector<std::string> names;
    const json all = fields_to_json(fields);
    visit_fields(fields, FieldReader{all, {}, false, names});
    return names;
}

/// What is usually changed: "seed, steps, …, attention.scale".
std::string usual_settings(const json& model) {
    constexpr std::array<std::string_view, 6> of_world{"d_input", "d_output", "d_source_vocab",
                                                       "d_vocab", "input",    "output"};
    std::string names = "seed, steps, batch, learning_rate, clip, optimizer, longest, data_share";
    for (const auto& [name, value] : model.items())
        if (!value.is_object() && std::ranges::find(of_world, name) == of_world.end()) names += ", " + name;
    for (const auto& [name, value] : model["attention"].items()) names += ", attention." + name;
    return names;
}

/// Adds a switch for each difference.
void add_changes(const json& from, const json& to, std::vector<SetupSwitch>& switches) {
    const json before = from.flatten(), after = to.flatten();
    for (const auto& [place, value] : after.items()) {
        if (const auto found = before.find(place); found != before.end() && *found == value) continue;
        std::string name = place.substr(1);
        std::ranges::replace(name, '/', '.');
        switches.push_back({name, value.is_string() ? value.get<std::string>() : value.dump()});
    }
}

}  // namespace

void throw_switches(TrainingSetup& setup, const std::vector<SetupSwitch>& switches) {
    constexpr std::string_view attention = "attention.";
    json model = config_to_json(setup.config);
    for (const SetupSwitch& s : switches) {
        if (of_training(setup.options, s)) continue;
        const bool inner = s.name.starts_with(attention);
        const std::string name = inner ? s.name.substr(attention.size()) : s.name;
        const std::vector<std::string> known = inner ? field_names(setup.config.attention) : field_names(setup.config);
        if (std::ranges::find(known, name) == known.end() || s.name == "attention")
            throw Error("there is no setting \"{1}\"; choose one of {2}", s.name, usual_settings(model));
        (inner ? model["attention"] : model)[name] = value_of(s.value);
    }
    setup.config = config_from_json(model, N_("the model"), {});
}

std::optional<std::vector<SetupSwitch>> switches_between(const TrainingSetup& from, const TrainingSetup& to) {
    std::vector<SetupSwitch> switches;
    try {
        add_changes(config_to_json(from.config), config_to_json(to.config), switches);
        add_changes(train_options_to_json(from.options), train_options_to_json(to.options), switches);
        TrainingSetup reached = from;
        throw_switches(reached, switches);
        if (reached == to) return switches;
    } catch (const Error&) {
    }
    return {};
}

}  // namespace glassformer::app
