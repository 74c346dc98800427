// Models of a custom world: they contain it (world.json) and no longer need its file.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/io/run_folder.h"
#include "tests/cli/program.h"
#include "tests/core/same_state.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

/// Writes a world into the folder: colours.grammar or story.txt.
fs::path own_world(const TemporaryFolder& folder, const std::string& name) {
    const fs::path file = folder / name;
    if (name.ends_with(".grammar")) {
        fs::copy_file(GLASSFORMER_SOURCE_DIR "/assets/worlds/homonyms.grammar", file);
        return file;
    }
    std::string text;
    for (int i = 0; i < 400; ++i) text += i % 7 ? "the cat sees the dog.\n" : "a bird sings.\n";
    write(file, text);
    return file;
}

/// True if a file in the folder mentions the path `place`.
bool names_a_place(const fs::path& folder, const fs::path& place) {
    for (const char* file : {"config.json", "run.json", "world.json"})
        if (contains(contents(folder / file), place.string())) return true;
    return false;
}

}  // namespace

TEST_CASE("a run of a user's own world resumes when the world's file is gone, to the same bytes") {
    for (const std::string name : {"colours.grammar", "story.txt"}) {
        CAPTURE(name);
        const TemporaryFolder folder;
        const fs::path world = own_world(folder, name), kept = folder / "run", whole = folder / "whole";
        const auto train = [&](const fs::path& run_folder) {
            return run({"train", "--world", world.string(), "--steps", "30", "--batch", "8", "--save-every", "7",
                        "--run", run_folder.string()});
        };
        REQUIRE(train(whole).code == 0);
        REQUIRE(train(kept).code == 0);
        fs::remove(kept / "state-30.safetensors");  // as if killed after step 28
        fs::remove(world);
        const Ran ran = run({"train", "--resume", kept.string()});
        CAPTURE(ran.err);
        REQUIRE(ran.code == 0);
        CHECK((contents(kept / "state-30.safetensors") == contents(whole / "state-30.safetensors")));
        CHECK_FALSE(names_a_place(kept, folder.path()));
        CHECK(read_run(kept).settings.world == name);
    }
}

TEST_CASE("a checkpoint of a user's own world contains no path, and no text that it was trained on") {
    for (const std::string name : {"colours.grammar", "story.txt"}) {
        CAPTURE(name);
        const TemporaryFolder folder;
        const fs::path world = own_world(folder, name), out = folder / "model";
        const Ran ran = run({"train", "--world", world.string(), "--steps", "5", "--batch", "8", "--out", out.string(),
                             "--run", (folder / "run").string()});
        CAPTURE(ran.err);
        REQUIRE(ran.code == 0);
        CHECK_FALSE(names_a_place(out, folder.path()));
        const nlohmann::json carried = nlohmann::json::parse(contents(out / "world.json"));
        CHECK(carried["file"] == name);
        CHECK(carried["content"].get<std::string>().empty() == name.ends_with(".txt"));
        // Training into the same folder again: the existing world.json does not block it.
        CHECK(run({"train", "--world", world.string(), "--steps", "5", "--batch", "8", "--out", out.string()}).code ==
              0);
        fs::remove(world);
        REQUIRE(run({"export", (folder / "run").string(), (folder / "exported").string()}).code == 0);
        CHECK((contents(folder / "exported" / "world.json") == contents(out / "world.json")));
    }
    const TemporaryFolder folder;
    REQUIRE(run({"train", "--world", "copying", "--steps", "3", "--out", (folder / "model").string()}).code == 0);
    CHECK_FALSE(fs::exists(folder / "model" / "world.json"));  // a shipped world is found by its name
}
