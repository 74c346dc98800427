#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "app/common/head_summaries.h"
#include "app/common/model_colours.h"
#include "app/views/flow/flow_heading.h"
#include "app/views/flow/flow_ribbons.h"
#include "app/views/registry.h"
#include "core/analysis/head_scores.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/trace/tracer.h"
#include "tests/core/fresh_parameters.h"
#include "tests/ui/harness.h"

using namespace glassformer;
using namespace glassformer::app;
using namespace glassformer::app::views::flow;

namespace {

auto drawing_of(std::string_view view) { return all_views()[view_index(view)].draw; }

TransformerConfig small() {
    TransformerConfig c;
    c.d_vocab = 20, c.n_ctx = 96, c.d_model = 24, c.n_heads = 4, c.n_layers = 2, c.d_mlp = 48;
    c.init_std = 0.4f;  // so that heads differ
    return c;
}

/// Draws one sentence of any model, without a session, in a box the size of a card.
struct Stage {
    Snapshot snapshot;
    ViewState state;
    std::function<void(Command)> send = [](const Command&) {};
    CpuBackend backend{1};
    Screen screen;

    Stage(const TransformerConfig& config, const TraceInput& input, void (*draw)(const Frame&, const Box&, int),
          ImVec2 size = {420, 520}) {
        auto info = std::make_shared<ModelInfo>();
        info->config = config;
        std::vector<std::string> words;
        for (int i = 3; i < config.d_vocab; ++i) words.push_back("word" + std::to_string(i));
        info->tokenizer = std::make_shared<WordTokenizer>(words);
        snapshot.model = info;
        const auto weights = fresh_parameters(config, 1);
        Tracer tracer(backend, config);
        snapshot.sentences[0].trace = tracer.trace(input, weights);
        for (const int id : input.tokens) snapshot.sentences[0].tokens.push_back({id, info->token_text(id)});
        screen.draw = [this, draw, size](const Ui& ui) {
            state.more_to_compute = false;
            draw(Frame{ui, snapshot, state, send}, {{10, 10}, {10 + size.x, 10 + size.y}}, 0);
        };
    }

    const Trace& trace() const { return *snapshot.sentences[0].trace; }
    const Item* find(const std::string& label) const { return screen.host.items().find(label); }
    double value(const std::string& label) const {
        const Item* item = find(label);
        return item && item->value ? *item->value : std::nan("");
    }
    void frames(int count) {
        for (int i = 0; i < count; ++i) screen.frame();
    }
};

std::vector<int> counted(int length, int period) {
    std::vector<int> tokens;
    for (int i = 0; i < length; ++i) tokens.push_back(3 + i % period);
    return tokens;
}

std::string ribbon(int query, int key) { return "flow/A ribbon " + std::to_string(query) + " " + std::to_string(key); }

}  // namespace

TEST_CASE("flow: in a causal model, a word has ribbons only from itself and the words before it") {
    TransformerConfig config = small();
    config.family = Family::decoder;
    Stage stage(config, {counted(8, 8)}, drawing_of("Flow"));
    stage.state.token[0] = 4;
    stage.frames(2);
    for (int key = 0; key < 8; ++key) CHECK((stage.find(ribbon(4, key)) != nullptr) == (key <= 4));
    const Item* horizon = stage.find("flow/A horizon");
    REQUIRE(horizon);
    CHECK(horizon->centre().y > stage.find("flow/A key 4")->centre().y);
    CHECK(horizon->centre().y < stage.find("flow/A key 5")->centre().y);
    stage.state.token[0] = 7;
    stage.frames(1);
    CHECK(stage.find("flow/A horizon") == nullptr);
}

TEST_CASE("flow: in a translation, the ribbons from the source are the cross-attention") {
    TransformerConfig config = small();
    config.family = Family::encoder_decoder;
    Stage stage(config, {.tokens = counted(5, 5), .source_tokens = {9, 8, 7, 6, 5, 4, 3}}, drawing_of("Flow"));
    stage.state.token[0] = 2;
    stage.frames(2);
    CHECK(stage.find("flow/A key 5") == nullptr);
    CHECK(stage.screen.play("click \"flow/A words/source\"\nframes 2") == "");
    CHECK(stage.state.cross_attention);
    const std::span<const float> pattern = stage.trace().values("blocks.0.cross_attn.hook_pattern");
    for (int key = 0; key < 7; ++key) CHECK(stage.value(ribbon(2, key)) == static_cast<double>(pattern[2 * 7 + key]));
    CHECK(stage.find("flow/A key 0")->text == "word9");
    CHECK(stage.find("flow/A query 0")->text == "word3");
    CHECK(stage.find("flow/A horizon") == nullptr);
    CHECK(stage.screen.play("click \"flow/A key 6\"\nframes 2") == "");  // a source word has no query
    CHECK(stage.state.token[0] == 2);
}

TEST_CASE("flow: a long sentence scrolls to the chosen word") {
    Stage stage(small(), {counted(90, 17)}, drawing_of("Flow"));
    for (const int token : {0, 80, 40, 89}) {
        stage.state.token[0] = token;
        stage.frames(3);
        const Item* word = stage.find("flow/A query " + std::to_string(token));
        REQUIRE(word);
        CHECK(word->centre().y > 10);
        CHECK(word->centre().y < 530);
    }
}

TEST_CASE("flow: a long sentence draws only its widest ribbons") {
    TransformerConfig config = small();
    config.n_heads = 12;
    Stage stage(config, {counted(90, 17)}, drawing_of("Flow"));
    const std::optional<BlockPattern> pattern = block_pattern(stage.trace(), 0, 0);
    REQUIRE(pattern);
    FlowPlan plan{.end_head = 12, .focus_query = 5, .end_seen = 90, .right = 100, .pitch = 20, .unit = 2};
    const std::vector<Ribbon> ribbons = flow_ribbons(*pattern, plan);
    CHECK(ribbons.size() > 300);
    CHECK(ribbons.size() <= 700);
    float thinnest = 1;
    int strong = 0;
    for (const Ribbon& r : ribbons)
        if (r.strong) ++strong, thinnest = std::min(thinnest, r.weight);
    int wider = 0;
    for (int head = 0; head < 12; ++head)
        for (int key = 0; key < 90; ++key)
            if (pattern->weight(head, 5, key) > thinnest) ++wider;
    CHECK(wider < strong);
}

TEST_CASE("flow: ribbons are stacked at their query without gaps, and the mouse finds a ribbon") {
    Stage stage(small(), {counted(9, 9)}, drawing_of("Flow"));
    const std::optional<BlockPattern> pattern = block_pattern(stage.trace(), 0, 1);
    REQUIRE(pattern);
    FlowPlan plan{.end_head = 4, .focus_query = 5, .end_seen = 9, .right = 300, .first_y = 20, .pitch = 30, .unit = 6};
    const std::vector<Ribbon> ribbons = flow_ribbons(*pattern, plan);
    float low = 1e9f, high = -1e9f, sum = 0;
    for (std::size_t i = 0; i < ribbons.size(); ++i) {
        const Ribbon& r = ribbons[i];
        CHECK(r.width == r.weight * plan.unit);
        if (!r.strong) continue;
        low = std::min(low, r.to.y - r.width / 2), high = std::max(high, r.to.y + r.width / 2), sum += r.width;
    }
    CHECK(sum == doctest::Approx(4 * 6));  // each row of each head sums to 1
    CHECK(high - low == doctest::Approx(sum));
    CHECK((high + low) / 2 == doctest::Approx(plan.row_y(5)));
    const Ribbon& widest = ribbons.back();
    REQUIRE(widest.strong);
    CHECK(ribbon_at(ribbons, widest.at(0.6f), 0.01f) == static_cast<int>(ribbons.size()) - 1);
    CHECK(ribbon_at(ribbons, {400, 20}, 1000) == -1);
}

TEST_CASE("head colours: twelve differ from each other and from the card; all further heads share one") {
    for (const ThemeKind kind : {ThemeKind::light, ThemeKind::dark}) {
        const Theme& t = theme(kind);
        std::set<ImU32> seen;
        for (int head = 0; head < coloured_heads; ++head) {
            seen.insert(head_colour(t, head));
            CHECK(contrast(head_colour(t, head), t.card) >= 1.7);
        }
        CHECK(seen.size() == coloured_heads);
        CHECK(head_colour(t, coloured_heads) == head_colour(t, 40));
        for (int head = 0; head < coloured_heads / 2; ++head)
            CHECK(contrast(head_colour(t, head), head_colour(t, head + coloured_heads / 2)) >= 1.5);
    }
}

TEST_CASE("heads: a large model is summarized over several frames, and only once") {
    TransformerConfig config = small();
    config.family = Family::decoder;
    config.n_heads = 12, config.n_layers = 6;
    Stage stage(config, {counted(90, 17)}, drawing_of("All heads"));
    stage.frames(1);
    CHECK(stage.state.more_to_compute);
    for (int i = 0; i < 20 && stage.state.more_to_compute; ++i) stage.frames(1);
    CHECK_FALSE(stage.state.more_to_compute);
    const HeadSummaries& s = *stage.state.own<HeadSummariesState>().of_cards[0];
    const float* picture = s.find(5, 11)->picture.weights.data();
    stage.frames(2);
    CHECK(s.find(5, 11)->picture.weights.data() == picture);
    constexpr std::size_t cells = 90 * 90;
    const std::span<const float> pattern =
        stage.trace().values("blocks.5.attn.hook_pattern").subspan(11 * cells, cells);
    CHECK(stage.value("heads/A toeplitz 5 11") == nearest_toeplitz(pattern, 90, 90, true).explained);
    CHECK(stage.value("heads/A previous 5 11") == previous_word_score(pattern, 90));
    CHECK(stage.value("heads/A induction 5 11") == induction_score(pattern, stage.trace().tokens()));
    CHECK(s.find(5, 11)->picture.rows < 90);
}

TEST_CASE("heads: pictures and numbers do not overlap in narrow and wide cards, and at 200 %") {
    for (const float scale : {1.0f, 2.0f})
        for (const float width : {300.0f, 420.0f, 900.0f}) {
            CAPTURE(scale);
            CAPTURE(width);
            Stage stage(small(), {counted(9, 9)}, drawing_of("All heads"), {width, 480});
            stage.screen.host.set_scale(scale);
            stage.frames(3);
            std::vector<const Item*> items;
            for (const Item& item : stage.screen.host.items().all())
                if (item.label.starts_with("heads/A ")) items.push_back(&item);
            REQUIRE(items.size() == 8 * 3);
            const auto overlap = [](const Item& a, const Item& b) {
                return a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y;
            };
            const bool written = stage.find("heads/A toeplitz 0 0")->min.y > stage.find("heads/A 0 0")->min.y;
            for (std::size_t i = 0; i < items.size(); ++i) {
                CHECK(items[i]->max.x <= 10 + width);
                for (std::size_t j = 0; written && j < i; ++j) {
                    CAPTURE(items[i]->label);
                    CAPTURE(items[j]->label);
                    CHECK_FALSE(overlap(*items[i], *items[j]));
                }
            }
        }
}

TEST_CASE("heads: hovering a head shows its large picture, and a click chooses it") {
    for (const int length : {9, 60}) {
        Stage stage(small(), {counted(length, 17)}, drawing_of("All heads"));
        stage.frames(2);
        CHECK(stage.screen.play("hover \"heads/A 1 2\"\nframes 3") == "");
        const Item *small_picture = stage.find("heads/A 1 2"), *large = stage.find("head tooltip");
        REQUIRE(large);
        CHECK(large->text.starts_with("Block 1 · head 2"));
        CHECK(large->width() > 1.5f * small_picture->width());
        CHECK(stage.screen.play("click \"heads/A 1 2\"\nframes 2") == "");
        CHECK(stage.state.layer == 1);
        CHECK(stage.state.head == 2);
        CHECK(stage.value("heads/A 1 2") == 1);
    }
}
