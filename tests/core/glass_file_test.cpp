#include "core/io/glass_file.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/io/zip_file.h"
#include "core/platform/atomic_file.h"
#include "core/train/task.h"
#include "tests/contains.h"
#include "tests/core/error_of.h"
#include "tests/core/small_checkpoint.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

/// The small checkpoint with its world's file, and every step kept.
Checkpoint small_model(int steps = 2) {
    Checkpoint c = small_checkpoint();
    c.step = steps - 1;
    c.source = std::make_shared<WorldSource>(WorldSource{"homonyms", "bats.grammar", "a bat\n"});
    c.keyframes.clear();
    for (int step = 0; step < steps; ++step)
        c.keyframes.push_back(
            {step, std::make_shared<ParameterValues>(c.parameters->size(), static_cast<float>(step))});
    return c;
}

const LessonBundle lecture{"{\"head\": 3}\n", "my_lesson", "lesson: Mine\n", "{}"};

/// Returns the entries of a good file, for a test to spoil.
std::vector<ZipEntry> good_entries(const TemporaryFolder& folder) {
    save_glass(folder / "good.glass", {small_model(), lecture});
    const ZipReader zip(folder / "good.glass", {1 << 20, 1 << 20});
    std::vector<ZipEntry> entries;
    for (const std::string& name : zip.names()) entries.push_back({name, zip.read(name, 1 << 20), entries.empty()});
    return entries;
}

std::string refused(const fs::path& file, const std::string& bytes) {
    write_file_atomically(file, bytes);
    const std::string message = error_of([&] { load_glass(file); });
    CAPTURE(message);
    CHECK(contains(message, file.string()));
    CHECK(message.find("glassformer-") ==
          message.find("glassformer-test-"));  // names no folder that the user does not know
    return message;
}

}  // namespace

TEST_CASE("a .glass file restores the model, its steps, its world and what was packed with it") {
    const TemporaryFolder folder;
    const fs::path file = folder / "lecture.glass";
    const Checkpoint model = small_model(4);
    save_glass(file, {model, lecture});
    CHECK(is_glass_file(file));
    CHECK_FALSE(is_glass_file(folder.path()));
    const GlassFile back = load_glass(file);
    CHECK(back.model.config == model.config);
    CHECK(*back.model.parameters == *model.parameters);
    CHECK(back.model.log == model.log);
    CHECK(back.model.step == 3);
    CHECK(back.model.seed == 42);
    REQUIRE(back.model.source);
    CHECK(*back.model.source == *model.source);
    REQUIRE(back.model.keyframes.size() == 4);
    for (int step = 0; step < 4; ++step)
        CHECK(*back.model.keyframes[step].parameters == *model.keyframes[step].parameters);
    CHECK(back.with.scene == lecture.scene);
    CHECK(back.with.lesson_name == "my_lesson");
    CHECK(back.with.lesson == lecture.lesson);
    CHECK(back.with.answers == "{}");
    CHECK(read_lesson_bundle(file).scene == lecture.scene);
    // The bytes are the same every time, and the first ones identify the format.
    const std::string bytes = read_file(file, 1 << 20);
    save_glass(file, {model, lecture});
    CHECK(read_file(file, 1 << 20) == bytes);
    CHECK(bytes.starts_with("PK\x03\x04"));
    CHECK(bytes.substr(30).starts_with("mimetypeapplication/x-glassformer"));
}

TEST_CASE("a .glass file holds a lesson's pictures, and refuses names that lead elsewhere") {
    const TemporaryFolder folder;
    const fs::path file = folder / "pictures.glass";
    LessonBundle with = lecture;
    with.pictures = {{"bat.png", "bytes"}, {"figures/cave.png", "more"}};
    save_glass(file, {small_model(), with});
    const LessonBundle back = read_lesson_bundle(file);
    REQUIRE(back.pictures.size() == 2);
    CHECK(back.pictures[1].name == "figures/cave.png");
    CHECK(back.pictures[1].png == "more");
    // Pictures need version 2, so an older program says that it is too old; without them any program can read the file.
    const auto version = [&](const LessonBundle& handed) {
        save_glass(file, {small_model(), handed});
        return ZipReader(file, {1 << 20, 1 << 20}).read("glass.json", 1000);
    };
    CHECK(contains(version(with), "\"version\": 2"));
    CHECK(contains(version(lecture), "\"version\": 1"));
    const std::vector<ZipEntry> good = good_entries(folder);
    for (const char* name : {"pictures/../x.png", "pictures//etc/x.png", "pictures/x.sh", "pictures/a/./x.png",
                             "pictures/a\\x.png", "pictures/.png", "pictures/"}) {
        CAPTURE(name);
        std::vector<ZipEntry> entries = good;
        entries.push_back({name, "x"});
        CHECK(contains(refused(file, to_zip(entries)), "which does not belong there"));
    }
    std::vector<ZipEntry> entries = good;
    for (int i = 0; i < 3; ++i)
        entries.push_back({"pictures/" + std::to_string(i) + ".png", std::string(3'900'000, 'x')});
    CHECK(contains(refused(file, to_zip(entries)), "more than 8 MB"));
    entries = good;
    entries.push_back({"pictures/x.png", std::string(4'100'000, 'x')});
    CHECK(contains(refused(file, to_zip(entries)), "pictures/x.png"));
}

TEST_CASE("a .glass file that is saved can be read again however large its screen and answers are") {
    const TemporaryFolder folder;
    const fs::path file = folder / "large.glass";
    LessonBundle with = lecture;
    with.scene = with.answers = std::string(3 << 20, ' ');
    save_glass(file, {small_model(), with});
    CHECK(load_glass(file).with.scene == with.scene);
    CHECK(read_lesson_bundle(file).answers == with.answers);
    const std::string bytes = read_file(file, 1 << 26);
    for (std::string LessonBundle::*text : {&LessonBundle::scene, &LessonBundle::lesson, &LessonBundle::answers}) {
        LessonBundle larger = lecture;
        larger.*text = std::string(9 << 20, ' ');
        const std::string why = error_of([&] { save_glass(file, {small_model(), larger}); });
        CAPTURE(why);
        CHECK(contains(why, "was not saved"));
        CHECK(read_file(file, 1 << 26) == bytes);
    }
}

TEST_CASE("a .glass file overwrites nothing but another .glass file") {
    const TemporaryFolder folder;
    write_file_atomically(folder / "thesis.glass", "my thesis");
    CHECK(contains(error_of([&] { save_glass(folder / "thesis.glass", {small_model(), {}}); }), "already exists"));
    CHECK(read_file(folder / "thesis.glass", 100) == "my thesis");
    fs::create_directory(folder / "folder.glass");
    CHECK(contains(error_of([&] { save_glass(folder / "folder.glass", {small_model(), {}}); }), "folder.glass"));
    CHECK(contains(error_of([&] { save_glass(folder / "none" / "x.glass", {small_model(), {}}); }), "x.glass"));
}

TEST_CASE("a .glass file saves as many kept steps as fit, including the one shown") {
    Checkpoint model = small_model();
    const TemporaryFolder folder;
    // So many steps that only a third of them fit.
    const std::uint64_t each = model.parameters->size() * sizeof(float);
    const auto count = static_cast<std::int64_t>(3 * most_glass_step_bytes / each);
    model.keyframes.clear();
    for (std::int64_t step = 0; step < count; ++step) model.keyframes.push_back({step, model.parameters});
    model.step = count - 1;
    const std::int64_t shown = count / 2 + 1;
    save_glass(folder / "x.glass", {model, {}}, shown);
    const std::vector<Timeline::Keyframe> kept = load_glass(folder / "x.glass").model.keyframes;
    CHECK((kept.size() + 1) * each <= most_glass_step_bytes);
    CHECK((kept.size() + 5) * each >= most_glass_step_bytes);
    CHECK(kept.front().step == 0);
    CHECK(kept.back().step == count - 1);
    CHECK(std::ranges::count(kept, shown, &Timeline::Keyframe::step) == 1);
    for (std::size_t i = 1; i < kept.size(); ++i) {
        CHECK(kept[i].step > kept[i - 1].step);
        CHECK(kept[i].step - kept[i - 1].step < 10);
    }
    // Asking for a step that was not kept adds nothing.
    save_glass(folder / "y.glass", {model, {}}, count + 5);
    const std::vector<Timeline::Keyframe> others = load_glass(folder / "y.glass").model.keyframes;
    CHECK(others.size() == kept.size());
    CHECK(others.back().step == count - 1);
}

TEST_CASE("a .glass file with room for two kept steps has the one shown and the newest") {
    Checkpoint model = small_model();
    model.config.n_layers = 1;
    model.config.d_mlp = 45'000;
    const auto fresh = initial_parameters(*build_transformer(model.config, {1, 1}).graph, 42);
    const std::uint64_t each = fresh.size() * sizeof(float);
    REQUIRE((most_glass_step_bytes - each) / each == 2);
    model.parameters = std::make_shared<ParameterValues>(fresh);
    model.keyframes.clear();
    for (int step = 0; step < 5; ++step) model.keyframes.push_back({step, model.parameters});
    model.step = 4;
    const TemporaryFolder folder;
    save_glass(folder / "x.glass", {model, {}}, 2);
    const Checkpoint back = load_glass(folder / "x.glass").model;
    CHECK_FALSE(back.parameters->keeps_stored());  // in a file that is gone
    CHECK(std::ranges::equal(back.parameters->all(), model.parameters->all()));
    const std::vector<Timeline::Keyframe>& kept = back.keyframes;
    REQUIRE(kept.size() == 2);
    CHECK(kept[0].step == 2);
    CHECK(kept[1].step == 4);
}

TEST_CASE("malicious .glass files are refused with a clear error, and leave nothing behind") {
    const TemporaryFolder folder;
    const fs::path file = folder / "x.glass";
    const std::vector<ZipEntry> good = good_entries(folder);
    const auto spoiled = [&](const auto& spoil) {
        std::vector<ZipEntry> entries = good;
        spoil(entries);
        return refused(file, to_zip(entries));
    };
    const auto named = [](std::vector<ZipEntry>& entries, const std::string& name) -> std::string& {
        return std::ranges::find(entries, name, &ZipEntry::name)->bytes;
    };
    CHECK(contains(refused(file, ""), "is empty"));
    CHECK(contains(refused(file, "PK\x03\x04 and then nothing"), "zip"));
    CHECK(contains(refused(file, to_zip(std::vector<ZipEntry>{{"homework.txt", "hello"}})), "not a .glass file"));
    // A file of a newer version says so, whatever else it contains.
    const std::string future = spoiled([&](auto& entries) {
        named(entries, "glass.json") = "{\"format\": \"glassformer\", \"version\": 3}";
        entries.push_back({"holograms/1", "?"});
    });
    CHECK(contains(future, "newer Glassformer"));
    CHECK(contains(spoiled([&](auto& entries) { named(entries, "glass.json") = "{\"format\": 3"; }), "glass.json"));
    CHECK(contains(
        spoiled([&](auto& entries) { named(entries, "glass.json") = "{\"format\":\"glassformer\",\"version\":-1}"; }),
        "version"));
    const std::string outside = folder.path().string() + "-escaped", up = "../" + fs::path(outside).filename().string();
    for (const std::string& name :
         {"../" + up, outside, "model/../" + up, std::string("model/run.sh"), std::string("model/source/../x"),
          std::string("model\\config.json"), std::string("scene.json/")}) {
        CAPTURE(name);
        CHECK(contains(spoiled([&](auto& entries) { entries.push_back({name, "x"}); }), "which does not belong there"));
    }
    CHECK_FALSE(fs::exists(outside));
    CHECK(contains(spoiled([&](auto& entries) { named(entries, "scene.json") = std::string(9 << 20, ' '); }),
                   "scene.json"));
    CHECK(contains(spoiled([&](auto& entries) { named(entries, "model/config.json") = "{}"; }), "config.json"));
    CHECK(contains(spoiled([&](auto& entries) { named(entries, "model/model.safetensors").resize(100); }),
                   "model.safetensors"));
    CHECK(contains(spoiled([&](auto& entries) { entries.erase(entries.begin() + 2, entries.end()); }), "config.json"));
    for (const char* lesson : {"\"../x\"", "\"\"", "3"}) {
        CAPTURE(lesson);
        CHECK(contains(spoiled([&](auto& entries) {
                           named(entries, "glass.json") =
                               "{\"format\": \"glassformer\", \"version\": 1, \"lesson\": " + std::string(lesson) + "}";
                       }),
                       "lesson"));
    }
    // The zip's checksum detects a changed byte in the weights.
    std::string bytes = to_zip(good);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x40);
    CHECK(refused(file, bytes) != "");
}

TEST_CASE("a zip is refused before more of it is unpacked than is allowed") {
    const TemporaryFolder folder;
    const fs::path file = folder / "bomb.zip";
    write_file_atomically(file, to_zip(std::vector<ZipEntry>{{"zeros", std::string(1 << 22, '\0')}, {"two", "2"}}));
    CHECK(fs::file_size(file) < 8192);
    CHECK(contains(error_of([&] { ZipReader(file, {1 << 20, 1 << 20}); }), "larger than 1 MiB when it is unpacked"));
    CHECK(contains(error_of([&] { ZipReader(file, {100, 1 << 23}); }), "bomb.zip"));
    CHECK(contains(error_of([&] { ZipReader(file, {1 << 20, 1 << 23, 1}); }), "2 files"));
    const ZipReader zip(file, {1 << 20, 1 << 23});
    CHECK(contains(error_of([&] { zip.read("zeros", 1000); }), "the limit is 1000"));
    CHECK(contains(error_of([&] { zip.read("three", 1000); }), "has no file \"three\""));
    CHECK(zip.read("zeros", 1 << 22) == std::string(1 << 22, '\0'));
    CHECK(zip.read("two", 1) == "2");
    // A file whose stated size is too large, then too small.
    std::string bytes = read_file(file, 1 << 20);
    for (const int change : {1, -1}) {
        std::string lies = bytes;
        const std::size_t at = lies.find("PK\x01\x02") + 24;  // the uncompressed size in the central directory
        lies[at + 1] = static_cast<char>(lies[at + 1] + change);
        write_file_atomically(file, lies);
        CHECK(error_of([&] { ZipReader(file, {1 << 20, 1 << 23}).read("zeros", 1 << 23); }) != "");
    }
}
