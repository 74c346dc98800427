#include "app/panels/leaving/saving.h"
#include "app/ui/input.h"
#include "core/analysis/altered_backend.h"
#include "core/tasks/sense_probe.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/random_model.h"
#include "tests/ui/what_if_story.h"

// Whatever is on screen is true of what is on screen.
using namespace glassformer;
using namespace glassformer::app;

namespace {

std::vector<float> probed(const std::vector<WhatIf>& changes) {
    AlteredBackend backend(reference().backend, reference().shipped().config, changes);
    WorldTraining training = reference().world();
    training.config = backend.config();
    return SenseProbe(backend, training).measure(*backend.parameters(reference().shipped().parameters)).accuracy;
}

bool overlap(const Item& a, const Item& b) {
    return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
}

}  // namespace

TEST_CASE("story: an altered model shows its own accuracies, with marks for the original's") {
    Story story;
    const std::string curve = story.text("timeline accuracy");
    const std::vector<float> before = probed({});
    for (const WhatIf& change :
         {WhatIf{what_if::ResidualOff{}}, WhatIf{what_if::AttentionOff{0}}, WhatIf{what_if::HeadOff{0, 3}}}) {
        CAPTURE(describe(change));
        story.send(command::SetWhatIf{{change}});
        story.frames(2);
        const std::vector<float> now = probed({change});
        for (int layer = 0; layer < 3; ++layer) {
            const std::size_t at = layer;
            CHECK(story.value("accuracy " + std::to_string(layer)) == static_cast<double>(now[at]));
            CHECK(story.value("accuracy before " + std::to_string(layer)) == static_cast<double>(before[at]));
        }
        CHECK_FALSE(story.shows("of the unaltered model"));
        CHECK(story.shows("meaning map"));
        CHECK(story.text("timeline accuracy") == curve + " · unaltered");  // the curve is the training's
    }
    story.send(command::SetWhatIf{{}});
    story.frames(2);
    CHECK(story.value("accuracy 2") == static_cast<double>(before[2]));
    CHECK_FALSE(story.shows("accuracy before 2"));
}

TEST_CASE("story: an altered model's metric is shown with the original's") {
    Story story({.model = "order"});
    const double before = story.value("metric");
    CHECK_FALSE(story.shows("metric before"));
    story.send(command::SetWhatIf{{what_if::AttentionOff{0}, what_if::AttentionOff{1}}});
    story.frames(2);
    CHECK(story.value("metric") < before);
    CHECK(story.value("metric before") == before);
    CHECK(story.value("metric") == story.snapshot().measured->found.value);
}

TEST_CASE("story: if the canvas has room for one class only, it shows the predicted one") {
    Story story({.model = "order"});
    REQUIRE(show(story, "Whole model") == "");
    for (const int slot : {0, 1}) {
        const Trace& trace = story.shown_trace(slot);
        const int said = trace.at({trace.model().probabilities, 1}) > 0.5f ? 1 : 0;
        const std::string line = std::string("whole/") + Frame::letter(slot) + "/said 0 ";
        CAPTURE(line);
        REQUIRE(story.shows(line + std::to_string(said)));
        CHECK(story.value(line + std::to_string(said)) > 0.5);
        if (const Item* other = story.find(line + std::to_string(1 - said)))
            CHECK(story.find(line + std::to_string(said))->min.y < other->min.y);
    }
}

TEST_CASE("story: the canvas labels its lanes with the world's name for tokens") {
    const std::pair<const char*, const char*> worlds[] = {
        {"homonyms", "words"}, {"induction", "syllables"}, {"sorting", "letters"}, {"regression", "numbers"}};
    for (const auto& [world, lanes] : worlds) {
        CAPTURE(world);
        Story story({.model = world});
        REQUIRE(show(story, "Whole model") == "");
        CHECK(story.text("whole/A/lanes") == lanes);
    }
}

TEST_CASE("story: the rows of a translation say which word they write") {
    Story story({.model = "translation"});
    REQUIRE(show(story, "Attention") == "");
    const WatchedSentence& sentence = story.snapshot().sentences[0];
    REQUIRE(sentence.tokens.size() > 3);
    for (std::size_t row = 0; row + 1 < sentence.tokens.size(); ++row)
        CHECK(story.text("A/row " + std::to_string(row)) ==
              sentence.tokens[row].text + " → writes " + sentence.tokens[row + 1].text);
    CHECK(story.text("A/row " + std::to_string(sentence.tokens.size() - 1)).ends_with(" → ends"));
}

TEST_CASE("story: a decoder for masked words is not asked which word comes next") {
    const TemporaryFolder folder;
    Checkpoint model = load_checkpoint(GLASSFORMER_SOURCE_DIR "/assets/models/homonyms");
    model.config.family = Family::decoder;
    save_checkpoint(folder.path() / "model", model);
    Story story;
    story.send(command::OpenModel{(folder.path() / "model").string()});
    REQUIRE(story.snapshot().error == "");
    CHECK(story.snapshot().model->hides_words);
    REQUIRE(show(story, "What if") == "");
    for (const Item& item : story.host.items().all()) {
        CHECK(!contains(item.text, "comes after"));
        CHECK(!contains(item.text, "next word"));
    }
}

TEST_CASE("story: for a model without attention the palette lists no heads") {
    Story story({.trained = false});
    CHECK(
        story.play(
            "key Ctrl+k\nframes 2\ntype \"block 0 head\"\nframes 3\nexpect palette/chosen ~ \"head 0\"\nkey Escape") ==
        "");
    const TemporaryFolder folder;
    TransformerConfig config{.d_vocab = 40, .n_ctx = 8, .d_model = 16, .n_heads = 2, .n_layers = 2, .d_mlp = 24};
    config.family = Family::gru;
    config.activation = Activation::none;
    open_random(story, folder / "model", config);
    story.frames(2);
    CHECK(story.play("key Ctrl+k\nframes 2\ntype \"block 0 head\"\nframes 3") == "");
    CHECK(!contains(story.text("palette/chosen"), "· head"));
}

TEST_CASE("story: messages cover no control, the newest is on top, and the next success removes an error") {
    for (const PixelSize size : {PixelSize{1600, 1000}, PixelSize{960, 600}}) {
        Story story({.size = size});
        story.send(command::Save{"/proc/no/such/folder"});
        story.frames(2);
        REQUIRE(story.shows("error"));
        story.state().window.notice = {"a notice", true};
        story.frames(2);
        for (const char* bar : {"error", "notice"})
            for (const Item& item : story.host.items().all())
                if (!item.label.starts_with(bar)) CHECK_MESSAGE(!overlap(*story.find(bar), item), bar, " ", item.label);
        CHECK(story.find("notice")->min.y < story.find("error")->min.y);
        const TemporaryFolder folder;
        story.session.send(command::Watch{0, "The bat flew."});  // unrelated: the message stays
        story.settle(2);
        CHECK(story.shows("error"));
        story.send(command::Save{(folder.path() / "model").string()});
        story.frames(2);
        CHECK_FALSE(story.shows("error"));
        CHECK(story.shows("notice"));
    }
}

TEST_CASE("story: a message that appears or disappears moves nothing under the pointer") {
    for (const PixelSize size : {PixelSize{1280, 720}, PixelSize{800, 600}}) {
        CAPTURE(size.width);
        const TemporaryFolder folder;
        Story story({.size = size});
        ImVec2 pointer{};
        const auto rest = [&](bool down) {
            for (int i = 0; i < 4; ++i) story.frame([&] { script_mouse(pointer, down, false); });
        };
        const auto point_at = [&](const char* item) {
            REQUIRE(story.find(item));
            pointer = story.find(item)->centre();
            rest(false);
        };
        const auto top = [&] { return story.find("A/token 0")->min.y; };
        const auto overlapped = [&] {
            std::string items;
            for (const Item& item : story.host.items().all())
                if (!item.label.starts_with("notice") && overlap(*story.find("notice"), item))
                    items += std::string(item.label) + " ";
            return items;
        };
        point_at("A/token 0");
        const float before = top();
        Saving& saving = story.state().own<Saving>();
        saving.folder = (folder / "model").string();
        saving.errors_before = story.snapshot().error_number;
        story.session.send(command::Save{saving.folder});
        REQUIRE(story.until([&] { return story.shows("notice"); }));
        rest(false);
        CHECK(top() == before);
        // When the pointer goes there, the layout makes room, which remains.
        point_at("notice");
        CHECK(overlapped() == "");
        const float beside = top();
        CHECK(beside > before);
        point_at("A/token 0");
        CHECK(top() == beside);
        // A second message comes: the room remains as it is.
        story.session.send(command::Save{"/proc/no/such/folder"});
        REQUIRE(story.until([&] { return story.shows("error"); }));
        rest(false);
        CHECK(top() == beside);
        // Dismissing them gives the room back.
        for (const char* bar : {"error/dismiss", "notice/dismiss"}) {
            point_at("A/token 0");  // two clicks, not a double click
            point_at(bar);
            rest(true);
            rest(false);
            CHECK_FALSE(story.shows(bar));
        }
        CHECK(top() == before);
        // A message that disappears by itself leaves its room until the pointer leaves the panels.
        story.state().window.notice = {"a notice", true};
        pointer = {-1e6f, -1e6f};
        rest(false);
        CHECK(top() == beside);
        point_at("A/token 0");
        story.state().window.notice = {};
        rest(false);
        CHECK(top() == beside);
        pointer = {400, 4};
        rest(false);
        CHECK(top() == before);
    }
}

TEST_CASE("story: the list of worlds has their titles, with trained and fresh models apart") {
    Story story;
    CHECK(story.play("click world\nframes 3") == "");
    CHECK(story.text("world/homonyms, trained") == "Words with two meanings");
    CHECK(story.text("world/homonyms, from scratch") == "Words with two meanings");
    CHECK(story.text("world/induction, trained") == "Induction");
    const Item *trained = story.find("world/heading Trained models, to explore"),
               *fresh = story.find("world/heading From scratch, to train");
    REQUIRE(trained);
    REQUIRE(fresh);
    for (const Item& item : story.host.items().all()) {
        if (item.label.ends_with(", trained")) CHECK((item.min.y > trained->min.y && item.max.y <= fresh->min.y + 1));
        if (item.label.ends_with(", from scratch")) CHECK(item.min.y >= fresh->max.y - 1);
    }
}

TEST_CASE("story: runs of another world are left out of the plot") {
    Story story({.trained = false});
    story.make_steps(2);
    story.send(command::Propose{"regression", {}});
    REQUIRE(story.snapshot().preview);
    story.send(command::NewRun{story.snapshot().preview->setup, "other"});
    story.make_steps(2);
    story.frames(3);
    REQUIRE(story.snapshot().runs.size() == 2);
    CHECK(story.shows("curve/1"));
    CHECK_FALSE(story.shows("curve/0"));
    CHECK(story.value("timeline/left out") == 1);
}

TEST_CASE("story: the list of runs formats each world's metric in that world's unit") {
    Story story({.trained = false});
    story.make_steps(1);
    REQUIRE(story.play("click runs\nframes 3") == "");
    REQUIRE(story.until([&] { return story.text("run/0/metric").ends_with(" %"); }));
    const std::string share = story.text("run/0/metric");
    story.send(command::Propose{"regression", {}});
    REQUIRE(story.snapshot().preview);
    story.send(command::NewRun{story.snapshot().preview->setup, "other"});
    story.make_steps(1);
    CHECK(story.text("run/0/metric") == share);
    REQUIRE(story.until([&] { return story.text("run/1/metric") != "–"; }));
    CHECK_FALSE(story.text("run/1/metric").ends_with("%"));
    CHECK(story.play("hover run/0/metric\nwait tooltip ~ \"sense accuracy\"") == "");
}
