// Models that were not trained here, such as published ones: no step is made up for them, and what would show their
// training says why it cannot.
#include "app/export/export_dialog.h"
#include "app/lessons/live_numbers.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/published_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

constexpr const char *homonyms = GLASSFORMER_SOURCE_DIR "/assets/models/homonyms",
                     *llama = GLASSFORMER_SOURCE_DIR "/tests/golden/hugging_face/llama2";  // without a tokenizer

void open(Story& story, const std::string& folder) {
    story.send(command::OpenModel{folder});
    REQUIRE(story.snapshot().error == "");
    story.frames(4);
}

LiveValue live_step(const Story& story, const std::string& expression) {
    return evaluate(parse_expression(expression, 1), {story.snapshot(), 0, 0});
}

/// The explanation of a weight, as it is copied.
std::string copied_explanation(Story& story, int slot) {
    const Trace& trace = story.shown_trace(slot);
    explain(story.state(), {slot, {trace.graph().parameters().front(), 0}});
    story.frames(3);
    ImGui::SetClipboardText("nothing");
    REQUIRE(story.play("click \"explain/copy\"\nframes 2") == "");
    return ImGui::GetClipboardText();
}

std::string about_on_stage(Story& story) {
    REQUIRE(story.play("key F5\nframes 4") == "");
    const std::string about = story.text("presenter/about");
    REQUIRE(story.play("key F5\nframes 4") == "");
    return about;
}

}  // namespace

TEST_CASE("story: no step is shown or written for a published model") {
    const TemporaryFolder folder;
    Story story;
    open(story, bert_folder(folder).string());
    CHECK_FALSE(story.shows("step"));
    CHECK_FALSE(live_step(story, "step").known);
    CHECK_FALSE(contains(story.app.export_caption(story.host), "step"));
    CHECK(about_on_stage(story).starts_with("block "));
    CHECK_FALSE(contains(about_on_stage(story), "step"));
    const std::string copied = copied_explanation(story, 0);
    CHECK(contains(copied, "sentence A: " + story.snapshot().sentences[0].text + "\n"));
    CHECK_FALSE(contains(copied, "step"));
    CHECK_FALSE(contains(copied, "not trained yet"));
    CHECK(contains(copied, "as in the model's files, not trained here"));
    REQUIRE(story.play("hover A/headline\nframes 1\nkey Ctrl+E\nframes 3") == "");
    CHECK(story.shows("export/card"));
    const std::filesystem::path file = story.state().own<ExportDialog>().file;
    CHECK_FALSE(contains(file.filename().string(), "-0"));
    REQUIRE(story.play("key Escape\nframes 2") == "");
    story.state().window.panels.timeline = false;
    story.frames(3);
    CHECK(story.text("rail/training") == "Training timeline");
}

TEST_CASE("story: a saved copy of a published model is announced without a step and has none when it is opened") {
    const TemporaryFolder folder;
    const std::string copy = (folder / "copy").string();
    Story story;
    open(story, bert_folder(folder).string());
    REQUIRE(story.play("key Ctrl+k\nframes 2\ntype \"Save the model\"\nframes 2\nkey Enter\nframes 3\nkey Ctrl+a\n"
                       "type \"" +
                       copy + "\"\nframes 2\nkey Enter\nframes 2") == "");
    story.settle();
    CHECK(contains(story.text("notice"), "The model is saved in "));
    open(story, copy);
    CHECK_FALSE(story.shows("step"));
}

TEST_CASE("story: beside a published model a trained one keeps its step") {
    const TemporaryFolder folder;
    const std::string bert = bert_folder(folder).string();
    Story story;
    story.send(command::CompareWith{{Comparing::What::models, bert, 0}});
    story.frames(3);
    REQUIRE(story.snapshot().error == "");
    REQUIRE(story.snapshot().sentences[1].trace);
    CHECK(story.text("step") == "step 1200");
    CHECK(live_step(story, "A: step").number == 1200);
    CHECK_FALSE(live_step(story, "B: step").known);
    CHECK(contains(copied_explanation(story, 0), ", model homonyms, step 1200\n"));
    CHECK(contains(copied_explanation(story, 1), ", model bert\n"));
}

TEST_CASE("story: the timeline and the metric say why a published model has none and what to do") {
    Story story;
    CHECK(story.shows("playhead"));
    CHECK_FALSE(story.shows("timeline/why not"));
    open(story, llama);
    for (const char* box : {"timeline/why not", "metric/why not"}) {
        CAPTURE(box);
        CHECK(contains(story.text(box), "was not trained here"));
        CHECK(contains(story.text(box), "pen a model that was trained here, or start a new run"));
    }
    CHECK_FALSE(story.shows("playhead"));
    open(story, homonyms);
    CHECK(story.shows("playhead"));
    CHECK_FALSE(story.shows("timeline/why not"));
    CHECK_FALSE(story.shows("metric/why not"));
}

TEST_CASE("story: the reason for an empty timeline stays inside the window") {
    for (const PixelSize size : {PixelSize{1280, 720}, PixelSize{1366, 768}, PixelSize{1920, 1080}}) {
        CAPTURE(size.width);
        Story story({.size = size});
        open(story, llama);
        const Item* why = story.find("timeline/why not");
        REQUIRE(why);
        CHECK(why->max.x <= static_cast<float>(size.width));
        CHECK(why->max.y <= static_cast<float>(size.height));
    }
}
