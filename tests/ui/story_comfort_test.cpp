#include <algorithm>
#include <filesystem>
#include <fstream>

#include "app/common/glossary.h"
#include "app/palette/entries.h"
#include "app/panels/help/key_names.h"
#include "app/session/startup.h"
#include "app/views/registry.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

namespace fs = std::filesystem;

/// Ctrl+K, the words, Enter.
std::string choose(Story& story, const std::string& words) {
    const std::string message =
        story.play("key Ctrl+k\nframes 2\ntype \"" + words + "\"\nframes 2\nkey Enter\nframes 30");
    story.settle();
    return message;
}

void wait_long(Story& story) { story.frames(40); }  // 40 frames of 1/60 s: longer than changes are merged

ViewMoment now(Story& story) { return moment_of(story.state(), story.snapshot()); }

}  // namespace

TEST_CASE("story: the palette finds heads, words, stages, views and commands by typing") {
    Story story;
    CHECK(choose(story, "block 0 head 3") == "");
    CHECK(story.state().layer == 0);
    CHECK(story.state().head == 3);
    CHECK_FALSE(story.shows("palette"));
    CHECK(choose(story, "block 1") == "");
    CHECK(story.state().layer == 1);
    CHECK(choose(story, "foul word") == "");
    CHECK(story.state().token[0] == 7);
    CHECK(choose(story, "layernorm stage") == "");
    const TracedCell opened = story.state().trail.back();
    CHECK(story.shown_trace(0).graph()[opened.cell.node].name == block(1, "ln1.hook_out"));
    CHECK(choose(story, "dark") == "");
    CHECK(story.state().theme == ThemeKind::dark);
    CHECK(choose(story, "allow motion") == "");
    CHECK_FALSE(story.state().reduce_motion);
    CHECK(choose(story, "reduce motion") == "");
    CHECK(story.state().reduce_motion);
    for (std::size_t i = 0; i < all_views().size(); ++i) {
        if (all_views()[i].offered) continue;  // not offered for every model
        CHECK(choose(story, std::string(all_views()[i].name) + " view") == "");
        CHECK(story.state().view == static_cast<int>(i));
    }
}

TEST_CASE("story: the palette is used by keyboard and by mouse, and closes without changing anything") {
    Story story;
    const ViewMoment before = now(story);
    CHECK(story.play(
              "key Ctrl+k\nframes 2\nexpect_item palette\ntype head\nframes 2\nexpect palette/card >= 8\nkey Down\n"
              "key Down\nkey Up\nkey Escape\nframes 2\nexpect_no_item palette") == "");
    CHECK(story.play("key Ctrl+k\nframes 2\nkey Ctrl+k\nframes 2\nexpect_no_item palette") == "");
    CHECK(story.play("key Ctrl+k\nframes 2\ntype \"zzz\"\nframes 2\nexpect palette/card == 0\nkey Enter\nframes 2\n"
                     "expect_item palette\nkey Escape\nframes 2") == "");
    CHECK(now(story) == before);
    // The arrow keys move in the list, not in the model behind it; the second head is chosen.
    CHECK(story.play("key Ctrl+k\nframes 2\ntype \"block 0 head\"\nframes 2\nkey Down\n"
                     "expect_text palette/chosen \"Block 0 · head 1\"\nkey Enter\nframes 2") == "");
    CHECK(story.state().layer == 0);
    CHECK(story.state().head == 1);
    CHECK(story.play("key Ctrl+k\nframes 2\ntype \"block 0 head\"\nframes 2\n"
                     "click \"palette/Block 0 · head 2\"\nframes 2\nexpect_no_item palette") == "");
    CHECK(story.state().head == 2);
}

TEST_CASE("story: the palette trains, pauses, goes to a step and resets; a reset asks first") {
    Story story;
    CHECK(choose(story, "step 300") == "");
    CHECK_FALSE(story.snapshot().live);
    CHECK(std::ranges::binary_search(story.snapshot().kept_steps, story.snapshot().step));
    CHECK(choose(story, "newest step") == "");
    CHECK(story.snapshot().live);
    const std::int64_t trained = story.snapshot().live_step;
    CHECK(story.play("key Ctrl+k\nframes 2\ntype \"reset the\"\nframes 2\nkey Enter\nframes 3\n"
                     "expect palette/card == 2\nkey Enter\nframes 3") == "");
    story.settle();
    CHECK(story.snapshot().live_step == trained);  // the first of the two choices keeps it
    CHECK(story.play("key Ctrl+k\nframes 2\ntype \"reset the\"\nframes 2\nkey Enter\nframes 3\nkey Down\nkey Enter\n"
                     "frames 3") == "");
    story.settle();
    CHECK(story.snapshot().live_step == 0);
    CHECK(choose(story, "train") == "");
    CHECK(story.snapshot().state == RunState::training);
    CHECK(choose(story, "pause") == "");
    CHECK(story.snapshot().state == RunState::paused);
}

TEST_CASE("the help lists the key of every command that has one") {
    for (const WindowCommand& command : window_commands()) {
        CAPTURE(command.title);
        const auto names = [&](const KeyHelp& row) { return std::ranges::count(row.keys, command.key) > 0; };
        CHECK((command.key.empty() || std::ranges::any_of(key_help(), names)));
    }
}

TEST_CASE("story: a term's card explains it and closes") {
    Story story;
    CHECK(choose(story, "what is softmax?") == "");
    CHECK(story.text("term card") == "softmax");
    CHECK(story.play("key Escape\nframes 2\nexpect_no_item \"term card\"") == "");
    CHECK(choose(story, "what is gamma") == "");
    CHECK(story.text("term card") == "γ");
    CHECK(story.play("click \"term card/close\"\nframes 2\nexpect_no_item \"term card\"") == "");
}

TEST_CASE("story: undo and redo restore head, word, number, block, comparison, sentence, stage and view") {
    Story story;
    wait_long(story);
    std::vector<ViewMoment> seen{now(story)};
    for (const char* change :
         {"key Right", "key Tab", "click \"A/weight 2\"", "key Down", "click compare\nframes 2\nclick compare/off",
          "key b", "click \"stage Q\"", "click view/Flow"}) {
        CAPTURE(change);
        CHECK(story.play(change) == "");
        wait_long(story);
        seen.push_back(now(story));
        CHECK(seen[seen.size() - 2] != seen.back());
    }
    for (std::size_t i = seen.size() - 1; i-- > 0;) {
        CHECK(story.play("key Ctrl+z") == "");
        story.settle();
        CHECK(now(story) == seen[i]);
    }
    CHECK(story.play("key Ctrl+z") == "");  // there is nothing to undo
    story.settle();
    CHECK(now(story) == seen.front());
    for (std::size_t i = 1; i < seen.size(); ++i) {
        CHECK(story.play(i % 2 ? "key Ctrl+y" : "key Ctrl+Shift+z") == "");
        story.settle();
        CHECK(now(story) == seen[i]);
    }
}

TEST_CASE("story: undo restores a sentence with its chosen word, and a step, and leaves training alone") {
    Story story;
    wait_long(story);
    CHECK(story.play("key Tab") == "");
    wait_long(story);
    const ViewMoment first = now(story);
    CHECK(first.text[0] == first_sentence);
    CHECK(story.play("click A/type\nkey Ctrl+a\ntype \"The bat.\"\nkey Enter") == "");
    story.settle();
    wait_long(story);
    CHECK(choose(story, "first step") == "");
    wait_long(story);
    const ViewMoment last = now(story);
    CHECK(last.text[0] == "The bat.");
    CHECK(last.step == 0);
    CHECK(story.play("key Ctrl+z") == "");
    story.settle();
    CHECK(story.snapshot().live);
    CHECK(now(story).text[0] == "The bat.");
    CHECK(story.play("key Ctrl+z") == "");
    story.settle();
    CHECK(now(story) == first);
    CHECK(story.value("A/weight 8") ==
          static_cast<double>(pattern_row(story.shown_trace(0), first.layer, first.head, first.token[0])[8]));
    // Two at once. Training steps are not changes of the view.
    CHECK(story.play("key Ctrl+y\nkey Ctrl+y") == "");
    story.settle();
    CHECK(now(story) == last);
    story.send(command::Train{});
    wait_long(story);
    CHECK(story.play("key Ctrl+z") == "");
    story.settle();
    CHECK(story.snapshot().state == RunState::training);
    CHECK(story.snapshot().step == 0);  // the step that was on screen before
    story.send(command::Pause{});
}

TEST_CASE("story: quick key presses are one change to undo") {
    Story story;
    wait_long(story);
    const ViewMoment before = now(story);
    CHECK(story.play("key Right\nkey Right\nkey Right\nkey Tab") == "");
    wait_long(story);
    CHECK(now(story) != before);
    CHECK(story.play("key Ctrl+z") == "");
    story.settle();
    CHECK(now(story) == before);
}

TEST_CASE("story: terms on screen have a tooltip that does not cover them") {
    Story story;
    for (const char* name : {"softmax", "query", "key", "value", "score", "z"}) {
        CAPTURE(name);
        const std::string label = std::string("term ") + name;
        CHECK(story.play("hover \"" + label + "\"\nwait tooltip ~ \"" + std::string(find_term(name)->meaning) + "\"") ==
              "");
        const Item* tip = story.find("tooltip");
        const Item* anchor = story.find(label);
        REQUIRE(tip);
        REQUIRE(anchor);
        const bool apart = tip->min.y >= anchor->max.y || tip->max.y <= anchor->min.y || tip->min.x >= anchor->max.x ||
                           tip->max.x <= anchor->min.x;
        CHECK(apart);
        story.frames(3);
    }
    CHECK(story.shows("A/signed legend"));
    CHECK(story.shows("B/weight legend"));
}

TEST_CASE("story: the model is saved in the folder that was typed, and a notice says where") {
    Story story;
    const TemporaryFolder parent;
    const fs::path folder = parent / "my bats";
    CHECK(story.play("key Ctrl+k\nframes 2\ntype \"save\"\nframes 2\nkey Enter\nframes 3\nkey Ctrl+a\ntype \"" +
                     folder.string() + "\"\nframes 2\nkey Enter\nframes 2") == "");
    story.settle();
    CHECK(story.value("notice") == 1);
    CHECK(contains(story.text("notice"), folder.string()));
    const Checkpoint saved = load_checkpoint(folder);
    CHECK(saved.step == story.snapshot().live_step);
    CHECK(*saved.parameters == *reference().shipped().parameters);
    CHECK(story.play("click notice/dismiss\nframes 2\nexpect_no_item notice") == "");
    // If saving fails, the worker's reason is shown and no success.
    std::ofstream(parent / "notes") << "mine";
    CHECK(story.play("key Ctrl+k\nframes 2\ntype \"save\"\nframes 2\nkey Enter\nframes 3\nkey Ctrl+a\ntype \"" +
                     (parent / "notes").string() + "\"\nframes 2\nkey Enter\nframes 2") == "");
    story.settle();
    CHECK(story.shows("error"));
    CHECK_FALSE(story.shows("notice"));
}

TEST_CASE("story: a model saved during training is named with the step that was saved") {
    Story story;
    const TemporaryFolder parent;
    const fs::path folder = parent / "bats";
    story.session.send(command::Train{});
    REQUIRE(story.until([&] { return story.snapshot().live_step > reference().shipped().step; }));
    CHECK(
        story.play("key Ctrl+k\nframes 2\ntype \"save the model\"\nframes 2\nkey Enter\nframes 3\nkey Ctrl+a\ntype \"" +
                   folder.string() + "\"\nframes 2\nkey Enter\nwait notice == 1") == "");
    const std::string step = " " + std::to_string(load_checkpoint(folder).step) + " ";
    INFO(story.text("notice"));
    CHECK(contains(story.text("notice"), step));
}

TEST_CASE("story: a dropped text or model is opened, and an unreadable file is reported") {
    Story story;
    const TemporaryFolder folder;
    std::ofstream(folder / "sentence.txt") << "\xEF\xBB\xBF\r\n\nThe bat flew.\r\nand more";
    std::ofstream(folder / "empty.txt") << "\n  \n";
    CHECK(story.play("key b") == "");
    story.app.open_dropped(folder / "sentence.txt");
    story.settle();
    CHECK(story.snapshot().sentences[1].text == "The bat flew.");
    CHECK(story.snapshot().sentences[0].text == first_sentence);
    for (const fs::path& path : {folder / "empty.txt", folder / "missing.txt"}) {
        CAPTURE(path);
        story.app.open_dropped(path);
        story.frames(2);
        CHECK(story.value("notice") == 0);
        CHECK(contains(story.text("notice"), path.string()));
    }
    story.app.open_dropped(folder.path());  // contains no model
    story.settle(2);
    CHECK(contains(story.text("notice"), folder.path().string()));
    CHECK(story.snapshot().model->world == "homonyms");
    // A model of another program, alone or in its folder: the message says what to do. It is not read as a sentence.
    for (const char* name : {"tiny.ggml", "ckpt.pt"}) {
        CAPTURE(name);
        const fs::path place = folder / (std::string(name) + " folder"), file = place / name;
        fs::create_directory(place);
        std::ofstream(file) << "A bat slept.\n";
        for (const fs::path& path : {file, place}) {
            story.app.open_dropped(path);
            story.settle();
            CHECK(story.value("notice") == 0);
            CHECK(contains(story.text("notice"), path.string()));
            CHECK(contains(story.text("notice"), std::string(name) + " is "));
            CHECK(contains(story.text("notice"), "not supported: "));
        }
        CHECK(story.snapshot().sentences[1].text == "The bat flew.");
    }
    // A GGUF file is opened as a model, even if it is damaged.
    std::ofstream(folder / "tiny.gguf") << "A bat slept.\n";
    story.app.open_dropped(folder / "tiny.gguf");
    story.settle();
    CHECK(contains(story.text("error"), "tiny.gguf: does not begin as a GGUF file"));
    CHECK(story.snapshot().sentences[1].text == "The bat flew.");
    fs::copy(GLASSFORMER_SOURCE_DIR "/tests/fuzz/corpus/gguf/gpt2", folder / "gpt2.gguf");
    story.app.open_dropped(folder / "gpt2.gguf");
    story.settle(2);
    CHECK_FALSE(story.shows("error"));
    CHECK(story.snapshot().model->folder == (folder / "gpt2.gguf").string());
    story.send(command::OpenModel{std::string(GLASSFORMER_SOURCE_DIR) + "/assets/models/homonyms"});
    story.send(command::Watch{1, "The bat flew."});
    // Dropping a model opens it and clears the message about the one that failed.
    story.app.open_dropped(fs::path(GLASSFORMER_SOURCE_DIR) / "assets/models/order/config.json");
    story.settle(2);
    CHECK(story.snapshot().model->world == "order");
    CHECK_FALSE(story.shows("error"));
    CHECK_FALSE(story.shows("notice"));
    story.send(command::OpenModel{std::string(GLASSFORMER_SOURCE_DIR) + "/assets/models/homonyms"});
    story.send(command::Watch{1, "The bat flew."});
    CHECK(story.snapshot().sentences[1].text == "The bat flew.");
}

TEST_CASE("story: the palette, a message and a term's card fit small windows and large text") {
    for (const StoryOptions& options : {StoryOptions{{960, 600}, 1, true}, StoryOptions{{1280, 720}, 2, true}}) {
        Story story(options);
        CHECK(story.play("key Ctrl+k\nframes 2\ntype e\nframes 3") == "");
        const auto inside = [&](const char* label) {
            const Item* item = story.find(label);
            REQUIRE_MESSAGE(item, label);
            CHECK(item->min.x >= 0);
            CHECK(item->min.y >= 0);
            CHECK(item->max.x <= static_cast<float>(options.size.width));
            CHECK(item->max.y <= static_cast<float>(options.size.height));
        };
        inside("palette/card");
        inside("palette/chosen");
        CHECK(story.play("key PageDown\nkey PageDown\nkey PageDown\nkey PageDown\nframes 2") == "");
        inside("palette/chosen");
        CHECK(story.play("key Escape\nframes 2") == "");
        story.state().window.notice = {"The model could not be saved in /tmp/" + std::string(300, 'x'), false};
        story.frames(2);
        inside("notice");
        inside("notice/dismiss");
        CHECK(story.play("click notice/dismiss\nframes 2\nexpect_no_item notice") == "");
        story.state().window.term_card = "LayerNorm";
        story.frames(2);
        inside("term card");
    }
}
