#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "core/platform/dialog.h"
#include "core/platform/process.h"
#include "tests/core/set_variable.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
using platform::FileDialog;
namespace fs = std::filesystem;

namespace {

/// A fake desktop whose dialog program is our own script.
struct Desktop {
    explicit Desktop(const char* name, const std::string& script)
        : path("PATH", folder.path().string() + ":/usr/bin:/bin"), display("DISPLAY", ":99") {
        const fs::path file = folder / name;
        std::ofstream(file) << "#!/bin/sh\nprintf '%s\\n' \"$@\" >\"$0.said\"\n" << script << "\n";
        fs::permissions(file, fs::perms::owner_all);
    }
    std::string said(const char* name) const {
        std::ifstream in(folder / (std::string(name) + ".said"));
        return (std::ostringstream() << in.rdbuf()).str();
    }

    TemporaryFolder folder;
    SetVariable path, display;
};

std::string answer_of(FileDialog& dialog) {
    for (int i = 0; i < 3000; ++i) {
        if (const std::optional<std::string> answer = dialog.poll()) return *answer;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return "no answer";
}

}  // namespace

TEST_CASE("dialog: zenity's arguments pass through no shell, and its answer is read whole") {
    const Desktop desktop("zenity", "sleep 0.2\nprintf '/a folder/with \"quotes\" and $HOME\\n'");
    REQUIRE(FileDialog::there());
    const auto dialog = FileDialog::open(FileDialog::For::folder, "Open; rm -rf \"$HOME\" `x`", "/start $(here)");
    REQUIRE(dialog);
    CHECK_FALSE(dialog->poll());  // still open, and poll() does not wait
    CHECK(answer_of(*dialog) == "/a folder/with \"quotes\" and $HOME");
    CHECK(desktop.said("zenity") ==
          "--file-selection\n--title=Open; rm -rf \"$HOME\" `x`\n--filename=/start $(here)/\n--directory\n");
}

TEST_CASE("dialog: each kind of dialog gives zenity and kdialog the right arguments") {
    const fs::path file = "/somewhere/x.glass";
    const auto asked = [&](const char* program, FileDialog::For what) {
        const Desktop desktop(program, "");
        const auto dialog = FileDialog::open(what, "T", file);
        REQUIRE(dialog);
        CHECK(answer_of(*dialog) == "");
        return desktop.said(program);
    };
    using For = FileDialog::For;
    CHECK(asked("zenity", For::file) == "--file-selection\n--title=T\n--filename=/somewhere/x.glass/\n");
    CHECK(asked("zenity", For::saving) == "--file-selection\n--title=T\n--filename=/somewhere/x.glass\n--save\n");
    CHECK(asked("kdialog", For::folder) == "--title\nT\n--getexistingdirectory\n/somewhere/x.glass\n");
    CHECK(asked("kdialog", For::file) == "--title\nT\n--getopenfilename\n/somewhere/x.glass\n");
    CHECK(asked("kdialog", For::saving) == "--title\nT\n--getsavefilename\n/somewhere/x.glass\n");
}

TEST_CASE("dialog: a cancelled dialog returns nothing, and destroying an open one ends its process") {
    {
        const Desktop desktop("zenity", "echo /half; exit 1");
        const auto dialog = FileDialog::open(FileDialog::For::saving, "T", "/x");
        REQUIRE(dialog);
        CHECK(answer_of(*dialog) == "");
    }
    const Desktop desktop("zenity", "trap '' TERM\necho $$ >\"$0.said\"\nwhile :; do sleep 0.05; done");
    auto dialog = FileDialog::open(FileDialog::For::saving, "T", "/x");
    REQUIRE(dialog);
    int process = 0;
    for (int i = 0; i < 3000 && process == 0; ++i) {
        process = std::atoi(desktop.said("zenity").c_str());
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    REQUIRE(process > 0);
    CHECK(platform::process_runs(process));
    CHECK_FALSE(dialog->poll());
    dialog.reset();
    CHECK_FALSE(platform::process_runs(process));
}

TEST_CASE("dialog: there is none without zenity or kdialog") {
    const TemporaryFolder empty;
    const SetVariable path("PATH", empty.path().string()), display("DISPLAY", ":99");
    CHECK_FALSE(FileDialog::there());
    CHECK_FALSE(FileDialog::open(FileDialog::For::folder, "T", "/x"));
}
