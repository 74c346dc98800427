// The page of the whole model, laid out from the graph without knowing the model.
#include <doctest/doctest.h>

#include <algorithm>

#include "app/views/whole_model/block_layout.h"
#include "app/views/whole_model/canvas_camera.h"
#include "app/views/whole_model/canvas_layout.h"
#include "app/views/whole_model/forward_story.h"
#include "core/nn/transformer.h"
#include "tests/contains.h"

using namespace glassformer;
using namespace glassformer::app;
using namespace glassformer::app::views::whole_model;

namespace {

constexpr int words = 9, source_words = 6;

TransformerConfig sizes(int n_layers = 1) {
    TransformerConfig c;
    c.d_vocab = 20, c.n_ctx = 12, c.d_model = 16, c.n_heads = 4, c.n_layers = n_layers, c.d_mlp = 48;
    return c;
}

struct Laid {
    TransformerGraph model;
    CanvasLayout layout;
};

Laid laid_out(const TransformerConfig& config, float width = 1200, float height = 700) {
    const bool translates = config.family == Family::encoder_decoder;
    TransformerGraph model = build_transformer(config, {1, words, translates ? source_words : 0});
    CanvasLayout layout = lay_out_canvas(*model.graph, {width, height, 1, words, translates ? source_words : 0});
    return {std::move(model), std::move(layout)};
}

const char* name_of(RowKind kind) {
    switch (kind) {
        case RowKind::embedding:
            return "embedding";
        case RowKind::norm:
            return "norm";
        case RowKind::attention:
            return "attention";
        case RowKind::mix:
            return "mix";
        case RowKind::add:
            return "add";
        case RowKind::mlp:
            return "mlp";
        case RowKind::recurrent:
            return "recurrent";
        case RowKind::other:
            return "other";
        case RowKind::pooler:
            return "pooler";
        case RowKind::stream:
            return "stream";
    }
    return "?";
}

/// The kinds of rows of one side, from bottom to top: "embedding attention mix …".
std::string kinds(const CanvasLayout& layout, bool source = false) {
    std::string text;
    for (const CanvasRow& row : layout.rows)
        if (row.source == source)
            text += (text.empty() ? "" : " ") + std::string(row.cross ? "cross " : "") + name_of(row.kind);
    return text;
}

/// Checks that everything is on the page, in order, and that each row shows a node of the graph with a row per word.
void check_sound(const Laid& laid) {
    const CanvasLayout& l = laid.layout;
    for (const bool source : {false, true}) {
        float below = l.words_top + 0.01f;
        for (const CanvasRow& row : l.rows) {
            if (row.source != source) continue;
            CAPTURE(row.title);
            CHECK(row.top < row.bottom);
            CHECK(row.bottom <= below);
            CHECK(row.top >= l.said_top - 0.01f);
            below = row.top + 0.01f;
            REQUIRE(row.node >= 0);
            const Shape& shape = (*laid.model.graph)[row.node].shape;
            const int own = source ? source_words : words;
            if (row.kind == RowKind::pooler)
                CHECK(shape.rank() == 2);
            else if (row.kind == RowKind::attention)
                CHECK(shape.back(1) == own);
            else
                CHECK(shape[1] == own);
        }
    }
    for (const CanvasBlock& block : l.blocks)
        for (int i = block.first_row; i < block.end_row; ++i) {
            const CanvasRow& row = l.rows[i];
            CHECK(row.top >= block.box.min.y);
            CHECK(row.bottom <= block.box.max.y);
        }
    for (const CanvasSide& side : l.sides) {
        CHECK(side.lane(0) > side.left);
        CHECK(side.lane(side.words - 1) < side.right);
        CHECK(side.right <= l.room.width);
        for (int word = 0; word < side.words; ++word) CHECK(side.word_at(side.lane(word)) == word);
    }
}

}  // namespace

TEST_CASE("the lanes of a right-to-left sentence start at the right") {
    CanvasSide side{.words = 5, .left = 100, .right = 600};
    CHECK(side.lane(0) == 150);
    CHECK(side.words_between(260, 390) == std::pair(1, 3));
    side.from_right = true;
    CHECK(side.lane(0) == 550);
    CHECK(side.lane(4) == 150);
    for (int word = 0; word < 5; ++word) CHECK(side.word_at(side.lane(word)) == word);
    CHECK(side.words_between(260, 390) == std::pair(2, 4));
    CHECK(side.words_between(-1e6f, 1e6f) == std::pair(0, 5));
}

TEST_CASE("the canvas stacks the rows of a pre-LN block in order") {
    const Laid laid = laid_out(sizes());
    CHECK(kinds(laid.layout) == "embedding attention mix add mlp add stream");
    CHECK(laid.layout.has_stream);
    check_sound(laid);
    const Graph& g = *laid.model.graph;
    CHECK(laid.layout.rows[1].node == g.at("blocks.0.attn.hook_pattern"));
    CHECK(laid.layout.rows[2].node == g.at("blocks.0.attn.hook_z"));
    CHECK(laid.layout.rows[4].node == g.at("blocks.0.mlp.hook_post"));
    CHECK(laid.layout.rows[6].node == g.at("blocks.0.hook_resid_post"));
}

TEST_CASE("the canvas follows the architecture") {
    const auto with = [](void (*change)(TransformerConfig&)) {
        TransformerConfig c = sizes();
        change(c);
        const Laid laid = laid_out(c);
        check_sound(laid);
        return kinds(laid.layout);
    };
    CHECK(with([](TransformerConfig& c) { c.norm_placement = NormPlacement::post; }) ==
          "embedding attention mix add norm mlp add norm stream");
    CHECK(with([](TransformerConfig& c) { c.residual = false; }) == "embedding norm attention mix norm mlp stream");
    CHECK(with([](TransformerConfig& c) { c.activation = Activation::none; }) == "embedding attention mix add stream");
    CHECK(with([](TransformerConfig& c) { c.attention.projections = Projections::shared; }) ==
          "embedding attention mix add mlp add stream");
    CHECK(with([](TransformerConfig& c) { c.activation = Activation::swiglu; }) ==
          "embedding attention mix add mlp add stream");
    CHECK(with([](TransformerConfig& c) { c.family = Family::decoder, c.positions = Positions::rotary; }) ==
          "embedding attention mix add mlp add stream");
    CHECK(with([](TransformerConfig& c) {
              c.norm_placement = NormPlacement::post, c.embedding_norm = c.head_transform = c.pooler = true;
          }) == "embedding attention mix add norm mlp add norm stream pooler");
    for (const Family family : {Family::rnn, Family::gru}) {
        TransformerConfig c = sizes();
        c.family = family, c.activation = Activation::none;
        const Laid laid = laid_out(c);
        check_sound(laid);
        CHECK(contains(kinds(laid.layout), "recurrent"));
        CHECK(!contains(kinds(laid.layout), "attention"));
    }
}

TEST_CASE("the canvas of an encoder–decoder has both sides, with the source's output below the cross-attention") {
    TransformerConfig c = sizes();
    c.family = Family::encoder_decoder;
    const Laid laid = laid_out(c);
    check_sound(laid);
    CHECK(laid.layout.sides.size() == 2);
    CHECK(kinds(laid.layout, true) == "embedding attention mix add mlp add stream stream");
    CHECK(kinds(laid.layout) == "embedding attention mix add cross attention mix add mlp add stream");
    CHECK(laid.layout.side(true).right < laid.layout.side(false).labels);
    const auto cross = std::ranges::find_if(laid.layout.rows, &CanvasRow::cross);
    CHECK(cross->bottom <= laid.layout.top_of(true) + 1);
}

TEST_CASE("words too wide for one row alternate between two, with twice the width") {
    TransformerConfig c = sizes();
    c.family = Family::encoder_decoder;
    const TransformerGraph model = build_transformer(c, {1, words, source_words});
    CanvasRoom room{1200, 700, 1, words, source_words};
    const CanvasLayout plain = lay_out_canvas(*model.graph, room);
    const float lane = plain.side(false).pitch();
    room.widest_word = lane - 1, room.widest_source_word = plain.side(true).pitch() + 1;
    const CanvasLayout wide = lay_out_canvas(*model.graph, room);
    const CanvasSide &side = wide.side(false), &source = wide.side(true);
    CHECK_FALSE(side.in_two_rows);
    CHECK(source.in_two_rows);
    CHECK(wide.words_bottom - wide.words_top > plain.words_bottom - plain.words_top);
    const Box upper = wide.word_row(source, 0), lower = wide.word_row(source, 1);
    CHECK(upper.min.y >= wide.words_top);
    CHECK(upper.max.y <= lower.min.y);
    CHECK(lower.max.y <= wide.words_bottom);
    CHECK(wide.word_row(source, 2).min.y == upper.min.y);
    CHECK(wide.word_row(side, 0).min.y == wide.word_row(side, 1).min.y);
    room.widest_word = 2 * lane + 1;  // two lines would clip it too
    CHECK_FALSE(lay_out_canvas(*model.graph, room).side(false).in_two_rows);
    room.widest_word = lane - 1;
    room.height = 150;  // too low for two lines
    const CanvasLayout low = lay_out_canvas(*model.graph, room);
    CHECK_FALSE(low.side(true).in_two_rows);
    CHECK(low.word_row(low.side(true), 0).height() > 15);
}

TEST_CASE("the canvas fits 1 to 24 blocks, in any space") {
    for (const int layers : {1, 2, 12, 24})
        for (const auto& [width, height] : {std::pair{1200.0f, 700.0f}, {400.0f, 200.0f}, {3700.0f, 1900.0f}}) {
            CAPTURE(layers);
            CAPTURE(width);
            const Laid laid = laid_out(sizes(layers), width, height);
            CHECK(laid.layout.blocks.size() == static_cast<std::size_t>(layers));
            check_sound(laid);
        }
}

TEST_CASE("the page of a block has all matrices in order, without overlap") {
    const TransformerGraph model = build_transformer(sizes(2), {1, words});
    const BlockPage page = lay_out_block(*model.graph, 1, false, {1200, 700, 1, words, 0, true});
    std::string keys;
    for (const BlockMatrix& m : page.matrices) keys += m.key + ", ";
    CHECK(
        keys ==
        "x, ln1, q, k, v, pattern 0, pattern 1, pattern 2, pattern 3, z, out, add 0, ln2, pre, post, mlp_out, add 1, ");
    CHECK(page.cards.size() == 2);
    const auto find = [&](const std::string& key) { return *std::ranges::find(page.matrices, key, &BlockMatrix::key); };
    CHECK(find("x").node == model.graph->at("blocks.1.hook_resid_pre"));
    CHECK(find("ln1").node == model.graph->at("blocks.1.ln1.hook_out"));
    CHECK(find("add 0").node == model.graph->at("blocks.1.hook_resid_mid"));
    CHECK(find("post").node == model.graph->at("blocks.1.mlp.hook_post"));
    CHECK(find("add 1").node == model.graph->at("blocks.1.hook_resid_post"));
    for (std::size_t i = 0; i < page.matrices.size(); ++i) {
        const BlockMatrix& m = page.matrices[i];
        CAPTURE(m.key);
        CHECK(m.box.min.x >= 0);
        CHECK(m.box.max.x <= 1200);
        CHECK(m.box.max.y <= 700);
        for (std::size_t j = i + 1; j < page.matrices.size(); ++j) {
            const Box& other = page.matrices[j].box;
            const bool meet = m.box.min.x < other.max.x && m.box.max.x > other.min.x && m.box.min.y < other.max.y &&
                              m.box.max.y > other.min.y;
            CHECK_FALSE(meet);
        }
    }
}

TEST_CASE("the camera zooms around the mouse, never leaves the page, and can move instantly") {
    CanvasCamera camera;
    const Box view{{100, 50}, {900, 650}};
    const ImVec2 mouse{300, 200};
    const ImVec2 before = place_of(camera.shot(), view).under(mouse);
    camera.zoom_by(3, {(mouse.x - 100) / 800, (mouse.y - 50) / 600});
    const ImVec2 after = place_of(camera.shot(), view).under(mouse);
    CHECK(after.x == doctest::Approx(before.x));
    CHECK(after.y == doctest::Approx(before.y));
    camera.pan({-5, -5});
    const PagePlace place = place_of(camera.shot(), view);
    CHECK(place.at(0, 0).x == doctest::Approx(view.min.x));
    CHECK(place.at(0, 0).y == doctest::Approx(view.min.y));
    camera.zoom_by(0.01f, {0.5f, 0.5f});
    CHECK(camera.shot().zoom == 1);
    camera.go(CanvasLevel::block, 10, true);
    CHECK_FALSE(camera.moving(10));
    camera.go(CanvasLevel::head, 10, false);
    CHECK(camera.moving(10.1));
    CHECK_FALSE(camera.moving(10 + CanvasCamera::seconds));
    CHECK(CanvasCamera::seconds <= 0.4);
}

TEST_CASE("the story shows every row once, from the words to the prediction") {
    TransformerConfig translation = sizes();
    translation.family = Family::encoder_decoder;
    for (const TransformerConfig& config : {sizes(2), translation}) {
        const CanvasLayout layout = laid_out(config).layout;
        const std::vector<StoryStage> stages = story_stages(layout);
        CHECK(stages.front().kind == StoryStage::Kind::words);
        CHECK(stages.back().kind == StoryStage::Kind::said);
        int next = 0;
        for (const StoryStage& stage : stages) {
            if (stage.kind != StoryStage::Kind::rows) continue;
            CHECK(stage.first_row == next);
            next = stage.end_row;
        }
        CHECK(next == static_cast<int>(layout.rows.size()));
        const int count = static_cast<int>(stages.size());
        CHECK(story_seconds(count) * static_cast<float>(count) == doctest::Approx(30).epsilon(0.2));
        ForwardStory story;
        CHECK(story.shown(stages, 3) == 1);  // without a story, all of it is shown
        story.play_or_pause(count);
        CHECK(story.playing);
        CHECK(story.shown(stages, 0) == 0);
        for (float seconds = 0; seconds < 40; seconds += 0.1f) story.advance(0.1f, count);
        CHECK_FALSE(story.playing);
        for (int row = 0; row < next; ++row) CHECK(story.shown(stages, row) == 1);
        CHECK(story.said(stages) == 1);
        story.step(-1, count);
        CHECK(story.said(stages) == 0);
        CHECK(story.stage(count) == count - 2);
    }
}
