#include "app/desktop/settings.h"

#include <algorithm>
#include <cerrno>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/common/text_size.h"
#include "app/ui/ui.h"
#include "core/base/background.h"
#include "core/base/error.h"
#include "core/io/run_settings.h"
#include "core/platform/atomic_file.h"
#include "core/platform/file.h"
#include "core/platform/system_error.h"
#include "core/platform/user_folders.h"
#include "core/text/json_file.h"

namespace glassformer::app {

namespace fs = std::filesystem;
using nlohmann::json;

fs::path settings_file() {
    const fs::path folder = platform::config_folder();
    return folder.empty() ? folder : folder / "settings.json";
}

namespace {

fs::path setup_file(const fs::path& settings) { return settings.parent_path() / "last-run.json"; }

std::optional<TrainingSetup> load_setup(const fs::path& settings) {
    try {
        if (settings.empty() || !fs::exists(setup_file(settings))) return std::nullopt;
        const RunSettings run = read_run_settings(setup_file(settings));
        return TrainingSetup{run.world, run.unit, run.config, run.options};
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

void save_setup(const fs::path& settings, const TrainingSetup& setup) {
    RunSettings run;
    run.name = "last used";
    run.world = run.world_name = setup.world;
    run.unit = setup.unit;
    run.config = setup.config;
    run.options = setup.options;
    write_run_settings(setup_file(settings), run);
}

/// The largest available budget that does not exceed what the file says.
int budget_at_most(int gigabytes) {
    int found = DiskSteps::budgets.front();
    for (const int budget : DiskSteps::budgets)
        if (budget <= gigabytes) found = budget;
    return found;
}

/// Visits every field of the file except the window's position, once: its name, its value, and its allowed values.
template <class S, class Visitor>
void visit_fields(S& s, Visitor&& v) {
    v.choice("theme", s.theme, {"light", "dark"});
    v.field("scale", s.scale, text_scale::least, text_scale::most);
    v.field("stage_scale", s.stage_scale, text_scale::least_on_stage, text_scale::most_on_stage);
    v.field("compare", s.compare);
    v.field("reduce_motion", s.reduce_motion);
    v.field("width", s.width, 640, 16384);
    v.field("height", s.height, 400, 16384);
    v.field("view", s.view);
    v.field("language", s.language);
    v.field("keep_session", s.keep_session);
    v.choice("backend", s.backend, {"auto", "cpu", "gl"});
    v.field("steps_on_disk", s.disk_steps.on);
    v.field("gigabytes_of_steps", s.disk_steps.gigabytes, 0, 1 << 20);
    v.field("model_map", s.panels.map);
    v.field("number_panel", s.panels.number);
    v.field("timeline", s.panels.timeline);
    v.field("offer_lesson", s.lessons.offer);
    v.field("lesson_steps", s.lessons.at);
    v.field("recent", s.recent);
}

/// Reads the fields one by one: an invalid one leaves its default, and is noted.
class Reader {
public:
    explicit Reader(const json& object) : object_(object) {}

    /// True if a field was invalid.
    bool wrong() const { return wrong_; }

    void field(const char* name, bool& value) {
        if (const json* found = find(name, &json::is_boolean)) value = found->get<bool>();
    }
    void field(const char* name, std::string& value) {
        if (const json* found = find(name, &json::is_string)) value = found->get<std::string>();
    }
    /// Reads a number, clamped to its range before it is cast to T. True if there is one.
    template <class T>
    bool field(const char* name, T& value, T least, T most) {
        const json* found = find(name, &json::is_number);
        if (found) value = within(*found, least, most);
        return found != nullptr;
    }
    void field(const char* name, std::map<std::string, int>& values) {
        const json* found = find(name, &json::is_object);
        if (!found) return;
        for (const auto& [key, value] : found->items()) {
            if (value.is_number())
                values[key] = within(value, 0, 1'000'000);
            else
                wrong_ = true;
        }
    }
    void field(const char* name, std::vector<std::string>& values) {
        const json* found = find(name, &json::is_array);
        if (!found) return;
        for (const json& value : *found) {
            if (value.is_string())
                values.push_back(value.get<std::string>());
            else
                wrong_ = true;
        }
    }
    void choice(const char* name, std::string& value, std::initializer_list<const char*> choices) {
        std::string found = value;
        field(name, found);
        if (std::ranges::count(choices, found) > 0)
            value = found;
        else
            wrong_ = true;
    }
    void choice(const char* name, ThemeKind& value, std::initializer_list<const char*> choices) {
        std::string text = *choices.begin();
        choice(name, text, choices);
        value = static_cast<ThemeKind>(std::ranges::find(choices, text) - choices.begin());
    }

private:
    template <class T>
    static T within(const json& number, T least, T most) {
        return static_cast<T>(std::clamp(number.get<double>(), static_cast<double>(least), static_cast<double>(most)));
    }
    const json* find(const char* name, bool (json::*is_kind)() const noexcept) {
        const auto found = object_.find(name);
        if (found == object_.end()) return nullptr;
        if (((*found).*is_kind)()) return &*found;
        wrong_ = true;
        return nullptr;
    }

    const json& object_;
    bool wrong_ = false;
};

struct Writer {
    json& object;

    template <class T>
    void field(const char* name, const T& value, const auto&... /*range*/) {
        object[name] = value;
    }
    void choice(const char* name, const std::string& value, std::initializer_list<const char*>) {
        object[name] = value;
    }
    void choice(const char* name, ThemeKind value, std::initializer_list<const char*> choices) {
        object[name] = choices.begin()[static_cast<int>(value)];
    }
};

/// Reads all fields; false if one of them was invalid.
bool read_fields(const json& object, Settings& s) {
    Reader reader(object);
    visit_fields(s, reader);
    s.disk_steps.gigabytes = budget_at_most(s.disk_steps.gigabytes);
    ScreenPlace place;
    const bool has_x = reader.field("x", place.x, -100'000, 100'000),
               has_y = reader.field("y", place.y, -100'000, 100'000);
    if (has_x && has_y) s.place = place;
    return !reader.wrong();
}

struct SettingsFile {
    json object;  // empty if there is no file, or no JSON object in it
    bool there = false;
    bool sound = true;  // an object in which every field is valid
};

/// Throws SystemError if there is a file that cannot be read.
SettingsFile read_settings(const fs::path& file) {
    SettingsFile found{json::object()};
    std::string text;
    try {
        text = read_file(file, 65536);
    } catch (const SystemError& e) {
        if (e.code() != ENOENT) throw;
        return found;
    }
    found.there = true;
    json parsed = parse_json(text);
    Settings ignored;
    found.sound = parsed.is_object() && read_fields(parsed, ignored);
    if (parsed.is_object()) found.object = std::move(parsed);
    return found;
}

json fields_of(const Settings& s) {
    json fields = json::object();
    visit_fields(s, Writer{fields});
    if (s.place) fields["x"] = s.place->x, fields["y"] = s.place->y;
    return fields;
}

/// What differs, as a merge patch (RFC 7386): of an object, only its fields that differ.
json difference(const json& from, const json& to) {
    if (!from.is_object() || !to.is_object()) return to;
    json patch = json::object();
    for (const auto& [name, value] : to.items()) {
        const auto before = from.find(name);
        if (before == from.end())
            patch[name] = value;
        else if (*before != value)
            patch[name] = difference(*before, value);
    }
    return patch;
}

std::chrono::steady_clock::time_point in_two_seconds() {
    return std::chrono::steady_clock::now() + std::chrono::seconds(2);
}

}  // namespace

Settings load_settings(const fs::path& file) {
    Settings s;
    s.last_setup = load_setup(file);
    try {
        const SettingsFile found = file.empty() ? SettingsFile{json::object()} : read_settings(file);
        s.lessons.offer = !found.there;
        if (!found.there) s.compare = false, s.panels = {false, false, false};
        read_fields(found.object, s);
    } catch (const Error&) {
        // It may be readable at the next start: save_settings leaves it alone.
    }
    return s;
}

bool save_settings(const fs::path& file, const Settings& s, const Settings* since) {
    if (file.empty()) return true;
    try {
        SettingsFile before = read_settings(file);
        if (!before.there || !before.sound) since = nullptr;
        json& j = before.object;  // fields of other versions of the program stay
        if (since)
            j.merge_patch(difference(fields_of(*since), fields_of(s)));
        else
            j.update(fields_of(s));
        fs::create_directories(file.parent_path());
        if (!before.sound) fs::copy_file(file, platform::free_name(file, ".damaged"));
        write_file_atomically(file, j.dump(2) + "\n");
        // A world from inside a checkpoint would not be found at the next start.
        const bool changed = !since || !(s.last_setup == since->last_setup);
        const TrainingSetup* setup = s.last_setup && changed ? &*s.last_setup : nullptr;
        if (setup && !(setup->source && setup->world == setup->source->file)) save_setup(file, *setup);
        return true;
    } catch (const std::exception&) {
        return false;
    }
}

KeptSettings::KeptSettings(fs::path file, Settings at_start)
    : file_(std::move(file)), kept_(std::move(at_start)), tried_(kept_), next_(in_two_seconds()) {}

void KeptSettings::end_writing() {
    try {
        if (writing_.valid() && writing_.get()) kept_ = tried_;
    } catch (const Error&) {
        // Written again with the next change.
    }
}

void KeptSettings::follow(const Settings& now) {
    if (now == tried_ || std::chrono::steady_clock::now() < next_) return;
    if (writing_.valid() && writing_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    end_writing();
    tried_ = now;
    next_ = in_two_seconds();
    writing_ =
        compute_beside("settings", [file = file_, now, since = kept_] { return save_settings(file, now, &since); });
}

void KeptSettings::finish(const Settings& now) {
    end_writing();
    save_settings(file_, now, &kept_);
}

}  // namespace glassformer::app
