#include "app/session/experiment_plan.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "app/language/tr.h"
#include "app/session/model_for_world.h"
#include "core/base/error.h"
#include "core/base/join.h"
#include "core/base/mark_text.h"
#include "core/base/number_text.h"
#include "core/experiments/side_by_side.h"
#include "core/nn/transformer.h"

namespace glassformer::app {

namespace {

/// Each switch with its name in plain words.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> knob_words{
    {{"seed", N_("seed")},
     {"learning_rate", N_("learning rate")},
     {"n_heads", N_("heads")},
     {"n_layers", N_("layers")},
     {"norm_placement", N_("norm place")},
     {"positions", N_("positions")},
     {"batch", N_("batch")},
     {"data_share", N_("data share")},
     {"steps", N_("steps")}}};

/// "0.01" is "1e-2".
bool same_value(const std::string& a, const std::string& b) {
    if (a == b) return true;
    const auto x = whole_in_text<std::uint64_t>(a), y = whole_in_text<std::uint64_t>(b);
    if (x && y) return *x == *y;
    const std::optional<float> first = number_in_text(a), second = number_in_text(b);
    return first && second && *first == *second;
}

void require_values(const Knob& knob) {
    if (knob.values.empty()) throw Error("{1} has no values to try", words_of_knob(knob.name));
    for (auto at = knob.values.begin(); at != knob.values.end(); ++at)
        if (std::any_of(knob.values.begin(), at, [&](const std::string& before) { return same_value(before, *at); }))
            throw Error("{1} has the value {2} twice", words_of_knob(knob.name), *at);
}

std::string name_of(const SetupSwitch& s) { return words_of_knob(s.name) + " " + s.value; }

constexpr std::string_view between_parts = " · ";

/// A run's name with `change` made to each of its parts.
template <class Change>
std::string each_part(std::string_view name, const Change& change) {
    std::string text;
    for (std::size_t at = 0; at <= name.size();) {
        const std::size_t end = std::min(name.find(between_parts, at), name.size());
        text += (at > 0 ? std::string(between_parts) : "") + change(name.substr(at, end - at));
        at = end + between_parts.size();
    }
    return text;
}

ExperimentRun run_with(const ExperimentPlan& plan, const std::vector<SetupSwitch>& switches,
                       const TransformerConfig& world) {
    ExperimentRun run{{}, plan.base};
    const auto differs = [](const Knob& knob) { return knob.values.size() > 1; };
    for (std::size_t i = 0; i < switches.size(); ++i)
        if (differs(plan.knobs[i]) || std::ranges::none_of(plan.knobs, differs))
            run.name += (run.name.empty() ? "" : std::string(between_parts)) + name_of(switches[i]);
    try {
        throw_switches(run.setup, switches);
        take_from_world(run.setup.config, world);
        validate(run.setup.config);
        validate(run.setup.options);
        run.setup = without_heads_of(std::move(run.setup), plan.base);
    } catch (const Error& e) {
        throw Error("{1}: {2}", run.name, e.what());
    }
    return run;
}

}  // namespace

std::vector<ExperimentRun> runs_of(const ExperimentPlan& plan, const TransformerConfig& world) {
    if (plan.knobs.empty()) throw Error("choose what the runs differ in");
    if (plan.knobs.size() > 2) throw Error("runs can differ in one thing or in two, not in {1}", plan.knobs.size());
    if (plan.knobs.size() == 2 && plan.knobs[0].name == plan.knobs[1].name)
        throw Error("{1} is given twice", words_of_knob(plan.knobs[0].name));
    for (const Knob& knob : plan.knobs) require_values(knob);
    const Knob& first = plan.knobs.front();
    const std::vector<std::string> one{""}, &second = plan.knobs.size() == 2 ? plan.knobs[1].values : one;
    const std::size_t count = first.values.size() * second.size();
    if (count > SideBySide::most_runs)
        throw Error("an experiment has at most {1} runs; these are {2}", SideBySide::most_runs, count);
    std::vector<ExperimentRun> runs;
    for (const std::string& a : first.values)
        for (const std::string& b : second) {
            std::vector<SetupSwitch> switches{{first.name, a}};
            if (plan.knobs.size() == 2) switches.push_back({plan.knobs[1].name, b});
            runs.push_back(run_with(plan, switches, world));
        }
    return runs;
}

std::string tr_run_name(std::string_view name) {
    return each_part(name, [](std::string_view part) {
        const std::size_t value = std::min(part.rfind(' '), part.size());
        return std::string(tr(part.substr(0, value))) + std::string(part.substr(value));
    });
}

std::string renamed_for_seed(const std::string& name, std::uint64_t before, std::uint64_t seed) {
    const std::string old = name_of(SetupSwitch{"seed", std::to_string(before)}),
                      now = name_of(SetupSwitch{"seed", std::to_string(seed)});
    return each_part(name, [&](std::string_view part) { return part == old ? now : std::string(part); });
}

std::string words_of_knob(const std::string& name) {
    const auto found = std::ranges::find(knob_words, name, [](const auto& k) { return std::string(k.first); });
    return found == knob_words.end() ? name : std::string(found->second);
}

std::string switch_of_knob(const std::string& name) {
    std::string said = name;
    std::ranges::replace(said, '-', '_');
    const auto found = std::ranges::find(knob_words, said, [](const auto& k) {
        std::string words(k.second);
        std::ranges::replace(words, ' ', '_');
        return words;
    });
    return found == knob_words.end() ? said : std::string(found->first);
}

std::vector<std::string> values_in(const std::string& text) {
    std::vector<std::string> values;
    std::string word;
    const auto take = [&] {
        if (word.empty()) return;
        const std::size_t dots = word.find("..");
        if (dots == std::string::npos) {
            values.push_back(std::exchange(word, {}));
            return;
        }
        const auto first = whole_in_text<std::uint64_t>(word.substr(0, dots)),
                   last = whole_in_text<std::uint64_t>(word.substr(dots + 2));
        if (!first || !last || *last < *first) throw Error("\"{1}\" is not a range such as 1..6", word);
        if (*last - *first >= SideBySide::most_runs)
            throw Error("an experiment has at most {1} runs; {2} are more", SideBySide::most_runs, word);
        for (std::uint64_t value = *first; value <= *last; ++value) values.push_back(std::to_string(value));
        word.clear();
    };
    for (const char c : text) {
        if (c == ',' || c == ' ' || c == ';')
            take();
        else
            word += c;
    }
    take();
    return values;
}

std::string text_of(const std::vector<std::string>& values) { return join(values, ", "); }

}  // namespace glassformer::app
