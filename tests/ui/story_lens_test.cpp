#include <algorithm>
#include <cmath>

#include "app/session/startup.h"
#include "app/views/registry.h"
#include "core/analysis/contributions.h"
#include "core/analysis/logit_lens.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/published_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

constexpr const char* hidden_foul = "He swung the bat and hit a _ .";

const std::string& word(int id) { return reference().shipped().words()->word(id); }

std::string cell(int slot, int layer, int position) {
    return std::string(slot_letter(slot)) + "/lens " + std::to_string(layer) + " " + std::to_string(position);
}

/// Checks every cell of a sentence's grid against core's own lens.
void check_grid(const Story& story, int slot, const std::shared_ptr<const Trace>& trace) {
    ThreadPool pool(1);
    const LogitLens lens(trace, pool);
    Differences differences;
    for (int layer = 0; layer < lens.layers(); ++layer) {
        const LensLayer said = lens.layer(layer);
        for (int position = 0; position < trace->positions(); ++position) {
            const LensWord best = top_words(said, position, 1).front();
            const std::string label = cell(slot, layer, position);
            differences.expect(story, label, static_cast<double>(best.probability));
            const std::string shown = best.id == WordTokenizer::mask ? "▢" : word(best.id);
            if (story.text(label) != shown) differences.add(label + " says " + story.text(label) + ", not " + shown);
        }
    }
    CHECK(differences.compared() == lens.layers() * trace->positions());
    CHECK(differences.report() == "");
}

std::span<const float> logits_at(const Trace& trace, int position) {
    const std::size_t words = trace.model().config.d_vocab;
    return trace.values("logits").subspan(static_cast<std::size_t>(position) * words, words);
}

/// P(id) at a temperature, over the whole vocabulary.
double rescaled(std::span<const float> logits, int id, double temperature) {
    double sum = 0.0;
    for (const float logit : logits)
        sum += std::exp((static_cast<double>(logit) - static_cast<double>(logits[id])) / temperature);
    return 1.0 / sum;
}

/// Checks the bars and their sum against core's contributions.
void check_parts(const Story& story, const Contributions& parts) {
    Differences differences;
    double sum = 0.0;
    for (std::size_t i = 0; i < parts.terms.size(); ++i) {
        const std::string label = "A/argued " + std::to_string(i);
        differences.expect(story, label, parts.terms[i].value);
        sum += story.value(label);
    }
    differences.expect(story, "A/argued total", parts.traced);
    CHECK(differences.report() == "");
    CHECK_FALSE(story.shows("A/argued " + std::to_string(parts.terms.size())));
    CHECK(std::abs(sum - story.value("A/argued total")) < 1e-3);
}

}  // namespace

TEST_CASE("story: the logit lens shows core's values for both sentences") {
    Story story;
    CHECK(story.play("click \"view/Logit lens\"\nframes 2") == "");
    check_grid(story, 0, reference().trace(first_sentence));
    check_grid(story, 1, reference().trace(second_sentence));
    CHECK(story.play("expect \"A/lens word 7\" == 0\nexpect_item A/hide") == "");
}

TEST_CASE("story: the lens masks a word, and predicts at its position") {
    Story story;
    CHECK(
        story.play("click \"view/Logit lens\"\nclick \"A/lens word 7\"\nframes 2\nclick A/hide\nwait \"A/lens word 7\" "
                   "== 1\nframes 2\nexpect_no_item A/hide") == "");
    CHECK(story.state().token[0] == 7);
    const auto trace = reference().trace(hidden_foul);
    check_grid(story, 0, trace);
    CHECK(story.text(cell(0, 2, 7)) != "▢");
}

TEST_CASE("story: a cell of the lens opens the trace's probability, or chooses its block") {
    Story story;
    CHECK(story.play("click \"view/Logit lens\"\nframes 2\nclick \"A/lens 1 4\"\nframes 2") == "");
    CHECK(story.state().token[0] == 4);
    CHECK(story.state().layer == 0);
    CHECK(story.play("click \"A/lens 2 7\"\nframes 2") == "");
    CHECK(story.state().token[0] == 7);
    const Trace& trace = story.shown_trace(0);
    REQUIRE(story.state().trail.size() == 1);
    const TracedCell opened = story.state().trail.back();
    CHECK(opened.slot == 0);
    CHECK(opened.cell.node == trace.model().probabilities);
    CHECK(static_cast<double>(trace.at(opened.cell)) == story.value("A/lens 2 7"));
    CHECK(story.value("explain/value") == story.value("A/lens 2 7"));
    CHECK(story.play("click \"A/lens layer 2\"\nframes 2") == "");
    CHECK(story.state().layer == 1);
}

TEST_CASE("story: the likeliest words are the trace's, as many as requested, at any temperature") {
    Story story;
    CHECK(story.play("click \"view/Logit lens\"\nclick \"A/token 7\"\nclick \"A/lens words/20\"\nframes 2") == "");
    const auto trace = reference().trace(first_sentence);
    const std::span<const float> logits = logits_at(*trace, 7);
    std::vector<int> order(logits.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    std::ranges::stable_sort(order, std::greater<>(), [&](int id) { return logits[id]; });
    Differences differences;
    for (std::size_t i = 0; i < 20; ++i) {
        const std::string label = "A/top " + std::to_string(i);
        const std::size_t at = 7 * trace->model().config.d_vocab + order[i];
        differences.expect(story, label, static_cast<double>(trace->values("probabilities")[at]));
        if (story.text(label) != word(order[i])) differences.add(label + " is " + story.text(label));
    }
    CHECK(differences.report() == "");
    CHECK_FALSE(story.shows("A/top 20"));

    CHECK(story.play("drag A/temperature 25 0\nframes 2\nclick \"A/lens words/5\"\nframes 2") == "");
    const auto temperature = static_cast<double>(story.state().temperature);
    CHECK(temperature > 1.03);
    CHECK(story.value("A/temperature") == temperature);
    for (std::size_t i = 0; i < 5; ++i)
        CHECK(story.value("A/top " + std::to_string(i)) ==
              doctest::Approx(rescaled(logits, order[i], temperature)).epsilon(1e-5));
    CHECK_FALSE(story.shows("A/top 5"));
    // The number that a click explains is the model's own, at temperature 1.
    CHECK(story.play("click \"A/top 1\"\nframes 2") == "");
    CHECK(story.value("explain/value") ==
          static_cast<double>(trace->values("probabilities")[7 * trace->model().config.d_vocab + order[1]]));
}

TEST_CASE("story: the waterfall shows core's contributions, which add up to the trace's logit") {
    Story story;
    CHECK(story.play("click \"view/Logit attribution\"\nclick \"A/token 7\"\nframes 2") == "");
    const auto trace = reference().trace(first_sentence);
    const std::span<const float> logits = logits_at(*trace, 7);
    std::vector<int> order(logits.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    std::ranges::stable_sort(order, std::greater<>(), [&](int id) { return logits[id]; });

    check_parts(story, contributions_above_mean(*trace, 7, order[0]));
    CHECK(story.play("click \"A/argued against/logit\"\nframes 2") == "");
    check_parts(story, logit_contributions(*trace, 7, order[0]));
    CHECK(story.value("A/argued total") == static_cast<double>(logits[order[0]]));
    CHECK(story.play("click \"A/argued against/− " + word(order[1]) + "\"\nframes 2") == "");
    check_parts(story, logit_contributions(*trace, 7, order[0], order[1]));
}

TEST_CASE("story: another word can be typed for the attribution, until another token is chosen") {
    Story story;
    CHECK(story.play(
              "click \"view/Logit attribution\"\nclick \"A/token 7\"\nclick \"A/argued against/logit\"\nframes 2") ==
          "");
    const auto trace = reference().trace(first_sentence);
    CHECK(story.play("click \"A/argued text\"\ntype Homer\nkey Enter\nframes 3\nexpect_no_item \"A/argued unknown\"") ==
          "");
    check_parts(story, logit_contributions(*trace, 7, *reference().shipped().words()->find("homer")));
    CHECK(story.play("click \"A/argued text\"\ntype zzz\nkey Enter\nframes 3\nexpect_item \"A/argued unknown\"") == "");
    CHECK(story.play("click \"A/token 3\"\nframes 2\nexpect_no_item \"A/argued unknown\"") == "");
    check_parts(story, logit_contributions(*trace, 3, *reference().shipped().words()->find("bat")));
}

TEST_CASE("story: a token of a published model is found by its text, and a blank is none") {
    const TemporaryFolder folder;
    Story story;
    story.send(command::OpenModel{bert_folder(folder).string()});
    REQUIRE(story.play("click \"view/Logit attribution\"\nframes 2") == "");
    CHECK(story.play("click \"A/argued text\"\ntype bat\nkey Enter\nframes 3\nexpect_no_item \"A/argued unknown\"\n"
                     "expect_text \"A/argued word\" “bat”") == "");
    CHECK(story.play("click \"A/argued text\"\ntype \" \"\nkey Enter\nframes 3\nexpect_item \"A/argued unknown\"") ==
          "");
}

TEST_CASE("story: in the attribution, a click chooses a head, or opens an MLP's largest number") {
    Story story;
    CHECK(story.play("click \"view/Logit attribution\"\nframes 2") == "");
    const auto trace = reference().trace(first_sentence);
    const Contributions parts = contributions_above_mean(*trace, 3, *reference().shipped().words()->find("bat"));
    for (std::size_t i = 0; i < parts.terms.size(); ++i) {
        const Contribution& term = parts.terms[i];
        CAPTURE(term.node);
        CHECK(story.play("click \"A/argued " + std::to_string(i) + "\"\nframes 2") == "");
        if (term.kind == Contribution::Kind::head) {
            CHECK(story.state().layer == term.block);
            CHECK(story.state().head == term.head);
            continue;
        }
        const Cell opened = story.state().trail.back().cell;
        CHECK(trace->graph()[opened.node].name == term.node);
        if (term.kind != Contribution::Kind::mlp) continue;
        const std::span<const float> row = trace->values(opened.node).subspan(3 * 64, 64);
        CHECK(opened.offset / 64 == 3);
        for (const float x : row) CHECK(std::abs(x) <= std::abs(trace->at(opened)));
    }
}

TEST_CASE("story: the norm of the stream after each part equals the trace's") {
    Story story;
    CHECK(story.play("click \"view/Logit attribution\"\nframes 2") == "");
    const auto trace = reference().trace(first_sentence);
    const char* streams[] = {"blocks.0.hook_resid_pre", "blocks.0.hook_resid_mid", "blocks.0.hook_resid_post",
                             "blocks.1.hook_resid_mid", "blocks.1.hook_resid_post"};
    for (std::size_t i = 0; i < 5; ++i) {
        double squares = 0.0;
        for (const float x : trace->values(streams[i]).subspan(3 * 64, 64))
            squares += static_cast<double>(x) * static_cast<double>(x);
        CHECK(story.value("A/norm " + std::to_string(i)) == doctest::Approx(std::sqrt(squares)));
    }
    CHECK_FALSE(story.shows("A/norm 5"));
}

TEST_CASE("story: Logit lens and Logit attribution draw in any window, and training updates the lens") {
    for (const PixelSize size : {PixelSize{1280, 720}, PixelSize{640, 400}, PixelSize{300, 200}, PixelSize{64, 48}}) {
        CAPTURE(size.width);
        Story story({.size = size, .scale = 1, .trained = false});
        for (const char* view : {"Logit lens", "Logit attribution"}) {
            story.state().view = view_index(view);
            story.frames(3);
            CHECK_FALSE(story.picture().rgba.empty());
        }
    }
    Story story({.trained = false});
    CHECK(story.play("click \"view/Logit lens\"\nclick train\nwait step >= 2 timeout 60\nclick train\nwait train == 0 "
                     "timeout 60\nframes 3") == "");
    story.settle();
    const auto parameters = story.snapshot().sentences[0].trace->parameters();
    check_grid(story, 0, reference().trace(first_sentence, parameters));
}
