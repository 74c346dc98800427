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
}

template <class Options, class Visit>
void visit_adamw(Options& adamw, const Visit& visit) {
    visit("beta1", adamw.beta1);
    visit("beta2", adamw.beta2);
    visit("epsilon", adamw.epsilon);
    visit("weight_decay", adamw.weight_decay);
}

template <class Options, class Visit>
void visit_options(Options& options, const Visit& visit) {
    visit("schedule", options.schedule);
    visit("adamw", options.adamw);
    visit("clip", options.clip);
    visit("batch", options.batch);
    visit("seed", options.seed);
}

struct Writer {
    json& object;

    void operator()(const char* name, float value) const { object[name] = shortest(value); }
    void operator()(const char* name, const Schedule& value) const { visit_schedule(value, Writer{object[name]}); }
    void operator()(const char* name, const AdamWOptions& value) const { visit_adamw(value, Writer{object[name]}); }
    template <class Whole>
    void operator()(const char* name, Whole value) const {
        object[name] = value;
    }
};

struct Reader {
    const json& object;
    const std::string& file;

    Reader inner(const char* name) const {
        const auto found = object.find(name);
        if (found == object.end() || !found->is_object()) fail_in_field(file, name, "must be an object");
        return {*found, file};
    }
    void operator()(const char* name, float& value) const {
        value = field<float>(object, name, file);
        if (!std::isfinite(value)) fail_in_field(file, name, "is not a finite number");
    }
    void operator()(const char* name, Schedule& value) const { visit_schedule(value, inner(name)); }
    void operator()(const char* name, AdamWOptions& value) const { visit_adamw(value, inner(name)); }
    template <class Whole>
    void operator()(const char* name, Whole& value) const {
        value = field<Whole>(object, name, file);
    }
};

}  // namespace

json train_options_to_json(const TrainOptions& options) {
    json object = json::object();
    visit_options(options, Writer{object});
    return object;
}

TrainOptions train_options_from_json(const json& object, const std::string& file) {
    TrainOptions options;
    visit_options(options, Reader{object, file});
    if (options.batch < 1) fail_in_field(file, "batch", "must be at least 1");
    return options;
}

}  // namespace glassformer
