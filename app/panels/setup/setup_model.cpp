#include <algorithm>
#include <array>
#include <cmath>

#include "app/language/tr.h"
#include "app/panels/setup/setup_sections.h"
#include "app/panels/setup/setup_state.h"

namespace glassformer::app {

namespace {

constexpr std::array<double, 15> widths{4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768};
constexpr std::array<double, 17> mlp_widths{8,   16,  32,  48,   64,   96,   128,  192, 256,
                                            384, 512, 768, 1024, 1536, 2048, 3072, 4096};
constexpr std::array<double, 6> shares{0, 0.05, 0.1, 0.2, 0.3, 0.5};
constexpr std::array<double, 8> windows{0, 2, 4, 8, 16, 32, 64, 128};
constexpr std::array<double, 4> rotary_shares{0.25, 0.5, 0.75, 1};

/// Edits a head's width; 0 means that it follows from another width.
void head_width(FieldColumn& column, std::string_view name, int& width, int usual, std::string_view line) {
    int shown = width > 0 ? width : usual;
    if (column.number(name, shown, {{}, 1}, line, "head")) width = shown == usual ? 0 : shown;
}

/// Changes what the new family requires, so that it can be built at once.
void follow_family(TransformerConfig& c, bool was_recurrent, const TransformerConfig& proposed) {
    if (c.recurrent()) {
        c.activation = Activation::none;
        c.parallel = false;
        c.mlp_residual = true;
        if (c.positions == Positions::rotary || c.positions == Positions::alibi) c.positions = Positions::none;
    } else if (was_recurrent) {
        c.activation = proposed.recurrent() ? Activation::gelu : proposed.activation;
        c.positions = proposed.positions;
    }
}

void draw_shape(FieldColumn& column, TransformerConfig& c, const TransformerConfig& proposed) {
    const bool was_recurrent = c.recurrent();
    column.heading(tr("SHAPE"));
    if (column.choice(N_("family"), c.family)) follow_family(c, was_recurrent, proposed);
    column.number(N_("layers"), c.n_layers, {{}, 1},
                  tr("Blocks, one after another. Each can use the results of those before it."), "block");
    if (c.family == Family::encoder_decoder) {
        int layers = c.encoder_layers();
        if (column.number(N_("source layers"), layers, {{}, 1},
                          tr("Blocks of the encoder, which reads the source sentence."), "block"))
            c.n_encoder_layers = layers == c.n_layers ? 0 : layers;
    }
    if (!c.recurrent())
        column.number(N_("heads"), c.n_heads, {{}, 1},
                      tr("Attention heads in parallel in each block. Each can attend to something different."), "head");
    column.number(N_("d_model"), c.d_model, {widths, 1},
                  tr("The dimension of each token's vector, through the whole model."), "residual stream");
    if (c.recurrent()) return;
    if (c.activation != Activation::none)
        column.number(N_("d_mlp"), c.d_mlp, {mlp_widths, 1}, tr("Neurons in each MLP. Four times d_model is usual."),
                      "neuron");
    if (column.choice(N_("activation"), c.activation, "activation") && c.activation == Activation::none)
        c.parallel = false, c.mlp_residual = true;
}

void draw_attention(FieldColumn& column, TransformerConfig& c) {
    if (c.recurrent()) return;
    column.heading(tr("ATTENTION"));
    if (column.choice(N_("projections"), c.attention.projections, "query") &&
        c.attention.projections != Projections::separate)
        c.attention.n_key_value_heads = 0, c.attention.qk_norm = false;
    if (c.attention.projections == Projections::separate) {
        int shared = c.n_key_value_heads();
        if (column.number(N_("key heads"), shared, {{}, 1},
                          tr("Key and value heads. If there are fewer than heads, groups of heads share them (GQA)."),
                          "key"))
            c.attention.n_key_value_heads = shared == c.n_heads ? 0 : shared;
        const int usual = c.n_heads > 0 ? c.d_model / c.n_heads : c.d_model;
        head_width(column, N_("d_k"), c.attention.d_head, usual,
                   tr("Numbers in a query and a key of one head. Usual: d_model ÷ heads."));
        head_width(column, N_("d_v"), c.attention.d_value, c.attention.d_head > 0 ? c.attention.d_head : usual,
                   tr("Numbers in a value of one head. It may differ from d_k."));
        column.toggle(N_("normalize q and k"), c.attention.qk_norm,
                      c.attention.qk_norm ? tr("Each head's queries and keys are normalized before their dot product.")
                                          : tr("Queries and keys are not normalized."));
    }
    column.number(N_("window"), c.attention.window, {windows, 0},
                  c.attention.window == 0 ? tr("0: a token may attend to tokens at any distance.")
                                          : tr("A token attends only to tokens fewer than this many positions away."),
                  "mask");
    column.toggle(N_("biases"), c.attention.biases,
                  c.attention.biases ? tr("Queries, keys, values and output each add a learned bias.")
                                     : tr("Queries, keys, values and output have no bias."));
    column.toggle(N_("scale by √d"), c.attention.scale,
                  c.attention.scale ? tr("Scores are divided by √d_head, so that softmax stays soft at first.")
                                    : tr("Scores are not divided: wide heads start with almost hard attention."));
    column.toggle(N_("hard attention"), c.attention.hard,
                  c.attention.hard
                      ? tr("Each token attends only to the one with the highest score. Scores get no gradient.")
                      : tr("Softmax: each token attends to all tokens, most to the one with the highest score."));
}

void draw_stream(FieldColumn& column, TransformerConfig& c) {
    column.heading(tr("STREAM AND NORMS"));
    column.toggle(N_("residual"), c.residual,
                  c.residual ? tr("Each part adds its result to the stream.")
                             : tr("Each part replaces what it read. Deep models hardly learn."));
    const bool has_mlp = !c.recurrent() && c.activation != Activation::none;
    if (has_mlp && c.residual && !c.parallel)
        column.toggle(N_("residual at MLP"), c.mlp_residual,
                      c.mlp_residual ? tr("The MLP adds to the stream, as attention does.")
                                     : tr("Attention alone adds; the MLP replaces what it read: MLP(Y(X) + X)."));
    if (has_mlp && column.toggle(N_("parallel"), c.parallel,
                                 c.parallel ? tr("Attention and MLP read the same stream, and both add to it.")
                                            : tr("The MLP reads what attention has added.")))
        c.mlp_residual = true;
    if (column.choice(N_("norm place"), c.norm_placement, "LayerNorm") && c.norm_placement == NormPlacement::none)
        c.norm = NormKind::layer_norm, c.norm_scalar = false;
    if (c.norm_placement == NormPlacement::none) return;
    column.choice(N_("norm"), c.norm, "LayerNorm");
    column.toggle(N_("one γ, one β"), c.norm_scalar,
                  c.norm_scalar ? tr("A norm has two learned numbers in all, called a and b in some lecture notes.")
                                : tr("A norm has two learned numbers for each feature."));
}

void draw_ends(FieldColumn& column, TransformerConfig& c) {
    column.heading(tr("INPUT AND OUTPUT"));
    column.choice(N_("positions"), c.positions, "position");
    if (c.positions == Positions::rotary)
        column.number(N_("rotary share"), c.rotary_pct, {rotary_shares, 0.05},
                      tr("The share of each head's features that the position rotates."), "position");
    if (c.output == OutputKind::words && c.input == InputKind::words)
        column.toggle(N_("tied"), c.tied,
                      c.tied ? tr("The embedding is also the unembedding: fewer parameters.")
                             : tr("A separate unembedding matrix turns vectors into logits."));
    if (c.output == OutputKind::classes) column.choice(N_("read-out"), c.readout);
    column.number(
        N_("dropout"), c.dropout, {shares},
        tr("Share of numbers set to 0 at random in training, so that the model does not rely on any single one."),
        "dropout");
}

}  // namespace

float draw_setup_model(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    SetupState& s = frame.state.own<SetupState>();
    TransformerConfig& c = s.setup.config;
    const TransformerConfig before = c;
    const float gap = ui.px(28);
    const bool two = box.width() >= ui.px(620);
    const float width = two ? std::floor((box.width() - gap) / 2) : box.width();
    FieldColumn left(frame, box.left(width), "setup");
    draw_shape(left, c, s.proposal ? s.proposal->config : c);
    float bottom = 0.0f;
    if (two) {
        draw_ends(left, c);
        FieldColumn right(frame, box.right(width), "setup");
        draw_attention(right, c);
        draw_stream(right, c);
        bottom = std::max(left.y(), right.y());
    } else {
        draw_ends(left, c);
        draw_attention(left, c);
        draw_stream(left, c);
        bottom = left.y();
    }
    if (!(c == before)) s.preset = -1;
    return bottom;
}

}  // namespace glassformer::app
