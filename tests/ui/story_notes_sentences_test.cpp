#include <algorithm>

#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

/// Quotes the text for a script.
std::string in_quotes(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? "\\\"" : std::string(1, c);
    return quoted + "\"";
}

/// Types the text as a user does, and checks that the model knows each word.
void type(Story& story, const std::string& text) {
    REQUIRE(story.play("click A/type\nkey Ctrl+a\ntype " + in_quotes(text) + "\nkey Enter\nframes 3") == "");
    story.settle();
    const WatchedSentence& sentence = story.snapshot().sentences[0];
    CHECK(sentence.text == text);
    CHECK(sentence.error == "");
    for (const auto* words : {&sentence.tokens, &sentence.source})
        for (const WordTokenizer::Token& token : *words) {
            CAPTURE(token.text);
            CHECK(token.id != WordTokenizer::unknown);
        }
}

/// The panel's first three predictions at a word of A.
std::vector<std::string> said_at(Story& story, const std::string& word) {
    const auto& tokens = story.snapshot().sentences[0].tokens;
    const auto at = std::ranges::find(tokens, word, &WordTokenizer::Token::text);
    REQUIRE(at != tokens.end());
    REQUIRE(story.play("click \"A/token " + std::to_string(at - tokens.begin()) + "\"\nframes 3") == "");
    if (story.shows("side")) REQUIRE(story.play("click side/Words\nframes 2") == "");
    return {story.text("A/guess 0"), story.text("A/guess 1"), story.text("A/guess 2")};
}

}  // namespace

TEST_CASE("story: the model predicts bat in both of the lecture notes' sentences about it") {
    Story story;
    for (const char* text : {"He swung the bat and hit a foul.", "A bat flew out of the cave at dusk."}) {
        type(story, text);
        CHECK(said_at(story, "bat")[0] == "bat");
    }
}

TEST_CASE("story: the lecture notes' sentences about food are classified as blame and praise") {
    Story story({.model = "order"});
    type(story, "The food was bad, not good at all.");
    CHECK(said_at(story, "bad")[0] == "blame");
    type(story, "The food was good, not bad at all.");
    CHECK(said_at(story, "bad")[0] == "praise");
}

TEST_CASE("story: the pronouns in the lecture notes' sentences are resolved") {
    Story story({.model = "coreference"});
    type(story, "The chicken didn't cross the road because it was too tired.");
    CHECK(said_at(story, "it")[0] == "chicken");
    type(story, "The chicken didn't cross the road because it was too wide.");
    CHECK(said_at(story, "it")[0] == "road");
    type(story, "\"I voted for Nader because he was most aligned with my values,\" she said.");
    CHECK(said_at(story, "he")[0] == "nader");
    CHECK(said_at(story, "my")[0] == "she");
}

TEST_CASE("story: the lecture notes' beginnings of sentences have the expected next words") {
    Story story({.model = "next_word"});
    type(story, "Thanks for all the");
    CHECK(said_at(story, "the") == std::vector<std::string>{"fish", "flowers", "help"});
    type(story, "The chicken did not cross the road because it was too");
    std::vector<std::string> next = said_at(story, "too");
    next.resize(2);
    std::ranges::sort(next);
    CHECK(next == std::vector<std::string>{"tired", "wide"});
}

TEST_CASE("story: the lecture notes' sentence about Xiamen is translated") {
    Story story({.model = "translation"});
    type(story, "I have arrived at Beijing from Xiamen.");
    std::string french;
    for (const WordTokenizer::Token& token : story.snapshot().sentences[0].tokens)
        french += (french.empty() ? "" : " ") + token.text;
    CHECK(french == "<bos> je suis arrivé à pékin de xiamen .");
}
