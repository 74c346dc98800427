// The models that Hugging Face's tools have downloaded.
#include <doctest/doctest.h>

#include <chrono>
#include <optional>

#include "core/io/hugging_face.h"
#include "core/platform/user_folders.h"
#include "tests/core/model_folder.h"
#include "tests/core/set_variable.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

void write_snapshot(const fs::path& model, const std::string& commit, bool config = true) {
    fs::create_directories(model / "snapshots" / commit);
    if (config) write_text(model / "snapshots" / commit / "config.json", "{}");
}

}  // namespace

TEST_CASE("the Hugging Face cache lists models by name, each with the snapshot that refs/main names") {
    const TemporaryFolder hub;
    const fs::path smol = hub / "models--HuggingFaceTB--SmolLM2-135M", gpt2 = hub / "models--gpt2";
    write_snapshot(smol, "0001");
    write_snapshot(smol, "0002");
    fs::create_directories(smol / "refs");
    write_text(smol / "refs" / "main", "0001\n");
    write_snapshot(gpt2, "old");
    write_snapshot(gpt2, "new");
    write_snapshot(gpt2, "tokenizer only", false);
    if (on_windows)  // there the standard library cannot set a folder's time
        fs::remove_all(gpt2 / "snapshots" / "old");
    else
        fs::last_write_time(gpt2 / "snapshots" / "old", fs::file_time_type::clock::now() - std::chrono::hours(1));
    fs::create_directories(gpt2 / "refs");
    write_text(gpt2 / "refs" / "main", "../../../outside");
    write_snapshot(hub / "models--a--without", "x", false);
    write_snapshot(hub / "datasets--a--b", "x");
    write_text(hub / "version.txt", "1");
    const std::vector<CachedModel> found = models_in_hub(hub.path());
    REQUIRE(found.size() == 2);
    CHECK(found[0].name == "HuggingFaceTB/SmolLM2-135M");
    CHECK(found[0].folder == smol / "snapshots" / "0001");
    CHECK(found[1].name == "gpt2");
    CHECK(found[1].folder == gpt2 / "snapshots" / "new");
    CHECK(models_in_hub(hub / "nowhere").empty());
    for (const CachedModel& model : found) CHECK(name_in_hub(model.folder) == model.name);
    CHECK(name_in_hub(smol).empty());
    CHECK(name_in_hub(hub / "snapshots" / "0001").empty());
    CHECK(models_in_hub({}).empty());
}

TEST_CASE("the Hugging Face cache is where its environment variables say") {
    const std::string drive = on_windows ? "C:" : "";
    const SetVariable user("HOME", drive + "/home/someone"), caches("XDG_CACHE_HOME", std::nullopt);
    const SetVariable no_hub("HF_HUB_CACHE", std::nullopt), no_home("HF_HOME", std::nullopt);
    CHECK(platform::hugging_face_hub() == drive + "/home/someone/.cache/huggingface/hub");
    const SetVariable other_caches("XDG_CACHE_HOME", drive + "/caches");
    CHECK(platform::hugging_face_hub() == drive + "/caches/huggingface/hub");
    const SetVariable home("HF_HOME", drive + "/models");
    CHECK(platform::hugging_face_hub() == drive + "/models/hub");
    const SetVariable hub("HF_HUB_CACHE", drive + "/hub");
    CHECK(platform::hugging_face_hub() == drive + "/hub");
}
