#include "core/platform/atomic_file.h"
#include "core/text/byte_pair_tokenizer.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

TEST_CASE("story: byte pairs are merged one by one, and the typed text becomes fewer tokens") {
    Story story;
    REQUIRE(story.play("key a\nclick view/Embedding\nframes 2\nclick \"A/embedding page/byte pairs\"\nframes 2") == "");
    BytePairTraining training(read_file(GLASSFORMER_SOURCE_DIR "/assets/worlds/sample.txt", 1u << 20));
    const std::string text = "Aragorn told Frodo to mind Lothlorien";
    CHECK(story.value("A/pieces") == static_cast<double>(text.size()));
    double pieces = story.value("A/pieces");
    for (int merge = 0; merge < 5; ++merge) {
        const auto step = training.step();
        REQUIRE(step);
        CHECK(story.value("A/pair 0") == static_cast<double>(step->merge.count));
        CHECK(story.value("A/pair 1") == static_cast<double>(step->most_frequent[1].count));
        REQUIRE(story.play("click \"A/merge next\"\nframes 2") == "");
        const BytePairTokenizer tokenizer(training.merges());
        CHECK(story.value("A/pieces") == static_cast<double>(tokenizer.ids(text).size()));
        CHECK(story.value("A/pieces") <= pieces);
        pieces = story.value("A/pieces");
    }
    REQUIRE(story.play("click \"A/merge back\"\nframes 2") == "");
    CHECK(story.value("A/merges") == 4);
    REQUIRE(story.play("click \"A/byte pair text\"\nkey Ctrl+a\ntype the\nkey Enter\nframes 2") == "");
    CHECK(story.value("A/pieces") < 4);
    // An empty field is not an error.
    REQUIRE(story.play("click \"A/byte pair text\"\nkey Ctrl+a\nkey Delete\nframes 2") == "");
    CHECK(story.value("A/pieces") == 0);
}
