#include "core/io/train_options_json.h"

#include <cmath>

#include "core/io/json_fields.h"

namespace glassformer {

namespace {

using nlohmann::json;

// Each group of fields once, for writing and for reading.

template <class Options, class Visit>
void visit_schedule(Options& schedule, const Visit& visit) {
    visit("peak", schedule.peak);
    visit("warmup", schedule.warmup);
    visit("total", schedule.total);
    visit("floor", schedule.floor);
    visit("kind", schedule.kind);
}

template <class Options, class Visit>
void visit_optimizer(Options& optimizer, const Visit& visit) {
    visit("kind", optimizer.kind);
    visit("beta1", optimizer.beta1);
    visit("beta2", optimizer.beta2);
    visit("momentum", optimizer.momentum);
    visit("epsilon", optimizer.epsilon);
    visit("weight_decay", optimizer.weight_decay);
}

template <class Range, class Visit>
void visit_range(Range& range, const Visit& visit) {
    visit("offset", range.offset);
    visit("count", range.count);
}

template <class Options, class Visit>
void visit_options(Options& options, const Visit& visit) {
    visit("schedule", options.schedule);
    visit("optimizer", options.optimizer);
    visit("clip", options.clip);
    visit("batch", options.batch);
    visit("seed", options.seed);
    visit("held_at_zero", options.frozen_zero);
    visit.where_set("longest", options.longest, 0);
}

struct OptionsWriter {
    json& object;

    void operator()(const char* name, float value) const { object[name] = shortest(value); }
    void operator()(const char* name, const Schedule& value) const {
        visit_schedule(value, OptionsWriter{object[name]});
    }
    void operator()(const char* name, const OptimizerOptions& value) const {
        visit_optimizer(value, OptionsWriter{object[name]});
    }
    void operator()(const char* name, ScheduleKind value) const { object[name] = name_of(value); }
    void operator()(const char* name, OptimizerKind value) const { object[name] = name_of(value); }
    void operator()(const char* name, const std::vector<ParameterRange>& value) const {
        json& list = object[name] = json::array();
        for (const ParameterRange& range : value) visit_range(range, OptionsWriter{list.emplace_back()});
    }
    template <class Whole>
    void operator()(const char* name, Whole value) const {
        object[name] = value;
    }
    /// A field that older files do not have is written where it is not as it was for them.
    void where_set(const char* name, int value, int otherwise) const {
        if (value != otherwise) object[name] = value;
    }
};

struct OptionsReader {
    const json& object;
    const std::string& file;

    OptionsReader inner(const char* name) const {
        const auto found = object.find(name);
        if (found == object.end() || !found->is_object()) fail_in_field(file, name, "must be an object");
        return {*found, file};
    }
    template <class Kind>
    Kind kind(const char* name, Kind (*of)(std::string_view)) const {
        const auto text = field<std::string>(object, name, file);
        try {
            return of(text);
        } catch (const Error& e) {
            fail_in_field(file, name, std::string("is not known: ") + e.what());
        }
    }
    void operator()(const char* name, float& value) const {
        value = field<float>(object, name, file);
        if (!std::isfinite(value)) fail_in_field(file, name, "is not a finite number");
    }
    void operator()(const char* name, Schedule& value) const { visit_schedule(value, inner(name)); }
    void operator()(const char* name, OptimizerOptions& value) const { visit_optimizer(value, inner(name)); }
    void operator()(const char* name, ScheduleKind& value) const { value = kind(name, schedule_kind); }
    void operator()(const char* name, OptimizerKind& value) const { value = kind(name, optimizer_kind); }
    void operator()(const char* name, std::vector<ParameterRange>& value) const {
        const auto found = object.find(name);
        if (found == object.end() || !found->is_array()) fail_in_field(file, name, "must be a list");
        value.clear();
        for (const json& range : *found) {
            if (!range.is_object()) fail_in_field(file, name, "must be a list of objects");
            visit_range(value.emplace_back(), OptionsReader{range, file});
        }
    }
    template <class Whole>
    void operator()(const char* name, Whole& value) const {
        value = field<Whole>(object, name, file);
    }
    void where_set(const char* name, int& value, int otherwise) const {
        value = field_or<int>(object, name, otherwise, file);
    }
};

}  // namespace

json train_options_to_json(const TrainOptions& options) {
    json object = json::object();
    visit_options(options, OptionsWriter{object});
    return object;
}

TrainOptions train_options_from_json(const json& object, const std::string& file) {
    TrainOptions options;
    visit_options(options, OptionsReader{object, file});
    if (options.batch < 1 || options.batch > most_in_batch)
        fail_in_field(file, "batch", "must be between 1 and " + std::to_string(most_in_batch));
    try {
        validate(options);
    } catch (const Error& e) {
        throw Error(file + ": " + e.what());
    }
    return options;
}

}  // namespace glassformer
