#include <cmath>
#include <cstdio>
#include <filesystem>

#include "core/analysis/head_scores.h"
#include "core/io/checkpoint.h"
#include "tests/core/fresh_parameters.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

constexpr int words = 300, layers = 2, heads = 3, head = 1;

/// A decoder with random weights for long texts, saved as a checkpoint that takes token ids.
class LongModel {
public:
    LongModel() {
        TransformerConfig c;
        c.family = Family::decoder;
        c.d_vocab = 97, c.n_ctx = 320, c.d_model = 24, c.n_heads = heads, c.n_layers = layers, c.d_mlp = 40;
        c.init_std = 0.4f;
        checkpoint.config = c;
        checkpoint.parameters = fresh_parameters(c, 4);
        save_checkpoint(folder, checkpoint);
        for (int p = 0; p < words; ++p) {
            ids.push_back((p * p + 3 * p) % 89 + 3);
            text += (p > 0 ? " " : "") + std::to_string(ids.back());
        }
        trace = Tracer(reference().backend, c).trace(ids, checkpoint.parameters);
    }

    double weight(int layer, int query, int key) const {
        return static_cast<double>(pattern_row(*trace, layer, head, query)[key]);
    }
    double score(int layer, int query, int key) const {
        const auto all = trace->values(block(layer, "attn.hook_attn_scores"));
        return static_cast<double>(all[(head * words + query) * words + key]);
    }

    TemporaryFolder parent;
    std::filesystem::path folder = parent / "a long text";
    Checkpoint checkpoint;
    std::vector<int> ids;
    std::string text;
    std::shared_ptr<const Trace> trace;
};

/// Compares every weight, score and cell of the pattern that is on screen; returns how many there were.
int compare_all(const Story& story, const LongModel& model, int layer, int query) {
    int compared = 0;
    for (const Item& item : story.host.items().all()) {
        int a = 0, b = 0, end = 0;
        const std::string label(item.label);
        double truth = 0;
        if (std::sscanf(label.c_str(), "A/pattern %d %d%n", &a, &b, &end) == 2)
            truth = model.weight(layer, a, b);
        else if (std::sscanf(label.c_str(), "A/weight %d%n", &a, &end) == 1)
            truth = model.weight(layer, query, a);
        else if (std::sscanf(label.c_str(), "A/score %d%n", &a, &end) == 1)
            truth = model.score(layer, query, a);
        else
            continue;
        if (end != static_cast<int>(label.size())) continue;
        CAPTURE(label);
        REQUIRE(item.value);
        if (std::isinf(truth))
            CHECK(*item.value == truth);
        else
            CHECK(*item.value == doctest::Approx(truth).epsilon(1e-5));
        ++compared;
    }
    return compared;
}

void point(Story& story, ImVec2 at) { story.frames_at(at, 3); }

/// The pattern's cell under the mouse, or one beside the line between two cells that is under it.
const Item* cell_under(const Story& story, ImVec2 mouse) {
    constexpr float line = 1, rounding = 0.01f;
    for (const Item& item : story.host.items().all())
        if (item.label.starts_with("A/pattern ") && item.value && mouse.x >= item.min.x - rounding &&
            mouse.x < item.max.x + line + rounding && mouse.y >= item.min.y - rounding &&
            mouse.y < item.max.y + line + rounding)
            return &item;
    return nullptr;
}

}  // namespace

TEST_CASE("story: in a text of 300 tokens every number on screen and in tooltips is core's, at every zoom") {
    const LongModel model;
    Story story({.model = model.folder.string()});
    story.send(command::Watch{0, model.text});
    REQUIRE(story.shown_trace(0).positions() == words);
    CHECK(story.play("key a\nclick \"map/head 1 1\"\nclick view/Attention") == "");
    story.settle(3);
    const int query = story.state().token[0];
    CHECK(compare_all(story, model, 1, query) >= 10);
    // The whole pattern is on screen; only the cell under the mouse is an item.
    const ImVec2 middle = story.find("A/pattern")->centre();
    const ImVec2 place{std::floor(middle.x - 40), std::floor(middle.y + 30)};
    for (int zoom = 0; zoom < 6; ++zoom) {
        CAPTURE(zoom);
        point(story, place);
        const Item* cell = cell_under(story, place);
        REQUIRE(cell);
        // Where `place` lies on the line between two cells, rounding decides whose tooltip is shown.
        const ImVec2 centre{std::floor(cell->centre().x), std::floor(cell->centre().y)};
        point(story, centre);
        cell = cell_under(story, centre);
        REQUIRE(cell);
        int row = 0, column = 0;
        REQUIRE(std::sscanf(std::string(cell->label).c_str(), "A/pattern %d %d", &row, &column) == 2);
        CHECK(*cell->value == doctest::Approx(model.weight(1, row, column)).epsilon(1e-5));
        char told[64];
        std::snprintf(told, sizeof told, "%d → %d  %.2f", model.ids[row], model.ids[column],
                      model.weight(1, row, column));
        const std::string tooltip = story.text("tooltip");
        std::string plain;
        for (const char c : tooltip)
            if (c != '#') plain += c;
        CHECK(contains(plain, told));
        compare_all(story, model, 1, query);
        CHECK(story.play("key +") == "");
        story.frames(2);
    }
    CHECK(compare_all(story, model, 1, query) > 100);  // near enough for every visible cell to be an item
    CHECK(story.play("click \"view/All heads\"") == "");
    story.settle();
    for (int i = 0; i < 200 && !story.shows("heads/A previous 1 2"); ++i) story.frames(2);
    Differences differences;
    for (int layer = 0; layer < layers; ++layer)
        for (int h = 0; h < heads; ++h)
            differences.expect(
                story, "heads/A previous " + std::to_string(layer) + " " + std::to_string(h),
                *previous_word_score(
                    model.trace->values(block(layer, "attn.hook_pattern")).subspan(h * words * words, words * words),
                    words));
    CHECK(differences.report() == "");
}
