#include "core/io/run_settings.h"

#include <bit>
#include <cctype>

#include "core/base/fnv.h"
#include "core/io/config_json.h"
#include "core/io/json_fields.h"
#include "core/platform/atomic_file.h"

namespace glassformer {

using nlohmann::json;
namespace fs = std::filesystem;

json train_options_to_json(const TrainOptions& options) { return fields_to_json(options); }

TrainOptions train_options_from_json(const json& object, const std::string& file) {
    TrainOptions options;
    read_fields(object, file, options);
    if (options.batch < 1 || options.batch > most_in_batch)
        fail_in_field(file, "batch", "must be between 1 and {1}", most_in_batch);
    try {
        validate(options);
    } catch (const Error& e) {
        throw Error("{1}: {2}", file, e.what());
    }
    return options;
}

namespace {

constexpr int settings_format = 1;

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
    if (s.keyframes > 0) object["keyframes"] = s.keyframes;
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
        if (!two || !(*texts)[i].is_string()) fail_in_field(file, "sentences", "must be two strings");
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
    Fnv1a hash;
    for (const std::vector<float>* values : {&batch.tokens, &batch.values, &batch.key_mask, &batch.source_tokens,
                                             &batch.targets, &batch.target_values, &batch.loss_weights})
        for (const float value : *values)
            for (std::uint32_t bits = std::bit_cast<std::uint32_t>(value), byte = 0; byte < 4; ++byte, bits >>= 8)
                hash.add(bits & 0xff);
    return hash.value;
}

void write_run_settings(const fs::path& file, const RunSettings& settings) {
    if (!is_colour(settings.colour))
        throw Error("\"{1}\" is not a colour of the form #rrggbb for the run {2}", settings.colour, settings.name);
    try {
        write_file_atomically(file, to_json(settings).dump(2) + "\n");
    } catch (const json::type_error&) {
        throw Error("the name, world and sentences of a run must be UTF-8 text: {1} was not written", file);
    }
}

RunSettings read_run_settings(const fs::path& path) {
    const std::string file = path.string();
    const json object = read_object(path);
    require_format(object, settings_format, file);
    RunSettings s;
    s.name = field<std::string>(object, "name", file);
    s.colour = field<std::string>(object, "colour", file);
    if (!is_colour(s.colour)) fail_in_field(file, "colour", "must be of the form #rrggbb");
    s.hidden = field<bool>(object, "hidden", file);
    s.world = field<std::string>(object, "world", file);
    if (has_field(object, "unit")) s.unit = field<std::string>(object, "unit", file);
    s.world_name = field<std::string>(object, "world_name", file);
    s.data_mark = field<std::uint64_t>(object, "data_mark", file);
    const json& metric = object_field(object, "metric", file);
    s.metric = {field<std::string>(metric, "name", file), field<bool>(metric, "is_share", file),
                field<double>(metric, "level", file)};
    s.config = config_from_json(object_field(object, "config", file), file, {});
    s.options = train_options_from_json(object_field(object, "options", file), file);
    if (has_field(object, "started_from")) {
        const json& parent = object_field(object, "started_from", file);
        s.started_from = {field<std::string>(parent, "run", file), field<std::int64_t>(parent, "step", file)};
    }
    s.changed = field_or<std::string>(object, "changed", "", file);
    s.keyframes = field_or<int>(object, "keyframes", 0, file);
    if (s.keyframes < 0) fail_in_field(file, "keyframes", "must not be negative");
    if (has_field(object, "looked_at")) s.saved_view = saved_view(object_field(object, "looked_at", file), file);
    return s;
}

}  // namespace glassformer
