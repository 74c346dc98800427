// What a lecturer and a student found in unusual use: to which model, step and change a number belongs.
#include <fstream>
#include <limits>

#include "app/common/metric_curves.h"
#include "app/lessons/live_numbers.h"
#include "core/analysis/head_scores.h"
#include "core/nn/transformer.h"
#include "tests/core/fresh_parameters.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/whole_model_story.h"
#include "tests/ui/zeroed_model.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

LiveValue live(const Story& story, const std::string& expression, const Snapshot& s) {
    return evaluate(parse_expression(expression, 1), {s, story.snapshot().model->config.n_layers - 1, 0});
}

}  // namespace

TEST_CASE("story: a lesson's gradient norm belongs to the step on screen") {
    Story story({.trained = false});
    CHECK(story.play("click steps\nframes 2\nclick \"steps/5 steps\"\nwait step == 5 timeout 60\nwait train == 0 "
                     "timeout 60") == "");
    story.settle();
    const auto norm = [&] { return live(story, "gradient_norm", story.snapshot()); };
    const auto of_step = [&](std::size_t step) {
        return static_cast<double>((*story.snapshot().history)[step - 1].gradient_norm);
    };
    REQUIRE(norm().known);
    CHECK(*norm().number == of_step(5));
    CHECK(live(story, "clip_factor", story.snapshot()).known);
    story.send(command::LookAt{2});
    REQUIRE(story.snapshot().step == 2);
    CHECK(*norm().number == of_step(2));
    CHECK(of_step(2) != of_step(5));
    CHECK(live(story, "clip_factor", story.snapshot()).known);
    story.send(command::LookAt{0});
    CHECK_FALSE(norm().known);
}

TEST_CASE("story: the loss is unknown before the first step, and labelled unaltered during a what-if") {
    Story story({.trained = false});
    story.state().window.panels.timeline = false;
    story.frames(3);
    CHECK(story.text("rail/training").ends_with("loss –"));
    CHECK_FALSE(live(story, "loss", story.snapshot()).known);
    story.send(command::MakeSteps{1});
    REQUIRE(story.play("wait step == 1 timeout 60\nwait train == 0 timeout 60") == "");
    story.settle(2);
    CHECK(*live(story, "loss", story.snapshot()).number == story.find("rail/training")->value);
    story.send(command::SetWhatIf{{what_if::ResidualOff{}}});
    story.frames(2);
    CHECK(story.text("rail/training").ends_with(" · unaltered"));
}

TEST_CASE("story: measurements of A are not reused for another model or step in B") {
    Story story;
    const std::string near = "nearest \"bat\" 1", accuracy = "accuracy", metric = "metric";
    for (const std::string& name : {near, accuracy, metric}) CHECK(live(story, "B: " + name, story.snapshot()).known);
    story.send(command::CompareWith{{Comparing::What::steps, {}, 0}});
    REQUIRE(story.snapshot().sentences[1].step == 0);
    for (const std::string& name : {near, accuracy, metric}) {
        CAPTURE(name);
        CHECK(live(story, "A: " + name, story.snapshot()).known);
        CHECK_FALSE(live(story, "B: " + name, story.snapshot()).known);
    }
    CHECK(*live(story, "A: step", story.snapshot()).number == 1200);
    CHECK(*live(story, "B: step", story.snapshot()).number == 0);

    story.session.send(command::CompareWith{});
    story.send(command::SetWhatIf{{what_if::ResidualOff{}}});
    REQUIRE(story.snapshot().unaltered);
    CHECK(*live(story, "unaltered metric", story.snapshot()).number == story.snapshot().unaltered->found.value);
    CHECK(*live(story, "metric", story.snapshot()).number == story.snapshot().measured->found.value);
    CHECK(*live(story, "unaltered accuracy[last]", story.snapshot()).number ==
          story.snapshot().unaltered->found.details.back().second);
    CHECK(*live(story, "accuracy[last]", story.snapshot()).number == story.value("accuracy 2"));
    CHECK_FALSE(live(story, "unaltered " + near, story.snapshot()).known);  // there are only the altered model's words
}

TEST_CASE("story: a lesson's numbers of a cross-attention head come from its own pattern") {
    Story story({.model = "translation"});
    const Trace& trace = story.shown_trace(0);
    for (int head = 0; head < 4; ++head) {
        const auto weights = trace.part(*trace.graph().find("blocks.0.cross_attn.hook_pattern"), Slices{head, 1});
        const int keys = static_cast<int>(trace.source_tokens().size());
        const std::string of_head = "[0][" + number(head) + "]";
        CHECK(*live(story, "cross toeplitz" + of_head, story.snapshot()).number ==
              nearest_toeplitz(weights.values(), trace.positions(), keys, false).explained);
        CHECK(*live(story, "toeplitz" + of_head, story.snapshot()).number !=
              *live(story, "cross toeplitz" + of_head, story.snapshot()).number);
    }
}

TEST_CASE("story: the whole model's difference has a legend, and is not offered when zoomed in") {
    Story story;
    story.state().view = view_index("Whole model");
    story.frames(3);
    CHECK_FALSE(story.shows("whole/difference legend"));
    REQUIRE(story.play("click whole/difference\nframes 3") == "");
    const Item *legend = story.find("whole/difference legend"), *head = story.find("whole/head 0");
    REQUIRE(legend);
    REQUIRE(head);
    CHECK(legend->max.x < head->min.x);
    // The swatch is an outline: its centre does not have the head's colour.
    const Image image = story.picture();
    head = story.find("whole/head 0");
    const float x = head->min.x + 6.5f, y = (head->min.y + head->max.y) / 2;
    CHECK(pixel(image, x, y) == pixel(image, head->min.x - 4, y));

    open_canvas(story);
    REQUIRE(story.play("key x\nframes 3") == "");
    story.settle();
    REQUIRE(story.play("frames 3\nexpect_item whole/difference\nclick whole/zoom/block\nframes 6") == "");
    CHECK_FALSE(story.shows("whole/difference"));
    CHECK_FALSE(story.shows("whole/difference legend"));
    REQUIRE(story.play("click whole/zoom/model\nframes 6\nexpect_item whole/difference") == "");
}

TEST_CASE("story: the model map calls the output what its world calls it") {
    for (const auto& [model, tokens] :
         {std::pair{"homonyms", "words"}, {"sample", "letters"}, {"induction", "syllables"}, {"sorting", "letters"}}) {
        CAPTURE(model);
        Story story({.model = model});
        CHECK(story.text("map/softmax") == std::string("softmax → ") + tokens);
    }
}

TEST_CASE("story: characters that a model does not know are named") {
    Story story({.model = "sample"});
    story.send(command::Watch{0, "caf\xC3\xA9 \xE2\x82\xAC \xC3\xA9"});
    story.frames(2);
    CHECK(story.text("A/token 3") == "é");
    CHECK(story.snapshot().sentences[0].tokens[3].id == 1);
    CHECK(story.value("A/unknown characters") == 2);
    for (const char* named : {"“é”", "“€”"}) CHECK(contains(story.text("A/unknown characters"), named));
    story.send(command::Watch{0, "cafe"});
    story.frames(2);
    CHECK_FALSE(story.shows("A/unknown characters"));
}

TEST_CASE("story: if all outputs are equal, none is called the answer") {
    const TemporaryFolder folder;
    Story story;
    open_zeroed(story, folder, "homonyms");
    for (int layer = 0; layer < 3; ++layer) CHECK(story.value("accuracy " + number(layer)) == 0.5);
    open_canvas(story);
    CHECK(story.text("whole/hint").starts_with("“bat” attends equally to several words (0.11 each in block "));
    open_zeroed(story, folder, "order");
    CHECK(story.text("A/said") == "undecided");
    CHECK(story.snapshot().measured->found.value == doctest::Approx(0.5));
    open_zeroed(story, folder, "next_word");
    CHECK(story.snapshot().measured->found.value == doctest::Approx(0.5));
}

TEST_CASE("story: long predictions above lanes of short words are not cut") {
    const TemporaryFolder folder;
    Checkpoint model;
    std::vector<std::string> words;
    for (const char* letter : {"a", "b", "c", "d"}) words.insert(words.end(), {letter, std::string(11, *letter)});
    model.tokenizer = std::make_shared<WordTokenizer>(words);
    model.config = reference().shipped().config;
    model.config.family = Family::decoder;
    model.config.n_ctx = 48, model.config.d_vocab = model.tokenizer->size();
    model.parameters = fresh_parameters(model.config, 5);
    save_checkpoint(folder / "model", model);
    Story story({.size = {1280, 720}});
    story.session.send(command::OpenModel{(folder / "model").string()});
    std::string text;
    // An untrained model with tied embeddings predicts the word that it reads.
    for (int i = 0; i < 40; ++i) text += std::string(i % 9 == 0 ? 11 : 1, static_cast<char>('a' + i % 4)) + " ";
    story.send(command::Watch{0, text});
    open_canvas(story);
    story.state().window.panels = {true, true, true};
    story.frames(4);
    int said = 0;
    for (int i = 0; i < 40; ++i) {
        const Item* item = story.find("whole/A/said " + number(i) + " 0");
        if (!item) continue;
        const std::string name = story.snapshot().model->token_text(likeliest_words(story.shown_trace(0), i, 1)[0].id);
        CAPTURE(name);
        CHECK(draw::text_size(story.host.ui(), name, FontRole::small).x <= item->max.x - item->min.x);
        ++said;
    }
    CHECK(said > 1);
}

TEST_CASE("story: a lesson whose model is not shipped asks for it, and starts once it is open") {
    const TemporaryFolder folder;
    std::ofstream(folder / "mine.lesson") << "lesson: Mine\nmodel: zoo\n== One\nA: A bat flew.\n\nIt has {length}.\n";
    Story story;
    story.app.lessons().look_also(folder / "mine.lesson");
    story.app.start_lesson("mine");
    story.frames(3);
    CHECK(story.shows("lesson/wanted"));
    CHECK_FALSE(story.shows("lesson/open model"));
    Checkpoint model = load_checkpoint(GLASSFORMER_SOURCE_DIR "/assets/models/homonyms");
    save_checkpoint(folder / "zoo", model);
    story.send(command::OpenModel{(folder / "zoo").string()});
    story.frames(4);
    CHECK(story.app.lessons().open());
    CHECK_FALSE(story.shows("lesson/wanted"));
}

TEST_CASE("the loss axis includes the held-out loss if that is larger") {
    std::vector<MetricPoint> points(3);
    points[0].loss = 4, points[1].loss = 1, points[2].loss = std::numeric_limits<float>::infinity();
    CHECK(largest_loss(points) == 4);
    points[1].held_out_loss = 4.7f;
    CHECK(largest_loss(points) == 4.7f);
}

TEST_CASE("story: during a what-if the translation on screen is labelled unaltered") {
    Story story({.model = "translation"});
    CHECK(story.text("A/translated") == "translated by the model");
    const auto tokens = [&] { return story.snapshot().sentences[0].tokens.size(); };
    const std::size_t before = tokens();
    story.send(command::SetWhatIf{{what_if::AttentionOff{0, AttentionTo::source}}});
    story.frames(3);
    CHECK(tokens() == before);
    CHECK(contains(story.text("A/translated"), "unaltered"));
    story.send(command::SetWhatIf{{}});
    story.frames(3);
    CHECK(story.text("A/translated") == "translated by the model");
}

TEST_CASE("story: q, k and v count their rows in the world's name for tokens") {
    Story story({.model = "induction"});
    story.state().view = view_index("Q K V");
    story.frames(3);
    CHECK(contains(story.text("A/q title"), " syllables × "));
    CHECK(contains(story.text("A/qkv shapes"), " syllables × "));
}
