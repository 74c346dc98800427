// The stages of a published tokenizer, on the third page of the Embedding view.
#include "core/text/tokenizer.h"
#include "tests/ui/published_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

TEST_CASE("story: the tokenizer of a BERT is shown from text to tokens, with the lookups") {
    const TemporaryFolder folder;
    Story story;
    REQUIRE(story.play("key a\nclick view/Embedding\nframes 2") == "");
    CHECK_FALSE(story.shows("A/embedding page/tokenizer"));  // a tokenizer of whole words has no stages
    story.send(command::OpenModel{bert_folder(folder).string()});
    REQUIRE(story.play("click view/Embedding\nframes 2\nclick \"A/embedding page/tokenizer\"\nframes 2\n"
                       "click \"A/tokenizer text\"\nkey Ctrl+a\ntype \"HIT the bats\"\nframes 2") == "");
    CHECK(story.text("A/tokenizer normalized") == "hit the bats");
    CHECK(story.text("A/tokenizer piece 2") == "bats");
    const std::vector<int> ids = load_tokenizer(folder / "bert")->ids("HIT the bats");
    REQUIRE(ids.size() == 6);
    for (std::size_t i = 0; i < ids.size(); ++i) CHECK(story.value("A/tokenizer token " + std::to_string(i)) == ids[i]);
    CHECK_FALSE(story.shows("A/tokenizer token 6"));
    REQUIRE(story.play("click \"A/tokenizer piece 2\"\nframes 2") == "");
    CHECK(story.text("A/tokenizer tried 0") == "bats");  // there is no such token
    CHECK(story.value("A/tokenizer tried 0") == -1);
    CHECK(story.text("A/tokenizer tried 1") == "bat");
    CHECK(story.value("A/tokenizer tried 1") == ids[3]);
    CHECK(story.text("A/tokenizer tried 2") == "##s");
    CHECK(story.value("A/tokenizer tried 2") == ids[4]);
    CHECK_FALSE(story.shows("A/tokenizer tried 3"));
}

TEST_CASE("story: A and B have their own text and piece on the pages of the tokenizer and of byte pairs") {
    const TemporaryFolder folder;
    Story story;
    story.state().compare = true;
    REQUIRE(story.play("frames 2\nclick view/Embedding\nframes 2\nclick \"A/embedding page/byte pairs\"\nframes 2\n"
                       "click \"A/merge next\"\nframes 3\nclick \"A/merge next\"\nframes 3") == "");
    CHECK(story.value("A/merges") == 2);
    CHECK(story.value("B/merges") == 0);
    story.send(command::OpenModel{bert_folder(folder).string()});
    REQUIRE(story.play("click view/Embedding\nframes 2\nclick \"A/embedding page/tokenizer\"\nframes 2\n"
                       "click \"A/tokenizer text\"\nkey Ctrl+a\ntype \"hit the bats\"\nframes 2\n"
                       "click \"B/tokenizer text\"\nkey Ctrl+a\ntype \"a foul\"\nframes 2\n"
                       "click \"A/tokenizer piece 2\"\nframes 3") == "");
    CHECK(story.text("A/tokenizer piece 0") == "hit");
    CHECK(story.text("A/tokenizer tried 0") == "bats");
    CHECK(story.text("B/tokenizer piece 0") == "a");
    CHECK(story.text("B/tokenizer tried 0") == "a");
}
