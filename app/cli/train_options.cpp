#include "app/cli/train_options.h"

#include <CLI/CLI.hpp>
#include <string>

#include "app/cli/checks.h"
#include "app/language/tr.h"
#include "core/tasks/world_kind.h"
#include "core/train/train_options.h"

namespace glassformer::app {

namespace {

constexpr const char* of_world = N_("the world's own");  // what help tells as the default of an option

void add_saving(CLI::App& train, TrainArgs& a) {
    auto* every = train.add_option("--save-every", a.save_every, "save the run's state every this many steps")
                      ->check(CLI::Range(std::int64_t{1}, std::int64_t{100'000'000}));
    train.add_option("--save-seconds", a.save_seconds, "save it about every this many seconds instead")
        ->check(a_number)
        ->check(CLI::Range(0.0, 1e6))
        ->excludes(every);
}

std::string names_of_worlds() {
    std::string names;
    for (const WorldKind* world : world_kinds()) names += (names.empty() ? "" : ", ") + std::string(world->name);
    return names;
}

}  // namespace

void add_train(CLI::App& app, TrainArgs& a) {
    CLI::App* c = app.add_subcommand("train", "Train a model on a world and save it");
    auto* world = c->add_option(
        "--world", a.world,
        filled_with(N_("a world ({1}), a file of its kind (*.grammar, *.words), or any text file"), names_of_worlds()));
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
    auto* longest = c->add_option("--longest", a.longest, "leave out sentences of more tokens than this")
                        ->default_str(tr("all"))
                        ->check(CLI::Range(1, 1 << 20));
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
    for (CLI::Option* settled : {world, unit, steps, seconds, seed, batch, longest, rate, keyframes, run})
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
    c->add_option("--set", a.set, "what all runs have, e.g. layers=3 or positions=rotary; as often as needed")
        ->allow_extra_args(false)
        ->default_str("")
        ->check(a_name);
    c->add_option("--at-once", a.at_once, "runs trained at the same time, one thread each; 0: one per core")
        ->check(CLI::Range(0, 256));
    c->add_option("--claim", a.claim, "what should hold in each run, as in a lesson: '{A: top \"bat\"} = foul'")
        ->check(a_name);
    c->add_option("--text", a.text, "sentence A, of the claim and of the heads");
    c->add_option("--compare", a.compare, "sentence B");
    c->add_option("--csv", a.csv, "file for a table of all runs; - prints it")->check(a_name);
    c->add_option("--out", a.out, "new folder to keep the runs in, each in a folder of its own")->check(a_name);
}

}  // namespace glassformer::app
