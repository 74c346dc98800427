#include <algorithm>
#include <cmath>

#include "app/session/masks.h"
#include "core/analysis/head_circuits.h"
#include "core/analysis/word_circuit.h"
#include "core/base/background.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/published_folder.h"
#include "tests/ui/random_model.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

using Kind = WordCircuitOf::Kind;

const StoryOptions tall{{1600, 1800}, 1, true};

void open_words(Story& story) {
    REQUIRE(story.play("key a\nclick \"view/Q K V\"\nframes 2\nclick \"A/qkv page/words\"\nframes 2") == "");
    REQUIRE(story.until([&] { return story.shows("A/looks smallest 0"); }));
}

WordCircuit circuit(const Story& story, Kind kind, bool with_norms, int distance = 0) {
    const ViewState& state = const_cast<Story&>(story).state();
    WordCircuit found(story.shown_trace(0), {kind, block(state.layer, "attn."), state.head, with_norms, distance});
    while (!found.done()) found.step();
    return found;
}

/// Checks a card's lists for one circuit.
void check_lists(const Story& story, const std::string& item, const WordCircuit& truth, int word) {
    const std::vector<float> row = truth.row(word);
    const auto high = top_of_row(row, 5), low = top_of_row(row, 5, true);
    const ModelInfo& model = story.snapshot().model_of(0);
    for (std::size_t i = 0; i < 5; ++i) {
        const std::string n = std::to_string(i);
        const bool signs = item == "hands";  // raises or lowers a logit
        if (!signs || high[i].value > 0) {
            CHECK(story.value("A/" + item + " high " + n) == static_cast<double>(high[i].value));
            CHECK(story.text("A/" + item + " high " + n) ==
                  (is_mask(model, high[i].word) ? "▢" : model.token_text(high[i].word)));
        } else {
            CHECK(!story.shows("A/" + item + " high " + n));
        }
        if (!signs || low[i].value < 0)
            CHECK(story.value("A/" + item + " low " + n) == static_cast<double>(low[i].value));
        else
            CHECK(!story.shows("A/" + item + " low " + n));
        CHECK(story.value("A/" + item + " largest " + n) == static_cast<double>(truth.largest()[i].value));
        CHECK(story.value("A/" + item + " smallest " + n) == static_cast<double>(truth.smallest()[i].value));
    }
    CHECK(story.value("A/" + item + " score") == *truth.own()->eigenvalues);
    CHECK(story.value("A/" + item + " own raised") == truth.own()->raised);
    CHECK(story.value("A/" + item + " own most") == truth.own()->most);
}

}  // namespace

TEST_CASE("story: a head's word circuits come from its weights, with or without norms, at every head and step") {
    Story story(tall);
    open_words(story);
    const auto check = [&](bool with_norms) {
        const int word = story.shown_trace(0).tokens()[static_cast<std::size_t>(story.state().token[0])];
        CHECK(story.value("A/looks word 0") == word);
        check_lists(story, "looks", circuit(story, Kind::query_key, with_norms), word);
        check_lists(story, "hands", circuit(story, Kind::value_output, with_norms), word);
    };
    check(true);
    const double before = story.value("A/looks largest 0");
    REQUIRE(story.play("click \"A/circuit/weights alone\"\nframes 3") == "");
    CHECK(story.value("A/looks largest 0") != before);
    check(false);
    REQUIRE(story.play("key Right\nframes 3") == "");
    check(false);
    REQUIRE(story.play("click \"A/token 2\"\nframes 3") == "");
    check(false);
    // Clicking a word shows that word's row until another word of the sentence is chosen.
    const std::string first = story.text("A/looks high 0");
    REQUIRE(story.play("click \"A/looks high 0\"\nframes 3") == "");
    CHECK(contains(story.text("A/looks word 0"), first));
    REQUIRE(story.play("click \"A/token 3\"\nframes 3") == "");
    check(false);
    story.send(command::LookAt{0});
    REQUIRE(story.until([&] { return story.shown_trace(0).tokens().size() > 3; }));
    story.frames(3);
    check(false);
    // A what-if does not change the weights.
    const double here = story.value("A/hands largest 0");
    story.send(command::SetWhatIf{{what_if::HeadOff{story.state().layer, story.state().head}}});
    story.frames(3);
    CHECK(story.value("A/hands largest 0") == here);
}

TEST_CASE("story: a rotary head's circuits are shown for a chosen distance, as words and as a matrix") {
    Story story({.size = {1600, 2200}, .model = "induction"});
    open_words(story);
    const int word = story.shown_trace(0).tokens()[static_cast<std::size_t>(story.state().token[0])];
    check_lists(story, "looks", circuit(story, Kind::query_key, true), word);
    CHECK(story.value("A/circuit distance") == 0);
    REQUIRE(story.play("click \"A/circuit distance\"\nframes 3") == "");  // the middle of its slider
    const int distance = static_cast<int>(story.value("A/circuit distance"));
    CHECK(distance > 0);
    check_lists(story, "looks", circuit(story, Kind::query_key, true, distance), word);
    REQUIRE(story.play("click \"A/qkv page/heads\"\nframes 3") == "");
    CHECK(story.value("A/circuit distance") == distance);
    const HeadCircuits truth =
        head_circuits(story.shown_trace(0), block(story.state().layer, "attn."), story.state().head, distance);
    CHECK(story.value("A/query key circuit singular 0") == doctest::Approx(truth.query_key.singular[0]));
    CHECK(contains(story.text("A/query key circuit meaning"), "here by " + std::to_string(distance)));
}

TEST_CASE("story: a model of numbers says that it has no words to connect, and a BERT's circuits what they leave out") {
    Story numbers({.model = "regression"});
    numbers.host.ui().items->keep_texts(true);
    REQUIRE(numbers.play("key a\nclick \"view/Q K V\"\nframes 2\nclick \"A/qkv page/words\"\nframes 3") == "");
    CHECK_FALSE(numbers.shows("A/looks word 0"));
    CHECK(std::ranges::any_of(numbers.host.items().texts(), [](const Items::DrawnText& drawn) {
        return drawn.text == "This model reads numbers: there are no words that its heads could connect.";
    }));
    const TemporaryFolder in;
    Story bert(tall);
    bert.send(command::OpenModel{bert_folder(in).string()});
    REQUIRE(bert.until([&] { return bert.snapshot().model_of(0).config.d_vocab == 13; }));
    open_words(bert);
    CHECK(contains(bert.text("A/circuit condition"), "unembedding"));
    CHECK(std::isfinite(bert.value("A/hands score")));
}

TEST_CASE("background: circuits of many words are computed in the background, and a failure is reported") {
    const TemporaryFolder folder;
    Story story(tall);
    open_random(story, folder / "model",
                {.d_vocab = 6000, .n_ctx = 8, .d_model = 32, .n_heads = 2, .n_layers = 1, .d_mlp = 32});
    REQUIRE(story.until([&] { return story.snapshot().model_of(0).config.d_vocab == 6000; }));
    fail_at("word circuit");
    REQUIRE(story.play("key a\nclick \"view/Q K V\"\nframes 2\nclick \"A/qkv page/words\"\nframes 2") == "");
    // One of the two circuits on both cards fails; the others continue.
    const auto fails = [&](const char* item) { return contains(story.text(item), "as a test has asked"); };
    REQUIRE(story.until([&] {
        return fails("A/looks waiting") || fails("A/hands waiting") || fails("B/looks waiting") ||
               fails("B/hands waiting");
    }));
    CHECK(fail_at({}));
    // For another head, everything is there.
    REQUIRE(story.play("key Left\nframes 2") == "");
    REQUIRE(story.until([&] { return story.shows("A/looks smallest 0"); }));
    const int word = story.shown_trace(0).tokens()[static_cast<std::size_t>(story.state().token[0])];
    check_lists(story, "looks", circuit(story, Kind::query_key, true), word);
}

TEST_CASE("story: in a small vocabulary only what lowers a logit is listed as lowered") {
    const TemporaryFolder folder;
    Story story(tall);
    open_random(story, folder / "model",
                {.d_vocab = 6, .n_ctx = 8, .d_model = 16, .n_heads = 2, .n_layers = 1, .d_mlp = 24});
    REQUIRE(story.until([&] { return story.snapshot().model_of(0).config.d_vocab == 6; }));
    const auto listed = [&](const std::string& item, double sign) {
        std::size_t count = 0;
        for (; story.shows(item + " " + std::to_string(count)); ++count) {
            CAPTURE(item);
            CHECK(story.value(item + " " + std::to_string(count)) * sign > 0);
        }
        return count;
    };
    open_words(story);
    const std::size_t raised = listed("A/hands high", 1), lowered = listed("A/hands low", -1);
    CHECK(raised + lowered <= 6);
    REQUIRE(story.play("click view/MLP\nframes 3") == "");
    const std::size_t promoted = listed("A/favoured", 1), suppressed = listed("A/opposed", -1);
    CHECK(promoted + suppressed <= 6);
    CHECK(promoted + suppressed > 4);  // exact zeros are neither
}
