// The whole model of families other than the shipped encoder: the same values as in their traces, down to one product.
#include <algorithm>
#include <cmath>

#include "app/views/whole_model/block_layout.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/random_model.h"
#include "tests/ui/whole_model_story.h"

using namespace glassformer;
using namespace glassformer::app;
using namespace glassformer::app::views::whole_model;

namespace {

TransformerConfig small(Family family) {
    TransformerConfig c{.d_vocab = 12, .n_ctx = 8, .d_model = 16, .n_heads = 2, .n_layers = 2, .d_mlp = 24};
    c.family = family;
    if (family == Family::rnn || family == Family::gru) c.activation = Activation::none;
    return c;
}

/// The largest value by magnitude in part of a word's row, with its sign.
double largest_of(const Trace& trace, int node, int word, std::int64_t first, std::int64_t count) {
    const SliceView part = trace.part(node, {word, 1});
    const auto cells = part.cells(part.first() + first, count);
    return static_cast<double>(*std::ranges::max_element(cells, {}, [](float v) { return std::abs(v); }));
}

/// Checks that every tile of level "model" has the largest value by magnitude of its row.
void compare_tiles(Differences& differences, const Story& story, const Trace& trace) {
    const int source_words = static_cast<int>(trace.source_tokens().size());
    const CanvasLayout layout = lay_out_canvas(trace.graph(), {1500, 700, 1, trace.positions(), source_words});
    for (const CanvasRow& row : layout.rows) {
        const std::string side = row.source ? "source " : "", at = row.block < 0 ? "" : " " + number(row.block);
        const bool cross = row.kind == RowKind::mix && (&row - 1)->cross;
        const std::int64_t width = trace.slices(row.node).width;
        for (int word = 0; word < layout.side(row.source).words; ++word) {
            const auto expect = [&](const std::string& name, std::int64_t first, std::int64_t count) {
                differences.expect(story, "whole/A/" + name + " " + number(word),
                                   largest_of(trace, row.node, word, first, count));
            };
            if (row.kind == RowKind::stream) expect(side + "stream" + at, 0, width);
            if (row.kind == RowKind::mlp) expect(side + "mlp " + number(row.block), 0, width);
            if (row.kind == RowKind::recurrent) expect("state " + number(row.block), 0, width);
            for (int head = 0; row.kind == RowKind::mix && head < row.heads; ++head)
                expect(side + (cross ? "cross " : "") + "z " + number(row.block) + " " + number(head),
                       width / row.heads * head, width / row.heads);
        }
    }
}

/// Compares every value of the chosen word's row on a block's page.
void compare_block(Differences& differences, Story& story, const Trace& trace) {
    const CanvasState& state = canvas(story);
    const int source_words = static_cast<int>(trace.source_tokens().size());
    const BlockPage page = lay_out_block(trace.graph(), state.source ? state.source_block : story.state().layer,
                                         state.source, {1500, 700, 1, trace.positions(), source_words, false});
    const int row = state.source ? state.source_word : story.state().token[0];
    for (const BlockMatrix& m : page.matrices) {
        if (m.of_source != state.source) continue;
        const std::int64_t first = (std::int64_t{std::max(m.head, 0)} * m.rows + row) * m.columns;
        for (int column = 0; column < m.columns; ++column)
            differences.expect(story, "whole/A/" + m.key + " " + number(row) + " " + number(column),
                               static_cast<double>(trace.at({m.node, first + column})));
    }
}

/// Checks that the worksheet's weights are this pattern's row.
void compare_head(Differences& differences, const Story& story, const Trace& trace, const std::string& pattern,
                  int head, int query) {
    const int node = trace.graph().at(pattern);
    const Shape shape = trace.shape(node);
    for (int key = 0; key < static_cast<int>(shape[2]); ++key)
        differences.expect(story, "whole/A/head/weight " + number(key),
                           static_cast<double>(trace.at({node, offset_of(shape, {head, query, key})})));
}

/// Clicks an item, then zooms in to its formula by keyboard.
void look_at_number(Story& story, const std::string& item) {
    CAPTURE(item);
    REQUIRE(story.play("click \"" + item + "\"\nframes 2") == "");
    const TracedCell at = story.state().trail.back();
    for (int i = 0; i < 3 && level(story) != CanvasLevel::number; ++i) REQUIRE(story.play("key +\nframes 3") == "");
    REQUIRE(level(story) == CanvasLevel::number);
    CHECK(story.value("whole/A/number") == static_cast<double>(story.shown_trace(0).at(at.cell)));
}

}  // namespace

TEST_CASE("story: the canvas of a causal model and of a model of numbers shows their traces' numbers") {
    for (const auto& [model, mlp] : {std::pair{"induction", false}, {"regression", true}}) {
        CAPTURE(model);
        Story story({.model = model});
        open_canvas(story);
        const Trace& trace = story.shown_trace(0);
        const int word = story.state().token[0];
        Differences differences;
        compare_tiles(differences, story, trace);
        CHECK(differences.compared() > 60);
        story.state().layer = 1;
        REQUIRE(story.play("key +\nframes 3") == "");
        compare_block(differences, story, trace);
        REQUIRE(story.play("key +\nframes 3") == "");
        compare_head(differences, story, trace, "blocks.1.attn.hook_pattern", story.state().head, word);
        CHECK(differences.report() == "");
        look_at_number(story, "whole/A/head/weight 0");
        if (!mlp) continue;
        REQUIRE(story.play("key Home\nframes 2") == "");
        look_at_number(story, "whole/A/mlp 1 " + number(word));
    }
}

TEST_CASE("story: the canvas of a recurrent model shows its states, and has no heads") {
    for (const Family family : {Family::rnn, Family::gru}) {
        const TemporaryFolder folder;
        Story story;
        open_random(story, folder / "model", small(family));
        open_canvas(story);
        const Trace& trace = story.shown_trace(0);
        Differences differences;
        compare_tiles(differences, story, trace);
        CHECK_FALSE(story.shows("whole/zoom/head"));
        REQUIRE(story.play("key +\nframes 3") == "");
        REQUIRE(level(story) == CanvasLevel::block);
        compare_block(differences, story, trace);
        CHECK(differences.report() == "");
        CHECK(differences.compared() > 60);
        REQUIRE(story.play("key Home\nframes 3") == "");
        look_at_number(story, "whole/A/state 0 " + number(story.state().token[0]));
        check_captions(story, {"These are", "Each token becomes 16", "Block 0: one token after", "It is added",
                               "Block 1: one token after", "It is added", "Each token’s vector"});
    }
}

TEST_CASE("story: the heads of the encoder and of the cross-attention have levels of their own") {
    Story story({.model = "translation"});
    open_canvas(story);
    const Trace& trace = story.shown_trace(0);
    Differences differences;
    compare_tiles(differences, story, trace);
    CHECK(differences.compared() > 60);

    REQUIRE(story.play("double_click \"whole/A/source z 0 2 3\"\nframes 3") == "");
    REQUIRE(level(story) == CanvasLevel::head);
    CHECK(canvas(story).source);
    CHECK(canvas(story).source_head == 2);
    CHECK(canvas(story).source_word == 3);
    compare_head(differences, story, trace, "encoder.blocks.0.attn.hook_pattern", 2, 3);
    const ViewState before = story.state();
    REQUIRE(story.play("key Right\nkey Tab\nframes 3") == "");
    compare_head(differences, story, trace, "encoder.blocks.0.attn.hook_pattern", 3, 4);
    CHECK(story.state().head == before.head);  // the decoder's choice is separate
    CHECK(story.state().token == before.token);
    look_at_number(story, "whole/A/head/weight 0");
    CHECK_FALSE(story.state().window.panels.number);  // the explanation is below the picture
    REQUIRE(story.play("key -\nframes 3\nkey -\nframes 3") == "");
    REQUIRE(level(story) == CanvasLevel::block);
    CHECK(canvas(story).source);
    compare_block(differences, story, trace);
    REQUIRE(story.play("key -\nframes 3") == "");
    CHECK_FALSE(canvas(story).source);

    REQUIRE(story.play("double_click \"whole/A/cross z 0 1 2\"\nframes 3") == "");
    REQUIRE(level(story) == CanvasLevel::head);
    CHECK(story.state().cross_attention);
    compare_head(differences, story, trace, "blocks.0.cross_attn.hook_pattern", 1, story.state().token[0]);
    REQUIRE(story.play("key -\nframes 3") == "");
    compare_block(differences, story, trace);
    CHECK(differences.report() == "");

    check_captions(story, {"These are", "Each word becomes", "Each source word becomes", "Encoder block 0, attention",
                           "The output of the 4 heads", "Encoder block 0, MLP", "The source sentence is encoded",
                           "Block 0, attention", "The output of the 4 heads", "Block 0, cross-attention",
                           "The output of the 4 heads", "Block 0, MLP", "It is added", "Each word’s vector"});
    REQUIRE(story.play("right_click \"whole/A/cross z 0 1 2\"\nframes 4") == "");
    story.settle();
    CHECK(story.snapshot().what_if == std::vector<WhatIf>{what_if::HeadOff{0, 1, AttentionTo::source}});
}

TEST_CASE("story: for a long text the worksheet shows the words with the largest weights") {
    const TemporaryFolder folder;
    Story story;
    TransformerConfig config = small(Family::decoder);
    config.n_ctx = 100;
    open_random(story, folder / "model", config);
    std::string text;
    for (int i = 0; i < 90; ++i) text += (i ? " " : "") + number(i * 7 % 12);
    story.send(command::Watch{0, text});
    open_canvas(story);
    REQUIRE(story.play("key +\nframes 3\nkey +\nframes 3") == "");
    REQUIRE(level(story) == CanvasLevel::head);
    const Trace& trace = story.shown_trace(0);
    const int node = trace.graph().at(hook(story.state(), "attn.hook_pattern")), query = story.state().token[0];
    const Shape shape = trace.shape(node);
    float least_shown = 1, most_hidden = 0;
    int shown = 0;
    for (int key = 0; key < 90; ++key) {
        const float weight = trace.at({node, offset_of(shape, {story.state().head, query, key})});
        const bool there = story.shows("whole/A/head/weight " + number(key));
        shown += there;
        if (there && key != query) least_shown = std::min(least_shown, weight);
        if (!there) most_hidden = std::max(most_hidden, weight);
    }
    CHECK(shown > 10);
    CHECK(shown < 90);
    CHECK(least_shown >= most_hidden);
    CHECK(story.shows("whole/A/head/weight " + number(query)));
}

TEST_CASE("story: for a long text only as many tokens are labelled as can be read") {
    TransformerConfig config{.d_vocab = 49152, .n_ctx = 128, .d_model = 8, .n_heads = 2, .n_layers = 30, .d_mlp = 8};
    config.family = Family::decoder;
    const TemporaryFolder folder;
    Story story;
    open_random(story, folder / "model", config);
    std::string ids;
    for (int i = 0; i < 120; ++i) ids += " " + number(20000 + i * 7);
    REQUIRE(story.play("click A/type\nkey Ctrl+a\ntype \"" + ids + "\"\nkey Enter\nframes 3") == "");
    story.settle();
    open_canvas(story);
    int named = 0;
    for (int i = 0; i < 120; ++i) {
        const Item* item = story.find("whole/A/word " + number(i));
        if (!item) continue;
        ++named;
        CHECK(draw::text_size(story.host.ui(), item->text, FontRole::small).x <= item->max.x - item->min.x);
    }
    CHECK(named > 10);
    CHECK(named < 60);
}

TEST_CASE("story: shared keys and values are drawn on a block's page as often as they are computed") {
    const TemporaryFolder folder;
    Story story;
    TransformerConfig c = small(Family::decoder);
    c.n_heads = 4, c.attention.n_key_value_heads = 2;
    open_random(story, folder / "model", c);
    open_canvas(story);
    REQUIRE(story.play("key +\nframes 3") == "");
    REQUIRE(level(story) == CanvasLevel::block);
    const Trace& trace = story.shown_trace(0);
    Differences differences;
    compare_block(differences, story, trace);
    CHECK(differences.report() == "");
    const BlockPage page =
        lay_out_block(trace.graph(), story.state().layer, false, {1500, 700, 1, trace.positions(), 0, false});
    const auto part = [&](const char* key) { return *std::ranges::find(page.matrices, key, &BlockMatrix::key); };
    CHECK(part("q").below == "4 heads × 4");
    CHECK(part("k").below == "2 heads × 4");
    CHECK(part("v").below == "2 heads × 4");
    CHECK(part("k").columns == 8);
    CHECK(story.shows("whole/A/k head 1"));
    CHECK_FALSE(story.shows("whole/A/k head 2"));
    CHECK(story.shows("whole/A/q head 3"));
    REQUIRE(story.play("hover \"whole/A/k head 1\"\nframes 2") == "");
    CHECK(story.text("tooltip").starts_with("key head 1 k["));
}

TEST_CASE("story: the explanation of W_Q · W_Kᵀ mentions rotary positions and q/k norm") {
    const TemporaryFolder folder;
    Story story({.size = {1600, 2200}});
    const auto meaning = [&] {
        REQUIRE(story.play("click \"view/Q K V\"\nframes 3\nclick \"A/qkv page/heads\"\nframes 3") == "");
        return story.text("A/query key circuit meaning");
    };
    const std::string plain = meaning();
    CHECK(plain.find("What the head looks for") == 0);
    CHECK(!contains(plain, "rotary"));
    TransformerConfig c = small(Family::decoder);
    c.positions = Positions::rotary;
    open_random(story, folder / "model", c);
    CHECK(contains(meaning(), "(rotary), here by 0"));
    CHECK(!contains(meaning(), "q/k norm"));
    c.attention.qk_norm = true;
    open_random(story, folder / "normed", c);
    CHECK(contains(meaning(), "q/k norm"));
}
