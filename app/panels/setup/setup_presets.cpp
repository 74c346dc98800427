#include <array>

#include "app/language/tr.h"
#include "app/panels/setup/setup_sections.h"
#include "app/panels/setup/setup_state.h"

namespace glassformer::app {

namespace {

/// Sets the switches of the base model of Vaswani et al. 2017, at the size that the world proposes.
void as_in_2017(TrainingSetup& setup) {
    TransformerConfig& c = setup.config;
    c.norm_placement = NormPlacement::post;
    c.norm = NormKind::layer_norm;
    c.norm_scalar = false;
    c.positions = Positions::sinusoidal;
    c.activation = Activation::relu;
    c.d_mlp = 4 * c.d_model;
    c.attention.scale = true, c.attention.hard = false;
    c.residual = true;
    c.dropout = 0.1f;
    OptimizerOptions& o = setup.options.optimizer;
    o.kind = OptimizerKind::adam;
    o.beta1 = 0.9f, o.beta2 = 0.98f, o.epsilon = 1e-9f, o.weight_decay = 0.0f;
}

/// Sets the switches of GPT-2 and the training of GPT-3, at the size that the world proposes.
void like_gpt(TrainingSetup& setup) {
    TransformerConfig& c = setup.config;
    if (c.family != Family::encoder_decoder) c.family = Family::decoder;
    c.norm_placement = NormPlacement::pre;
    c.norm = NormKind::layer_norm;
    c.norm_scalar = false;
    c.positions = Positions::learned;
    c.activation = Activation::gelu_tanh;
    c.d_mlp = 4 * c.d_model;
    c.attention.projections = Projections::separate;
    c.attention.biases = c.attention.scale = true, c.attention.hard = false;
    c.residual = true;
    c.tied = c.input == InputKind::words && c.output == OutputKind::words;
    OptimizerOptions& o = setup.options.optimizer;
    o.kind = OptimizerKind::adamw;
    o.beta1 = 0.9f, o.beta2 = 0.95f, o.weight_decay = 0.1f;
    setup.options.schedule.kind = ScheduleKind::cosine;
    setup.options.schedule.floor = 0.1f;
    setup.options.clip = 1.0f;
}

void recurrent(TrainingSetup& setup) {
    TransformerConfig& c = setup.config;
    c.family = Family::rnn;
    c.activation = Activation::none;
    c.positions = Positions::none;
}

constexpr std::array<SetupPreset, 6> presets{{
    {N_("default"), N_("Learns the world in about a minute on two cores."), [](TrainingSetup&) {}},
    {N_("attention only"), N_("No MLP: tokens only read from each other."),
     [](TrainingSetup& setup) { setup.config.activation = Activation::none; }},
    {N_("post-LN as in 2017"), N_("The switches of “Attention is all you need”."), as_in_2017},
    {N_("GPT-like"), N_("GPT-2's switches, trained with AdamW."), like_gpt},
    {N_("no positions"), N_("Can the model learn without knowing positions?"),
     [](TrainingSetup& setup) { setup.config.positions = Positions::none; }},
    {N_("RNN"), N_("One vector passed from token to token, for comparison."), recurrent},
}};

}  // namespace

std::span<const SetupPreset> setup_presets() { return presets; }

void choose_preset(const Frame& frame, int index) {
    SetupState& s = frame.state.own<SetupState>();
    frame.state.own<FieldDraft>() = {};
    if (index == int_size(presets)) {
        if (const auto& last = frame.state.own<LastSetup>().setup) propose_world(frame, last->world, last->unit, *last);
        return;
    }
    if (!s.proposal) return;
    s.setup = *s.proposal;
    presets[index].change(s.setup);
    s.preset = index;
}

}  // namespace glassformer::app
