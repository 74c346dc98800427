// Unusual use: every name must be that of the head, run or model beside it, and nothing is offered that the model does
// not have.
#include "app/common/glossary.h"
#include "core/platform/atomic_file.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/whole_model_story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

constexpr const char* models = GLASSFORMER_SOURCE_DIR "/assets/models/";

/// Branches the run on screen at its current step and continues it without a head.
void branch_without(Story& story, int block_of_head, int head) {
    const TrainingSetup setup = story.snapshot().current_run()->setup;
    const int run = story.snapshot().run;
    story.session.send(command::Branch{
        story.snapshot().step, setup, {{"blocks." + std::to_string(block_of_head) + ".attn", head}}, ""});
    REQUIRE(story.until([&] { return story.snapshot().run != run; }));
    story.settle(3);
}

void compare_with(Story& story, const std::string& folder) {
    story.state().compare = true;
    story.send(command::CompareWith{{Comparing::What::models, folder, 0}});
    story.frames(3);
}

void open_gru(Story& story) {
    story.session.send(command::OpenWorld{"induction", {{"family", "gru"}, {"positions", "none"}}});
    REQUIRE(story.until([&] { return story.snapshot().model->config.family == Family::gru; }));
    story.settle(3);
}

/// Opens a term's card. True if it offers to show the term.
bool offered_to_show(Story& story, const std::string& term) {
    story.state().window.term_card = term;
    story.frames(2);
    REQUIRE(story.text("term card") == term);
    const bool shown = story.shows("term card/show");
    story.state().window.term_card.clear();
    story.frames(2);
    return shown;
}

}  // namespace

TEST_CASE("story: a number on an arc belongs to the arc's head, and heads that are off have none") {
    Story story;
    story.state().view = view_index("Whole model");
    story.frames(5);
    const int head = story.state().head, bat = story.state().token[0];
    REQUIRE(story.state().layer == 1);
    const auto arc = [&](const char* what, int of_head, int key) {
        return std::string("whole/A/arc ") + what + "1 " + number(of_head) + " " + number(bat) + " " + number(key);
    };
    int foul = 0;
    for (int key = 0; key < story.shown_trace(0).positions(); ++key)
        if (story.snapshot().sentences[0].tokens[key].text == "foul") foul = key;
    const auto weight = [&](int of_head) {
        return static_cast<double>(pattern_row(story.shown_trace(0), 1, of_head, bat)[foul]);
    };
    REQUIRE(head == 2);  // it attends to "foul" most
    CHECK(story.value(arc("label ", 2, foul)) == weight(2));
    CHECK_FALSE(story.shows(arc("label ", 3, foul)));  // no room next to it
    REQUIRE(story.play("key x\nframes 3") == "");
    story.settle(3);
    REQUIRE(story.snapshot().what_if.size() == 1);
    CHECK(story.value(arc("", 2, foul)) == weight(2));
    CHECK_FALSE(story.shows(arc("label ", 2, foul)));
    CHECK(story.value(arc("label ", 3, foul)) == weight(3));
}

TEST_CASE("story: compared with another model, a branch, or one of several runs, has its own name") {
    Story story({.trained = false});
    story.make_steps(4);
    const std::string other = std::string(models) + "homonyms";
    compare_with(story, other);
    CHECK(story.text("A/headline") == "A · homonyms, from scratch");
    const std::string first = story.snapshot().current_run()->name;
    branch_without(story, 1, 0);
    compare_with(story, other);
    const std::string branch = story.snapshot().current_run()->name;
    REQUIRE(branch != first);
    CHECK(story.text("A/headline") == "A · " + branch);  // no room for more
    CHECK(contains(story.app.export_caption(story.host), "\nA · homonyms, from scratch, " + branch + " · "));
    CHECK(contains(story.app.export_caption(story.host), "\nB · homonyms · "));
    story.session.send(command::RenameRun{story.snapshot().runs.front()->id, "whole"});
    story.send(command::ChooseRun{story.snapshot().runs.front()->id});
    compare_with(story, other);
    CHECK(story.text("A/headline") == "A · homonyms, from scratch, whole");
}

TEST_CASE("story: after a reset a shipped model is no longer called that of its folder but from scratch") {
    Story story;
    compare_with(story, std::string(models) + "homonyms");
    CHECK(story.text("A/headline") == "A · homonyms");
    story.send(command::Reset{});
    story.settle();
    story.frames(2);
    CHECK(story.text("A/headline") == "A · homonyms, from scratch");
    CHECK(contains(story.app.export_caption(story.host), "\nB · homonyms · "));
}

TEST_CASE("story: a kept branch opened as a model keeps its name, and what it branched off") {
    const TemporaryFolder folder;
    const std::string kept = (folder / "kept").string();
    Story story({.trained = false});
    story.make_steps(8);
    branch_without(story, 1, 0);
    story.make_steps(2);
    const RunInfo before = *story.snapshot().current_run();
    story.send(command::KeepRun{kept});
    REQUIRE(story.snapshot().error == "");
    const std::string written = read_file(folder / "kept" / "run.json", 1 << 20);
    story.session.send(command::OpenModel{kept});
    REQUIRE(story.until([&] { return story.snapshot().model->folder == kept; }));
    story.settle(2);
    REQUIRE(story.snapshot().runs.size() == 1);
    const RunInfo& run = *story.snapshot().current_run();
    CHECK(run.name == before.name);
    CHECK(run.origin.branched());
    CHECK(run.origin.step == 8);
    CHECK(run.origin.change == "head 1.0 removed");
    CHECK(run.setup.options.frozen_zero == before.setup.options.frozen_zero);  // it stays removed in further training
    CHECK_FALSE(run.unsaved);
    REQUIRE(story.play("click runs\nframes 3") == "");
    const std::string row = "run/" + std::to_string(run.id);
    CHECK(story.text(row) == before.name);
    CHECK(story.text(row + "/from") == "branched off at 8 · head 1.0 removed");
    REQUIRE(story.play("click runs\nframes 3") == "");
    compare_with(story, std::string(models) + "homonyms");
    CHECK(story.text("A/headline") == "A · kept, " + before.name);
    story.make_steps(2);
    CHECK(story.snapshot().sentences[0].removed_heads == std::vector<RemovedHead>{{"blocks.1.attn", 0}});
    CHECK(read_file(folder / "kept" / "run.json", 1 << 20) == written);
}

TEST_CASE("story: a term's card offers to show only what the model has") {
    {
        Story story;  // an encoder
        CHECK(offered_to_show(story, "self-attention"));
        CHECK(offered_to_show(story, "homonym"));
        CHECK(offered_to_show(story, "mask"));
        CHECK(offered_to_show(story, "encoder"));
        for (const char* missing : {"cross-attention", "causal mask", "rotary", "ALiBi", "least squares", "decoder"}) {
            CAPTURE(missing);
            CHECK_FALSE(offered_to_show(story, missing));
        }
        open_gru(story);
        for (const char* missing : {"self-attention", "attention weight", "causal mask", "score", "z", "homonym"}) {
            CAPTURE(missing);
            CHECK_FALSE(offered_to_show(story, missing));
        }
    }
    Story story({.model = "translation"});
    CHECK(offered_to_show(story, "cross-attention"));
    CHECK(offered_to_show(story, "causal mask"));
    CHECK_FALSE(offered_to_show(story, "homonym"));
}

TEST_CASE("story: the palette lists a view by the name on its tab") {
    Story story;
    REQUIRE(story.play("key Ctrl+k\nframes 2\ntype \"attention\"\nframes 3\nexpect_text palette/chosen Attention\n"
                       "key Escape\nframes 2") == "");
    open_gru(story);
    REQUIRE(story.play("key Ctrl+k\nframes 2\ntype \"states\"\nframes 3\nexpect_text palette/chosen States\n"
                       "key Enter\nframes 3") == "");
    CHECK(chosen_view(story.state()).name == "Attention");  // its name in the code
}

TEST_CASE("story: the path's texts use singular and plural correctly") {
    Story story({.model = "induction"});
    REQUIRE(story.play("click view/Training\nframes 2\nclick \"training/page/Path\"\nframes 4") == "");
    const auto path = [&](int from, int to) {
        story.state().token[0] = to;
        REQUIRE(story.play("click \"path/word " + std::to_string(from) + "\"\nframes 3") == "");
        story.state().slot = 0;
        story.frames(2);
    };
    path(0, 1);
    CHECK(story.text("path/rnn") == "RNN: 1 step");
    CHECK(contains(story.text("path/text"), " is 1 syllable before "));
    path(0, 2);
    CHECK(story.text("path/rnn") == "RNN: 2 steps");
    CHECK(contains(story.text("path/text"), " is 2 syllables before "));
}

TEST_CASE("story: without attention there is nothing to predict first, and the key says so") {
    Story story;
    REQUIRE(story.play("key p\nframes 3\nexpect_item predict/score") == "");
    open_gru(story);
    CHECK_FALSE(story.shows("predict/score"));  // the quiz ends with the model it was about
    REQUIRE(story.play("key p\nframes 3\nexpect_no_item predict/score") == "");
    CHECK(contains(story.text("notice"), "no attention"));
    REQUIRE(story.play("key Ctrl+k\nframes 2\ntype \"predict first\"\nframes 3") == "");
    CHECK(story.text("palette/chosen") != "Predict first");
    CHECK(story.text("palette/chosen") != "Show without guessing");
}
