#include "app/cli/architecture.h"

#include <CLI/CLI.hpp>

#include "app/cli/checks.h"
#include "app/session/model_for_world.h"
#include "core/base/mark_text.h"

namespace glassformer::app {

namespace {

constexpr int largest_size = 65536;

template <class Enum>
CLI::Option* add_switch(CLI::App& c, const char* name, std::optional<std::string>& value, const char* meaning) {
    const auto& names = enum_names<Enum>;
    return c.add_option(name, value, meaning)
        ->check(CLI::IsMember(std::vector<std::string>(names.begin(), names.end())));
}

template <class T>
void take(T& field, const std::optional<T>& asked) {
    field = asked.value_or(field);
}
template <class Enum>
void take(Enum& field, const std::optional<std::string>& asked, const char* name) {
    if (asked) field = value_of<Enum>(*asked, name);
}

}  // namespace

std::vector<CLI::Option*> add_architecture(CLI::App& c, ArchitectureArgs& a) {
    const auto size = [&](const char* name, std::optional<int>& value, const char* meaning) {
        return c.add_option(name, value, meaning)->check(CLI::Range(1, largest_size));
    };
    const auto toggle = [&](const char* name, std::optional<bool>& value, const char* meaning) {
        return c.add_flag_function(
            name, [&value](std::int64_t count) { value = count > 0; }, meaning);
    };
    std::vector<CLI::Option*> options = {
        add_switch<Family>(c, "--family", a.family, N_("kind of model")),
        size("--layers", a.layers, N_("blocks")),
        size("--heads", a.heads, N_("attention heads in each block")),
        size("--d-model", a.d_model, N_("dimension of each token's vector")),
        size("--d-mlp", a.d_mlp, N_("neurons of each MLP; 4 times --d-model if only that is given")),
        add_switch<Positions>(c, "--positions", a.positions, N_("position encoding")),
        add_switch<NormKind>(c, "--norm", a.norm, N_("kind of norm")),
        add_switch<NormPlacement>(c, "--norm-place", a.norm_placement, N_("where a block normalizes")),
        add_switch<Activation>(c, "--activation", a.activation,
                               N_("activation function of the MLP; none: attention only")),
        add_switch<Projections>(c, "--projections", a.projections, N_("of queries, keys and values")),
        add_switch<Readout>(c, "--readout", a.readout,
                            N_("what classifies a sentence: the mean of all words, the first or the last")),
        size("--key-heads", a.key_heads,
             N_("heads of keys and values; fewer than --heads: groups of heads share them")),
        c.add_option("--window", a.window,
                     "tokens attend only to tokens fewer than this many positions away; 0: to all")
            ->check(CLI::Range(0, largest_size)),
        toggle("--qk-norm,!--no-qk-norm", a.qk_norm, N_("queries and keys are normalized, head by head")),
        toggle("--parallel,!--serial", a.parallel, N_("attention and MLP read the same stream")),
        toggle("--residual,!--no-residual", a.residual, N_("each part adds to the stream")),
        toggle("--mlp-residual,!--no-mlp-residual", a.mlp_residual, N_("the MLP adds to the stream too")),
        toggle("--tied,!--untied", a.tied, N_("the embedding is also the unembedding")),
        toggle("--biases,!--no-biases", a.biases, N_("attention has biases")),
        toggle("--scale,!--no-scale", a.scale, N_("scores are divided by the root of d_head")),
    };
    options.push_back(
        c.add_option("--rotary-share", a.rotary_pct, "share of a head's features that rotary positions rotate")
            ->check(a_number)
            ->check(CLI::Range(0.01f, 1.0f)));
    options.push_back(c.add_option("--dropout", a.dropout, "share of numbers that training sets to 0")
                          ->check(a_number)
                          ->check(CLI::Range(0.0f, 0.9f)));
    for (CLI::Option* option : options) option->group(N_("Model (the default is the world's own)"));
    return options;
}

TransformerConfig config_of(const TransformerConfig& world, const ArchitectureArgs& a) {
    TransformerConfig c = world;
    take<Family>(c.family, a.family, "--family");
    if (c.recurrent() && !world.recurrent()) {  // as the set-up window does
        c.activation = Activation::none;
        c.mlp_residual = true;
        if (c.positions == Positions::rotary || c.positions == Positions::alibi) c.positions = Positions::none;
    }
    take(c.n_layers, a.layers);
    take(c.n_heads, a.heads);
    take(c.d_model, a.d_model);
    if (a.d_model) c.d_mlp = 4 * c.d_model;
    take(c.d_mlp, a.d_mlp);
    take<Positions>(c.positions, a.positions, "--positions");
    take<NormKind>(c.norm, a.norm, "--norm");
    take<NormPlacement>(c.norm_placement, a.norm_placement, "--norm-place");
    take<Activation>(c.activation, a.activation, "--activation");
    take<Projections>(c.attention.projections, a.projections, "--projections");
    if (a.key_heads) c.attention.n_key_value_heads = *a.key_heads == c.n_heads ? 0 : *a.key_heads;
    take(c.attention.window, a.window);
    take(c.attention.qk_norm, a.qk_norm);
    take(c.parallel, a.parallel);
    take(c.rotary_pct, a.rotary_pct);
    take(c.residual, a.residual);
    take(c.mlp_residual, a.mlp_residual);
    take(c.tied, a.tied);
    take(c.attention.biases, a.biases);
    take(c.attention.scale, a.scale);
    take(c.dropout, a.dropout);
    take_from_world(c, world);
    take<Readout>(c.readout, a.readout, "--readout");
    validate(c);
    return c;
}

}  // namespace glassformer::app
