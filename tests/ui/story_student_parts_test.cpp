// What a student found wrong: parts that a model lacks, a head of another attention, a question about another model.
#include <cmath>
#include <set>

#include "app/panels/meaning/meaning_views.h"
#include "app/views/registry.h"
#include "core/analysis/contributions.h"
#include "tests/core/fresh_parameters.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/harness.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

void look_at(Story& story, const char* view) {
    story.state().view = view_index(view);
    story.frames(4);
}

void compare_with_model(Story& story, const char* name) {
    story.send(command::CompareWith{
        {Comparing::What::models, GLASSFORMER_SOURCE_DIR "/assets/models/" + std::string(name), 0}});
    REQUIRE(story.snapshot().error == "");
    REQUIRE(story.snapshot().sentences[1].trace);
    story.frames(3);
}

/// Opens an untrained model of homonyms with a changed config.
template <class Change>
void open_changed(Story& story, const TemporaryFolder& folder, const Change& change) {
    Checkpoint model = load_checkpoint(GLASSFORMER_SOURCE_DIR "/assets/models/homonyms");
    change(model.config);
    model.log.clear(), model.keyframes.clear();
    model.parameters = fresh_parameters(model.config, 7);
    save_checkpoint(folder / "model", model);
    story.send(command::OpenModel{(folder / "model").string()});
    REQUIRE(story.snapshot().error == "");
    REQUIRE(story.snapshot().sentences[0].trace);
}

/// All texts of a frame.
std::set<std::string> drawn(Story& story) {
    story.host.ui().items->keep_texts(true);
    story.frames(2);
    std::set<std::string> texts;
    for (const Items::DrawnText& text : story.host.items().texts()) texts.emplace(text.text);
    return texts;
}

std::string argued(int i) { return "A/argued " + std::to_string(i); }

/// The row of that name among the parts; "" if there is none.
std::string row_of(const Story& story, const std::string& name) {
    for (int i = 0; story.shows(argued(i)); ++i)
        if (story.text(argued(i)) == name) return argued(i);
    return "";
}

/// The rows whose background differs from that of the first row, the embedding.
std::vector<std::string> marked_rows(Story& story) {
    const Image image = story.picture();
    const auto ground = [&](const std::string& label) {
        const Item* item = story.find(label);
        return pixel(image, item->min.x + 3, (item->min.y + item->max.y) / 2);
    };
    std::vector<std::string> marked;
    for (int i = 1; story.shows(argued(i)); ++i) {
        REQUIRE(story.find(argued(i))->in_sight);
        if (ground(argued(i)) != ground(argued(0))) marked.push_back(story.text(argued(i)));
    }
    return marked;
}

/// Checks that the bars |x| have these names and show the lengths of these streams.
void check_norms(Story& story, const std::vector<std::pair<std::string, std::string>>& streams) {
    const Trace& trace = story.shown_trace(0);
    const std::size_t position = story.state().token[0];
    const std::size_t width = trace.model().config.d_model;
    for (std::size_t i = 0; i < streams.size(); ++i) {
        const auto& [name, hook] = streams[i];
        CAPTURE(name);
        const auto row = [&](const std::string& node) { return trace.values(node).subspan(position * width, width); };
        double squares = 0.0, changes = 0.0;
        for (std::size_t feature = 0; feature < width; ++feature) {
            const auto x = static_cast<double>(row(hook)[feature]);
            const double change = i == 0 ? 0 : x - static_cast<double>(row(streams[i - 1].second)[feature]);
            squares += x * x, changes += change * change;
        }
        const std::string bar = "A/norm " + std::to_string(i), moved = "A/norm change " + std::to_string(i);
        CHECK(story.text(bar) == name);
        CHECK(story.value(bar) == doctest::Approx(std::sqrt(squares)));
        CHECK(story.shows(moved) == (i > 0));
        if (i > 0) CHECK(story.value(moved) == doctest::Approx(std::sqrt(changes)));
    }
    CHECK_FALSE(story.shows("A/norm " + std::to_string(streams.size())));
}

std::string copied(Story& story, const char* view, const std::string& button) {
    look_at(story, view);
    ImGui::SetClipboardText("nothing");
    REQUIRE(story.play("click \"" + button + "\"\nframes 2") == "");
    return ImGui::GetClipboardText();
}

}  // namespace

TEST_CASE("story: a head's bar chooses that head of its own attention, and marks no other") {
    Story story({.size = {1600, 1300}, .model = "translation"});
    look_at(story, "Logit attribution");
    REQUIRE(story.state().cross_attention);
    const std::string head = std::to_string(story.state().head);
    CHECK(marked_rows(story) == std::vector<std::string>{"0 · cross head " + head});
    REQUIRE(story.text(argued(3)) == "0 · head 1");
    REQUIRE(story.play("click \"" + argued(3) + "\"\nframes 3") == "");
    CHECK_FALSE(story.state().cross_attention);
    CHECK(story.state().head == 1);
    CHECK(marked_rows(story) == std::vector<std::string>{"0 · head 1"});
    const std::string row = row_of(story, "0 · cross head 2");
    REQUIRE(row != "");
    REQUIRE(story.play("click \"" + row + "\"\nframes 3") == "");
    CHECK(story.state().cross_attention);
    CHECK(story.state().head == 2);
    CHECK(marked_rows(story) == std::vector<std::string>{"0 · cross head 2"});
    // Hovering it hovers a cell of its own W_O.
    REQUIRE(story.play("hover \"" + row + "\"\nframes 2") == "");
    const TracedCell over = story.state().hovered;
    REQUIRE(over.cell.node >= 0);
    CHECK(story.shown_trace(over.slot).graph()[over.cell.node].name == "blocks.0.cross_attn.W_O");
}

TEST_CASE("story: the stream's norms are listed after each part that the model has, by name") {
    {
        Story story({.model = "translation"});
        look_at(story, "Logit attribution");
        check_norms(story, {{"embedding", "blocks.0.hook_resid_pre"},
                            {"0 attention", "blocks.0.hook_resid_mid"},
                            {"0 cross attention", "blocks.0.hook_resid_mid_cross"},
                            {"0 MLP", "blocks.0.hook_resid_post"}});
        CHECK(contains(copied(story, "Logit attribution", "A/argued copy"), "|x| after 0 cross attention\t"));
        CHECK(contains(copied(story, "Logit attribution", "A/argued copy"), "|Δ| of 0 cross attention\t"));
    }
    const TemporaryFolder folder;
    Story story;
    open_changed(story, folder, [](TransformerConfig& c) { c.activation = Activation::none; });
    look_at(story, "Logit attribution");
    check_norms(story, {{"embedding", "blocks.0.hook_resid_pre"},
                        {"0 attention", "blocks.0.hook_resid_post"},
                        {"1 attention", "blocks.1.hook_resid_post"}});
}

TEST_CASE("story: an RNN's logit is attributed to its recurrent layers, and no MLP is mentioned") {
    for (const Family family : {Family::rnn, Family::gru}) {
        const TemporaryFolder folder;
        Story story;
        open_changed(story, folder, [&](TransformerConfig& c) { c.family = family, c.activation = Activation::none; });
        look_at(story, "Logit attribution");
        CHECK_FALSE(story.shows("A/argued why not"));
        check_norms(story, {{"embedding", "blocks.0.hook_resid_pre"},
                            {"0 recurrent layer", "blocks.0.hook_resid_post"},
                            {"1 recurrent layer", "blocks.1.hook_resid_post"}});
        CHECK(row_of(story, "0 · recurrent layer") != "");
        CHECK(row_of(story, "1 · recurrent layer") != "");
        double sum = 0.0;
        for (int i = 0; story.shows(argued(i)); ++i) sum += story.value(argued(i));
        REQUIRE(story.shows("A/argued total"));
        CHECK(sum == doctest::Approx(story.value("A/argued total")).epsilon(1e-4).scale(1));
        for (const std::string& text : drawn(story)) CHECK(!contains(text, "MLP"));
        // A click opens what the layer wrote.
        REQUIRE(story.play("click \"" + row_of(story, "1 · recurrent layer") + "\"\nframes 2") == "");
        REQUIRE_FALSE(story.state().trail.empty());
        CHECK(story.shown_trace(0).graph()[story.state().trail.back().cell.node].name == "blocks.1.hook_rnn_out");
    }
}

TEST_CASE("story: each card's What if asks its own model's question, and no switch changes B") {
    Story story({.size = {1600, 1300}});
    compare_with_model(story, "next_word");
    look_at(story, "What if");
    const std::string a = "With “bat” masked, it predicts", b = "After “bat” comes";
    std::set<std::string> texts = drawn(story);
    CHECK(texts.contains(a));
    CHECK(texts.contains(b));
    CHECK(story.text("A/what if/hint").starts_with("Switch something off"));
    CHECK(contains(story.text("B/what if/hint"), "another model"));
    story.send(command::SetWhatIf{{what_if::HeadOff{0, 1}}});
    story.frames(3);
    CHECK_FALSE(story.shows("A/what if/hint"));
    CHECK(story.shows("A/what if/change 0"));
    CHECK(contains(story.text("B/what if/hint"), "another model"));

    Story other({.size = {1600, 1300}, .model = "next_word"});
    other.send(command::Watch{0, "He swung the bat"});
    compare_with_model(other, "homonyms");
    other.state().token = {3, 3};
    look_at(other, "What if");
    texts = drawn(other);
    CHECK(texts.contains(b));
    CHECK(texts.contains(a));
}

TEST_CASE("story: the title of Words fits both models, and the one that is shown alone") {
    Story story({.size = {1600, 1300}});
    story.state().window.panels = {true, true, true};
    story.state().side_panel = Panel::words;
    compare_with_model(story, "next_word");
    std::set<std::string> texts = drawn(story);
    CHECK(texts.contains("What each model predicts"));
    CHECK_FALSE(texts.contains("What “bat” means here"));
    story.state().compare = false;
    story.state().slot = 1;
    texts = drawn(story);
    CHECK(texts.contains("What comes after “bat”"));
    CHECK_FALSE(texts.contains("after block 0"));  // it has no list of nearest words
    CHECK_FALSE(texts.contains("after block 1"));
    story.state().slot = 0;
    texts = drawn(story);
    CHECK(texts.contains("What “bat” means here"));

    Story other({.size = {1600, 1300}, .model = "next_word"});
    other.state().window.panels = {true, true, true};
    other.state().side_panel = Panel::words;
    other.send(command::Watch{0, "He swung the bat"});
    compare_with_model(other, "homonyms");
    other.state().token = {3, 3};
    texts = drawn(other);
    CHECK(texts.contains("What each model predicts"));
    CHECK_FALSE(texts.contains("What comes after “bat”"));
}

TEST_CASE("story: the lens of an RNN or a decoder for masked words asks which word is masked") {
    for (const Family family : {Family::rnn, Family::gru, Family::decoder}) {
        CAPTURE(static_cast<int>(family));
        const TemporaryFolder folder;
        Story story;
        open_changed(story, folder, [&](TransformerConfig& c) {
            c.family = family;
            if (c.recurrent()) c.activation = Activation::none;
        });
        REQUIRE(story.snapshot().model->hides_words);
        look_at(story, "Logit lens");
        CHECK(contains(story.text("A/lens heading"), "sees the words that it predicts"));
        CHECK(drawn(story).contains("prediction at “bat”"));
        REQUIRE(story.play("click A/hide\nframes 3") == "");
        story.settle(3);
        CHECK(story.text("A/lens heading") == "If the model stopped here, which word would it predict?");
        const std::set<std::string> texts = drawn(story);
        CHECK(texts.contains("prediction at ▢"));
        for (const std::string& text : texts) {
            CHECK(!contains(text, "come next"));
            CHECK_FALSE(text.starts_with("after “"));
        }
    }
    Story next({.model = "next_word"});  // a model that predicts the next word is still asked for it
    look_at(next, "Logit lens");
    CHECK(next.text("A/lens heading") == "If the model stopped here, which word would come next?");
    CHECK_FALSE(next.shows("A/hide"));
}

TEST_CASE("story: text copied while two models are compared names its model") {
    Story story({.size = {1600, 1300}});
    compare_with_model(story, "next_word");
    const std::string text = story.snapshot().sentences[1].text;
    const std::string a = "sentence A: " + text + ", model homonyms, step 1200\n",
                      b = "sentence B: " + text + ", model next_word, step 600\n";
    CHECK(copied(story, "Logit lens", "A/lens copy").starts_with(a));
    CHECK(copied(story, "Logit lens", "B/lens copy").starts_with(b));
    CHECK(contains(copied(story, "Logit attribution", "B/argued copy"), b));
    CHECK(contains(copied(story, "Attention", "explain/copy"), a));
}

TEST_CASE("the bar of a block's accuracy rounds like the legend") {
    Snapshot snapshot;
    snapshot.model = std::make_shared<ModelInfo>();
    ViewState state;
    const std::function<void(Command)> send = [](const Command&) {};
    const std::vector<float> accuracy = {0.755f};  // 0.754999995
    Screen screen;
    screen.draw = [&](const Ui& ui) {
        draw_accuracy_bars({ui, snapshot, state, send}, {{0, 0}, {400, 60}}, accuracy, {}, nullptr);
    };
    screen.frame();
    screen.host.ui().items->keep_texts(true);
    screen.frame();
    std::string texts;
    for (const Items::DrawnText& text : screen.host.items().texts()) texts += std::string(text.text) + "|";
    CAPTURE(texts);
    CHECK(contains(texts, "75"));
    CHECK(!contains(texts, "76"));
}
