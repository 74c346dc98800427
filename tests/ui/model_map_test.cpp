#include <doctest/doctest.h>

#include "app/common/model_map_elements.h"
#include "core/nn/layers.h"
#include "core/nn/transformer.h"
#include "core/ops/ops.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

TransformerConfig sizes(int n_layers = 2) {
    TransformerConfig c;
    c.d_vocab = 20, c.n_ctx = 12, c.d_model = 16, c.n_heads = 4, c.n_layers = n_layers, c.d_mlp = 48;
    return c;
}

/// "embed 0/ln1 0/attn …"
std::string labels(const ModelMap& map) {
    std::string text;
    for (const MapElement& e : map.elements) text += (text.empty() ? "" : " ") + e.label;
    return text;
}

/// A graph under construction, with the ops that every example needs.
struct Draft {
    Graph g;
    TransformerConfig c = sizes();
    nn::BuildContext assembly{g, c};
    Node tokens = g.input("tokens", {1, 5}), mask = g.input("key_mask", {1, 5});
    Node w_e = g.parameter("embed.W_E", {20, 16}, {});

    Node embed() { return g.apply(ops::embed(), {tokens, w_e}).named("hook_embed"); }
    Node add(Node a, Node b) { return g.apply(ops::add(), {a, b}); }
    Node norm(const std::string& name, Node x) { return nn::norm(assembly, name, x, mask); }
    Node attention(const std::string& block, Node x) {
        return nn::attention(assembly, block + ".attn", {x, x, mask}).named(block + ".hook_attn_out");
    }
    Node mlp(const std::string& block, Node x) {
        return nn::feed_forward(assembly, block + ".mlp", x).named(block + ".hook_mlp_out");
    }
    Node unembed(Node x) { return g.apply(ops::matmul_transposed(), {x, w_e}).named("logits"); }
    ModelMap map() const { return make_model_map(g); }
};

}  // namespace

TEST_CASE("the map of an encoder follows its number of layers") {
    CHECK(labels(make_model_map(*build_transformer(sizes(), {1, 9}).graph)) ==
          "embed 0/ln1 0/attn 0/add 0 0/ln2 0/mlp 0/add 1 1/ln1 1/attn 1/add 0 1/ln2 1/mlp 1/add 1 ln_final unembed "
          "softmax");
    CHECK(labels(make_model_map(*build_transformer(sizes(1), {1, 9}).graph)) ==
          "embed 0/ln1 0/attn 0/add 0 0/ln2 0/mlp 0/add 1 ln_final unembed softmax");
    CHECK(make_model_map(*build_transformer(sizes(12), {1, 9}).graph).elements.size() == 12 * 6 + 4);
}

TEST_CASE("titles and sizes come from the shapes") {
    const TransformerGraph model = build_transformer(sizes(), {1, 9});
    const ModelMap map = make_model_map(*model.graph);
    const auto shown = [&](const char* label) {
        const MapElement* e = map.find(label);
        REQUIRE(e);
        return e->title + " | " + e->detail;
    };
    CHECK(shown("embed") == "token + position | 9 × 16");
    CHECK(shown("0/ln1") == "LayerNorm | μ σ");
    CHECK(shown("0/attn") == "attention | 4 × 4");
    CHECK(shown("1/mlp") == "MLP · GELU | 48");
    CHECK(shown("ln_final") == "final LayerNorm | μ σ");
    CHECK(shown("unembed") == "unembed (tied) | 20");
    CHECK(shown("softmax") == "softmax → words | ");
    CHECK(map.find("unembed")->shapes == "9 × 16 → 9 × 20");
    CHECK(map.find("0/attn")->heads == 4);
    CHECK(map.find("1/attn")->pattern == model.graph->at("blocks.1.attn.hook_pattern"));
    CHECK(map.find("nothing") == nullptr);
    // Activations have their usual names.
    for (const auto& [activation, name] : {std::pair{Activation::relu, "ReLU"},
                                           {Activation::gelu_tanh, "GELU (tanh)"},
                                           {Activation::swiglu, "SwiGLU"},
                                           {Activation::geglu_tanh, "GELU (tanh)"}}) {
        TransformerConfig other = sizes();
        other.activation = activation;
        const ModelMap of_other = make_model_map(*build_transformer(other, {1, 9}).graph);
        CHECK(of_other.find("1/mlp")->title == std::string("MLP · ") + name);
    }
}

TEST_CASE("every node of the model belongs to exactly one element, the loss to none") {
    const TransformerGraph model = build_transformer(sizes(), {1, 9});
    const Graph& g = *model.graph;
    const ModelMap map = make_model_map(g);
    std::int64_t parameters = 0;
    for (const MapElement& e : map.elements) parameters += e.parameters;
    CHECK(parameters == g.parameter_count());
    for (int node = 0; node < static_cast<int>(g.nodes().size()); ++node) {
        const bool looks_on = node == model.loss || node == model.targets || node == model.loss_weights;
        if (looks_on || node == model.key_mask)
            CHECK(map.holding(node) == nullptr);
        else
            CHECK_MESSAGE(map.holding(node) != nullptr, g[node].name);
    }
    CHECK(map.holding(g.at("blocks.0.attn.hook_result"))->label == "0/attn");
    CHECK(map.holding(g.at("blocks.1.attn.W_K"))->label == "1/attn");
    CHECK(map.holding(g.at("blocks.1.mlp.hook_pre"))->label == "1/mlp");
    CHECK(map.holding(g.at("blocks.0.hook_resid_pre"))->label == "embed");
    CHECK(map.find("0/attn")->main == g.at("blocks.0.hook_attn_out"));
    CHECK(map.find("unembed")->parameters == 0);
    CHECK(map.find("unembed")->shared == "embed.W_E");
    CHECK(map.holding(-1) == nullptr);
    CHECK(map.holding(1 << 20) == nullptr);
}

TEST_CASE("the wiring of a pre-LN block") {
    const ModelMap map = make_model_map(*build_transformer(sizes(1), {1, 9}).graph);
    const auto only_reads = [&](const char* label) {
        const MapElement* e = map.find(label);
        return e->reads.size() == 1 ? map.elements[e->reads[0]].label : std::string("?");
    };
    CHECK(map.has_stream);
    CHECK(map.find("embed")->on_stream);
    CHECK(map.find("0/ln1")->reads_stream);
    CHECK_FALSE(map.find("0/attn")->reads_stream);
    CHECK(only_reads("0/attn") == "0/ln1");
    CHECK(only_reads("0/add 0") == "0/attn");
    CHECK(map.find("0/add 0")->reads_stream);
    CHECK(only_reads("0/add 1") == "0/mlp");
    CHECK(map.find("ln_final")->reads_stream);
    CHECK_FALSE(map.find("ln_final")->on_stream);
    CHECK(only_reads("softmax") == "unembed");
}

TEST_CASE("attention only, without positions") {
    Draft d;
    Node x = d.embed();
    for (const char* block : {"blocks.0", "blocks.1"})
        x = d.add(x, d.attention(block, d.norm(block + std::string(".ln1"), x)));
    d.unembed(x);
    const ModelMap map = d.map();
    CHECK(labels(map) == "embed 0/ln1 0/attn 0/add 0 1/ln1 1/attn 1/add 0 unembed");
    CHECK(map.find("embed")->title == "token embedding");
    CHECK(map.find("unembed")->reads_stream);
}

TEST_CASE("without LayerNorm the branches read the stream directly") {
    Draft d;
    Node x = d.embed();
    x = d.add(x, d.attention("blocks.0", x));
    d.add(d.mlp("blocks.0", x), x);  // operands swapped
    const ModelMap map = d.map();
    CHECK(labels(map) == "embed 0/attn 0/add 0 0/mlp 0/add 1");
    CHECK(map.find("0/attn")->reads_stream);
    CHECK(map.find("0/mlp")->reads_stream);
}

TEST_CASE("without residual connections there is a chain instead of a stream") {
    Draft d;
    const Node a = d.attention("blocks.0", d.norm("blocks.0.ln1", d.embed()));
    d.unembed(d.mlp("blocks.0", d.norm("blocks.0.ln2", a)));
    const ModelMap map = d.map();
    CHECK(labels(map) == "embed 0/ln1 0/attn 0/ln2 0/mlp unembed");
    CHECK_FALSE(map.has_stream);
    for (std::size_t i = 1; i < map.elements.size(); ++i) {
        REQUIRE(map.elements[i].reads.size() == 1);
        CHECK(map.elements[i].reads[0] == static_cast<int>(i) - 1);
    }
}

TEST_CASE("post-LN: the LayerNorm is on the stream") {
    Draft d;
    Node x = d.embed();
    x = d.norm("blocks.0.ln1", d.add(x, d.attention("blocks.0", x)));
    x = d.norm("blocks.0.ln2", d.add(x, d.mlp("blocks.0", x)));
    d.unembed(d.norm("ln_final", x));
    const ModelMap map = d.map();
    CHECK(labels(map) == "embed 0/attn 0/add 0 0/ln1 0/mlp 0/add 1 0/ln2 ln_final unembed");
    CHECK(map.find("0/ln1")->on_stream);
    CHECK(map.find("0/ln1")->reads_stream);
    CHECK_FALSE(map.find("0/ln2")->on_stream);  // nothing is added to the stream after it
}

TEST_CASE("parallel branches, added in either order") {
    Draft d;
    const Node x = d.embed(), n = d.norm("blocks.0.ln1", x);
    const Node between = d.add(x, d.attention("blocks.0", n));
    d.add(between, d.mlp("blocks.0", n));
    CHECK(labels(d.map()) == "embed 0/ln1 0/attn 0/add 0 0/mlp 0/add 1");

    Draft e;
    const Node y = e.embed(), m = e.norm("blocks.0.ln1", y);
    const Node attention = e.attention("blocks.0", m);
    e.add(y, e.add(attention, e.mlp("blocks.0", m)));
    CHECK(labels(e.map()) == "embed 0/ln1 0/attn 0/mlp 0/sum 0/add 0");
}

TEST_CASE("untied unembedding, a bias, a position table and an op without a picture of its own") {
    Draft d;
    const Node position = d.g.parameter("position", {5, 16}, {});
    const Node bias = d.g.parameter("bias", {16}, {});
    Node x = d.add(d.embed(), position);
    x = d.add(x, d.add(d.attention("blocks.0", x), bias));
    x = d.g.apply(ops::scale(0.5f), {x});
    const Node w = d.g.parameter("unembed.W_U", {16, 30}, {}), b = d.g.parameter("unembed.b_U", {30}, {});
    d.g.apply(ops::softmax(), {d.g.apply(ops::linear(), {x, w, b})});
    const ModelMap map = d.map();
    CHECK(labels(map) == "embed 0/attn 0/add 0 scale unembed softmax");
    CHECK(map.find("embed")->title == "token + position");
    CHECK(map.find("unembed")->title == "unembed");
    CHECK(map.find("unembed")->detail == "30");
    CHECK(map.find("0/attn")->parameters == 4 * (16 * 16 + 16) + 16);
}

TEST_CASE("an empty graph has an empty map") {
    CHECK(make_model_map(Graph()).elements.empty());
    Graph g;
    g.input("tokens", {1, 3});
    CHECK(make_model_map(g).elements.empty());
}
