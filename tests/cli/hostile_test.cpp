// Files and paths that nobody would pass on purpose: each ends with exit code 1 and one line, and no user data is lost.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "core/io/checkpoint.h"
#include "core/io/zip_file.h"
#include "tests/cli/program.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

void check_fails(const std::vector<std::string>& arguments, const std::string& part) {
    const Ran ran = run(arguments);
    std::string line;
    for (const std::string& argument : arguments) line += argument + " ";
    CAPTURE(line);
    CAPTURE(ran.err);
    CHECK(ran.code == 1);
    CHECK(ran.one_line());
    CHECK(ran.says(part));
    CHECK_FALSE(ran.says("unexpected problem"));
}

}  // namespace

TEST_CASE("hostile: --out and export refuse a folder with foreign files beside config.json, and name them") {
    const TemporaryFolder folder;
    const std::string project = (folder / "project").string(), model = (folder / "model").string();
    fs::create_directories(folder / "project" / "src");
    write(folder / "project" / "config.json", "{}");
    write(folder / "project" / "src" / "main.c", "int main;");
    check_fails({"train", "--world", "homonyms", "--steps", "5", "--out", project}, "it contains \"src\"");
    check_fails({"export", shipped_model.string(), project}, "it contains \"src\"");
    CHECK(contents(folder / "project" / "src" / "main.c") == "int main;");
    REQUIRE(run({"train", "--world", "homonyms", "--steps", "1", "--out", model}).code == 0);
    CHECK(run({"train", "--world", "homonyms", "--steps", "2", "--out", model}).code == 0);
    CHECK(load_checkpoint(model).step == 2);
}

TEST_CASE("hostile: --log overwrites nothing but a log") {
    const TemporaryFolder folder;
    const std::string world = (folder / "mine.txt").string(), log = (folder / "log").string();
    std::string text;
    for (int i = 0; i < 300; ++i) text += "the cat sees the dog. ";
    write(world, text);
    check_fails({"train", "--world", world, "--steps", "1", "--log", world}, "holds something else");
    CHECK((contents(world) == text));
    write(log, "");
    for (int i = 0; i < 2; ++i) {
        CHECK(run({"train", "--world", "homonyms", "--steps", "2", "--log", log}).code == 0);
        CHECK(std::ranges::count(contents(log), '\n') == 2);
    }
    CHECK(run({"train", "--world", "homonyms", "--steps", "1", "--log", on_windows ? "NUL" : "/dev/null"}).code == 0);
    const std::string kept = (folder / "run").string();
    REQUIRE(run({"train", "--world", "copying", "--steps", "3", "--batch", "8", "--run", kept}).code == 0);
    const std::string before = contents(folder / "run" / "log.jsonl");
    check_fails({"train", "--resume", kept, "--log", kept + "/log.jsonl"}, "it is a file of the run");
    const std::vector<std::string> other{"train", "--world", "copying", "--steps", "2", "--batch", "8", "--log"};
    const auto to = [&](std::string file, std::vector<std::string> more = {}) {
        std::vector<std::string> all = other;
        all.push_back(std::move(file));
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    check_fails(to(kept + "/log.jsonl"), "it is a file of the run");  // of another training
    CHECK((contents(folder / "run" / "log.jsonl") == before));
    const std::string model = (folder / "model").string();
    REQUIRE(run({"train", "--world", "copying", "--steps", "3", "--batch", "8", "--out", model}).code == 0);
    check_fails(to(model + "/log.jsonl"), "it is a file of the run or model");
    CHECK(load_checkpoint(model).log.size() == 3);
    // A training that is refused leaves the log as it is.
    check_fails(to(log, {"--run", kept}), "already contains a run");
    CHECK(std::ranges::count(contents(log), '\n') == 2);
}

TEST_CASE("hostile: links to themselves and names that are too long are reported like any other file") {
    const TemporaryFolder folder;
    std::vector<std::string> names{(folder / std::string(300, 'n')).string()};
    if (!on_windows) {
        fs::create_symlink("loop", folder / "loop");
        names.push_back((folder / "loop").string());
    }
    for (const std::string& name : names) {
        check_fails({"trace", "--model", name, "--tokens", "1", "--out", (folder / "x").string()}, name);
        check_fails({"trace", "--model", shipped_model.string(), "--text", "bat", "--out", name}, name);
        check_fails({"train", "--world", name, "--steps", "1"}, name);
        check_fails({"train", "--world", "homonyms", "--steps", "1", "--out", name}, name);
        check_fails({"train", "--world", "homonyms", "--steps", "1", "--run", name}, name);
        check_fails({"train", "--world", "homonyms", "--steps", "1", "--log", name}, name);
        check_fails({"train", "--resume", name}, name);
        check_fails({"export", name, (folder / "x").string()}, name);
        check_fails({"export", shipped_model.string(), name}, name);
        check_fails({"metrics", name, "--csv", "-"}, name);
    }
}

TEST_CASE("hostile: control characters from a file are shown escaped, never sent to the terminal") {
    const TemporaryFolder folder;
    fs::create_directory(folder / "model");
    write(folder / "model" / "config.json", "{\"model_type\": \"\\u001b[31mred\\u009b1m\"}");
    const Ran ran = run({"trace", "--model", (folder / "model").string(), "--text", "bat", "--out", "x"});
    CHECK(ran.code == 1);
    CHECK(ran.one_line());
    CHECK(!contains(ran.err, "\x1b"));
    CHECK(!contains(ran.err, "\xc2\x9b"));
    CHECK(ran.says("⟨1B⟩[31mred⟨C2⟩⟨9B⟩1m"));
}

TEST_CASE("hostile: JSON that is nested a million levels deep crashes no command, wherever it is read") {
    const TemporaryFolder folder;
    const auto path = [&](const std::string& name) { return (folder / name).string(); };
    const fs::path golden = own_sources / "tests/golden/hugging_face";
    fs::copy(shipped_model, folder / "model", fs::copy_options::recursive);
    fs::copy(golden / "llama2", folder / "published", fs::copy_options::recursive);
    REQUIRE(run({"train", "--world", "homonyms", "--steps", "2", "--run", path("run")}).code == 0);
    write(folder / "own.lesson", "lesson: Own\nmodel: homonyms\n\n== One\nA: a bat flew .\n\nText.\n");
    fs::create_directory(folder / "homework");
    REQUIRE(run({"pack", path("model"), "--lesson", path("own.lesson"), path("homework/anna.glass")}).code == 0);

    const std::string damaged = path("damaged");
    using Lines = std::vector<std::vector<std::string>>;
    const std::map<std::string, Lines> readers{
        {"model", {{"check", "--model", damaged}, {"export", damaged, path("exported")}}},
        {"published", {{"check", "--model", damaged}, {"tokenize", "--model", damaged, "--text", "a"}}},
        {"run",
         {{"metrics", damaged, "--csv", path("curves.csv")},
          {"trace", "--model", damaged, "--text", "a bat", "--out", path("trace.npz")},
          {"train", "--resume", damaged},
          {"export", damaged, path("exported")}}},
        {"homework",
         {{"grade", damaged, "--lesson", path("own.lesson"), "--csv", path("marks.csv")},
          {"check", "--model", damaged + "/anna.glass"}}}};
    int tried = 0;
    const auto check_readers = [&](const fs::path& victim) {
        for (const std::vector<std::string>& command : readers.at(victim.begin()->string())) {
            const Ran ran = run(command);
            CAPTURE(victim.string());
            CAPTURE(command.front());
            CAPTURE(ran.err);
            CHECK(ran.code <= 1);
            CHECK_FALSE(ran.says("unexpected problem"));
            ++tried;
        }
        fs::remove_all(damaged);
    };
    // A reader may reject the longer ones for their size; the shorter ones are within every limit.
    for (const std::size_t depth : {100'000, 1'000'000})
        for (const std::string level : {"[", "{\"a\":"}) {
            std::string deep;
            for (std::size_t i = 0; i < depth; ++i) deep += level;
            deep += "1" + std::string(depth, level == "[" ? ']' : '}');
            const std::uint64_t length = deep.size();
            const std::string header(reinterpret_cast<const char*>(&length), sizeof length);
            for (const char* name :
                 {"model/config.json", "model/log.jsonl", "model/model.safetensors", "model/timeline.safetensors",
                  "run/run.json", "run/log.jsonl", "run/state-2.safetensors", "run/moments/step-1.safetensors",
                  "published/config.json", "published/model.safetensors", "published/model.safetensors.index.json",
                  "published/tokenizer.json", "published/tokenizer_config.json", "published/vocab.json",
                  "published/special_tokens_map.json", "published/added_tokens.json"}) {
                fs::copy(folder / fs::path(name).begin()->string(), damaged, fs::copy_options::recursive);
                write(fs::path(damaged) / fs::path(name).lexically_relative(*fs::path(name).begin()),
                      fs::path(name).extension() == ".safetensors" ? header + deep : deep);
                check_readers(name);
            }
            const ZipReader given(folder / "homework/anna.glass", {1 << 26, 1 << 28});
            for (const char* name : {"glass.json", "scene.json", "answers.json", "model/config.json"}) {
                std::vector<ZipEntry> entries;
                for (const std::string& kept : given.names())
                    if (kept != name) entries.push_back({kept, given.read(kept, 1 << 26)});
                entries.push_back({name, deep});
                fs::create_directory(damaged);
                write(fs::path(damaged) / "anna.glass", to_zip(entries));
                check_readers(fs::path("homework") / name);
            }
        }
    CHECK(tried == 4 * (4 * 2 + 4 * 4 + 8 * 2 + 4 * 2));
}

TEST_CASE("hostile: a shipped model is found by its name, unless a folder here has that name") {
    const TemporaryFolder folder;
    const auto traced = [&](const std::string& model, const std::string& out) {
        const Ran ran = run({"trace", "--model", model, "--text", "the bat", "--out", (folder / out).string()});
        CHECK_MESSAGE(ran.code == 0, ran.err);
        return contents(folder / out);
    };
    CHECK((traced("homonyms", "a") == traced(shipped_model.string(), "b")));
    fs::create_directory(folder / "homonyms");
    const Ran ran = run({"trace", "--model", "homonyms", "--text", "bat", "--out", "x"}, {.folder = folder.path()});
    CHECK(ran.code == 1);
    CHECK(ran.says("config.json"));
    check_fails({"trace", "--model", "klingon", "--text", "bat", "--out", "x"}, "klingon");
}
