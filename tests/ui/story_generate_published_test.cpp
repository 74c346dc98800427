// A published model generates: what its tokenizer prepends to each text is prepended once, and rows without a token are
// never sampled.
#include "app/views/generate/generation.h"
#include "core/platform/atomic_file.h"
#include "tests/core/model_folder.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

/// The golden Llama (13 rows) with eight words, and "<s>" prepended to each text.
std::filesystem::path llama_folder(const TemporaryFolder& in) {
    const std::filesystem::path folder = in / "llama",
                                from = GLASSFORMER_SOURCE_DIR "/tests/golden/hugging_face/llama2";
    std::filesystem::create_directory(folder);
    for (const char* file : {"config.json", "model.safetensors"}) std::filesystem::copy(from / file, folder / file);
    write_text(folder / "tokenizer.json", R"({
        "added_tokens": [{"id": 1, "content": "<s>", "special": true}],
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": {"type": "TemplateProcessing", "pair": [],
            "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
            "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}}},
        "model": {"type": "WordLevel", "unk_token": "<unk>",
            "vocab": {"<unk>": 0, "<s>": 1, "a": 2, "b": 3, "c": 4, "d": 5, "e": 6, "f": 7}}})");
    return folder;
}

}  // namespace

TEST_CASE("story: a published model generates one token at a time, only tokens in its vocabulary") {
    const TemporaryFolder folder;
    Story story;
    story.send(command::OpenModel{llama_folder(folder).string()});
    REQUIRE(story.play("click A/type\nkey Ctrl+a\ntype \"a b c\"\nkey Enter\nframes 3") == "");
    story.settle();
    story.state().temperature = 2.0f;
    REQUIRE(story.play("key Ctrl+k\nframes 2\ntype \"Generate\"\nframes 2\nkey Enter\nframes 3") == "");
    // Only 8 of the matrix's 13 rows are tokens: only they are listed, and their probabilities sum to 1.
    for (const int top_k : {0, 3}) {
        CAPTURE(top_k);
        const auto words = views::generate::next_words(*story.snapshot().sentences[0].trace, 2.0f, top_k, 13, 8);
        CHECK(words.size() == 8);
        float sum = 0.0f;
        for (const auto& word : words) {
            CHECK(word.id < 8);
            sum += word.chance;
        }
        CHECK(sum == doctest::Approx(1.0f));
    }
    for (std::size_t tokens = 4; tokens < 11; ++tokens) {
        const WatchedSentence& sentence = story.snapshot().sentences[0];
        REQUIRE(sentence.error == "");
        REQUIRE(sentence.tokens.size() == tokens);
        CHECK(sentence.tokens[0].id == 1);
        for (const WordTokenizer::Token& token : sentence.tokens) CHECK(token.id < 8);
        REQUIRE(story.play("click A/generate/next\nframes 3") == "");
        story.settle();
    }
}

TEST_CASE("story: typing a special token that the tokenizer adds anyway shows a warning") {
    const TemporaryFolder folder;
    Story story;
    story.send(command::OpenModel{llama_folder(folder).string()});
    const auto type = [&](const char* text) {
        REQUIRE(story.play(std::string("click A/type\nkey Ctrl+a\ntype \"") + text + "\"\nkey Enter\nframes 3") == "");
        story.settle();
    };
    type("a b");
    CHECK_FALSE(story.shows("A/doubled 0"));
    type("<s> a b");
    CHECK(story.snapshot().sentences[0].tokens.size() == 4);
    CHECK(story.text("A/doubled 0").starts_with("The tokenizer adds <s> itself"));
    type("a b");
    CHECK_FALSE(story.shows("A/doubled 0"));
}

TEST_CASE("story: what the tokenizer puts before a text neither enters the text nor counts as left behind") {
    const TemporaryFolder folder;
    Story story;
    story.send(command::OpenModel{llama_folder(folder).string()});
    const std::string text = "a b c d e f a b c d e f a b c";  // with "<s>", as many tokens as the model reads
    story.send(command::Watch{0, text});
    REQUIRE(story.play("click view/Generate\nframes 2") == "");
    const auto click = [&](const std::string& item) {
        REQUIRE(story.play("click \"" + item + "\"\nframes 4") == "");
        story.settle(2);
        CHECK(story.snapshot().sentences[0].tokens.size() == 16);
        CHECK(story.snapshot().sentences[0].tokens[0].id == 1);
    };
    std::string whole = text;
    for (int added = 1; added <= 3; ++added) {
        int row = 0;
        while (row < 8 && story.text("A/generate/word " + std::to_string(row)) != "d") ++row;
        click("A/generate/word " + std::to_string(row));
        whole += " d";
        CHECK(story.text("A/generate/text") == whole);
        CHECK(story.value("A/generate/left") == added);
    }
    for (int left = 2; left >= 0; --left) {
        click("A/generate/back");
        whole.resize(whole.size() - 2);
        CHECK(story.text("A/generate/text") == whole);
        CHECK(story.shows("A/generate/left") == (left > 0));
    }
    CHECK(story.snapshot().sentences[0].text == text);
}

TEST_CASE("story: a text stays as it was typed though the tokenizer writes it small and does not know a word") {
    const TemporaryFolder folder;
    const std::filesystem::path model = llama_folder(folder);
    std::string tokenizer = read_file(model / "tokenizer.json", 10000);
    tokenizer.replace(tokenizer.find('{'), 1, R"({"normalizer": {"type": "Lowercase"},)");
    write_text(model / "tokenizer.json", tokenizer);
    Story story;
    story.send(command::OpenModel{model.string()});
    story.send(command::Watch{0, "A Zoo  B C"});
    REQUIRE(story.play("click view/Generate\nframes 2") == "");
    REQUIRE(story.snapshot().sentences[0].tokens.size() == 5);
    CHECK(story.text("A/generate/text") == "A Zoo  B C");
    const auto click = [&](const std::string& item) {
        REQUIRE(story.play("click \"" + item + "\"\nframes 4") == "");
        story.settle();
        story.frames(2);
        return story.snapshot().sentences[0].text;
    };
    int row = 0;
    while (row < 8 && story.text("A/generate/word " + std::to_string(row)) != "d") ++row;
    CHECK(click("A/generate/word " + std::to_string(row)) == "A Zoo  B C d");
    CHECK(click("A/generate/back") == "A Zoo  B C");
    CHECK(click("A/generate/back") == "A Zoo  B");
    CHECK(click("A/generate/back") == "A Zoo");
    CHECK(click("A/generate/back") == "A");
}

TEST_CASE("story: the only word of a text cannot be taken back, whatever the tokenizer puts before it") {
    const TemporaryFolder folder;
    Story story;
    story.send(command::OpenModel{llama_folder(folder).string()});
    story.send(command::Watch{0, "a b"});
    REQUIRE(story.play("click view/Generate\nframes 2\nclick A/generate/back\nframes 4") == "");
    story.settle();
    REQUIRE(story.play("click A/generate/back\nframes 4") == "");
    story.settle();
    CHECK(story.snapshot().sentences[0].text == "a");
    CHECK(story.snapshot().sentences[0].error == "");
}

TEST_CASE("story: a token that is part of a character is read as it was sampled, and can be taken back") {
    const TemporaryFolder folder;
    const std::filesystem::path model = llama_folder(folder);
    write_text(model / "tokenizer.json", R"({
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "use_regex": true},
        "decoder": {"type": "ByteLevel"},
        "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "Ġ": 2, "ä": 3, "½": 4, "ł": 5}, "merges": []}})");
    Story story;
    story.send(command::OpenModel{model.string()});
    story.send(command::Watch{0, "a b"});
    REQUIRE(story.play("click view/Generate\nframes 2") == "");
    const auto check = [&](const std::string& text, const std::vector<int>& ids) {
        story.settle(2);
        CHECK(story.text("A/generate/text") == text);
        std::vector<int> read;
        for (const WordTokenizer::Token& token : story.snapshot().sentences[0].tokens) read.push_back(token.id);
        CHECK(read == ids);
    };
    const auto add = [&](const std::string& token) {
        int row = 0;
        while (row < 6 && story.text("A/generate/word " + std::to_string(row)) != token) ++row;
        REQUIRE(story.play("click \"A/generate/word " + std::to_string(row) + "\"\nframes 4") == "");
    };
    add("⟨E4⟩");
    check("a b⟨E4⟩", {0, 2, 1, 3});
    add("⟨BD⟩");
    check("a b⟨E4⟩⟨BD⟩", {0, 2, 1, 3, 4});
    add("⟨A0⟩");
    check("a b你", {0, 2, 1, 3, 4, 5});
    REQUIRE(story.play("click A/generate/back\nframes 4") == "");
    check("a b⟨E4⟩⟨BD⟩", {0, 2, 1, 3, 4});
}
