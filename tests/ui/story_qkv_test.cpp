#include "app/session/startup.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

const StoryOptions tall{{1600, 1800}, 1, true};
constexpr std::array<char, 3> letters{'q', 'k', 'v'};

void check_matrices(Story& story, int slot, const Trace& trace) {
    Differences differences;
    for (const char letter : letters)
        for (int word = 0; word < trace.positions(); ++word) {
            const std::span<const float> vector = head_vector(
                trace, block(story.state().layer, std::string("attn.hook_") + letter), word, story.state().head);
            for (std::size_t i = 0; i < vector.size(); ++i)
                differences.expect(story,
                                   std::string(slot_letter(slot)) + "/" + letter + " matrix " + std::to_string(word) +
                                       " " + std::to_string(i),
                                   static_cast<double>(vector[i]));
        }
    CHECK(differences.report() == "");
    CHECK(differences.compared() == 3 * trace.positions() * trace.model().config.d_head());
}

}  // namespace

TEST_CASE("story: every query, key and value of each head is on screen") {
    Story story(tall);
    const auto a = reference().trace(first_sentence), b = reference().trace(second_sentence);
    REQUIRE(story.play("click \"view/Q K V\"\nframes 2") == "");
    const int heads = a->model().config.n_heads;
    for (int turn = 0; turn <= heads; ++turn) {
        check_matrices(story, 0, *a);
        check_matrices(story, 1, *b);
        REQUIRE(story.play(turn == heads ? "key Down\nframes 2" : "key Right\nframes 2") == "");
    }
    check_matrices(story, 0, *a);
    CHECK(story.text("A/q title") ==
          "q  [" + std::to_string(a->positions()) + " words × " + std::to_string(a->model().config.d_head()) + "]");
    CHECK(contains(story.text("A/qkv shapes"), "W_Q [64 × 16]"));
}

TEST_CASE("story: a cell of q, k or v opens its explanation, and a word can be chosen there") {
    Story story(tall);
    REQUIRE(story.play("click \"view/Q K V\"\nframes 2") == "");
    for (const char letter : letters) {
        const std::string cell = std::string("B/") + letter + " matrix 3 5";
        REQUIRE(story.play("click \"" + cell + "\"\nframes 2") == "");
        CHECK(story.value("explain/value") == story.value(cell));
        CHECK(story.state().slot == 1);
    }
    REQUIRE(story.play("click \"A/k word 6\"\nframes 2") == "");
    CHECK(story.state().token[0] == 6);
}
