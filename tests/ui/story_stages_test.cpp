#include <cmath>

#include "app/common/stage_motion.h"
#include "app/common/stages.h"
#include "app/session/startup.h"
#include "tests/ui/opening_sentences.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

/// How the number of a stage is found, independently of the app.
enum class Pick { token, vector, head, key, pair, neuron, word };

struct StageTruth {
    const char* item;
    const char* node;  // relative to the block; absolute if it starts with '/'
    Pick pick;
    const char* opened_by = nullptr;  // the stage that it is part of
};

const std::vector<StageTruth> block_stages = {{"μ", "ln1.hook_mean", Pick::token, "LN"},
                                              {"σ", "ln1.hook_scale", Pick::token, "LN"},
                                              {"x̂", "ln1.hook_normalized", Pick::vector, "LN"},
                                              {"LN", "ln1.hook_out", Pick::vector},
                                              {"Q", "attn.hook_q", Pick::head},
                                              {"K", "attn.hook_k", Pick::key},
                                              {"V", "attn.hook_v", Pick::key},
                                              {"q·k", "attn.hook_attn_scores_raw", Pick::pair},
                                              {"÷√d", "attn.hook_attn_scores_scaled", Pick::pair},
                                              {"mask", "attn.hook_attn_scores", Pick::pair},
                                              {"softmax", "attn.hook_pattern", Pick::pair},
                                              {"Σ a·v", "attn.hook_z", Pick::head},
                                              {"W_O", "attn.hook_result", Pick::head},
                                              {"+ x", "hook_resid_mid", Pick::vector},
                                              {"μ 2", "ln2.hook_mean", Pick::token, "LN 2"},
                                              {"σ 2", "ln2.hook_scale", Pick::token, "LN 2"},
                                              {"x̂ 2", "ln2.hook_normalized", Pick::vector, "LN 2"},
                                              {"LN 2", "ln2.hook_out", Pick::vector},
                                              {"MLP pre", "mlp.hook_pre", Pick::neuron},
                                              {"MLP post", "mlp.hook_post", Pick::neuron},
                                              {"MLP out", "hook_mlp_out", Pick::vector},
                                              {"+ x 2", "hook_resid_post", Pick::vector}};
const std::vector<StageTruth> stages_before = {{"tokens", "/tokens", Pick::token},
                                               {"embed", "/hook_embed", Pick::vector},
                                               {"+ pos", "/blocks.0.hook_resid_pre", Pick::vector}};
const std::vector<StageTruth> stages_after = {{"final μ", "/ln_final.hook_mean", Pick::token, "final LN"},
                                              {"final σ", "/ln_final.hook_scale", Pick::token, "final LN"},
                                              {"final x̂", "/ln_final.hook_normalized", Pick::vector, "final LN"},
                                              {"final LN", "/ln_final.hook_out", Pick::vector},
                                              {"logits", "/logits", Pick::word},
                                              {"P", "/probabilities", Pick::word}};

std::string node_name(const StageTruth& stage, int layer) {
    return stage.node[0] == '/' ? std::string(stage.node + 1) : block(layer, stage.node);
}

std::int64_t furthest(std::span<const float> values) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < values.size(); ++i)
        if (std::abs(values[i]) > std::abs(values[best])) best = i;
    return static_cast<std::int64_t>(best);
}

std::span<const float> row_of(const Trace& trace, const std::string& node, int position) {
    const auto all = trace.values(node);
    const std::size_t width = all.size() / static_cast<std::size_t>(trace.positions());
    return all.subspan(static_cast<std::size_t>(position) * width, width);
}

/// The number that a stage must show for a word.
double truth_of(const Trace& trace, const StageTruth& stage, int layer, int head, int token) {
    const std::string node = node_name(stage, layer);
    const int key = largest(pattern_row(trace, layer, head, token));
    const auto row = row_of(trace, node, token);
    const auto value = [](std::span<const float> values, std::int64_t i) { return static_cast<double>(values[i]); };
    const auto in_head = [&](int position) {
        const auto all = row_of(trace, node, position);
        const std::size_t width = all.size() / 4;
        const auto part = all.subspan(static_cast<std::size_t>(head) * width, width);
        return value(part, furthest(part));
    };
    const std::int64_t n = trace.positions();
    switch (stage.pick) {
        case Pick::token:
            return value(row, 0);
        case Pick::vector:
            return value(row, furthest(row));
        case Pick::head:
            return in_head(token);
        case Pick::key:
            return in_head(key);
        case Pick::pair:
            return value(trace.values(node), (head * n + token) * n + key);
        case Pick::neuron:
            return value(row, furthest(row_of(trace, block(layer, "mlp.hook_post"), token)));
        case Pick::word:
            break;
    }
    return value(row, largest(row));
}

std::string explained_node(Story& story) {
    const TracedCell& cell = story.state().trail.back();
    return story.shown_trace(cell.slot).graph()[cell.cell.node].name;
}

}  // namespace

TEST_CASE("story: every stage of block 0, head 3 is on screen for bat, and opens the trace's number") {
    Story story;
    const std::string sentences[2] = {first_sentence, second_sentence};
    Differences differences;
    CHECK(story.play("click \"map/head 0 3\"") == "");
    std::vector<StageTruth> all = stages_before;
    all.insert(all.end(), block_stages.begin(), block_stages.end());
    all.insert(all.end(), stages_after.begin(), stages_after.end());
    for (int slot = 0; slot < 2; ++slot) {
        const auto trace = reference().trace(sentences[slot]);
        const int bat = story.snapshot().sentences[slot].homonym_pos;
        for (const int token : {bat, bat + 2}) {
            CHECK(story.play("click \"" + std::string(slot_letter(slot)) + "/token " + std::to_string(token) + "\"") ==
                  "");
            for (const StageTruth& stage : all) {
                CAPTURE(stage.item);
                if (stage.opened_by && !story.shows("stage " + std::string(stage.item)))
                    REQUIRE(story.play("click \"stage " + std::string(stage.opened_by) + "\"") == "");
                REQUIRE(story.play("click \"stage " + std::string(stage.item) + "\"") == "");
                CHECK(story.value("stage " + std::string(stage.item)) == 1);
                CHECK(story.state().layer == 0);
                CHECK(story.state().trail.back().slot == slot);
                differences.expect(story, "explain/value", truth_of(*trace, stage, 0, 3, token));
            }
        }
    }
    CHECK(differences.report() == "");
    CHECK(differences.compared() >= 60);
}

TEST_CASE("story: the parts of a LayerNorm are shown while it is the stage on screen") {
    Story story;
    CHECK(story.play(
              "key a\nclick \"stage softmax\"\nexpect_no_item \"stage μ\"\nclick \"stage LN\"\nexpect_item "
              "\"stage μ\"\nexpect_no_item \"stage μ 2\"\nclick \"stage σ\"\nexpect \"stage σ\" == 1\nkey Space\n"
              "expect \"stage x̂\" == 1\nclick \"stage LN 2\"\nexpect_item \"stage σ 2\"\nexpect_no_item \"stage σ\"\n"
              "click \"stage Q\"\nexpect_no_item \"stage σ 2\"") == "");
}

TEST_CASE("story: score, scaled score, masked score and weight of a pair of words are four stages") {
    Story story;
    const auto trace = reference().trace(first_sentence);
    const std::vector<std::pair<std::string, std::string>> ways = {{"q·k", "attn.hook_attn_scores_raw"},
                                                                   {"÷√d", "attn.hook_attn_scores_scaled"},
                                                                   {"mask", "attn.hook_attn_scores"},
                                                                   {"softmax", "attn.hook_pattern"}};
    CHECK(story.play("click \"map/head 0 3\"\nkey a") == "");
    const int bat = story.state().token[0], n = trace->positions();
    const int key = largest(pattern_row(*trace, 0, 3, bat));
    for (const auto& [item, hook] : ways) {
        CHECK(story.play("click \"stage " + item + "\"") == "");
        CHECK(explained_node(story) == block(0, hook));
        const std::size_t at = (3 * n + bat) * n + key;
        CHECK(story.value("explain/value") == static_cast<double>(trace->values(block(0, hook))[at]));
    }
}

TEST_CASE("story: a translation's encoder opens into its own stages") {
    Story story({.world = "translation"});
    CHECK(story.play("click \"stages Encoder\"\nexpect \"stage source tokens\" == 1") == "");
    const Trace& trace = story.shown_trace(0);
    const auto stages = stages_of(trace);
    int walked = 0;
    for (const Stage& stage : stages->walk()) {
        if (!stage.source) continue;
        CAPTURE(stage.hook);
        CHECK(explained_node(story) == trace.graph()[stage.node].name);
        CHECK(story.value("explain/value") == static_cast<double>(trace.at(story.state().trail.back().cell)));
        CHECK(story.value(stage.item) == 1);
        CHECK(story.play("key Space") == "");
        ++walked;
    }
    CHECK(walked > 20);
    CHECK(story.play("expect_item \"stages Encoder\"") == "");
}

TEST_CASE("story: Space steps from the tokens through both blocks to the probabilities, Page Up back") {
    Story story;
    std::vector<std::pair<std::string, int>> way;  // node, and block on screen
    for (const StageTruth& stage : stages_before) way.emplace_back(node_name(stage, 0), 0);
    for (int layer = 0; layer < 2; ++layer)
        for (const StageTruth& stage : block_stages) way.emplace_back(node_name(stage, layer), layer);
    for (const StageTruth& stage : stages_after) way.emplace_back(node_name(stage, 1), 1);
    const auto trace = reference().trace(second_sentence);
    CHECK(story.play("key b\nclick \"map/head 0 3\"\nclick \"stage tokens\"") == "");
    const auto check_place = [&](std::size_t i) {
        CAPTURE(i);
        CHECK(story.state().trail.back().cell.node == trace->graph().at(way[i].first));
        CHECK(story.state().layer == way[i].second);
        CHECK(story.state().head == 3);
        CHECK(story.value("explain/value") == static_cast<double>(trace->at(story.state().trail.back().cell)));
    };
    for (std::size_t i = 0; i < way.size(); ++i) {
        check_place(i);
        CHECK(story.play(i % 2 ? "key Space" : "key PageDown") == "");
    }
    CHECK(explained_node(story) == "tokens");  // wraps around to the beginning
    CHECK(story.play("key PageUp") == "");
    for (std::size_t i = way.size(); i-- > 0;) {
        check_place(i);
        CHECK(story.play("key PageUp") == "");
    }
}

TEST_CASE("story: changing the word, head or block keeps the stage") {
    Story story;
    const auto trace = reference().trace(second_sentence);
    CHECK(story.play("key b\nclick \"map/head 0 3\"\nclick \"stage MLP post\"\nclick \"B/token 4\"") == "");
    const StageTruth& post = block_stages[19];
    CHECK(explained_node(story) == "blocks.0.mlp.hook_post");
    CHECK(story.value("explain/value") == truth_of(*trace, post, 0, 3, 4));
    CHECK(story.value("stage MLP post") == 1);
    CHECK(story.play("key Tab\nkey Down") == "");
    CHECK(explained_node(story) == "blocks.1.mlp.hook_post");
    CHECK(story.value("explain/value") == truth_of(*trace, post, 1, 3, 5));
    CHECK(story.play("click \"stage Q\"\nkey Left") == "");
    CHECK(story.value("explain/value") == truth_of(*trace, block_stages[4], 1, 2, 5));
    CHECK(story.play("click \"stage x\"\nkey Tab\nexpect \"stage x\" == 1\nclick \"stage/block 0\"") == "");
    CHECK(story.value("explain/value") == truth_of(*trace, stages_before[2], 0, 2, 6));
    CHECK(story.play("click \"stage logits\"\nkey a") == "");
    CHECK(explained_node(story) == "logits");
    CHECK(story.state().trail.back().slot == 0);
}

TEST_CASE("story: a narrow strip collapses groups, and expands the one with the current stage") {
    Story story({.size = {1280, 720}});
    CHECK(story.play("click \"map/head 1 0\"\nexpect_item \"stage softmax\"\nexpect_no_item \"stage MLP post\"\nclick "
                     "\"stages MLP\"\nexpect \"stage MLP pre\" == 1\nkey Space\nexpect \"stage MLP post\" == 1\nclick "
                     "\"stages Embed\"\nexpect \"stage tokens\" == 1\nexpect_no_item \"stage MLP post\"") == "");
    // No pills overlap, and none extends beyond the strip.
    std::vector<Item> pills;
    for (const Item& item : story.host.items().all())
        if (item.label.starts_with("stage") && item.label != "stage/headline" && item.label != "stage/question")
            pills.push_back(item);
    REQUIRE(pills.size() >= 8);
    for (std::size_t i = 0; i < pills.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            CHECK((pills[i].min.x >= pills[j].max.x || pills[j].min.x >= pills[i].max.x ||
                   pills[i].min.y >= pills[j].max.y || pills[j].min.y >= pills[i].max.y));
}

TEST_CASE("story: the highlight glides for at most 400 ms, and not at all with reduced motion") {
    Story story;
    CHECK(story.play("click \"stage Q\"\nkey Space") == "");
    CHECK(story.state().own<StageGlide>().ends == 0);
    story.host.ui().reduce_motion = story.state().reduce_motion = false;
    CHECK(story.play("key Space") == "");
    CHECK(story.state().own<StageGlide>().ends > 0);
    CHECK(story.state().own<StageGlide>().ends <= ImGui::GetTime() + 0.4);
    const ImVec2 target = story.state().own<StageGlide>().to.min;
    CHECK(story.play("key Space") == "");
    CHECK(story.state().own<StageGlide>().from.min.x ==
          target.x);  // a new step does not wait: it starts where this one was going
}
