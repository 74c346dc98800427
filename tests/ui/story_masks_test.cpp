// Masked words: at the corner of a chip, in one of our models and in a published BERT.
#include "app/session/masks.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/published_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

void type(Story& story, const std::string& sentence) {
    REQUIRE(story.play("click A/type\nkey Ctrl+a\ntype \"" + sentence + "\"\nkey Enter\nframes 3") == "");
    story.settle();
}

void hide(Story& story, int token) {
    const std::string at = std::to_string(token);
    REQUIRE(story.play("hover \"A/token " + at + "\"\nframes 2\nclick \"A/hide " + at + "\"\nframes 3") == "");
    story.settle();
}

void show(Story& story, int token) {
    const std::string at = std::to_string(token);
    REQUIRE(story.play("hover \"A/token " + at + "\"\nframes 2\nclick \"A/unhide " + at + "\"\nframes 3") == "");
    story.settle();
}

const WatchedSentence& first(const Story& story) { return story.snapshot().sentences[0]; }

}  // namespace

TEST_CASE("story: a BERT's word is masked at its chip, predicted by the model, and unmasked again") {
    const TemporaryFolder folder;
    Story story;
    story.send(command::OpenModel{bert_folder(folder).string()});
    REQUIRE(first(story).error == "");
    CHECK(fills_masks(*story.snapshot().model));
    // Its samples mask a word, which is chosen.
    CHECK(first(story).text == "He swung the bat and hit a [MASK].");
    CHECK(story.text("A/token " + std::to_string(story.state().token[0])) == "▢");

    type(story, "He hit the bats");
    CHECK(first(story).tokens.size() == 7);
    hide(story, 4);
    CHECK(first(story).text == "He hit the [MASK]");  // "##s" alone would be another token
    CHECK(story.state().token[0] == 4);
    CHECK(story.text("A/token 4") == "▢");

    Checkpoint model = load_checkpoint(folder / "bert");
    CpuBackend backend(1);
    Tracer tracer(backend, model.config);
    const auto trace = tracer.trace({2, 5, 10, 7, 4, 3}, model.parameters);
    REQUIRE(first(story).trace->tokens() == trace->tokens());
    const std::size_t width = model.config.d_vocab;
    const std::span<const float> row = trace->values(trace->model().probabilities).subspan(4 * width, width);
    story.state().window.panels = {true, true, true};
    story.frames(2);
    std::vector<float> ordered(row.begin(), row.end());
    std::ranges::sort(ordered, std::greater{});
    for (int i = 0; i < 3; ++i) {
        const std::string label = "A/guess " + std::to_string(i);
        CHECK(story.value(label) == doctest::Approx(ordered[i]).epsilon(1e-6));
        const auto likeliest = std::ranges::find(row, ordered[i]) - row.begin();
        CHECK(story.text(label) == model.tokenizer->token_text(static_cast<int>(likeliest)));
    }

    hide(story, 1);  // a second one; then both come back in turn
    CHECK(first(story).text == "[MASK] hit the [MASK]");
    show(story, 4);
    CHECK(first(story).text == "[MASK] hit the bats");
    show(story, 1);
    CHECK(first(story).text == "He hit the bats");
    REQUIRE(story.play("hover \"A/token 0\"\nframes 2") == "");
    CHECK_FALSE(story.shows("A/hide 0"));  // [CLS] is not in the text
}

TEST_CASE("story: a ▢ typed to a BERT is its mask token") {
    const TemporaryFolder folder;
    Story story;
    story.send(command::OpenModel{bert_folder(folder).string()});
    type(story, "he ▢ the bat");
    CHECK(first(story).trace->tokens() == std::vector{2, 5, 4, 7, 8, 3});
    CHECK(story.state().token[0] == 2);
    CHECK(story.text("A/token 2") == "▢");
}

TEST_CASE("story: a word of our own model is masked at its chip, and unmasked") {
    Story story;
    const std::size_t at = story.state().token[0];
    hide(story, static_cast<int>(at));
    CHECK(first(story).text == "He swung the ▢ and hit a foul.");
    CHECK(story.state().token[0] == static_cast<int>(at));
    REQUIRE(story.play("key Ctrl+k\ntype \"unmask the word\"\nkey Enter\nframes 3") == "");
    story.settle();
    CHECK(first(story).text == first_sentence);
    REQUIRE(story.play("key Ctrl+k\ntype \"mask the chosen word\"\nkey Enter\nframes 3") == "");
    story.settle();
    CHECK(story.text("A/token " + std::to_string(at)) == "▢");
}

TEST_CASE("story: a causal model cannot mask words") {
    Story story({.world = "sample"});
    REQUIRE(story.play("hover \"A/token 1\"\nframes 2") == "");
    CHECK_FALSE(story.shows("A/hide 1"));
}

TEST_CASE("story: a chip that is opened holds the word as the text has it, not as the chip shows it") {
    const TemporaryFolder folder;
    Story story;
    story.send(command::OpenModel{bert_folder(folder).string()});
    type(story, "He hit the bats");
    const auto opened = [&](int token) {
        const std::string at = std::to_string(token);
        REQUIRE(story.play("double_click \"A/token " + at + "\"\nframes 3") == "");
        if (!story.shows("A/word")) return std::string();
        const std::string word = story.text("A/word");
        REQUIRE(story.play("key Enter\nframes 3") == "");
        story.settle();
        return word;
    };
    CHECK(opened(1) == "He");
    CHECK(opened(5) == "s");  // the chip shows "##s"
    CHECK(opened(0) == "");   // [CLS] is not in the text
    CHECK(first(story).text == "He hit the bats");
    type(story, "He hit the [MASK]");
    CHECK(opened(4) == "▢");
    CHECK(first(story).text == "He hit the [MASK]");
    // Also one of our own models' words, which a chip shortens.
    Story own;
    type(own, "the bat and a counterrevolutionarieswriting .");
    REQUIRE(own.play("double_click \"A/token 4\"\nframes 3") == "");
    CHECK(own.text("A/word") == "counterrevolutionarieswriting");
}
