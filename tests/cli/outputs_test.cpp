// Every output of every command against each of its input files, and against files that someone else wrote.
#include <map>

#include "tests/cli/program.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

using Line = std::vector<std::string>;

/// A folder with one of every kind of file that a command reads.
struct Everything {
    Everything() {
        fs::copy(shipped_model, folder / "model", fs::copy_options::recursive);
        write(folder / "own.lesson", "lesson: Own\nmodel: homonyms\n\n== One\nA: a bat flew .\n\nText.\n");
        write(folder / "look.script", "frames 1\n");
        write(folder / "notes.csv", "anna,1\nben,2\n");
        write(folder / "notes.html", "My notes.\n");
        REQUIRE(run({"pack", path("model"), "--lesson", path("own.lesson"), path("given.glass")}).code == 0);
        fs::create_directory(folder / "homework");
        fs::copy(folder / "given.glass", folder / "homework/anna.glass");
        fs::create_directory(folder / "scenes");
        fs::copy(folder / "look.script", folder / "scenes/one.script");
        REQUIRE(run({"train", "--world", "homonyms", "--steps", "2", "--run", path("run")}).code == 0);
    }

    std::string path(const std::string& name) const { return (folder / name).string(); }

    std::map<std::string, std::string> files() const {
        std::map<std::string, std::string> all;
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder.path()))
            if (entry.is_regular_file()) all[entry.path().string()] = contents(entry.path());
        return all;
    }

    TemporaryFolder folder;
};

}  // namespace

TEST_CASE("outputs: no command overwrites a file that it reads, or one that it did not make") {
    const Everything all;
    const auto path = [&](const std::string& name) { return all.path(name); };
    const std::vector<Line> commands{
        {"metrics", path("run"), "--csv"},
        {"trace", "--model", path("model"), "--text", "a bat", "--out"},
        {"trace", "--model", path("run"), "--text", "a bat", "--out"},
        {"lesson", "sheet", path("own.lesson"), "--out"},
        {"grade", path("homework"), "--lesson", path("own.lesson"), "--csv"},
        {"shot", "--model", path("model"), "--script", path("look.script")},
        {"gallery", "--scenes", path("scenes")},
        {"pack", path("given.glass"), "--script", path("look.script")},
        {"export", path("model")},
        {"film", path("run"), "--script", path("look.script")},
        {"train", "--world", "homonyms", "--steps", "1", "--log"},
        {"train", "--world", "homonyms", "--steps", "1", "--out"},
        {"train", "--world", "homonyms", "--steps", "1", "--run"},
    };
    const std::map<std::string, std::string> before = all.files();
    REQUIRE(before.size() > 12);
    for (const Line& command : commands)
        for (const auto& [victim, bytes] : before) {
            if (bytes.empty()) continue;  // the run's lock: nothing to lose
            // The run wrote this log itself, so --log may replace it.
            if (command.back() == "--log" && victim.ends_with(".jsonl")) continue;
            // pack may replace a .glass file that it does not read: it writes that kind itself.
            if (command.front() == "pack" && victim.ends_with("anna.glass")) continue;
            Line line = command;
            line.push_back(victim);
            const Ran ran = run(line);
            CAPTURE(victim);
            CAPTURE(command.front());
            CAPTURE(ran.err);
            CHECK(ran.code != 0);
            CHECK(ran.code < 128);
            CHECK(contents(victim) == bytes);
        }
}

TEST_CASE("outputs: a script's pictures overwrite only pictures") {
    const Everything all;
    const auto played = [&](const std::string& to) {
        write(all.folder / "over.script", "frames 1\nshot \"" + to + "\"\n");
        return run({"shot", "--script", all.path("over.script"), all.path("last.png")});
    };
    for (const char* victim : {"over.script", "model/model.safetensors", "own.lesson", "notes.csv"}) {
        const std::string before = victim == std::string("over.script") ? "" : contents(all.folder / victim);
        const Ran ran = played(all.path(victim));
        CHECK(ran.code == 1);
        CHECK(ran.says("that file already exists and is not a PNG picture"));
        CHECK((before.empty() || contents(all.folder / victim) == before));
    }
    CHECK(played(all.path("new.png")).code == 0);
    CHECK(played(all.path("new.png")).code == 0);
    CHECK(contents(all.folder / "over.script").starts_with("frames 1"));
}

TEST_CASE("outputs: a command may overwrite its own earlier output") {
    const Everything all;
    for (const Line& line : {Line{"metrics", all.path("run"), "--csv", all.path("curves.csv")},
                             Line{"trace", "--model", all.path("model"), "--text", "a bat", "--out", all.path("t.safetensors")},
                             Line{"trace", "--model", all.path("model"), "--text", "a bat", "--out", all.path("t.npz")},
                             Line{"lesson", "sheet", all.path("own.lesson"), "--out", all.path("sheet.html")},
                             Line{"grade", all.path("homework"), "--lesson", all.path("own.lesson"), "--csv",
                                  all.path("homework/grades.csv")}})
        for (int time = 0; time < 2; ++time) {
            const Ran ran = run(line);
            CAPTURE(line.front());
            CAPTURE(ran.err);
            CHECK(ran.code == 0);
        }
}
