#include "app/session/setup_switches.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <type_traits>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/base/number_text.h"
#include "core/io/config_json.h"
#include "core/text/json_file.h"

namespace glassformer::app {

namespace {

using nlohmann::json;

template <class Number>
Number number_of(const SetupSwitch& s) {
    const auto no_number = [&] { return Error("{1} must be a number, not \"{2}\"", s.name, s.value); };
    if constexpr (std::is_floating_point_v<Number>) {
        const std::optional<float> value = number_in_text(s.value);
        if (!value) throw no_number();
        return *value;
    } else {
        Number value{};
        const char* const end = s.value.data() + s.value.size();
        const auto [stopped, error] = std::from_chars(s.value.data(), end, value);
        if (error != std::errc() || stopped != end) throw no_number();
        return value;
    }
}

/// A switch of how it is trained; false where it is one of the model.
bool of_training(TrainOptions& options, const SetupSwitch& s) {
    if (s.name == "longest") return options.longest = number_of<int>(s), true;
    if (s.name == "data_share") return options.data_share = number_of<float>(s), true;
    if (s.name == "learning_rate") return options.schedule.peak = number_of<float>(s), true;
    if (s.name == "batch") return options.batch = number_of<int>(s), true;
    if (s.name == "seed") return options.seed = number_of<std::uint64_t>(s), true;
    if (s.name == "steps") return options.schedule.total = number_of<std::int64_t>(s), true;
    if (s.name == "clip") return options.clip = number_of<float>(s), true;
    if (s.name == "optimizer") return options.optimizer.kind = optimizer_kind(s.value), true;
    return false;
}

/// A number, true, false, or a word.
json value_of(const std::string& text) {
    json value = parse_json(text);
    return value.is_number() || value.is_boolean() ? value : json(text);
}

}  // namespace

void throw_switches(TrainingSetup& setup, const std::vector<SetupSwitch>& switches) {
    constexpr std::string_view attention = "attention.";
    json model = config_to_json(setup.config);
    for (const SetupSwitch& s : switches) {
        if (of_training(setup.options, s)) continue;
        if (s.name.starts_with(attention))
            model["attention"][s.name.substr(attention.size())] = value_of(s.value);
        else
            model[s.name] = value_of(s.value);
    }
    setup.config = config_from_json(model, N_("the model"), {});
}

}  // namespace glassformer::app
