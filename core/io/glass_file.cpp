#include "core/io/glass_file.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/io/json_fields.h"
#include "core/io/model_files.h"
#include "core/io/zip_file.h"
#include "core/platform/atomic_file.h"
#include "core/platform/user_folders.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

constexpr int glass_version = 2, version_without_pictures = 1;
constexpr const char *type_entry = "mimetype", *type_text = "application/x-glassformer", *about_entry = "glass.json",
                     *scene_entry = "scene.json", *lesson_entry = "lesson.lesson", *answers_entry = "answers.json",
                     *model_folder_name = "model/", *picture_folder = "pictures/";
constexpr std::uint64_t most_text = 1 << 20;
/// Of the screen, and of the answers, which hold a screen for each task that is done.
constexpr std::uint64_t most_screen = std::uint64_t{8} << 20;
constexpr std::uint64_t most_glass_bytes = std::uint64_t{256} << 20;
constexpr std::size_t most_name = 200;

/// A zip's first entry is at the start: a 30-byte header, the name, the bytes.
constexpr std::size_t zip_header = 30;

bool begins_as_glass(const fs::path& file) {
    const std::string expected = std::string(type_entry) + type_text;
    std::string head(zip_header + expected.size(), '\0');
    std::ifstream in(file, std::ios::binary);
    in.read(head.data(), static_cast<std::streamsize>(head.size()));
    return in && head.starts_with("PK") && head.ends_with(expected);
}

void require_glass_place(const fs::path& file) {
    std::error_code error;
    if (!fs::exists(fs::symlink_status(file, error)) || begins_as_glass(file)) return;
    throw Error("{1} already exists, and this program did not make it; choose another name", file);
}

/// As many keyframes as fit, evenly spaced, including the first, the newest and the shown one.
std::vector<Timeline::Keyframe> steps_that_fit(const Checkpoint& model, std::int64_t shown) {
    const std::vector<Timeline::Keyframe>& all = model.keyframes;
    const std::uint64_t each = model.parameters->size() * sizeof(float);
    const std::uint64_t room = most_glass_step_bytes > each ? (most_glass_step_bytes - each) / each : 0;
    if (all.size() <= room) return all;
    std::vector<std::size_t> wanted;
    for (std::size_t i = 0; i < room; ++i)
        wanted.push_back(room == 1 ? all.size() - 1 : i * (all.size() - 1) / (room - 1));
    const auto at = std::ranges::find(all, shown, &Timeline::Keyframe::step);
    if (at != all.end() && !wanted.empty()) {
        const std::size_t which = at - all.begin();
        const auto near = std::ranges::lower_bound(wanted, which);
        // Replaces a neighbour that is neither the first nor the newest; of two, the first.
        const std::ptrdiff_t inner = std::ssize(wanted) - 2;
        const std::ptrdiff_t place = inner < 1 ? 0 : std::clamp<std::ptrdiff_t>(near - wanted.begin(), 1, inner);
        if (near == wanted.end() || *near != which) wanted[place] = which;
        std::ranges::sort(wanted);
    }
    std::vector<Timeline::Keyframe> kept;
    for (const std::size_t i : wanted)
        if (kept.empty() || kept.back().step < all[i].step) kept.push_back(all[i]);
    return kept;
}

const std::vector<std::string>& known_model_files() { return checkpoint_files().files; }

bool is_known_entry(std::string name) {
    for (const char* text : {type_entry, about_entry, scene_entry, lesson_entry, answers_entry})
        if (name == text) return true;
    // Other zip programs list folders, too.
    if (name == model_folder_name || name == std::string(model_folder_name) + source_folder + "/") return true;
    if (name.starts_with(picture_folder)) return is_picture_name(name.substr(std::string_view(picture_folder).size()));
    if (!name.starts_with(model_folder_name)) return false;
    name.erase(0, std::string_view(model_folder_name).size());
    return std::ranges::find(known_model_files(), name) != known_model_files().end();
}

/// A text that goes with the model, and its size limit, which reading and writing share.
struct BundledText {
    const char* entry;
    std::string LessonBundle::*text;
    std::uint64_t most;
};
constexpr BundledText bundled_texts[] = {{scene_entry, &LessonBundle::scene, most_screen},
                                         {lesson_entry, &LessonBundle::lesson, most_text},
                                         {answers_entry, &LessonBundle::answers, most_screen}};

/// Throws Error unless the zip is a .glass file of a supported version. Returns the contents of glass.json.
nlohmann::json require_glass(const ZipReader& zip, const std::string& file) {
    if (!zip.has(type_entry) || !zip.has(about_entry) || zip.read(type_entry, most_name) != type_text)
        throw Error("{1} is a zip file, but not a .glass file of Glassformer: it has no {2} and {3}", file, type_entry,
                    about_entry);
    const std::string where = file + ": " + about_entry;
    nlohmann::json about = parse_object(zip.read(about_entry, most_text), where);
    if (field<std::string>(about, "format", where) != "glassformer")
        fail_in_field(where, "format", "must be \"glassformer\"");
    const int version = field<int>(about, "version", where);
    if (version > glass_version)
        throw Error(
            "{1} was made by a newer Glassformer (format {2}; this one reads up to {3}); update Glassformer to open it",
            file, version, glass_version);
    if (version < 1) fail_in_field(where, "version", "must be at least 1");
    for (const std::string& name : zip.names())
        if (!is_known_entry(name))
            throw Error("{1} holds \"{2}\", which does not belong there; it was not opened", file, name);
    return about;
}

LessonBundle texts_of(const ZipReader& zip, const nlohmann::json& about, const std::string& file) {
    LessonBundle with;
    for (const BundledText& one : bundled_texts)
        if (zip.has(one.entry)) with.*one.text = zip.read(one.entry, one.most);
    if (with.lesson.empty()) return with;
    const std::string where = file + ": " + about_entry;
    with.lesson_name = field<std::string>(about, "lesson", where);
    // It becomes a file name and appears in messages.
    if (with.lesson_name.empty() || with.lesson_name.size() > most_name ||
        with.lesson_name.find_first_of("/\\\n") != std::string::npos)
        fail_in_field(where, "lesson", "must be a name without slashes");
    std::uint64_t bytes = 0;
    for (const std::string& name : zip.names()) {
        if (!name.starts_with(picture_folder)) continue;
        with.pictures.push_back(
            {name.substr(std::string_view(picture_folder).size()), zip.read(name, most_picture_bytes)});
        bytes += with.pictures.back().png.size();
        if (bytes > most_pictures_bytes)
            throw Error("{1} holds pictures of more than {2} MB, more than such a file may have; it was not opened",
                        file, most_pictures_bytes / 1'000'000);
    }
    return with;
}

std::optional<std::int64_t> saved_step_of(const nlohmann::json& about, const std::string& file) {
    if (!has_field(about, "saved_step")) return std::nullopt;
    return field<std::int64_t>(about, "saved_step", file + ": " + about_entry);
}

ZipReader::Limits glass_limits() { return {most_glass_bytes, most_glass_bytes, 64}; }

/// Rewrites an error about the unpacked model to name the file that the user knows.
std::string told_of(std::string message, const fs::path& folder, const std::string& file) {
    for (std::size_t at = 0; (at = message.find(folder.string(), at)) != std::string::npos; at += file.size())
        message.replace(at, folder.string().size(), file);
    return message;
}

}  // namespace

bool is_picture_name(std::string_view name) {
    const auto forbidden = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\\' || c == ':'; };
    if (!name.ends_with(".png") || name.size() > most_name || std::ranges::any_of(name, forbidden)) return false;
    while (true) {
        const std::size_t end = name.find('/');
        const std::string_view part = name.substr(0, end);
        if (part.empty() || part == "." || part == "..") return false;
        if (end == std::string_view::npos) return part != ".png";
        name.remove_prefix(end + 1);
    }
}

bool is_glass_file(const fs::path& path) {
    std::error_code error;
    std::string ending = path.extension().string();  // Windows writes it in capitals, too
    std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending == glass_ending && !fs::is_directory(path, error);
}

void save_glass(const fs::path& file, GlassFile glass, std::int64_t shown_step) {
    require_glass_place(file);
    if (!glass.model.parameters) throw Error("there is no model to write to {1}", file);
    glass.model.keyframes = steps_that_fit(glass.model, shown_step);
    nlohmann::json about{{"format", "glassformer"},
                         {"version", glass.with.pictures.empty() ? version_without_pictures : glass_version}};
    if (!glass.with.lesson.empty()) about["lesson"] = glass.with.lesson_name;
    if (glass.saved_step) about["saved_step"] = *glass.saved_step;
    std::vector<ZipEntry> entries{{type_entry, type_text, true}, {about_entry, about.dump(2) + "\n"}};
    const platform::ScratchFolder scratch;
    const fs::path folder = scratch.path() / "model";
    save_checkpoint(folder, glass.model);
    std::uint64_t bytes = 0;
    for (const std::string& name : known_model_files()) {
        if (!fs::exists(folder / name)) continue;
        entries.push_back({model_folder_name + name, read_file(folder / name, most_glass_bytes)});
        bytes += entries.back().bytes.size();
    }
    for (const BundledText& one : bundled_texts) {
        const std::string& text = glass.with.*one.text;
        if (text.size() > one.most)
            throw Error("{1} was not saved: its {2} would have {3} bytes, and the limit is {4}", file, one.entry,
                        text.size(), one.most);
        bytes += text.size();
        if (!text.empty()) entries.push_back({one.entry, text});
    }
    for (LessonBundle::Picture& picture : glass.with.pictures) {
        bytes += picture.png.size();
        entries.push_back({picture_folder + picture.name, std::move(picture.png)});
    }
    if (bytes > most_glass_bytes - 4 * most_text)  // the rest is for the zip itself
        throw Error("the model has {1} MiB, too much for one .glass file ({2} MiB); share its folder instead",
                    bytes >> 20, most_glass_bytes >> 20);
    write_file_atomically(file, to_zip(entries));
}

GlassFile load_glass(const fs::path& file) {
    const ZipReader zip(file, glass_limits());
    const nlohmann::json about = require_glass(zip, file.string());
    GlassFile glass;
    glass.with = texts_of(zip, about, file.string());
    glass.saved_step = saved_step_of(about, file.string());
    const platform::ScratchFolder scratch;
    const fs::path folder = scratch.path() / "model";
    fs::create_directories(folder / source_folder);
    for (const std::string& name : known_model_files())
        if (const std::string entry = model_folder_name + name; zip.has(entry))
            write_file_atomically(folder / name, zip.read(entry, most_glass_bytes));
    std::error_code not_empty;
    fs::remove(folder / source_folder, not_empty);  // if the model has no second tokenizer
    try {
        glass.model = load_checkpoint(folder);
        // Windows deletes no file that is mapped, and this one is about to go.
        if (glass.model.parameters->keeps_stored())
            glass.model.parameters = std::make_shared<ParameterValues>(*glass.model.parameters);  // copies it as floats
    } catch (const Error& e) {
        throw Error(told_of(e.what(), scratch.path(), file.string()));
    }
    return glass;
}

LessonBundle read_lesson_bundle(const fs::path& file) {
    const ZipReader zip(file, glass_limits());
    const nlohmann::json about = require_glass(zip, file.string());
    return texts_of(zip, about, file.string());
}

std::optional<std::int64_t> saved_step_in(const fs::path& file) {
    const ZipReader zip(file, glass_limits());
    return saved_step_of(require_glass(zip, file.string()), file.string());
}

}  // namespace glassformer
