#include "core/io/run_settings.h"

#include <bit>
#include <cctype>
#include <cmath>

#include "core/io/config_json.h"
#include "core/io/json_fields.h"
#include "core/platform/atomic_file.h"

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

namespace {

namespace fs = std::filesystem;

constexpr int settings_format = 1;

const json& inner(const json& object, const char* name, const std::string& file) {
    const auto found = object.find(name);
    if (found == object.end() || !found->is_object()) fail_in_field(file, name, "must be an object");
    return *found;
}

/// FNV-1a over the bytes of the numbers.
void mix(std::uint64_t& mark, const std::vector<float>& values) {
    for (const float value : values)
        for (std::uint32_t bits = std::bit_cast<std::uint32_t>(value), byte = 0; byte < 4; ++byte, bits >>= 8)
            mark = (mark ^ (bits & 0xff)) * 0x100000001b3u;
}

bool is_colour(const std::string& text) {
    if (text.empty()) return true;
    if (text.size() != 7 || text[0] != '#') return false;
    for (const char c : text.substr(1))
        if (!std::isxdigit(static_cast<unsigned char>(c))) return false;
    return true;
}

json to_json(const RunSettings& s) {
    json object{{"format", settings_format},
                {"name", s.name},
                {"colour", s.colour},
                {"hidden", s.hidden},
                {"world", s.world},
                {"unit", s.unit ? json(*s.unit) : json(nullptr)},
                {"world_name", s.world_name},
                {"data_mark", s.data_mark},
                {"metric", {{"name", s.metric.name}, {"is_share", s.metric.is_share}, {"level", s.metric.level}}},
                {"config", config_to_json(s.config)},
                {"options", train_options_to_json(s.options)},
                {"started_from", nullptr}};
    if (s.started_from) object["started_from"] = {{"run", s.started_from->run}, {"step", s.started_from->step}};
    if (!s.changed.empty()) object["changed"] = s.changed;
    if (s.saved_view)
        object["looked_at"] = {
            {"sentences", s.saved_view->sentences}, {"layer", s.saved_view->layer}, {"head", s.saved_view->head}};
    return object;
}

SavedView saved_view(const json& object, const std::string& file) {
    SavedView view;
    const auto texts = object.find("sentences");
    const bool two = texts != object.end() && texts->is_array() && texts->size() == view.sentences.size();
    for (std::size_t i = 0; i < view.sentences.size(); ++i) {
        if (!two || !(*texts)[i].is_string()) fail_in_field(file, "sentences", "must be two texts");
        view.sentences[i] = (*texts)[i].get<std::string>();
    }
    view.layer = field<int>(object, "layer", file);
    view.head = field<int>(object, "head", file);
    return view;
}

}  // namespace

std::uint64_t data_mark_of(const BatchSource& batches, const TrainOptions& options) {
    Batch batch;
    batches.draw(options.seed, 1, options.batch, batch);
    std::uint64_t mark = 0xcbf29ce484222325u;
    for (const std::vector<float>* values : {&batch.tokens, &batch.values, &batch.key_mask, &batch.source_tokens,
                                             &batch.targets, &batch.target_values, &batch.loss_weights})
        mix(mark, *values);
    return mark;
}

void write_run_settings(const fs::path& file, const RunSettings& settings) {
    if (!is_colour(settings.colour))
        throw Error("\"" + settings.colour + "\" is not a colour of the form #rrggbb for the run " + settings.name);
    try {
        write_file_atomically(file, to_json(settings).dump(2) + "\n");
    } catch (const json::type_error&) {
        throw Error("the name, world and sentences of a run must be UTF-8 text: " + file.string() + " was not written");
    }
}

RunSettings read_run_settings(const fs::path& path) {
    const std::string file = path.string();
    const json object = read_object(path);
    if (const int found = field<int>(object, "format", file); found != settings_format)
        fail_in_field(file, "format",
                      "is " + std::to_string(found) + "; this program reads " + std::to_string(settings_format));
    RunSettings s;
    s.name = field<std::string>(object, "name", file);
    s.colour = field<std::string>(object, "colour", file);
    if (!is_colour(s.colour)) fail_in_field(file, "colour", "must be of the form #rrggbb");
    s.hidden = field<bool>(object, "hidden", file);
    s.world = field<std::string>(object, "world", file);
    if (has_field(object, "unit")) s.unit = field<std::string>(object, "unit", file);
    s.world_name = field<std::string>(object, "world_name", file);
    s.data_mark = field<std::uint64_t>(object, "data_mark", file);
    const json& metric = inner(object, "metric", file);
    s.metric = {field<std::string>(metric, "name", file), field<bool>(metric, "is_share", file),
                field<double>(metric, "level", file)};
    s.config = config_from_json(inner(object, "config", file), file, {});
    s.options = train_options_from_json(inner(object, "options", file), file);
    if (has_field(object, "started_from")) {
        const json& parent = inner(object, "started_from", file);
        s.started_from = {field<std::string>(parent, "run", file), field<std::int64_t>(parent, "step", file)};
    }
    s.changed = field_or<std::string>(object, "changed", "", file);
    if (has_field(object, "looked_at")) s.saved_view = saved_view(inner(object, "looked_at", file), file);
    return s;
}

}  // namespace glassformer
