#include <algorithm>

#include "app/common/model_colours.h"
#include "app/session/startup.h"
#include "app/views/flow/flow_heading.h"
#include "app/views/registry.h"
#include "core/analysis/head_scores.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;
using namespace glassformer::app::views::flow;

namespace {

constexpr int bat_in_a = 3;
const std::string sentences[2] = {first_sentence, second_sentence};

std::string ribbon(const char* slot, int query, int key) {
    return std::string("flow/") + slot + " ribbon " + std::to_string(query) + " " + std::to_string(key);
}

std::string ribbon(const char* slot, int query, int key, int head) {
    return ribbon(slot, query, key) + " head " + std::to_string(head);
}

std::string named(const char* what, int layer, int head) {
    return std::string("heads/") + what + std::to_string(layer) + " " + std::to_string(head);
}

double weight(const Trace& trace, int layer, int head, int query, int key) {
    return static_cast<double>(pattern_row(trace, layer, head, query)[key]);
}

/// Compares every ribbon of the chosen word, and the weights in the words' texts.
void compare_flow(Differences& differences, Story& story, const Trace& trace, int slot) {
    const int layer = story.state().layer, chosen = story.state().head;
    const int query = story.state().token[slot];
    const bool all = story.state().own<FlowState>().all_heads;
    const char* letter = slot_letter(slot);
    for (int key = 0; key < trace.positions(); ++key) {
        differences.expect(story, ribbon(letter, query, key), weight(trace, layer, chosen, query, key));
        for (int head = 0; head < 4; ++head) {
            const std::string label = ribbon(letter, query, key, head);
            if (all)
                differences.expect(story, label, weight(trace, layer, head, query, key));
            else if (story.shows(label))
                differences.add(label + " is on screen");
        }
    }
}

std::uint32_t rgb(ImU32 colour) { return (colour & 0xff) << 16 | (colour & 0xff00) | (colour >> 16 & 0xff); }

}  // namespace

TEST_CASE("story: the chosen word's ribbons are the trace's weights, for one head and for all") {
    Story story;
    Differences differences;
    const auto a = reference().trace(sentences[0]), b = reference().trace(sentences[1]);
    REQUIRE(story.play("click view/Flow") == "");
    for (const bool all : {true, false}) {
        REQUIRE(story.play(all ? "click \"flow/A heads/all heads\"" : "click \"flow/A heads/this head\"") == "");
        for (int layer = 0; layer < 2; ++layer)
            for (int head = 0; head < 4; ++head) {
                CHECK(story.play("click \"map/head " + std::to_string(layer) + " " + std::to_string(head) +
                                 "\"\nkey a\nkey Tab\nkey b\nkey Tab\nframes 2") == "");
                compare_flow(differences, story, *a, 0);
                compare_flow(differences, story, *b, 1);
            }
    }
    CHECK(differences.report() == "");
    CHECK(differences.compared() > 8 * 2 * 8 * (1 + 1 + 4) - 1);
}

TEST_CASE("story: the other words have faint ribbons, drawn only if they are wide enough to see") {
    Story story;
    const auto a = reference().trace(sentences[0]);
    REQUIRE(story.play("click view/Flow\nclick \"flow/A heads/this head\"\nclick \"flow/A query 3\"\nframes 2") == "");
    const ViewState& state = story.state();
    Differences differences;
    int faint = 0;
    for (int query = 0; query < a->positions(); ++query)
        for (int key = 0; key < a->positions(); ++key) {
            if (query == bat_in_a) continue;
            const double truth = weight(*a, state.layer, state.head, query, key);
            if (truth >= 0.04) ++faint, differences.expect(story, ribbon("A", query, key), truth);
            if (truth < 0.0399 && story.shows(ribbon("A", query, key))) differences.add("too thin to be seen");
        }
    CHECK(faint > 20);
    CHECK(differences.report() == "");
}

TEST_CASE("story: clicks choose a word in the flow and a head in the legend, and explain a ribbon") {
    Story story;
    REQUIRE(story.play("click view/Flow\nclick \"flow/A heads/this head\"\nclick \"flow/A query 5\"\nframes 2") == "");
    CHECK(story.state().token[0] == 5);
    CHECK(story.value("A/token 5") == 1);
    CHECK(story.play("click \"flow/A key 3\"\nframes 2") == "");
    CHECK(story.state().token[0] == 3);
    for (const int head : {2, 0}) {
        CHECK(story.play("click \"flow/A head " + std::to_string(head) + "\"\nframes 2") == "");
        CHECK(story.state().head == head);
        const auto a = reference().trace(sentences[0]);
        const std::span<const float> row = pattern_row(*a, story.state().layer, head, 3);
        const int key = largest(row);
        CHECK(story.play("click \"" + ribbon("A", 3, key) + "\"\nframes 2") == "");
        CHECK(story.value("explain/value") == static_cast<double>(row[key]));
        const TracedCell cell = story.state().trail.back();
        CHECK(cell.slot == 0);
        CHECK(cell.cell == pattern_cell(story.state(), story.shown_trace(0), 3, key));
    }
    const int before = story.state().head;
    CHECK(story.play("key Right\nkey Tab\nframes 2") == "");
    CHECK(story.state().head == before + 1);
    CHECK(story.state().token[0] == 4);
}

TEST_CASE("story: a click on another head's ribbon chooses that head and explains its weight") {
    Story story;
    REQUIRE(story.play("click view/Flow\nclick \"flow/A query 3\"\nframes 2") == "");
    const auto a = reference().trace(sentences[0]);
    const int layer = story.state().layer;
    int head = 0, key = 0;  // of another head, the widest ribbon
    double most = -1;
    for (int h = 0; h < 4; ++h)
        for (int k = 0; k < a->positions() && h != story.state().head; ++k)
            if (weight(*a, layer, h, 3, k) > most) most = weight(*a, layer, h, 3, k), head = h, key = k;
    CHECK(story.play("click \"" + ribbon("A", 3, key, head) + "\"\nframes 2") == "");
    CHECK(story.state().head == head);
    CHECK(story.value("explain/value") == most);
}

TEST_CASE("story: the widest ribbon has its head's colour, in both themes") {
    for (const ThemeKind kind : {ThemeKind::light, ThemeKind::dark}) {
        Story story;
        story.state().theme = kind;
        REQUIRE(story.play("click view/Flow\nclick \"flow/A heads/this head\"\nclick \"flow/A query 3\"\nframes 2") ==
                "");
        const auto a = reference().trace(sentences[0]);
        const int layer = story.state().layer, head = story.state().head;
        const std::span<const float> row = pattern_row(*a, layer, head, bat_in_a);
        REQUIRE(row[largest(row)] > 0.2f);
        const Item* item = story.find(ribbon("A", bat_in_a, largest(row)));
        REQUIRE(item);
        const ImVec2 at = item->centre();
        CHECK(pixel(story.picture(), at.x, at.y) == rgb(head_colour(theme(kind), head)));
    }
}

TEST_CASE("story: the numbers below every head are core's, and a click chooses the head") {
    Story story;
    REQUIRE(story.play("click \"view/All heads\"\nframes 2") == "");
    Differences differences;
    for (int slot = 0; slot < 2; ++slot) {
        const auto trace = reference().trace(sentences[slot]);
        const int n = trace->positions();
        const std::string letter = slot_letter(slot);
        for (int layer = 0; layer < 2; ++layer)
            for (int head = 0; head < 4; ++head) {
                const std::size_t cells = n * n;
                const std::span<const float> pattern = trace->values(block(layer, "attn.hook_pattern"))
                                                           .subspan(static_cast<std::size_t>(head) * cells, cells);
                double before = 0;
                for (int query = 1; query < n; ++query) before += weight(*trace, layer, head, query, query - 1);
                differences.expect(story, named((letter + " previous ").c_str(), layer, head), before / (n - 1));
                differences.expect(story, named((letter + " toeplitz ").c_str(), layer, head),
                                   nearest_toeplitz(pattern, n, n, false).explained);
                if (story.shows(named((letter + " induction ").c_str(), layer, head)))
                    differences.add("an induction score where nothing repeats");
            }
    }
    CHECK(differences.report() == "");
    CHECK(differences.compared() == 32);
    for (int layer = 0; layer < 2; ++layer)
        for (int head = 0; head < 4; ++head) {
            CHECK(story.play("click \"" + named("B ", layer, head) + "\"\nframes 2") == "");
            CHECK(story.state().layer == layer);
            CHECK(story.state().head == head);
            CHECK(story.value(named("A ", layer, head)) == 1);
            CHECK(story.value(named("A ", layer, (head + 1) % 4)) == 0);
        }
    CHECK(story.play("key Up\nkey Left\nframes 2") == "");
    CHECK(story.value("heads/B 0 2") == 1);
}

TEST_CASE("story: the numbers below the heads are updated by training") {
    Story story({.trained = false});
    REQUIRE(story.play("click \"view/All heads\"\nframes 2") == "");
    const double before = story.value("heads/A toeplitz 1 2");
    CHECK(story.play("click train\nwait step >= 20 timeout 60\nclick train\nwait train == 0 timeout 60") == "");
    story.settle();
    const Trace& trace = story.shown_trace(0);
    const std::size_t cells = trace.positions() * trace.positions();
    const double now = nearest_toeplitz(trace.values("blocks.1.attn.hook_pattern").subspan(2 * cells, cells),
                                        trace.positions(), trace.positions(), false)
                           .explained;
    CHECK(story.value("heads/A toeplitz 1 2") == now);
    CHECK(now != before);
}

TEST_CASE("story: Flow and All heads fit small windows, and 200 %") {
    for (const StoryOptions& options :
         {StoryOptions{.size = {1280, 720}}, StoryOptions{.size = {2560, 1440}, .scale = 2},
          StoryOptions{.size = {960, 600}, .scale = 2}, StoryOptions{.size = {640, 400}}}) {
        CAPTURE(options.size.width);
        Story story(options);
        if (story.shows("panel/A")) REQUIRE(story.play("click panel/A\nframes 2") == "");
        for (const char* view : {"Flow", "All heads"}) {
            const auto at = std::ranges::find(all_views(), std::string_view(view), &app::View::name);
            story.state().view = static_cast<int>(at - all_views().begin());
            story.frames(3);
            CHECK(story.shows(std::string(view) == "Flow" ? "flow/A query 0" : "heads/A 0 0"));
            const float right = ImGui::GetIO().DisplaySize.x;
            Differences differences;
            for (const Item& item : story.host.items().all())
                if (item.min.x < -1 || item.max.x > right + 1) differences.add(std::string(item.label) + " is cut");
            CHECK(differences.report() == "");
            CHECK_FALSE(story.picture().rgba.empty());
        }
    }
}
