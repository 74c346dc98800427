// In the pseudo-language (tests/core/english_left.h), the window's error messages are translated, except for names,
// numbers and what the user typed.
#ifdef GLASSFORMER_LOCALE

#include <filesystem>

#include "app/desktop/export_picture.h"
#include "app/export/export_dialog.h"
#include "core/platform/atomic_file.h"
#include "tests/core/english_left.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/in_language.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;
namespace fs = std::filesystem;

namespace {

/// Waits until the item exists, then checks that its text is in the pseudo-language except for `data`.
void check_says(Story& story, const std::string& item, const std::string& data = {}) {
    CAPTURE(item);
    story.settle(2);
    const std::string text = story.text(item);
    Words names;
    add_words(names, data);
    CHECK(text != "");
    CHECK_MESSAGE(english_in(text, names) == "", text);
}

}  // namespace

TEST_CASE("language: the worker's error messages are translated") {
    const InPseudoLanguage pseudo;
    Story story;
    for (const Command& command : std::vector<Command>{
             command::SetLearningRate{-1},
             command::SetBatch{0},
             command::MakeSteps{0},
             command::TrainUntil{},
             command::LimitSpeed{-1},
             command::ChooseRun{99},
             command::RenameRun{0, ""},
             command::CompareWith{{Comparing::What::models, "", 0}},
             command::BringBack{},
         }) {
        story.send(command);
        CAPTURE(command.index());
        check_says(story, "error");
        REQUIRE(story.play("click error/dismiss\nframes 2") == "");
    }
}

TEST_CASE("language: messages about sentences that a model cannot read are translated") {
    const InPseudoLanguage pseudo;
    Story regression({.model = "regression"});
    for (const char* text : {"1,x", "1", "sample 0"}) {
        CAPTURE(text);
        regression.send(command::Watch{0, text});
        check_says(regression, "A/error", "sample");
    }
}

TEST_CASE("language: messages about dropped files and lessons are translated") {
    const InPseudoLanguage pseudo;
    const TemporaryFolder folder;
    Story story;
    const std::string names = folder.path().string();
    write_file_atomically(folder / "empty.txt", "\n  \n");
    story.app.open_dropped(folder / "empty.txt");
    check_says(story, "notice", names + " empty txt");
    story.state().window.authoring.add_scene = true;
    check_says(story, "notice");
    write_file_atomically(folder / "bad.lesson", "lesson: Bad\n\n== One\nwait: {step} > 1\n\nText.\n");
    story.app.open_dropped(folder / "bad.lesson");
    check_says(story, "notice", "bad wait model fresh NAME");
}

TEST_CASE("language: messages about failed exports are translated") {
    const InPseudoLanguage pseudo;
    const TemporaryFolder folder;
    Story story;
    write_file_atomically(folder / "there.svg", "mine");
    for (const std::string& file : {(folder / "there.svg").string(), (folder / "x.doc").string()}) {
        REQUIRE(story.play("hover A/headline\nframes 1\nkey Ctrl+E\nframes 2") == "");
        story.state().own<ExportDialog>().file = file;
        REQUIRE(story.play("click export/save\nframes 1") == "");
        take_export(story.app, story.host, *story.surface);
        check_says(story, "export/problem", file + " png svg pdf csv npz");
        REQUIRE(story.play("key Escape\nframes 2") == "");
    }
}

// Core's messages, as far as they are patterns.
TEST_CASE("language: core's error messages in the window are translated") {
    const InPseudoLanguage pseudo;
    const TemporaryFolder folder;
    Story story;
    std::string endless;
    for (int i = 0; i < 1000; ++i) endless += "bat ";
    for (const std::string& text : {std::string(), endless,
                                    std::string("the b\xff"
                                                "at")}) {
        story.send(command::Watch{0, text});
        check_says(story, "A/error", "UTF");
    }
    story.send(command::OpenModel{(folder / "none").string()});
    check_says(story, "error", folder.path().string() + " none config json");
    story.send(command::OpenRun{(folder / "none").string()});
    check_says(story, "error", folder.path().string() + " none run json");
}

#endif
