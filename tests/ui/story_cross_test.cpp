// The two attentions of a translation model, and two cards, one of them unreadable: whose words and picture they show.
#include "app/views/registry.h"
#include "tests/ui/whole_model_story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

void look(Story& story, const char* view) {
    story.state().view = view_index(view);
    story.frames(4);
}

/// True if B's side bar is drawn in this colour.
bool has_bar_of(Story& story, const ImVec2 foot, ImU32 colour) {
    const Image image = story.picture();
    const std::uint32_t wanted = (colour & 0xFF) << 16 | (colour & 0xFF00) | (colour >> 16 & 0xFF);
    for (float y = foot.y - 300; y < foot.y - 20; y += 4)
        for (float x = foot.x - 14; x < foot.x + 4; ++x)
            if (pixel(image, x, y) == wanted) return true;
    return false;
}

}  // namespace

TEST_CASE("story: the keys and values of a cross-attention head are labelled with the source's words") {
    Story story({.model = "translation"});
    look(story, "Q K V");
    REQUIRE(story.state().cross_attention);
    const WatchedSentence& sentence = story.snapshot().sentences[0];
    REQUIRE(sentence.source.size() != sentence.tokens.size());
    for (const char* letter : {"k", "v"}) {
        CAPTURE(letter);
        for (std::size_t row = 0; row < sentence.source.size(); ++row)
            CHECK(story.text(std::string("A/") + letter + " word " + std::to_string(row)) == sentence.source[row].text);
        CHECK(contains(story.text(std::string("A/") + letter + " title"),
                       std::to_string(sentence.source.size()) + " source words"));
    }
    CHECK(story.text("A/q word 1") == sentence.tokens[1].text);
    CHECK(contains(story.text("A/qkv shapes"), "; k and v of the source"));
    // A source word has no query: clicking it chooses no row.
    const int chosen = story.state().token[0];
    CHECK(story.play("click \"A/k word 0\"\nframes 2") == "");
    CHECK(story.state().token[0] == chosen);
    story.state().cross_attention = false;
    story.frames(4);
    CHECK(story.text("A/k word 1") == sentence.tokens[1].text);
    CHECK_FALSE(contains(story.text("A/qkv shapes"), "source"));
}

TEST_CASE("story: Flow shows the chosen head's attention, and its switch changes to the other") {
    Story story({.model = "translation"});
    look(story, "Flow");
    REQUIRE(story.state().cross_attention);
    CHECK(story.text("flow/A key 0") == story.snapshot().sentences[0].source[0].text);
    CHECK(story.play("click \"flow/A words/own words\"\nframes 4") == "");
    CHECK_FALSE(story.state().cross_attention);
    CHECK_FALSE(contains(story.text("stage/headline"), "cross"));
    CHECK(story.text("flow/A key 0") == story.snapshot().sentences[0].tokens[0].text);
    CHECK(story.play("click \"flow/A words/source\"\nframes 4") == "");
    CHECK(contains(story.text("stage/headline"), "cross"));
}

TEST_CASE("story: the LayerNorm view opens on the norm before the cross-attention") {
    Story story({.model = "translation"});
    look(story, "LayerNorm");
    REQUIRE(story.state().cross_attention);
    const Trace& trace = story.shown_trace(0);
    const int layer = story.state().layer, token = story.state().token[0];
    const auto deviation = [&](const char* norm) {
        return static_cast<double>(
            trace.at({*trace.graph().find(block(layer, std::string(norm) + ".hook_scale")), token}));
    };
    REQUIRE(deviation("ln_cross") != deviation("ln1"));
    CHECK(story.value("A/norm value scale") == deviation("ln_cross"));
    CHECK(story.play("click \"A/norm/ln1\"\nframes 4") == "");
    CHECK_FALSE(story.state().cross_attention);
    CHECK(story.value("A/norm value scale") == deviation("ln1"));
    CHECK(story.play("click \"A/norm/ln2\"\nframes 4") == "");
    CHECK(story.value("A/norm value scale") == deviation("ln2"));
    CHECK(story.play("click \"A/norm/cross\"\nframes 4") == "");
    CHECK(story.state().cross_attention);
    CHECK(story.value("A/norm value scale") == deviation("ln_cross"));
}

TEST_CASE("story: in cross-attention, distances count from the start of both sentences") {
    Story story({.size = {1600, 1600}, .model = "translation"});
    look(story, "Q K V");
    CHECK(story.play("click \"A/qkv page/distance\"\nframes 4") == "");
    const Trace& trace = story.shown_trace(0);
    const auto weights = trace.part(*trace.graph().find(block(story.state().layer, "cross_attn.hook_pattern")),
                                    Slices{story.state().head, 1});
    const int queries = trace.positions(), keys = static_cast<int>(trace.source_tokens().size());
    double sum = 0;
    for (int i = 0; i < std::min(queries, keys); ++i) sum += static_cast<double>(weights.values()[i * keys + i]);
    CHECK(story.value("A/filter 0") == doctest::Approx(sum / std::min(queries, keys)));
    CHECK(contains(story.text("A/filter places"), "in the source"));
    story.state().cross_attention = false;
    story.frames(4);
    CHECK(contains(story.text("A/filter places"), "−1 is the previous word"));
}

TEST_CASE("story: if one sentence is unreadable, the other keeps its bar and there is no difference") {
    Story story;
    look(story, "Whole model");
    story.send(command::SetWhatIf{{what_if::HeadOff{0, 0}}});
    story.frames(3);
    CHECK(story.play("click whole/difference\nframes 3\nexpect_item \"whole/difference line\"") == "");
    REQUIRE(story.find("whole/hint"));
    const ImVec2 foot = story.find("whole/hint")->min;
    story.send(command::Watch{0, ""});
    story.frames(3);
    CHECK_FALSE(story.shows("whole/difference line"));
    CHECK_FALSE(story.shows("whole/difference"));
    CHECK(has_bar_of(story, foot, story.host.ui().theme->sense_b));
    CHECK_FALSE(has_bar_of(story, foot, story.host.ui().theme->sense_a));
}

TEST_CASE("story: What if says whether the predicted word is masked or not") {
    Story story({.model = "by_hand"});
    look(story, "What if");
    CHECK(contains(story.text("A/what if/about"), "not masked"));
    const int chosen = story.state().token[0];
    story.send(command::Watch{0, chosen == 0 ? "▢ x2 x3 x4" : "x1 ▢ x3 x4"});
    choose_token(story.state(), story.snapshot(), 0, chosen == 0 ? 0 : 1);
    story.frames(4);
    CHECK(story.text("A/what if/about") == "At ▢ it predicts");
}

TEST_CASE("story: the MLP view of an MLP that is off says so") {
    Story story;
    look(story, "MLP");
    CHECK_FALSE(story.shows("A/mlp off"));
    story.send(command::SetWhatIf{{what_if::MlpOff{story.state().layer}}});
    story.frames(4);
    CHECK(story.shows("A/mlp off"));
    CHECK(story.shows("B/mlp off"));
    choose_layer(story.state(), story.snapshot(), 1 - story.state().layer);
    story.frames(4);
    CHECK_FALSE(story.shows("A/mlp off"));
}
