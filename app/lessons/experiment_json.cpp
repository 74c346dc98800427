#include "app/lessons/experiment_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/mark_text.h"
#include "core/io/json_fields.h"

namespace glassformer::app {

namespace {

using nlohmann::json;

constexpr std::size_t most_points = 100, most_read_points = 1000, most_name_bytes = 1000;
constexpr std::array<const char*, 3> ends{"done", "stopped", "failed"};

/// Returns the curve thinned to about `most_points`, plus the last point and, in shorter logs, all measured ones.
/// Points with a non-finite loss are left out.
json curve_of(const ExperimentInfo::Run& run) {
    json curve = json::array();
    if (!run.now.log) return curve;
    const std::vector<MetricPoint>& log = *run.now.log;
    const std::size_t distance = log.size() / most_points + 1;
    for (std::size_t i = 0; i < log.size(); ++i) {
        const MetricPoint& p = log[i];
        const bool measured = p.accuracy >= 0 && log.size() < most_read_points;
        if (!std::isfinite(p.loss) || (i % distance != 0 && !measured && i + 1 != log.size())) continue;
        curve.push_back({p.step, shortest(p.loss), shortest(std::isfinite(p.accuracy) ? p.accuracy : -1.0f),
                         shortest(std::isfinite(p.held_out_loss) ? p.held_out_loss : -1.0f)});
    }
    return curve;
}

const json& list_in(const json& object, const char* name, std::size_t most, const std::string& file) {
    const auto found = object.find(name);
    if (found == object.end() || !found->is_array() || found->size() > most)
        fail_in_field(file, name, N_("must be a list of at most {1}"), most);
    return *found;
}

std::string text_in(const json& object, const char* name, const std::string& file) {
    std::string text = field_or<std::string>(object, name, "", file);
    if (text.size() > most_name_bytes) fail_in_field(file, name, N_("is too long"));
    return text;
}

std::vector<MetricPoint> curve_in(const json& run, const std::string& file) {
    std::vector<MetricPoint> log;
    for (const json& point : list_in(run, "curve", most_read_points, file)) {
        const bool numbers = point.is_array() && point.size() == 4 &&
                             std::ranges::all_of(point, [](const json& n) { return n.is_number(); });
        MetricPoint p;
        if (numbers) {
            p.step = point[0].is_number_integer() ? point[0].get<std::int64_t>() : -1;
            p.loss = point[1].get<float>(), p.accuracy = point[2].get<float>(), p.held_out_loss = point[3].get<float>();
        }
        if (!numbers || p.step < (log.empty() ? 0 : log.back().step + 1) ||
            !std::isfinite(p.loss + p.accuracy + p.held_out_loss))
            fail_in_field(file, "curve", N_("must be lists of four numbers, by step"));
        log.push_back(p);
    }
    return log;
}

ExperimentInfo::Run run_in(const json& object, const std::string& file) {
    if (!object.is_object()) fail_in_field(file, "runs", N_("must be a list of objects"));
    ExperimentInfo::Run run;
    run.name = text_in(object, "name", file);
    const auto state = field<std::string>(object, "state", file);
    const auto end = std::ranges::find(ends, state, [](const char* name) { return std::string_view(name); });
    if (end == ends.end()) fail_in_field(file, "state", N_("is \"{1}\", which is not a valid value"), state);
    constexpr std::array states{SideRun::State::done, SideRun::State::stopped, SideRun::State::failed};
    run.now.state = states[end - ends.begin()];
    run.now.step = field<std::int64_t>(object, "step", file);
    run.setup.options.schedule.total = field<std::int64_t>(object, "steps", file);
    run.now.failure = text_in(object, "failure", file);
    run.now.log = std::make_shared<const std::vector<MetricPoint>>(curve_in(object, file));
    if (!has_field(object, "metric")) return run;
    Measurement found;
    found.value = field<double>(object, "metric", file);
    run.now.measured_step = field_or<std::int64_t>(object, "metric_step", run.now.step, file);
    run.now.found = std::make_shared<const Measurement>(std::move(found));
    return run;
}

std::vector<Knob> knobs_in(const json& object, std::size_t runs, const std::string& file) {
    std::vector<Knob> knobs;
    std::size_t count = 1;
    for (const json& one : list_in(object, "knobs", 2, file)) {
        if (!one.is_object()) fail_in_field(file, "knobs", N_("must be a list of objects"));
        Knob& knob = knobs.emplace_back();
        knob.name = text_in(one, "name", file);
        for (const json& value : list_in(one, "values", SideBySide::most_runs, file)) {
            if (!value.is_string()) fail_in_field(file, "values", N_("must be strings"));
            knob.values.push_back(value.get<std::string>());
        }
        count *= knob.values.size();
    }
    if (knobs.empty() || count != runs) fail_in_field(file, "knobs", N_("must have a value for each of the runs"));
    return knobs;
}

}  // namespace

json experiment_to_json(const ExperimentInfo& experiment, const ExperimentState& page) {
    json object{{"world", experiment.plan.base.world},
                {"title", experiment.model->world_title},
                {"metric", experiment.model->metric_name},
                {"metric_is_share", experiment.model->metric_is_share},
                {"claim", page.claims.empty() ? std::string() : page.claim}};
    for (const Knob& knob : experiment.plan.knobs)
        object["knobs"].push_back({{"name", knob.name}, {"values", knob.values}});
    for (std::size_t i = 0; i < experiment.runs.size(); ++i) {
        const ExperimentInfo::Run& run = experiment.runs[i];
        const bool failed = run.now.state == SideRun::State::failed, done = run.now.state == SideRun::State::done;
        json& row = object["runs"].emplace_back(json{{"name", run.name},
                                                     {"state", ends[failed ? 2
                                                                    : done ? 0
                                                                           : 1]},
                                                     {"step", run.now.step},
                                                     {"steps", run.setup.options.schedule.total},
                                                     {"curve", curve_of(run)}});
        if (failed) row["failure"] = run.now.failure;
        if (run.now.found && std::isfinite(run.now.found->value)) {
            row["metric"] = run.now.found->value;
            row["metric_step"] = run.now.measured_step;
        }
        if (i >= page.claims.size() || !page.claims[i].holds) continue;
        row["holds"] = *page.claims[i].holds;
        row["said"] = page.claims[i].said;
    }
    return object;
}

ExperimentState::Kept experiment_from_json(const json& object, const std::string& file) {
    if (!object.is_object()) fail_in_field(file, "experiment", N_("must be an object"));
    ExperimentState::Kept kept;
    auto experiment = std::make_shared<ExperimentInfo>();
    auto model = std::make_shared<ModelInfo>();
    model->world = experiment->plan.base.world = text_in(object, "world", file);
    model->world_title = text_in(object, "title", file);
    model->metric_name = text_in(object, "metric", file);
    model->metric_is_share = field_or<bool>(object, "metric_is_share", true, file);
    kept.claim = text_in(object, "claim", file);
    for (const json& one : list_in(object, "runs", SideBySide::most_runs, file)) {
        experiment->runs.push_back(run_in(one, file));
        ExperimentState::InRun& claim = kept.claims.emplace_back();
        if (has_field(one, "holds")) claim.holds = field<bool>(one, "holds", file);
        claim.said = text_in(one, "said", file);
    }
    if (experiment->runs.empty()) fail_in_field(file, "runs", N_("must not be empty"));
    experiment->plan.knobs = knobs_in(object, experiment->runs.size(), file);
    experiment->model = std::move(model);
    kept.experiment = std::move(experiment);
    return kept;
}

}  // namespace glassformer::app
