#include "app/common/stages.h"

#include <doctest/doctest.h>

#include "app/common/explanation.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/trace/tracer.h"
#include "tests/contains.h"
#include "tests/core/fresh_parameters.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

TransformerConfig small() {
    TransformerConfig c;
    c.d_vocab = 19, c.n_ctx = 8, c.d_model = 12, c.n_heads = 3, c.n_layers = 2, c.d_mlp = 20;
    return c;
}

/// Labels of all stages of the model's own side, with a bar between sections and without the parts of stages.
std::string labels(const Stages& stages) {
    std::string text;
    int block = Stage::before;
    for (const Stage& stage : stages.walk()) {
        if (stage.source || !stage.kind->part_of.empty()) continue;
        if (stage.block != block) text += "| ";
        block = stage.block;
        text += stage.label + " ";
    }
    return text;
}

std::string labels(const TransformerConfig& config) {
    return labels(Stages(build_transformer(config, {1, 5, config.family == Family::encoder_decoder ? 4 : 0})));
}

const std::string heads = "Q K V q·k ÷√d mask softmax Σ a·v W_O ";

}  // namespace

TEST_CASE("stages: a pre-LN encoder from the tokens to the probabilities") {
    const std::string block = "| LN " + heads + "+ x LN MLP pre MLP post MLP out + x ";
    CHECK(labels(small()) == "tokens embed + pos " + block + block + "| final LN logits P ");
}

TEST_CASE("stages: each norm is preceded by its parts") {
    const auto parts = [](const TransformerConfig& c, std::string_view norm) {
        std::string text;
        const Stages stages(build_transformer(c, {1, 5, c.family == Family::encoder_decoder ? 4 : 0}));
        for (const Stage& stage : stages.walk())
            if (stage.kind->part_of == norm && stage.block <= 0) text += stage.item.substr(6) + " ";
        return text;
    };
    TransformerConfig c = small();
    c.n_layers = 1;
    CHECK(parts(c, "ln1.hook_out") == "μ σ x̂ ");
    CHECK(parts(c, "ln2.hook_out") == "μ 2 σ 2 x̂ 2 ");
    c.norm = NormKind::rms_norm;
    CHECK(parts(c, "ln1.hook_out") == "rms x̂ ");
    c.norm = NormKind::batch_norm;
    CHECK(parts(c, "ln1.hook_out") == "μ σ² x̂ ");
    c.norm = NormKind::layer_norm, c.family = Family::encoder_decoder;
    CHECK(parts(c, "ln1.hook_out") == "source μ source σ source x̂ μ σ x̂ ");
    CHECK(parts(c, "encoder.ln_final.hook_out") == "source μ source σ source x̂ ");
}

TEST_CASE("stages: a translation's encoder is included, block by block") {
    TransformerConfig c = small();
    c.family = Family::encoder_decoder;
    const Stages stages(build_transformer(c, {1, 5, 4}));
    std::string text;
    int block = Stage::before;
    for (const Stage& stage : stages.walk()) {
        if (!stage.source || !stage.kind->part_of.empty()) continue;
        if (stage.source_block != block) text += "| ";
        block = stage.source_block;
        text += stage.label + " ";
        CHECK(stage.block == Stage::before);
    }
    const std::string each = "| LN " + heads + "+ x LN MLP pre MLP post MLP out + x ";
    CHECK(text == "tokens embed + pos " + each + each);
    REQUIRE(stages.find(0, "encoder.blocks.1.attn.hook_q"));
    CHECK(stages.find(0, "encoder.blocks.1.attn.hook_q")->item == "stage source Q");
}

TEST_CASE("stages: what a model leaves out has no stage") {
    TransformerConfig c = small();
    c.n_layers = 1, c.family = Family::decoder, c.activation = Activation::none, c.attention.padding_mask = false;
    c.positions = Positions::none, c.norm_placement = NormPlacement::none;
    CHECK(labels(c) == "tokens embed | Q K V q·k ÷√d causal softmax Σ a·v W_O + x | logits P ");
    c.attention.scale = false, c.residual = false;
    CHECK(labels(c) == "tokens embed | Q K V q·k causal softmax Σ a·v W_O | logits P ");
    c.attention.projections = Projections::none;
    CHECK(labels(c) == "tokens embed | Q=K=V q·k causal softmax Σ a·v | logits P ");
}

TEST_CASE("stages: other norms, positions and activations come where they are computed") {
    TransformerConfig c = small();
    c.n_layers = 1, c.norm_placement = NormPlacement::post;
    CHECK(labels(c) == "tokens embed + pos | " + heads + "+ x LN MLP pre MLP post MLP out + x LN | logits P ");
    c = small();
    c.n_layers = 1, c.norm = NormKind::rms_norm, c.positions = Positions::rotary, c.activation = Activation::swiglu;
    CHECK(labels(c) ==
          "tokens embed | RMS Q K V rotate Q rotate K q·k ÷√d mask softmax Σ a·v W_O + x RMS MLP pre MLP in gate MLP "
          "post "
          "MLP out + x | final RMS logits P ");
    c = small();
    c.n_layers = 1, c.positions = Positions::alibi, c.family = Family::decoder;
    CHECK(labels(c) ==
          "tokens embed | LN Q K V q·k ÷√d ALiBi causal mask softmax Σ a·v W_O + x LN MLP pre MLP post "
          "MLP out + x | final LN logits P ");
    c = small();
    c.n_layers = 1, c.family = Family::gru, c.activation = Activation::none;
    CHECK(labels(c) == "tokens embed + pos | LN W·x state gates + x | final LN logits P ");
}

TEST_CASE("stages: each is described as this model computes it") {
    TransformerConfig c = small();
    c.n_layers = 1;
    const auto meaning = [&](int block, std::string_view hook) {
        const Stages stages(build_transformer(c, {1, 5, 0}));
        const Stage* const stage = stages.find(block, hook);
        return std::string(stage ? stage->meaning : "");
    };
    CHECK(meaning(0, "ln1.hook_out").starts_with("LayerNorm\n"));
    c.norm = NormKind::rms_norm, c.activation = Activation::geglu_tanh;
    for (const char* norm : {"ln1.hook_out", "ln2.hook_out", "ln_final.hook_out"}) {
        CAPTURE(norm);
        CHECK(meaning(0, norm).starts_with("RMSNorm\n"));
        CHECK(!contains(meaning(0, norm), "mean 0"));  // RMSNorm subtracts no mean
    }
    CHECK(contains(meaning(0, "mlp.hook_gate"), "GELU"));
    CHECK(contains(meaning(0, "mlp.hook_post"), "gate"));
    c.norm = NormKind::batch_norm;
    CHECK(meaning(0, "ln2.hook_out").starts_with("batch norm\n"));
    c = small(), c.n_layers = 1;
    c.output = OutputKind::classes, c.d_output = 2;
    CHECK(contains(meaning(1, "logits"), "class"));
    CHECK(contains(meaning(1, "probabilities"), "classes"));
    c.input = InputKind::values, c.d_input = 3, c.output = OutputKind::values, c.d_output = 1;
    CHECK(!contains(meaning(0, "hook_embed"), "row"));  // it reads numbers, not words
    CHECK(!contains(meaning(1, "logits"), "vocabulary"));
}

TEST_CASE("stages: a translation has both attentions, told apart by their labels") {
    TransformerConfig c = small();
    c.n_layers = 1, c.family = Family::encoder_decoder;
    const Stages stages(build_transformer(c, {1, 5, 4}));
    CHECK(labels(stages) == "tokens embed + pos source | LN Q K V q·k ÷√d causal mask softmax Σ a·v W_O + x LN " +
                                heads + "+ x LN MLP pre MLP post MLP out + x | final LN logits P ");
    REQUIRE(stages.find(0, "cross_attn.hook_q"));
    CHECK(stages.find(0, "attn.hook_q")->item == "stage Q");
    CHECK(stages.find(0, "cross_attn.hook_q")->item == "stage Q 2");
    CHECK(stages.find(0, "ln2.hook_out")->item == "stage LN 3");
}

TEST_CASE("an explanation names the side, the block, the attention, the head and the norm of its number") {
    TransformerConfig c = small();
    c.family = Family::encoder_decoder, c.norm = NormKind::rms_norm;
    CpuBackend backend{1};
    Tracer tracer(backend, c);
    TraceInput input;
    input.tokens = {1, 7, 3, 9, 2}, input.source_tokens = {4, 6, 8, 5};
    const auto trace = tracer.trace(input, fresh_parameters(c, 3));
    const auto where = [&](const char* name) { return place(*trace, trace->explain({trace->graph().at(name), 0})); };
    CHECK(where("blocks.1.attn.hook_z") == "block 1 · head 0 · weighted sum of values");
    CHECK(where("blocks.1.cross_attn.hook_z") == "block 1 · cross-attention · head 0 · weighted sum of values");
    CHECK(where("encoder.blocks.1.attn.hook_z") == "encoder block 1 · head 0 · weighted sum of values");
    CHECK(where("blocks.0.ln1.hook_scale") == "block 0 · RMSNorm 1 · RMS");
    CHECK(where("encoder.blocks.0.ln2.hook_scale") == "encoder block 0 · RMSNorm 2 · RMS");
    CHECK(where("ln_final.hook_scale") == "final RMS · RMS");
}

TEST_CASE("stages: in every architecture, each stage has a value of its node") {
    std::vector<TransformerConfig> configs(7, small());
    configs[1].family = Family::decoder, configs[1].positions = Positions::alibi;
    configs[2].norm_placement = NormPlacement::post, configs[2].attention.d_value = 5;
    configs[3].activation = Activation::swiglu, configs[3].positions = Positions::rotary;
    configs[4].family = Family::gru, configs[4].activation = Activation::none;
    configs[5].output = OutputKind::classes, configs[5].d_output = 2;
    configs[6].family = Family::encoder_decoder;
    for (const TransformerConfig& config : configs) {
        CpuBackend backend{1};
        Tracer tracer(backend, config);
        TraceInput input;
        input.tokens = {1, 7, 3, 9, 2};
        if (config.family == Family::encoder_decoder) input.source_tokens = {4, 6, 8, 5};
        const auto parameters = std::make_shared<ParameterValues>(initial_parameters(
            *build_transformer(config, {1, 1, config.family == Family::encoder_decoder ? 1 : 0}).graph, 3));
        const auto trace = tracer.trace(input, parameters);
        const auto stages = stages_of(*trace);
        CHECK(stages == stages_of(*trace));  // computed once
        ViewState state;
        state.head = 2, state.token[0] = 3;
        for (const Stage& stage : stages->walk()) {
            CAPTURE(trace->graph()[stage.node].name);
            const Cell cell = stage_cell(state, *trace, 0, stage);
            CHECK(cell.node == stage.node);
            CHECK(cell.offset >= 0);
            REQUIRE(cell.offset < trace->graph()[stage.node].shape.elements());
            CHECK(stages->of(stage.node) >= 0);
            CHECK(stages->find(stage.block, stage.hook) == &stage);
            CHECK(contains(stage_shape(*trace, stage), std::to_string(trace->shape(stage.node).back())));
        }
    }
}
