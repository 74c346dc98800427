#include "app/session/startup.h"

#include <doctest/doctest.h>

#include "core/io/glass_file.h"
#include "core/platform/atomic_file.h"
#include "tests/contains.h"
#include "tests/core/set_variable.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
using namespace glassformer::app;

TEST_CASE("a checkpoint is given as its folder or as its model.safetensors") {
    // The test program is not installed next to the assets.
    const SetVariable assets("GLASSFORMER_ASSETS", GLASSFORMER_SOURCE_DIR "/assets");
    CHECK(session_options("my/model").checkpoint == "my/model");
    CHECK(session_options("my/model/model.safetensors").checkpoint == "my/model");
    CHECK(session_options("model.safetensors").checkpoint == ".");
    CHECK(session_options("").checkpoint.filename() == "homonyms");
}

TEST_CASE("without an argument the shipped model is opened, even if the working folder has one of that name") {
    const SetVariable assets("GLASSFORMER_ASSETS", GLASSFORMER_SOURCE_DIR "/assets");
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "homonyms");
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(folder.path());
    const std::filesystem::path opened = session_options("").checkpoint, named = session_options("homonyms").checkpoint;
    std::filesystem::current_path(before);
    CHECK(opened == std::filesystem::path(GLASSFORMER_SOURCE_DIR) / "assets/models/homonyms");
    CHECK(named == "homonyms");  // a folder of that name exists here
}

TEST_CASE("where one left off is opened, or is set aside before this session's end replaces it") {
    const SetVariable assets("GLASSFORMER_ASSETS", GLASSFORMER_SOURCE_DIR "/assets");
    const TemporaryFolder folder;
    const std::filesystem::path file = folder / "session.glass", aside = folder / "session-2.glass";
    Checkpoint model = load_checkpoint(GLASSFORMER_SOURCE_DIR "/assets/models/homonyms");
    model.step = 1234;
    save_glass(file, {model, {}});
    std::string trouble;
    const std::unique_ptr<Session> last = session_left_in(file, session_options(""), trouble);
    REQUIRE(last);
    CHECK(last->snapshot()->live_step == 1234);
    CHECK(trouble == "");
    write_file_atomically(file, "of a newer version");
    CHECK_FALSE(session_left_in(file, session_options(""), trouble));
    CHECK_FALSE(std::filesystem::exists(file));
    CHECK(read_file(aside, 100) == "of a newer version");
    CHECK(contains(trouble, aside.string()));
}

TEST_CASE("a training that was left off survives a start with another model") {
    const TemporaryFolder folder;
    const std::filesystem::path file = folder / "session.glass", aside = folder / "session-2.glass";
    const Checkpoint model = load_checkpoint(GLASSFORMER_SOURCE_DIR "/assets/models/homonyms");
    save_glass(file, {model, {}});
    CHECK(left_training_aside(file) == "");  // the shipped model can be opened again
    CHECK(std::filesystem::exists(file));
    save_glass(file, {model, {}, 5});
    CHECK(saved_step_in(file) == 5);
    CHECK(left_training_aside(file).find(aside.string()) != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(file));
    CHECK(load_glass(aside).saved_step == 5);
}
