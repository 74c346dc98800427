#include <CLI/CLI.hpp>
#include <string>

#include "app/cli/checks.h"
#include "app/cli/command_options.h"
#include "app/language/tr.h"
#include "app/session/model_for_world.h"
#include "core/base/join.h"
#include "core/base/mark_text.h"
#include "core/tasks/world_kind.h"
#include "core/train/train_options.h"

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

std::vector<CLI::Option*> add_architecture(CLI::App& c, ArchitectureArgs& a) {
    const auto size = [&](const char* name, std::optional<int>& value, const char* meaning) {
        return c.add_option(name, value, meaning)->check(CLI::Range(1, largest_size));
    };
    const auto toggle = [&](const char* name, std::optional<bool>& value, const char* meaning) {
        return c
            .add_flag_function(
                name, [&value](std::int64_t count) { value = count > 0; }, meaning)
            ->check(a_switch);
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
        add_switch<Projections>(c, "--projections", a.projections, N_("matrices of queries, keys and values")),
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

constexpr const char* of_world = N_("the world's own");  // the default that help shows for an option

void add_saving(CLI::App& train, TrainArgs& a) {
    auto* every =
        train.add_option("--save-every", a.save_every, "number of steps between two saves of the run's state")
            ->check(CLI::Range(std::int64_t{1}, std::int64_t{100'000'000}));
    train.add_option("--save-seconds", a.save_seconds, "seconds between two saves, about; instead of --save-every")
        ->check(a_number)
        ->check(CLI::Range(0.0, 1e6))
        ->excludes(every);
}

}  // namespace

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

void add_train(CLI::App& app, TrainArgs& a) {
    CLI::App* c = app.add_subcommand("train", "Train a model on a world and save it");
    auto* world =
        c->add_option("--world", a.world,
                      filled_with(N_("a world ({1}), a file of its kind (*.grammar, *.words), or any text file"),
                                  join(world_kinds(), ", ", &WorldKind::name)));
    auto* unit = c->add_option("--unit", a.unit, "tokens of a text file")
                     ->default_str("characters")
                     ->check(CLI::IsMember({"characters", "words", "byte_pairs"}));
    auto* steps = c->add_option("--steps", a.steps, "training steps")
                      ->default_str(tr(of_world))
                      ->check(CLI::Range(std::int64_t{0}, std::int64_t{100'000'000}));
    auto* seconds = c->add_option("--seconds", a.seconds, "train for about this long instead")
                        ->default_str("")
                        ->check(a_number)
                        ->check(CLI::Range(0.1, 1e6))
                        ->excludes(steps);
    auto* seed =
        c->add_option("--seed", a.seed, "the same seed gives the same bytes on the same machine")->check(a_seed);
    c->add_option("--out", a.out, "folder to save the checkpoint in")->check(a_name);
    c->add_option("--log", a.log, "file for one JSON line per step")->check(a_name);
    auto* batch = c->add_option("--batch", a.batch, "sentences per step")
                      ->default_str(tr(of_world))
                      ->check(CLI::Range(1, most_in_batch));
    auto* longest = c->add_option("--longest", a.longest, "leave out sentences longer than this many tokens")
                        ->default_str(tr("all"))
                        ->check(CLI::Range(1, 1 << 20));
    auto* share = c->add_option("--data-share", a.data_share, "train on this share of the world's training sentences")
                      ->default_str(tr("all"))
                      ->check(a_number)
                      ->check(CLI::Range(1e-6f, 1.0f));
    auto* rate = c->add_option("--learning-rate", a.learning_rate, "peak of the schedule")
                     ->default_str(tr(of_world))
                     ->check(a_number)
                     ->check(CLI::Range(1e-8f, 10.0f));
    c->add_option("--threads", a.threads, "0: one per core")->check(CLI::Range(0, 256));
    auto* keyframes =
        c->add_option("--keyframes", a.keyframes, "also save up to this many steps of the training, for the timeline")
            ->check(CLI::Range(0, 1000));
    add_backend(*c, a.backend);
    auto* run =
        c->add_option("--run", a.run, "new folder for the run: settings, log, states to resume from")->check(a_name);
    auto* resume =
        c->add_option("--resume", a.resume, "continue the run in this folder, with its settings")->check(a_name);
    for (CLI::Option* settled : {world, unit, steps, seconds, seed, batch, longest, share, rate, keyframes, run})
        resume->excludes(settled);
    for (CLI::Option* settled : add_architecture(*c, a.model)) resume->excludes(settled);
    add_saving(*c, a);
}

void add_sweep(CLI::App& app, SweepArgs& a) {
    CLI::App* c = app.add_subcommand("sweep", "Train models that differ in one thing or two, side by side");
    c->add_option("--world", a.world, "a world, a file of its kind, or any text file, as for train")
        ->check(a_name)
        ->required();
    c->add_option("--unit", a.unit, "tokens of a text file")
        ->default_str("characters")
        ->check(CLI::IsMember({"characters", "words", "byte_pairs"}));
    c->add_option("--seeds", a.seeds, "a run for each seed, e.g. 1..6 or 3,7,9")->check(a_name);
    c->add_option(
         "--vary", a.vary,
         "a run for each value, e.g. heads=1,2,4 or learning_rate=0.005,0.05; with --seeds, or twice: each pair")
        ->allow_extra_args(false)
        ->default_str("")
        ->check(a_name);
    c->add_option("--steps", a.steps, "training steps of each run")
        ->default_str(tr(of_world))
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{100'000'000}));
    c->add_option("--set", a.set, "a setting that all runs share, e.g. layers=3 or positions=rotary; can be repeated")
        ->allow_extra_args(false)
        ->default_str("")
        ->check(a_name);
    c->add_option("--at-once", a.at_once, "runs trained at the same time, one thread each; 0: one per core")
        ->check(CLI::Range(0, 256));
    c->add_option("--claim", a.claim, "what should hold in each run, as in a lesson: '{A: top \"bat\"} = foul'")
        ->check(a_name);
    c->add_option("--text", a.text, "sentence A, on which claim and heads are compared");
    c->add_option("--compare", a.compare, "sentence B");
    c->add_option("--csv", a.csv, "file for a table of all runs; - prints it")->check(a_name);
    c->add_option("--out", a.out, "new folder to keep the runs in, each in a folder of its own")->check(a_name);
}

}  // namespace glassformer::app
