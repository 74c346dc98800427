#include <algorithm>
#include <set>

#include "app/session/startup.h"
#include "app/views/registry.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

std::string number(int n) { return std::to_string(n); }

/// Checks that nothing on screen reveals what A's chosen word attends to: no item of its row has a value.
void check_hidden(const Story& story, int query, int keys) {
    for (int key = 0; key < keys; ++key) {
        CAPTURE(key);
        for (const std::string& label :
             {"A/weight " + number(key), "A/score " + number(key), "A/pattern " + number(query) + " " + number(key)}) {
            REQUIRE(story.shows(label));
            CHECK_FALSE(story.find(label)->value);
        }
    }
    CHECK_FALSE(story.find("explain/value")->value);
    CHECK_FALSE(story.shows("explain/recomputed"));
    for (const Item& item : story.host.items().all())
        if (item.label.starts_with("A/guess ")) CHECK_FALSE(item.value);
}

/// All numbers that reveal what the chosen words of both cards attend to in head 3 of block 0, or what the model
/// predicts there.
class HiddenByQuiz {
public:
    explicit HiddenByQuiz(Story& story) {
        for (int slot = 0; slot < 2; ++slot) {
            const std::string sentence = slot == 0 ? first_sentence : second_sentence;
            const auto trace = reference().trace(sentence);
            const int query = story.state().token[slot], n = trace->positions();
            for (const char* node : {"attn.hook_attn_scores_raw", "attn.hook_attn_scores", "attn.hook_pattern"})
                add(trace->values(block(0, node)).subspan((3 * n + query) * n, n));
            std::vector<int> ids = trace->tokens();
            add(said(*trace, query));
            ids[query] = WordTokenizer::mask;
            add(said(*reference().trace(ids, reference().shipped().parameters), query));
            char text[16];
            const auto row = pattern_row(*trace, 0, 3, query);
            std::snprintf(text, sizeof text, "%.4f", static_cast<double>(row[largest(row)]));
            texts_.emplace_back(text);
        }
    }

    /// The labels of items that reveal one of them.
    std::string told_by(const Story& story) const {
        std::string labels;
        for (const Item& item : story.host.items().all()) {
            const bool text = std::ranges::any_of(texts_, [&](const std::string& t) { return contains(item.text, t); });
            if (text || (item.value && numbers_.contains(*item.value)))
                labels += std::string(item.label) + " " + std::string(item.text) + "\n";
        }
        return labels;
    }
    std::size_t count() const { return numbers_.size(); }

private:
    static std::span<const float> said(const Trace& trace, int query) {
        const std::size_t words = trace.shape(trace.model().probabilities).back();
        return trace.values(trace.model().probabilities).subspan(static_cast<std::size_t>(query) * words, words);
    }
    void add(std::span<const float> values) {
        for (const float v : values)
            if (v != 0 && v != 1) numbers_.insert(static_cast<double>(v));
    }

    std::set<double> numbers_;
    std::vector<std::string> texts_;
};

}  // namespace

TEST_CASE("story: Predict first hides a word's row until a guess, and counts the guesses") {
    Story story;
    const auto trace = reference().trace(first_sentence);
    CHECK(story.play("click \"map/head 0 3\"\nkey a") == "");
    const int bat = story.state().token[0], n = trace->positions();
    const auto row = pattern_row(*trace, 0, 3, bat);
    const int looked = largest(row), other = looked == 0 ? 1 : 0;
    const Item before = *story.find("A/weight 0");
    CHECK(story.play("key p\nexpect predict == 1") == "");
    check_hidden(story, bat, n);
    CHECK(story.find("A/weight 0")->min.x == before.min.x);  // nothing moved
    CHECK(story.find("A/weight 0")->max.y == before.max.y);
    CHECK(!contains(story.text("explain/value"), "0."));
    CHECK(story.value("A/pattern " + number(bat + 1) + " 0") ==
          static_cast<double>(pattern_row(*trace, 0, 3, bat + 1)[0]));  // other rows keep their values
    // A wrong guess reveals everything, with the right answer.
    CHECK(story.play("click \"A/weight " + number(other) + "\"") == "");
    Differences differences;
    for (int key = 0; key < n; ++key) {
        differences.expect(story, "A/weight " + number(key), static_cast<double>(row[key]));
        differences.expect(story, "A/pattern " + number(bat) + " " + number(key), static_cast<double>(row[key]));
    }
    differences.expect(story, "explain/value", static_cast<double>(row[looked]));
    CHECK(differences.report() == "");
    CHECK(story.value("predict/verdict") == 0);
    const auto& words = story.snapshot().sentences[0].tokens;
    const std::string verdict = story.text("predict/verdict");
    CHECK(contains(verdict, "not " + words[other].text));
    CHECK(contains(verdict, "goes to " + words[looked].text));
    CHECK(story.text("predict/score") == "0 of 1 right");
    // The next word is hidden again; this time a right guess, in the pattern's row.
    CHECK(story.play("key Tab") == "");
    check_hidden(story, bat + 1, n);
    const int next = largest(pattern_row(*trace, 0, 3, bat + 1));
    CHECK(story.play("click \"A/pattern " + number(bat + 1) + " " + number(next) + "\"") == "");
    CHECK(story.value("predict/verdict") == 1);
    CHECK(story.text("predict/score") == "1 of 2 right");
    // A guessed word stays revealed; another head asks again; P reveals everything.
    CHECK(story.play("click \"A/token " + number(bat) + "\"") == "");
    CHECK(story.value("A/weight 0") == static_cast<double>(row[0]));
    CHECK(story.play("key Left") == "");
    check_hidden(story, bat, n);
    CHECK(story.play("key p\nexpect predict == 0\nexpect_no_item predict/score") == "");
    CHECK(story.value("A/weight 0") == static_cast<double>(pattern_row(*trace, 0, 2, bat)[0]));
}

TEST_CASE("story: Predict first hides the prediction too, and is off in lessons") {
    Story story;
    CHECK(story.play("click \"map/head 0 3\"\nkey a\nclick \"view/Logit lens\"\nkey p") == "");
    const int bat = story.state().token[0];
    for (const std::string& label : {"A/lens 2 " + number(bat), std::string("A/top 0")}) {
        REQUIRE(story.shows(label));
        CHECK_FALSE(story.find(label)->value);
        CHECK(story.text(label) == "?");
    }
    CHECK(story.find("A/lens 2 " + number(bat + 1))->value.has_value());
    CHECK(story.play("click view/Flow") == "");
    CHECK_FALSE(story.find("flow/A key 0")->value);
    CHECK_FALSE(story.shows("flow/A ribbon " + number(bat) + " 0"));
    CHECK(story.play("lesson \"Two kinds of bat\" 1") == "");
    story.frame();
    CHECK_FALSE(story.shows("predict/question"));
}

TEST_CASE("story: no view gives away what has to be guessed") {
    Story story;
    CHECK(story.play("click \"map/head 0 3\"") == "");
    const HiddenByQuiz hidden_by_quiz(story);
    CHECK(hidden_by_quiz.count() > 400);
    CHECK(hidden_by_quiz.told_by(story) != "");  // without the quiz they are found
    CHECK(story.play("key p") == "");
    int hidden = 0;
    for (const app::View& view : all_views()) {
        if (!story.offers(view)) continue;
        CAPTURE(view.name);
        CHECK(story.play("click \"view/" + std::string(view.name) + "\"") == "");
        story.settle();
        CHECK(hidden_by_quiz.told_by(story) == "");
        ++hidden;
    }
    CHECK(hidden >= 11);
    // What hovering would reveal, and what a picture withholds.
    const std::string bat = number(story.state().token[0]);
    CHECK(story.play("click \"view/All heads\"") == "");
    CHECK(story.value("heads/A hidden by quiz") == story.state().token[0]);
    CHECK(story.play("click \"view/What if\"\nclick \"what if/paint\"\nhover \"A/pattern " + bat + " 0\"") == "");
    CHECK(hidden_by_quiz.told_by(story) == "");
    CHECK(story.text("tooltip").find("Guess that") == 0);
    CHECK(story.play("key Escape\nclick view/Difference\nhover \"difference/A " + bat + " 0\"") == "");
    CHECK(hidden_by_quiz.told_by(story) == "");
    CHECK(story.text("tooltip").find("First guess") == 0);
    for (const int stage : {0, 1, 2, 3, 4, 5, 6}) {
        CHECK(story.play("key Space\nclick \"view/Q K V\"") == "");
        CAPTURE(stage);
        CHECK(hidden_by_quiz.told_by(story) == "");
    }
    // Once both are guessed, every value is back.
    CHECK(story.play("click view/Attention\nclick \"A/weight 0\"\nclick \"B/weight 0\"\nclick view/Difference") == "");
    CHECK(story.value("difference/A " + bat + " 0") ==
          static_cast<double>(pattern_row(*reference().trace(first_sentence), 0, 3, story.state().token[0])[0]));
    CHECK(story.play("click \"view/Logit attribution\"\nexpect_no_item \"A/argued hidden by quiz\"") == "");
}
