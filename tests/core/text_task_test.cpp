#include "core/tasks/text_task.h"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>

#include "core/base/error.h"
#include "core/tasks/tasks.h"
#include "core/worlds/user_text.h"
#include "tests/core/error_of.h"
#include "tests/core/temporary_folder.h"
#include "tests/core/training_smoke.h"

using namespace glassformer;

namespace {

const std::filesystem::path worlds = GLASSFORMER_SOURCE_DIR "/assets/worlds";

std::string repeated(const std::string& part, std::size_t bytes) {
    std::string text;
    while (text.size() < bytes) text += part;
    return text;
}

/// Returns the message of the Error from parsing the text; empty if it throws none.
std::string error_of(const std::string& text) {
    return glassformer::error_of([&] { UserText::parse(text, "notes.txt"); });
}

std::vector<int> numbers(int count) {
    std::vector<int> tokens;
    for (int i = 0; i < count; ++i) tokens.push_back(i);
    return tokens;
}

}  // namespace

TEST_CASE("a text is split between words into nine tenths for training and one tenth held out") {
    const std::string text = repeated("some words of a text ", 10000);
    const UserText parts = UserText::parse(text, "notes.txt");
    CHECK(parts.training + parts.held_out == text);
    CHECK(parts.training.back() == ' ');
    CHECK(parts.held_out.size() >= 1000);
    CHECK(parts.held_out.size() < 1010);
}

TEST_CASE("a text without spaces is split between characters") {
    const std::string text = "a" + repeated("é", 5000);
    const UserText parts = UserText::parse(text, "notes.txt");
    CHECK(parts.training + parts.held_out == text);
    CHECK(parts.held_out.starts_with("é"));
}

TEST_CASE("a text that cannot be used is refused, and the error names the file") {
    CHECK(error_of("short").starts_with("notes.txt: has 5 bytes of text; at least 2000"));
    CHECK(error_of(repeated("line\n", 3000) + "\xFF").starts_with("notes.txt:601: is not UTF-8"));
    CHECK(error_of(repeated("line\n", 3000)).empty());
    const TemporaryFolder folder;
    CHECK_THROWS_AS(UserText::load(folder / "missing.txt"), Error);
    std::ofstream(folder / "large.txt") << std::string(UserText::max_bytes + 1, 'a');
    CHECK_THROWS_AS(UserText::load(folder / "large.txt"), Error);
}

TEST_CASE("windows of a text depend only on seed and step, and their targets are the next tokens") {
    const TextBatches batches(numbers(300), 16);
    Batch a, b;
    batches.draw(1, 5, 32, a);
    batches.draw(1, 6, 32, b);
    CHECK(a.tokens != b.tokens);
    batches.draw(1, 5, 32, b);
    CHECK(a.tokens == b.tokens);
    for (std::size_t cell = 0; cell < a.tokens.size(); ++cell) {
        CHECK(a.targets[cell] == a.tokens[cell] + 1.0f);
        if (cell % 16 != 0) CHECK(a.tokens[cell] == a.tokens[cell - 1] + 1.0f);
    }
}

TEST_CASE("every position of a text is drawn, up to its last window") {
    const TextBatches batches(numbers(20), 16);
    std::vector<int> starts(4);
    Batch batch;
    batches.draw(1, 1, 400, batch);
    for (std::size_t row = 0; row < 400; ++row) ++starts[static_cast<std::size_t>(batch.tokens[row * 16])];
    for (const int count : starts) CHECK(count > 50);
}

TEST_CASE("windows spread over a text share no target and reach its end") {
    for (const int tokens : {17, 33, 100, 500}) {
        const TextBatches batches(numbers(tokens), 16);
        const Batch batch = batches.spread(8);
        const std::size_t windows = batches.windows(8);
        CHECK(windows == static_cast<std::size_t>(std::min(8, (tokens - 1) / 16)));
        REQUIRE(batch.targets.size() == windows * 16);
        for (std::size_t row = 1; row < windows; ++row) CHECK(batch.targets[row * 16] > batch.targets[row * 16 - 1]);
        CHECK(batch.targets.front() == 1.0f);
        if (windows > 1) CHECK(batch.targets.back() == static_cast<float>(tokens - 1));
    }
    CHECK_THROWS_AS(TextBatches(numbers(16), 16), Error);
}

TEST_CASE("the unigram loss adds one to each count") {
    const std::vector<int> training = {0, 0, 0, 1}, test = {0, 1, 2};
    // With one added to each count, of 4 + 3 in all: token 0 has 4, token 1 has 2, token 2 has 1.
    CHECK(unigram_loss(training, test, 3) ==
          doctest::Approx(-(std::log(4.0 / 7) + std::log(2.0 / 7) + std::log(1.0 / 7)) / 3));
}

TEST_CASE("words that occur once are unknown, and every unit decodes what it encodes") {
    const std::string text = repeated("The cat saw the dog. ", 300) + "Zebra";
    const auto words = tokenizer_from_text("words", text);
    CHECK(words->decode(words->ids("the cat saw zebra")) == "the cat saw <unk>");
    CHECK(words->size() == 3 + 5);  // the cat saw dog .
    for (const std::string unit : {"characters", "byte_pairs"}) {
        const auto tokenizer = tokenizer_from_text(unit, text);
        CHECK(tokenizer->kind() == unit);
        CHECK(tokenizer->decode(tokenizer->ids("The cat.")) == "The cat.");
    }
    CHECK_THROWS_AS(tokenizer_from_text("syllables", text), Error);
}

TEST_CASE("the samples of a text can be typed again: they have no unknown words and fit the context") {
    const TemporaryFolder folder;
    std::ofstream out(folder / "names.txt");
    for (int i = 0; i < 900; ++i)
        out << "the cat saw the dog and " << (i % 5 ? "the bird" : "name" + std::to_string(i)) << ".\n";
    out.close();
    for (const std::string unit : {"words", "characters", "byte_pairs"}) {
        CAPTURE(unit);
        const auto task = make_task((folder / "names.txt").string(), worlds, {unit});
        REQUIRE(task->samples.size() >= 2);
        for (const Sample& sample : task->samples) {
            CAPTURE(sample.text);
            const std::vector<int> ids = task->tokenizer->ids(sample.text);
            CHECK(!contains(sample.text, "<unk>"));
            CHECK(ids.size() >= 4);
            CHECK(std::ssize(ids) <= task->config.n_ctx);
            CHECK(task->tokenizer->decode(ids) == sample.text);
        }
    }
}

TEST_CASE("in a text without spaces each character is a word, unless someone has separated its words with spaces") {
    const std::string bare = repeated("蝙蝠飞出山洞。he hit the ball。", 40),
                      spaced = repeated("蝙蝠 飞 出 山洞 。 ", 40);
    const auto characters = tokenizer_from_text("words", bare), words = tokenizer_from_text("words", spaced);
    CHECK(characters->size() == 3 + 6 + 1 + 4);
    CHECK(characters->ids("蝙蝠飞出 ball").size() == 5);
    CHECK(words->size() == 3 + 5);
    CHECK(words->ids("蝙蝠飞出山洞。").size() == 5);
    CHECK(words->decode(words->ids("蝙蝠 飞 出 山洞 。")) == "蝙蝠飞出山洞。");
}

TEST_CASE("characters are called letters if the text's script has letters") {
    const TemporaryFolder folder;
    const auto noun = [&](const std::string& text) {
        std::ofstream(folder / "text.txt") << repeated(text, 6000);
        return make_task((folder / "text.txt").string(), worlds, {"characters"})->token_noun;
    };
    CHECK(noun("The cat saw the dog. ") == "letter");
    CHECK(noun("הכלב רץ בגן. ") == "letter");
    CHECK(noun("蝙蝠飞出山洞。") == "character");
    CHECK(noun("ねこがすきです。") == "character");
}

TEST_CASE("a model whose logits are 0 has the logarithm of the vocabulary size as its loss") {
    for (const std::string unit : {"characters", "words", "byte_pairs"}) {
        const auto task = make_task("sample", worlds, {unit});
        const Measurement zeros = measure_zeros(*task);
        CHECK(zeros.value == doctest::Approx(std::log(task->config.d_vocab)).epsilon(1e-4));
        CHECK(detail(zeros, "perplexity") == doctest::Approx(task->config.d_vocab).epsilon(1e-3));
        CHECK(detail(zeros, "loss on the training text") == doctest::Approx(zeros.value).epsilon(1e-4));
        CHECK(task->metric_level == doctest::Approx(0.9 * detail(zeros, "unigram loss")));
        CHECK(task->metric_level < zeros.value);
    }
}

TEST_CASE("bits per character follow from nats per token") {
    const Measurement zeros = measure_zeros(*make_task("sample", worlds, {"characters"}));
    CHECK(detail(zeros, "bits per character") == doctest::Approx(zeros.value / std::log(2.0)));
}

TEST_CASE("80 steps on a text lower the held-out loss below its level") {
    const auto task = make_task("sample", worlds, {"characters"});
    const SmokeRun run = train_briefly(*task, 80);
    CHECK(run.last_loss < 0.7f * run.first_loss);
    CHECK(run.after.value < task->metric_level);
}

TEST_CASE("the error for a text with too few tokens names the file") {
    const TemporaryFolder folder;
    std::ofstream(folder / "long-words.txt") << repeated(std::string(99, 'x') + " ", 2500);
    const std::string message =
        glassformer::error_of([&] { make_task((folder / "long-words.txt").string(), worlds, {"words"}); });
    CHECK(contains(message, "long-words.txt: is too short for words"));
    CHECK(contains(message, " must have at least 33 tokens"));
}
