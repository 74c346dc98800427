#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "app/session/startup.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

/// Checks the explained cell against the reference: its value, the recomputed value, and the traced value in the
/// breadcrumb. Returns the cell.
Cell check_explained(Story& story, const Trace& truth) {
    REQUIRE(!story.state().trail.empty());
    const Cell cell = story.state().trail.back().cell;
    const Explanation e = truth.explain(cell);
    CAPTURE(truth.address(cell));
    CHECK(story.value("explain/value") == static_cast<double>(truth.at(cell)));
    CHECK(story.value("explain/cell") == static_cast<double>(truth.at(cell)));
    if (truth.graph()[cell.node].kind != NodeInfo::Kind::op) {
        CHECK(story.value("explain/given") == static_cast<double>(truth.at(cell)));
        CHECK(story.text("explain/given") == truth.graph()[cell.node].name);
        CHECK_FALSE(story.shows("explain/deeper"));
        return cell;
    }
    CHECK(story.value("explain/recomputed") == e.recomputed);
    double scale = std::max(std::abs(e.traced), 1e-3);
    for (const Explanation::Term& term : e.terms) scale = std::max(scale, std::abs(term.contribution));
    CHECK(std::abs(e.recomputed - e.traced) <= 1e-4 * scale);
    CHECK(contains(story.text("explain/recomputed"), "✓"));
    return cell;
}

/// Clicks "Deeper" down to a number with no operands, then "Back" up again. Returns the name of the last node.
std::string down_and_up(Story& story, const Trace& truth) {
    std::vector<Cell> way = {check_explained(story, truth)};
    while (story.shows("explain/deeper")) {
        REQUIRE(way.size() < 80);
        REQUIRE(story.play("click explain/deeper") == "");
        way.push_back(check_explained(story, truth));
        REQUIRE(story.state().trail.size() == way.size());
        // Deeper never leads up: operands are computed earlier.
        CHECK(way.back().node < way[way.size() - 2].node);
    }
    const std::string last = truth.graph()[way.back().node].name;
    CHECK(truth.graph()[way.back().node].kind != NodeInfo::Kind::op);
    while (way.size() > 1) {
        REQUIRE(story.play(way.size() % 2 ? "click explain/back" : "key Backspace") == "");
        way.pop_back();
        CHECK(story.value("explain/value") == static_cast<double>(truth.at(way.back())));
    }
    CHECK(story.state().trail.size() == 1);
    return last;
}

/// True if the term has this operand under its usual name: a cell of a merged view is its heads' cell.
bool has_operand(const Trace& truth, const Explanation::Term& term, const Cell& cell) {
    return std::ranges::any_of(term.operands, [&](const Explanation::Operand& o) {
        return o.cell == cell || (o.cell.offset == cell.offset && truth.graph()[o.cell.node].name.ends_with("_merged"));
    });
}

}  // namespace

TEST_CASE("story: an attention weight is traced down to the embeddings and back") {
    Story story;
    const auto a = reference().trace(first_sentence), b = reference().trace(second_sentence);
    std::map<std::string, int> ends;
    CHECK(story.play("click \"map/head 1 2\"") == "");
    CHECK(story.play("click \"B/pattern 1 2\"") == "");
    ++ends[down_and_up(story, *b)];
    CHECK(story.play("click \"A/pattern 3 7\"") == "");
    ++ends[down_and_up(story, *a)];
    CHECK(story.play("click \"map/head 0 1\"\nclick \"A/weight 7\"") == "");
    ++ends[down_and_up(story, *a)];
    CHECK(story.play("click \"B/z 5\"") == "");
    ++ends[down_and_up(story, *b)];
    CHECK(story.play("click \"B/ln1 scale 4\"") == "");
    ++ends[down_and_up(story, *b)];
    CHECK(ends["embed.W_E"] + ends["embed.W_pos"] + ends["pos_embed.W_pos"] + ends["W_pos"] >= 1);
}

TEST_CASE("story: any number of the model map is traced down to the inputs") {
    Story story;
    const auto truth = reference().trace(second_sentence);
    CHECK(story.play("key b") == "");
    for (const char* place :
         {"map/embed", "map/0/ln1", "map/0/mlp", "map/1/attn", "map/1/add 1", "map/ln_final", "map/unembed"}) {
        CAPTURE(place);
        REQUIRE(story.play("click \"" + std::string(place) + "\"") == "");
        down_and_up(story, *truth);
    }
}

TEST_CASE("story: a term of a chart and an operand of a sum open their own number") {
    Story story({.size = {1600, 1400}});  // high enough for every row of a short sum
    const auto truth = reference().trace(second_sentence);
    CHECK(story.play("click \"map/head 0 0\"\nclick \"B/k 2 5\"") == "");
    Explanation e = truth->explain(story.state().trail.back().cell);
    REQUIRE(e.op == "linear");
    for (const int term : {0, 7, 40}) {
        CAPTURE(term);
        const std::string item = "explain/term " + std::to_string(term);
        CHECK(story.value(item) == e.terms[term].contribution);
        CHECK(story.play("click \"" + item + "\"") == "");
        REQUIRE(story.state().trail.size() == 2);
        CHECK(has_operand(*truth, e.terms[term], check_explained(story, *truth)));
        CHECK(story.play("click \"trail 0\"") == "");
        CHECK(story.state().trail.size() == 1);
    }
    // LayerNorm's σ, then x̂ = (x − μ) / σ: few enough terms for rows with clickable operands.
    CHECK(story.play("click \"stage LN\"") == "");
    CHECK(story.play("click explain/deeper") == "");
    const Cell normalized = check_explained(story, *truth);
    e = truth->explain(normalized);
    int clicked = 0;
    for (std::size_t term = 0; term < e.terms.size(); ++term)
        for (std::size_t i = 0; i < e.terms[term].operands.size(); ++i) {
            const std::string item = "explain/operand " + std::to_string(term) + " " + std::to_string(i);
            CAPTURE(item);
            CHECK(story.value(item) == e.terms[term].operands[i].value);
            CHECK(story.play("click \"" + item + "\"") == "");
            REQUIRE(story.state().trail.size() == 3);
            CHECK(check_explained(story, *truth) == e.terms[term].operands[i].cell);
            CHECK(story.play("key Backspace") == "");
            ++clicked;
        }
    CHECK(clicked >= 3);
}

TEST_CASE("story: a softmax lists the share of each word and opens its score, and its own scaled score") {
    Story story({.size = {1600, 1600}});  // the whole explanation is in sight
    const auto truth = reference().trace(first_sentence);
    CHECK(story.play("key a\nclick \"map/head 0 1\"\nclick \"A/weight 7\"") == "");
    const Explanation softmax = truth->explain(story.state().trail.back().cell);
    REQUIRE(softmax.op == "softmax");
    for (std::size_t key = 0; key < softmax.terms.size(); ++key)
        CHECK(story.value("explain/word " + std::to_string(key)) == softmax.terms[key].contribution);
    CHECK(story.value("explain/softmax") == softmax.traced);
    // The widest share of another word.
    std::size_t widest = softmax.terms.size();
    for (std::size_t key = 0; key < softmax.terms.size(); ++key)
        if (key != 7 &&
            (widest == softmax.terms.size() || softmax.terms[key].contribution > softmax.terms[widest].contribution))
            widest = key;
    CHECK(story.play("click \"explain/word " + std::to_string(widest) + "\"") == "");
    CHECK(truth->address(check_explained(story, *truth)) == truth->address(softmax.terms[widest].operands[0].cell));
    CHECK(story.play("key Backspace") == "");
    CHECK(story.play("click explain/scale") == "");
    CHECK(truth->graph()[check_explained(story, *truth).node].name == "blocks.0.attn.hook_attn_scores_scaled");
}

TEST_CASE("story: every stage of a head opens its number for the chosen word") {
    struct Stage {
        const char* pill;
        const char* node;
    };
    const Stage stages[] = {{"+ pos", "hook_resid_pre"},  // in the blocks after the first it is "x"
                            {"LN", "ln1.hook_out"},
                            {"Q", "attn.hook_q"},
                            {"K", "attn.hook_k"},
                            {"V", "attn.hook_v"},
                            {"q·k", "attn.hook_attn_scores_raw"},
                            {"÷√d", "attn.hook_attn_scores_scaled"},
                            {"mask", "attn.hook_attn_scores"},
                            {"softmax", "attn.hook_pattern"},
                            {"Σ a·v", "attn.hook_z"},
                            {"W_O", "attn.hook_result"},
                            {"+ x", "hook_resid_mid"}};
    Story story;
    const auto truth = reference().trace(second_sentence);
    for (int layer = 0; layer < 2; ++layer) {
        CHECK(story.play("key b\nclick \"map/head " + std::to_string(layer) + " 3\"\nclick \"B/token 2\"") == "");
        for (const Stage& stage : stages) {
            const std::string pill = layer > 0 && &stage == &stages[0] ? "x" : stage.pill;
            CAPTURE(pill);
            REQUIRE(story.play("click \"stage " + pill + "\"") == "");
            const Cell cell = check_explained(story, *truth);
            CHECK(cell.node == truth->graph().at(block(layer, stage.node)));
            CHECK(story.state().trail.back().slot == 1);
            CHECK(story.value("stage " + pill) == 1);
            // For a query, the number is from the chosen word's row; for a key or value, from the row of the word it
            // attends to most, which may be the word itself.
            const Shape shape = truth->shape(cell.node);
            const std::int64_t n = truth->positions();
            std::vector<float> row(pattern_row(*truth, layer, 3, 2).begin(), pattern_row(*truth, layer, 3, 2).end());
            const std::int64_t key = largest(row);
            const std::string node = stage.node;
            if (shape.rank() == 3 && shape[0] != n)
                CHECK(cell.offset == (3 * n + 2) * n + key);
            else
                CHECK(cell.offset / (shape.elements() / n) == (node.ends_with("_k") || node.ends_with("_v") ? key : 2));
        }
    }
}

TEST_CASE("story: a vector's numbers can be listed, clicked, and copied with all digits") {
    Story story;
    const auto a = reference().trace(first_sentence);
    const std::span<const float> q = head_vector(*a, block(0, "attn.hook_q"), 3, 1);
    REQUIRE(story.play("click \"map/head 0 1\"\nclick \"A/token 3\"\nclick \"A/q 2\"\nframes 2") == "");
    CHECK_FALSE(story.shows("explain/number 0"));
    REQUIRE(story.play("click explain/vector\nframes 2") == "");
    for (std::size_t i = 0; i < q.size(); ++i)
        CHECK(story.value("explain/number " + std::to_string(i)) == static_cast<double>(q[i]));
    CHECK_FALSE(story.shows("explain/number " + std::to_string(q.size())));
    REQUIRE(story.play("click \"explain/copy vector\"\nframes 2") == "");
    std::istringstream copied(ImGui::GetClipboardText());
    for (const float value : q) {
        float read = 0;
        copied >> read;
        CHECK(read == value);
    }
    REQUIRE(story.play("click \"explain/number 5\"\nframes 2") == "");
    CHECK(story.value("explain/value") == static_cast<double>(q[5]));
    // A second click on the button restores the explanation.
    REQUIRE(story.play("click explain/vector\nframes 2") == "");
    CHECK_FALSE(story.shows("explain/number 0"));
    CHECK(story.shows("explain/formula"));
}
