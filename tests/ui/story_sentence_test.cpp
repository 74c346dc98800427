#include "app/session/startup.h"
#include "core/platform/atomic_file.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

/// Checks that a sentence's tokens and chosen row of weights on screen are those of `text`.
void check_card(Story& story, int slot, const std::string& text) {
    CAPTURE(text);
    const std::string letter = slot_letter(slot);
    const auto trace = reference().trace(text);
    const std::vector<WordTokenizer::Token> tokens = reference().shipped().words()->encode(text);
    Differences differences;
    const int query = story.state().token[slot];
    const std::span<const float> row = pattern_row(*trace, story.state().layer, story.state().head, query);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        CHECK(story.shows(letter + "/token " + std::to_string(i)));
        CHECK(story.text(letter + "/word " + std::to_string(i)) ==
              (tokens[i].id == WordTokenizer::mask ? "▢" : tokens[i].text));
        differences.expect(story, letter + "/weight " + std::to_string(i), static_cast<double>(row[i]));
    }
    CHECK_FALSE(story.shows(letter + "/token " + std::to_string(tokens.size())));
    CHECK_FALSE(story.shows(letter + "/error"));
    CHECK(differences.report() == "");
}

/// Checks the message. After typing, the previous sentence's picture stays next to it.
void check_unreadable(Story& story, const std::string& why, bool typed = false) {
    story.settle();
    CHECK(contains(story.text("A/error"), why));
    CHECK(story.shows("A/weight 0") == typed);
    if (typed) CHECK(story.snapshot().sentences[0].text == first_sentence);
    check_card(story, 1, second_sentence);  // the other one is as it was
    // Nothing else is disturbed: keys still work.
    CHECK(story.play("key b\nkey Right\nkey Down\nkey Left\nkey a\nkey Tab\nframes 3") == "");
    CHECK(story.shows("accuracy 2"));
}

std::string in_quotes(const std::string& text) { return "\"" + text + "\""; }

}  // namespace

TEST_CASE("story: another sample is chosen from the list") {
    Story story;
    const std::vector<Sentence>& samples = reference().world().world.samples();
    REQUIRE(samples.size() >= 24);
    for (const std::size_t at : {std::size_t{5}, std::size_t{2}}) {
        const std::string text = text_of(samples[at]);
        CHECK(story.play("click A/samples\nclick " + in_quotes("A/samples/" + text)) == "");
        story.settle();
        check_card(story, 0, text);
        const Sense& sense = reference().world().world.senses()[samples[at].sense];
        CHECK(story.text("A/headline") == "A · " + sense.name);
        CHECK(story.state().token[0] == samples[at].homonym_pos);
        CHECK(story.value("A/samples") == static_cast<double>(at));
        CHECK(story.text("meaning map") == sense.homonym);
        check_card(story, 1, second_sentence);
    }
}

TEST_CASE("story: the keyboard moves through the list of samples, and Escape leaves it") {
    Story story;
    CHECK(story.play(
              "click B/samples\nkey Down\nkey Down\nkey Escape\nframes 2\nexpect_text B/headline \"B · animal\"") ==
          "");
    check_card(story, 1, second_sentence);
    CHECK(story.play("click B/samples\nkey Down\nkey Enter") == "");
    story.settle();
    const Sentence& next = reference().world().world.samples()[static_cast<std::size_t>(story.value("B/samples"))];
    CHECK(text_of(next) != second_sentence);
    check_card(story, 1, text_of(next));
}

TEST_CASE("story: an unknown word in a typed sentence is marked, named, and replaced by a click") {
    Story story;
    CHECK(story.play("click A/type\nkey Ctrl+a\ntype \"The flumph swung the bat.\"\nkey Enter\n"
                     "wait \"A/unknown 1\"\nexpect \"A/unknown 1\" ~ “flumph”\nexpect_text \"A/word 1\" flumph") == "");
    const std::vector<std::string> near = reference().shipped().words()->nearest("flumph", 3);
    for (const std::string& word : near) CHECK(story.shows("A/offer 1 " + word));
    check_card(story, 0, "The flumph swung the bat.");
    CHECK_FALSE(story.shows("A/text"));  // the field has closed
    CHECK(story.play("click " + in_quotes("A/offer 1 " + near[1])) == "");
    story.settle();
    CHECK_FALSE(story.shows("A/unknown 1"));
    check_card(story, 0, "The " + near[1] + " swung the bat.");
    check_card(story, 1, second_sentence);
}

TEST_CASE("story: a masked word is predicted by the model itself") {
    Story story;
    CHECK(story.play("click B/type\nkey Ctrl+a\ntype \"A _ flew out of the cave at dusk.\"\nkey Enter") == "");
    story.settle();
    check_card(story, 1, "A _ flew out of the cave at dusk.");
    CHECK(story.play("click \"B/token 1\"\nclick side/Words\nframes 2\nclick \"B/guess 0\"\nframes 2") == "");
    CHECK(story.value("explain/value") == story.value("B/guess 0"));
    CHECK(story.value("explain/value") > 0);
}

TEST_CASE("story: empty, too long and invalid sentences are reported, and Escape restores the last valid one") {
    Story story;
    // The field keeps the keyboard until the answer arrives, and after a refusal.
    CHECK(story.play("click A/type\nkey Ctrl+a\nkey Backspace\nkey Enter\nexpect_item A/text/caret") == "");
    story.settle();
    CHECK(story.play("frames 2\nexpect_item A/text/caret") == "");
    check_unreadable(story, "The text has no word; write at least one.", true);
    // The field stays open for another try; Escape restores the last valid sentence.
    CHECK(story.play("expect_item A/text\nclick A/text\nkey Escape") == "");
    story.settle();
    check_card(story, 0, first_sentence);

    std::string endless;
    for (int i = 0; i < 1000; ++i) endless += "bat ";
    CHECK(story.play("click A/type\nkey Ctrl+a\ntype " + in_quotes(endless) + "\nkey Enter") == "");
    check_unreadable(story, "1000 tokens", true);
    story.session.send(command::Watch{0,
                                      "the b\xff"
                                      "at"});
    check_unreadable(story, "UTF-8");
    story.send(command::Watch{0, std::string("the \0 bat", 9)});
    story.send(command::Watch{0, first_sentence});
    CHECK(story.play("frames 2") == "");
    CHECK_FALSE(story.shows("A/error"));
}

TEST_CASE("story: with both sentences unreadable no panel fails, and a sample can be chosen") {
    Story story;
    story.session.send(command::Watch{0, ""});
    story.send(command::Watch{1, "   "});
    CHECK(story.play("expect_item A/error\nexpect_item B/error\nkey Tab\nkey b\nkey Right\nkey Down\nkey Escape\nkey "
                     "Backspace\nclick compare\nframes 2\nclick compare/off\nframes 2\nclick compare\nframes 2\nclick "
                     "\"compare/two sentences\"\nclick help\nclick help/close\nframes 2") == "");
    CHECK_FALSE(story.shows("explain/value"));
    CHECK_FALSE(story.shows("map"));
    CHECK(story.play("click A/samples\nkey Down\nkey Enter\nwait map") == "");
}

TEST_CASE("story: a sentence of one word, and the longest that the model can read") {
    Story story;
    story.session.send(command::Watch{0, "bat"});
    std::string longest;
    const int most = reference().world().config.n_ctx;
    for (int i = 0; i < most; ++i) longest += "bat ";
    story.send(command::Watch{1, longest});
    CHECK(story.play("click \"A/token 0\"\nclick \"B/token 3\"\nframes 2") == "");
    check_card(story, 0, "bat");
    check_card(story, 1, longest);
    CHECK(story.value("A/weight 0") == 1);
}

TEST_CASE("story: a dropped file that is no text changes nothing, and the message names it") {
    const TemporaryFolder folder;
    Story story;
    const std::string before = story.snapshot().text_of(0);
    const auto drop = [&](const char* name, const std::string& content) {
        write_file_atomically(folder / name, content);
        story.app.open_dropped(folder / name);
        story.frames(3);
        story.settle();
        return story.text("notice");
    };
    for (const auto& [name, content] :
         {std::pair{"slides.pdf", "%PDF-1.7\n%\xE2\xE3\xCF\xD3\n1 0 obj\n"},
          std::pair{"latin.txt", "the bat\nd\xE9j\xE0 vu\n"}, std::pair{"utf16.txt", "\xFF\xFEt\x01h\x01"}}) {
        CAPTURE(name);
        CHECK(contains(drop(name, content), std::string(name) + ":"));
        CHECK(story.snapshot().text_of(0) == before);
    }
    CHECK(drop("note.txt", "\xEF\xBB\xBF\n the bat flew .\r\nmore\n") == "");
    CHECK(story.snapshot().text_of(0) == " the bat flew .");
}
