// The desktop's own dialogs: a script named zenity answers for the user.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "app/export/export_dialog.h"
#include "tests/core/set_variable.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;
namespace fs = std::filesystem;

namespace {

struct Desktop {
    Desktop() : path("PATH", folder.path().string() + ":/usr/bin:/bin"), display("DISPLAY", ":99") { answers(""); }
    void answers(const std::string& script) const {
        std::ofstream(folder / "zenity") << "#!/bin/sh\nprintf '%s\\n' \"$@\" >\"$0.said\"\n" << script << "\n";
        fs::permissions(folder / "zenity", fs::perms::owner_all);
    }
    std::string said() const {
        std::ifstream in(folder / "zenity.said");
        return (std::ostringstream() << in.rdbuf()).str();
    }

    TemporaryFolder folder;
    SetVariable path, display;
};

/// Draws frames as the window does until the user's answer has taken effect.
template <class Done>
bool frames_until(Story& story, const Done& done) {
    for (int i = 0; i < 1000 && !done(); ++i) {
        story.frame();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return done();
}

}  // namespace

TEST_CASE("story: the desktop's dialog opens a model by folder or by file, and cancelling changes nothing") {
    const Desktop desktop;
    Story story;
    const std::string before = story.snapshot().model->world;
    const auto choose = [&](const char* what) {
        return story.play("key Ctrl+O\nframes 2\nclick \"palette/Choose a " + std::string(what) +
                          " in a dialog…\"\nframes 2");
    };
    desktop.answers("exit 1");
    REQUIRE(choose("folder") == "");
    REQUIRE(frames_until(story, [&] { return contains(desktop.said(), "--directory"); }));
    story.frames(20);
    CHECK(story.snapshot().model->world == before);
    desktop.answers("sleep 0.1; echo '" GLASSFORMER_SOURCE_DIR "/assets/models/order'");
    REQUIRE(choose("folder") == "");
    CHECK(frames_until(story, [&] { return story.snapshot().model->world == "order"; }));
    story.settle();
    const fs::path file = desktop.folder / "lecture.glass";
    REQUIRE(story.play("key Ctrl+S\nframes 2\ntype \"" + file.string() + "\"\nframes 2\nkey Enter\nframes 2") == "");
    story.settle();
    REQUIRE(fs::exists(file));
    desktop.answers("echo '" GLASSFORMER_SOURCE_DIR "/assets/models/homonyms'");
    REQUIRE(choose("folder") == "");
    REQUIRE(frames_until(story, [&] { return story.snapshot().model->world == before; }));
    story.settle();
    desktop.answers("echo '" + file.string() + "'");
    REQUIRE(choose("file") == "");
    CHECK(frames_until(story, [&] { return story.snapshot().model->world == "order"; }));
    CHECK(!contains(desktop.said(), "--directory"));
}

TEST_CASE("story: the desktop's dialog chooses the file of an export") {
    const Desktop desktop;
    Story story;
    desktop.answers("echo /somewhere/else.png");
    REQUIRE(story.play("hover A/headline\nframes 1\nkey Ctrl+E\nframes 2\nclick export/choose\nframes 2") == "");
    CHECK(frames_until(story, [&] { return story.state().own<ExportDialog>().file == "/somewhere/else.png"; }));
    CHECK(contains(desktop.said(), "--save"));
    CHECK(contains(desktop.said(), "glassformer-attention-1200.png"));
}
