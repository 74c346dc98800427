#include <doctest/doctest.h>

#include "app/ui/input.h"
#include "app/views/generate/generation.h"
#include "app/views/registry.h"
#include "core/generate/generator.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;
using namespace glassformer::app::views::generate;

namespace {

/// The next word, sampled by core alone with the same seed.
int drawn_by_core(const Checkpoint& model, const std::vector<int>& tokens, float temperature, int top_k,
                  std::uint64_t seed) {
    CpuBackend backend(1);
    Generator generator(backend, model.config, model.parameters);
    const std::span<const float> logits = generator.read(tokens);
    Rng rng(seed, tokens.size());
    return sample(logits, temperature, top_k, rng);
}

std::vector<int> ids(const WatchedSentence& sentence) {
    std::vector<int> all;
    for (const WordTokenizer::Token& token : sentence.tokens) all.push_back(token.id);
    return all;
}

/// A text of that many tokens.
std::string text_of_length(const Tokenizer& letters, std::size_t length) {
    std::string text = "the cat";
    while (letters.ids(text).size() < length) text += "the cat";
    std::vector<int> all = letters.ids(text);
    all.resize(length);
    return letters.decode(all);
}

const std::filesystem::path text_model = std::filesystem::path(GLASSFORMER_SOURCE_DIR) / "assets/models/sample";

}  // namespace

TEST_CASE("story: generated tokens are the ones that core samples with the same seed") {
    Story story({.model = "sample"});
    const Checkpoint model = load_checkpoint(text_model);
    REQUIRE(story.play("click view/Generate\nframes 2\nexpect_item A/generate/next") == "");
    std::vector<int> tokens = ids(story.snapshot().sentences[0]);
    REQUIRE(static_cast<int>(tokens.size()) + 2 < model.config.n_ctx);
    for (int i = 0; i < 2; ++i) {
        tokens.push_back(drawn_by_core(model, tokens, 1.0f, 10, 1));
        REQUIRE(story.play("click A/generate/next\nframes 4") == "");
        story.settle();
        CHECK(ids(story.snapshot().sentences[0]) == tokens);
    }
    tokens.pop_back();
    REQUIRE(story.play("click A/generate/back\nframes 4") == "");
    story.settle();
    CHECK(ids(story.snapshot().sentences[0]) == tokens);
}

TEST_CASE("story: the candidates have the model's probabilities, and a click appends one") {
    Story story({.model = "sample"});
    REQUIRE(story.play("click view/Generate\nframes 2") == "");
    const std::shared_ptr<const Trace> trace = story.snapshot().sentences[0].trace;
    const std::vector<NextWord> words = next_words(*trace, 1.0f, 10, 12);
    REQUIRE(words.size() == 12);
    const std::span<const float> all = trace->values(trace->model().probabilities);
    const std::size_t width = static_cast<std::size_t>(trace->model().config.d_vocab),
                      last = static_cast<std::size_t>(trace->positions() - 1) * width;
    double chances = 0.0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        CHECK(story.value("A/generate/word " + std::to_string(i)) ==
              static_cast<double>(all[last + static_cast<std::size_t>(words[i].id)]));
        chances += static_cast<double>(words[i].chance);
        CHECK((words[i].chance > 0.0f) == (i < 10));
    }
    CHECK(chances == doctest::Approx(1.0).epsilon(1e-6));
    const std::vector<int> before = ids(story.snapshot().sentences[0]);
    REQUIRE(story.play("click \"A/generate/word 3\"\nframes 4") == "");
    story.settle();
    std::vector<int> expected = before;
    expected.push_back(words[3].id);
    CHECK(ids(story.snapshot().sentences[0]) == expected);
}

TEST_CASE("story: Continue generates until it is stopped, past the context window; temperature 0 takes the likeliest") {
    Story story({.model = "sample"});
    REQUIRE(story.play("click view/Generate\nframes 2") == "");
    const std::shared_ptr<const Trace> trace = story.snapshot().sentences[0].trace;
    GenerationChoice choice;
    CHECK(draw_next(*trace, 0.0f, choice) == next_words(*trace, 1.0f, 1, 1)[0].id);
    const std::size_t before = story.snapshot().sentences[0].tokens.size();
    REQUIRE(story.play("click \"A/generate/go on\"\nframes 160\nclick \"A/generate/go on\"\nframes 4") == "");
    const std::size_t after = story.snapshot().sentences[0].tokens.size();
    CHECK(after > before + 1);
    REQUIRE(story.play("frames 80") == "");
    CHECK(story.snapshot().sentences[0].tokens.size() == after);
    // A full context window does not stop it.
    const ModelInfo& model = *story.snapshot().model;
    const std::size_t room = model.config.n_ctx;
    story.send(command::Watch{0, text_of_length(*model.tokenizer, room)});
    REQUIRE(story.snapshot().sentences[0].tokens.size() == room);
    REQUIRE(story.play("frames 2\nexpect_no_item A/generate/left\nclick \"A/generate/go on\"") == "");
    CHECK(story.until([&] { return story.value("A/generate/left") >= 2; }));
    CHECK(story.snapshot().sentences[0].tokens.size() == room);
    REQUIRE(story.play("click \"A/generate/go on\"\nframes 4") == "");
    CHECK(story.state().own<GenerationChoice>().slot == -1);
}

TEST_CASE("story: a masked model offers no text generation") {
    Story story;
    CHECK(story.play("expect_no_item view/Generate") == "");
}

TEST_CASE("story: a decoder trained on masked words offers no text generation") {
    const TemporaryFolder folder;
    Checkpoint model = load_checkpoint(GLASSFORMER_SOURCE_DIR "/assets/models/homonyms");
    model.config.family = Family::decoder;
    save_checkpoint(folder.path() / "model", model);
    Story story;
    story.send(command::OpenModel{(folder.path() / "model").string()});
    REQUIRE(story.snapshot().error == "");
    REQUIRE(story.snapshot().model->config.causal());
    CHECK(story.play("expect_no_item view/Generate") == "");
}

TEST_CASE("story: a text can grow past the context window: its first tokens leave the window, not the text") {
    Story story({.model = "sample"});
    const Checkpoint model = load_checkpoint(text_model);
    const Tokenizer& letters = *story.snapshot().model->tokenizer;
    const std::size_t room = model.config.n_ctx;
    const std::string text = text_of_length(letters, room);
    std::vector<int> all = letters.ids(text);
    story.send(command::Watch{0, text});
    REQUIRE(story.play("click view/Generate\nframes 2\nexpect_no_item A/generate/left") == "");
    CHECK(story.text("A/generate/text") == text);
    for (int i = 0; i < 3; ++i) {
        const std::vector<int> read(all.end() - static_cast<std::ptrdiff_t>(room), all.end());
        CpuBackend backend(1);
        Generator generator(backend, model.config, model.parameters);
        Rng rng(1, all.size());
        all.push_back(sample(generator.read(read), 1.0f, 10, rng));
        REQUIRE(story.play("click A/generate/next\nframes 4") == "");
        story.settle(2);
        CHECK(story.snapshot().sentences[0].error == "");
        CHECK(ids(story.snapshot().sentences[0]) ==
              std::vector<int>(all.end() - static_cast<std::ptrdiff_t>(room), all.end()));
        CHECK(story.text("A/generate/text") == letters.decode(all));
        CHECK(story.value("A/generate/left") == i + 1);
    }
    for (int i = 0; i < 4; ++i) {  // tokens that left the context window return
        all.pop_back();
        REQUIRE(story.play("click A/generate/back\nframes 4") == "");
        story.settle(2);
        CHECK(story.text("A/generate/text") == letters.decode(all));
    }
    CHECK_FALSE(story.shows("A/generate/left"));
    CHECK(ids(story.snapshot().sentences[0]) == all);
    // Another text has no history.
    REQUIRE(story.play("click A/generate/next\nframes 4\nclick A/generate/next\nframes 4") == "");
    story.settle();
    story.send(command::Watch{0, "the"});
    story.frames(3);
    CHECK(story.text("A/generate/text") == "the");
}

TEST_CASE("story: the generated text can be selected and copied, with its newlines") {
    Story story({.model = "sample"});
    story.send(command::Watch{0, "one line\nand another"});
    REQUIRE(story.snapshot().sentences[0].error == "");
    REQUIRE(story.play("click view/Generate\nframes 3") == "");
    CHECK(story.text("A/generate/text") == "one line\nand another");
    const Item one = *story.find("A/generate/text");
    CHECK(one.max.y - one.min.y >= 2 * story.host.ui().line(FontRole::body));  // two lines
    CHECK(story.play("click A/generate/copy\nframes 2") == "");
    CHECK(std::string(ImGui::GetClipboardText()) == "one line\nand another");
    // From the centre of the item, between its two lines, to its end; then Ctrl+C.
    const auto drag = [&](ImVec2 from, ImVec2 to) {
        story.frames_at(from, 1);
        story.frame([&] { script_mouse(from, true, false); });
        story.frame([&] { script_mouse(to, true, false); });
        story.frames_at(to, 1);
    };
    const float row = (one.max.y - one.min.y) / 2;
    drag({one.min.x + 1, one.min.y + 1.5f * row}, {one.max.x - 1, one.min.y + 1.5f * row});
    CHECK(story.play("key Ctrl+c\nframes 2") == "");
    CHECK(std::string(ImGui::GetClipboardText()) == "and another");
    drag({one.min.x + 1, one.min.y + 0.5f * row}, {one.max.x - 1, one.min.y + 0.5f * row});
    CHECK(story.play("click A/generate/copy\nframes 2") == "");
    CHECK(std::string(ImGui::GetClipboardText()) == "one line");
}

TEST_CASE("story: top p cuts the list of candidates, and the number left is shown") {
    Story story({.model = "next_word"});
    story.state().view = view_index("Generate");
    story.frames(2);
    REQUIRE(story.play("click \"A/generate/top k/all\"\nframes 2") == "");
    const double all = story.value("A/generate/remaining");
    CHECK(all == story.snapshot().model->tokenizer->size());
    REQUIRE(story.play("drag \"A/generate/top p\" -60 0\nframes 2") == "");
    const auto& choice = story.state().own<GenerationChoice>();
    REQUIRE(choice.cut.top_p < 1.0f);
    // Computed by hand from the last row of the trace.
    const Trace& trace = story.shown_trace(0);
    const std::span<const float> rows = trace.values(trace.model().probabilities);
    const std::size_t width = trace.shape(trace.model().probabilities).back();
    std::vector<float> shares(rows.end() - static_cast<std::ptrdiff_t>(width), rows.end());
    std::ranges::sort(shares, std::ranges::greater{});
    double sum = 0;
    std::size_t needed = 0;
    while (needed == 0 || sum < static_cast<double>(choice.cut.top_p)) sum += static_cast<double>(shares[needed++]);
    CHECK(story.value("A/generate/remaining") == static_cast<double>(needed));
}

TEST_CASE(
    "story: generating keeps unknown words and letters as they were typed, and removing the last token restores") {
    for (const auto& [model, typed] :
         {std::pair{"next_word", "the purple cat saw the dog"}, {"sample", "the Queen of Zoo"}}) {
        CAPTURE(model);
        Story story({.model = model});
        story.send(command::Watch{0, typed});
        const std::size_t before = story.snapshot().sentences[0].tokens.size();
        REQUIRE(story.play("click view/Generate\nframes 2") == "");
        CHECK(!contains(story.text("A/generate/text"), "<unk>"));
        for (std::size_t more = 1; more <= 2; ++more) {
            REQUIRE(story.play("click A/generate/next\nframes 4") == "");
            story.settle();
            CHECK(story.snapshot().sentences[0].text.starts_with(typed));
            CHECK(story.snapshot().sentences[0].tokens.size() == before + more);
        }
        REQUIRE(story.play("click A/generate/back\nframes 4\nclick A/generate/back\nframes 4") == "");
        story.settle();
        CHECK(story.snapshot().sentences[0].text == typed);
    }
}

TEST_CASE("story: a text that continues by itself stops once another one takes its place") {
    Story story({.model = "next_word"});
    constexpr const char *first = "the keys near", *other = "the books beside the lamp";
    story.send(command::Watch{0, first});
    REQUIRE(story.play("click view/Generate\nframes 2\nclick \"A/generate/go on\"") == "");
    REQUIRE(story.until([&] { return story.snapshot().sentences[0].text != first; }));
    story.send(command::Watch{0, other});
    REQUIRE(story.play("frames 80") == "");
    story.settle();
    CHECK(story.snapshot().sentences[0].text == other);
    CHECK(story.state().own<GenerationChoice>().slot == -1);
}
