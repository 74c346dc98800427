#include <cmath>

#include "app/session/startup.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

struct Truth {
    double mean = 0, deviation = 0;
};

Truth truth_of(std::span<const float> values) {
    Truth t;
    for (const float v : values) t.mean += static_cast<double>(v);
    t.mean /= static_cast<double>(values.size());
    for (const float v : values) t.deviation += std::pow(static_cast<double>(v) - t.mean, 2);
    t.deviation = std::sqrt(t.deviation / static_cast<double>(values.size()));
    return t;
}

std::span<const float> row(const Trace& trace, const std::string& node, int position) {
    const std::size_t width = trace.shape(trace.graph().at(node)).back();
    return trace.values(node).subspan(static_cast<std::size_t>(position) * width, width);
}

/// The node that a block's norm reads.
std::string stream_before(int layer, const std::string& norm) {
    if (norm == "ln2") return block(layer, "hook_resid_mid");
    return block(layer, "hook_resid_pre");
}

/// The sum over a histogram's bars.
double total(const Story& story, const std::string& histogram) {
    double sum = 0;
    int bars = 0;
    for (; story.shows(histogram + " bin " + std::to_string(bars)); ++bars)
        sum += story.value(histogram + " bin " + std::to_string(bars));
    CHECK(bars > 1);
    return sum;
}

void check_lens(Story& story, const Trace& trace, const std::string& norm, int token, int feature) {
    const int layer = story.state().layer;
    const auto near = [](double truth) { return doctest::Approx(truth).epsilon(1e-4).scale(1); };
    const std::string prefix = norm == "final" ? "ln_final" : block(layer, norm);
    const std::string before =
        norm == "final" ? block(trace.model().config.n_layers - 1, "hook_resid_post") : stream_before(layer, norm);
    const std::array nodes{before, prefix + ".hook_normalized", prefix + ".hook_out"};
    const std::array names{"before", "normalized", "out"};
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const std::string item = std::string("A/norm ") + names[i];
        const Truth truth = truth_of(row(trace, nodes[i], token));
        CHECK(story.value(item + " mean") == near(truth.mean));
        CHECK(story.value(item + " deviation") == near(truth.deviation));
        CHECK(total(story, item) == trace.model().config.d_model);
    }
    const auto at = [&](const std::string& node) { return static_cast<double>(row(trace, node, token)[feature]); };
    const auto weight = [&](const char* name) { return static_cast<double>(trace.values(prefix + name)[feature]); };
    CHECK(story.value("A/norm value x") == at(before));
    CHECK(story.value("A/norm value mean") == static_cast<double>(trace.values(prefix + ".hook_mean")[token]));
    CHECK(story.value("A/norm value scale") == static_cast<double>(trace.values(prefix + ".hook_scale")[token]));
    CHECK(story.value("A/norm value normalized") == at(prefix + ".hook_normalized"));
    CHECK(story.value("A/norm value gamma") == weight(".w"));
    CHECK(story.value("A/norm value beta") == weight(".b"));
    CHECK(story.value("A/norm value out") == at(prefix + ".hook_out"));
    // The numbers on screen satisfy the formula.
    const auto v = [&](const char* name) { return story.value(std::string("A/norm value ") + name); };
    CHECK(v("gamma") * (v("x") - v("mean")) / v("scale") + v("beta") == near(v("out")));
}

const StoryOptions tall{{1600, 1800}, 1, true};

}  // namespace

TEST_CASE("story: the LayerNorm lens shows each norm's numbers for the chosen word") {
    Story story(tall);
    const auto trace = reference().trace(first_sentence);
    REQUIRE(story.play("click view/LayerNorm\nframes 2") == "");
    for (const char* norm : {"ln1", "ln2", "final"}) {
        CAPTURE(norm);
        REQUIRE(story.play(std::string("click A/norm/") + norm + "\nframes 2") == "");
        check_lens(story, *trace, norm, story.state().token[0], 0);
    }
    // Another word, block and feature.
    CHECK(story.play("click A/norm/ln1\nclick \"A/token 5\"\nkey Down\nclick \"A/norm feature next\"\nclick "
                     "\"A/norm feature next\"\nframes 2\nexpect \"A/norm feature\" == 2") == "");
    check_lens(story, *trace, "ln1", 5, 2);
    CHECK(story.play("click \"A/norm feature back\"\nclick \"A/norm feature back\"\nclick \"A/norm feature back\"\n"
                     "frames 2") == "");
    CHECK(story.value("A/norm feature") == trace->model().config.d_model - 1);
}

TEST_CASE("story: a number of the lens opens its explanation, and a bar chooses a feature in it") {
    Story story(tall);
    const auto trace = reference().trace(first_sentence);
    REQUIRE(story.play("click view/LayerNorm\nframes 2") == "");
    for (const char* part : {"x", "mean", "scale", "normalized", "gamma", "beta", "out"}) {
        CAPTURE(part);
        const std::string item = std::string("A/norm value ") + part;
        REQUIRE(story.play("click \"" + item + "\"\nframes 2") == "");
        CHECK(story.value("explain/value") == story.value(item));
    }
    // The highest bar of the input.
    int best = 0;
    const auto bar = [](int i) { return "A/norm before bin " + std::to_string(i); };
    for (int i = 0; story.shows(bar(i)); ++i)
        if (story.value(bar(i)) > story.value(bar(best))) best = i;
    const Item* item = story.find(bar(best));
    REQUIRE(item);
    REQUIRE(story.play("click \"" + bar(best) + "\"\nframes 2") == "");
    const int feature = static_cast<int>(story.value("A/norm feature"));
    const std::string before = block(story.state().layer, "hook_resid_pre");
    const double x = static_cast<double>(row(*trace, before, story.state().token[0])[feature]);
    CHECK(story.value("A/norm value x") == x);
    REQUIRE(story.play("click \"" + bar(best) + "\"\nframes 2") == "");
    if (story.value(bar(best)) > 1) CHECK(story.value("A/norm feature") != feature);
}

TEST_CASE("story: sliders scale γ and β of a norm, and the model's values change") {
    Story story(tall);
    const auto plain = reference().trace(first_sentence);
    REQUIRE(story.play("click view/LayerNorm\nframes 2\nexpect \"A/norm scale gamma\" == 1\n"
                       "expect \"A/norm scale beta\" == 1") == "");
    const std::string prefix = block(story.state().layer, "ln1");
    const int token = story.state().token[0];
    CHECK(story.play("drag \"A/norm scale beta\" 15 0\nframes 2") == "");
    story.settle();
    REQUIRE(story.snapshot().what_if.size() == 1);
    const auto* scaled = std::get_if<what_if::NormScaled>(&story.snapshot().what_if[0]);
    REQUIRE(scaled);
    CHECK(scaled->norm == prefix);
    CHECK(scaled->gamma == 1.0f);
    CHECK(scaled->beta > 1.0f);
    const auto x = row(*plain, prefix + ".hook_normalized", token),
               y = row(story.shown_trace(0), prefix + ".hook_out", token);
    const auto w = plain->values(prefix + ".w"), b = plain->values(prefix + ".b");
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(std::abs(y[i] - (w[i] * x[i] + scaled->beta * b[i])) < 1e-4f);
    CHECK(story.value("A/norm value out") == static_cast<double>(y[0]));
    CHECK(story.play("key r\nframes 4") == "");
    story.settle();
    CHECK(story.snapshot().what_if.empty());
    CHECK(story.value("A/norm scale beta") == 1);
}

TEST_CASE("story: batch norm normalizes one feature over the words of both sentences") {
    Story story(tall);
    const auto a = reference().trace(first_sentence), b = reference().trace(second_sentence);
    REQUIRE(
        story.play("click view/LayerNorm\nclick \"A/norm feature next\"\nclick \"A/norm over/batch norm\"\nframes 2") ==
        "");
    std::vector<float> values;
    for (const auto& trace : {a, b})
        for (int p = 0; p < trace->positions(); ++p)
            values.push_back(row(*trace, block(story.state().layer, "hook_resid_pre"), p)[1]);
    const Truth truth = truth_of(values);
    CHECK(story.value("A/norm before mean") == doctest::Approx(truth.mean).epsilon(1e-6).scale(1));
    CHECK(story.value("A/norm before deviation") == doctest::Approx(truth.deviation).epsilon(1e-6).scale(1));
    CHECK(story.value("A/norm value mean") == doctest::Approx(truth.mean).epsilon(1e-6).scale(1));
    for (const char* name : {"before", "normalized", "out"}) {
        CHECK(total(story, std::string("A/norm ") + name) == static_cast<double>(values.size()));
        // Both cards show the same words.
        CHECK(story.value(std::string("A/norm ") + name + " mean") ==
              story.value(std::string("B/norm ") + name + " mean"));
    }
    CHECK(story.value("A/norm normalized mean") == doctest::Approx(0).epsilon(1e-5).scale(1));
    CHECK(story.value("A/norm normalized deviation") == doctest::Approx(1).epsilon(1e-2));
    // A bar's words are clickable.
    for (int i = 0; story.shows("A/norm before bin " + std::to_string(i)); ++i) {
        if (story.value("A/norm before bin " + std::to_string(i)) < 1) continue;
        REQUIRE(story.play("click \"A/norm before bin " + std::to_string(i) + "\"\nframes 2") == "");
        const int slot = story.state().slot, word = story.state().token[slot];
        const std::size_t at = static_cast<std::size_t>(word + (slot == 1 ? a->positions() : 0));
        CHECK(story.value(std::string(slot_letter(slot)) + "/norm value x") == static_cast<double>(values[at]));
        break;
    }
}

TEST_CASE("story: the four numbers of the lecture are normalized, and so are typed ones") {
    Story story(tall);
    REQUIRE(story.play("click view/LayerNorm\nframes 2\nexpect \"A/norm example mean\" == 100\nexpect "
                       "\"A/norm example variance\" == 5000") == "");
    const std::array<double, 4> out{0, std::sqrt(2), 0, -std::sqrt(2)}, away{0, 100, 0, -100};
    for (std::size_t i = 0; i < out.size(); ++i)
        CHECK(story.value("A/norm example difference " + std::to_string(i)) == away[i]);
    for (std::size_t i = 0; i < out.size(); ++i)
        CHECK(story.value("A/norm example out " + std::to_string(i)) == doctest::Approx(out[i]).epsilon(1e-4));
    REQUIRE(story.play("click \"A/norm example 1\"\nkey Ctrl+a\ntype 100\nkey Enter\nframes 2") == "");
    CHECK(story.value("A/norm example mean") == 75);
    CHECK(story.value("A/norm example variance") == 1875);
    REQUIRE(story.play("click \"A/norm example 3\"\nkey Ctrl+a\ntype 1e2\nkey Enter\nframes 2") == "");
    CHECK(story.value("A/norm example variance") == 0);
    CHECK(story.value("A/norm example out 3") == 0);
    // a and b of the notes: [b, 1.4a + b, b, −1.4a + b]
    REQUIRE(story.play("click \"A/norm example 1\"\nkey Ctrl+a\ntype 200\nkey Enter\n"
                       "click \"A/norm example 3\"\nkey Ctrl+a\ntype 0\nkey Enter\n"
                       "click \"A/norm example set 0\"\nkey Ctrl+a\ntype 2\nkey Enter\n"
                       "click \"A/norm example set 1\"\nkey Ctrl+a\ntype 0.5\nkey Enter\nframes 2") == "");
    for (const auto& [place, y] :
         {std::pair{0, 0.5}, {1, 2 * std::sqrt(2.0) + 0.5}, {2, 0.5}, {3, 0.5 - 2 * std::sqrt(2.0)}})
        CHECK(story.value("A/norm example out " + std::to_string(place)) == doctest::Approx(y).epsilon(1e-4));
    // A large ε matters: √(5000 + 5000) = 100.
    REQUIRE(story.play("click \"A/norm example set 2\"\nkey Ctrl+a\ntype 5000\nkey Enter\nframes 2") == "");
    CHECK(story.value("A/norm example out 1") == doctest::Approx(2.5).epsilon(1e-4));
    REQUIRE(story.play("click \"A/norm example set 2\"\nkey Ctrl+a\ntype -1\nkey Enter\nframes 2") == "");
    CHECK_FALSE(story.shows("A/norm example mean"));
    REQUIRE(story.play("click \"A/norm example set 2\"\nkey Ctrl+a\ntype 0\nkey Enter\nframes 2") == "");
    REQUIRE(story.play("click \"A/norm example 3\"\nkey Ctrl+a\ntype two\nkey Enter\nframes 2") == "");
    CHECK_FALSE(story.shows("A/norm example mean"));
}
