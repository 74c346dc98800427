#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "app/assets/assets.h"
#include "app/cli/cli.h"
#include "app/cli/csv_row.h"
#include "app/cli/model_text.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/lessons/experiment_claim.h"
#include "app/session/experiment.h"
#include "app/session/sentences.h"
#include "app/session/setup_preview.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/base/seconds_since.h"
#include "core/base/trimmed.h"
#include "core/io/output_file.h"
#include "core/platform/atomic_file.h"
#include "core/platform/file.h"
#include "core/platform/process.h"

namespace glassformer::app {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// "heads=1,2,4", with the name that setup_switches.h knows.
Knob knob_in(const std::string& option, const std::string& text) {
    const std::size_t is = text.find('=');
    if (is == std::string::npos || is == 0)
        throw UsageError("{1}: \"{2}\" is not a setting with its value, such as heads=2", option, text);
    return {switch_of_knob(text.substr(0, is)), values_in(text.substr(is + 1))};
}

ExperimentPlan plan_of(const SweepArgs& args, const fs::path& worlds) {
    ExperimentPlan plan{proposed_setup(args.world, args.unit, worlds), {}};
    std::vector<SetupSwitch> all_have;
    for (const std::string& text : args.set) {
        const Knob one = knob_in("--set", text);
        if (one.values.size() != 1) throw UsageError("--set: \"{1}\" is not one value; --vary takes several", text);
        all_have.push_back({one.name, one.values.front()});
    }
    throw_switches(plan.base, all_have);
    plan.base.options.schedule.total = args.steps.value_or(plan.base.options.schedule.total);
    if (!args.seeds.empty()) plan.knobs.push_back({"seed", values_in(args.seeds)});
    for (const std::string& text : args.vary) plan.knobs.push_back(knob_in("--vary", text));
    for (const SetupSwitch& s : all_have)
        if (std::ranges::find(plan.knobs, s.name, &Knob::name) != plan.knobs.end())
            throw UsageError("{1} is given twice", words_of_knob(s.name));
    if (plan.knobs.empty()) throw UsageError("say what the runs differ in, with --seeds or --vary");
    return plan;
}

/// Creates a new folder, in which each run gets its own.
void make_place(const std::string& out) {
    if (out.empty()) return;
    std::error_code error;
    if (fs::exists(out, error) && !(fs::is_directory(out, error) && fs::is_empty(out, error)))
        throw Error("cannot keep the runs in {1}: it is a file, or a folder that is not empty; choose a new folder",
                    out);
    fs::create_directories(out, error);
    if (error) throw Error("cannot make the folder {1}: {2}", out, error.message());
    if (!platform::may_write(out)) throw Error("cannot keep the runs in {1}: the folder cannot be written to", out);
}

/// Reports the words of a sentence that the models do not know. Throws Error if one of them cannot read it: that run
/// would look at a sample of the world instead.
void look_at(const std::string& option, const std::string& text, const ExperimentAtWork& experiment) {
    if (const std::string why = experiment.refusal(text); !why.empty()) throw Error("{1}: {2}", option, why);
    const ModelInfo& model = *experiment.model();
    if (model.config.input == InputKind::values) return;
    const auto tell_unknown = [&](const std::shared_ptr<const Tokenizer>& tokenizer, const std::string& part) {
        ids_of(tokenizer, part, model.world, "--text");
    };
    if (!model.translates()) return tell_unknown(model.tokenizer, text);
    const auto [source, target] = at_arrow(text);
    tell_unknown(model.source_tokenizer ? model.source_tokenizer : model.tokenizer, source);
    if (!trimmed(target).empty()) tell_unknown(model.tokenizer, target);
}

std::string run_folder_name(std::string name) {
    for (std::size_t at; (at = name.find(" · ")) != std::string::npos;)
        name.replace(at, std::string(" · ").size(), "_");
    std::ranges::replace_if(
        name, [](char c) { return c == ' ' || c == '/' || c == '\\' || c == ':'; }, '-');
    return name;
}

std::string number(double value) { return typed_number(value); }

/// The runs' results, as a table and as text.
class Results {
public:
    Results(const ExperimentInfo& experiment, const std::optional<Condition>& claim)
        : experiment_(experiment), claimed_(claim.has_value()) {
        std::size_t of = 0;
        while (of < experiment.runs.size() && !experiment.runs[of].seen) ++of;
        if (of == experiment.runs.size()) return;
        const Snapshot& seen = *experiment.runs[of].seen;
        WordPlace word{0, first_token(*seen.model, seen.sentences[0])};
        if (claim)
            if (const WordPlace asked = word_of(*claim, seen); asked.position >= 0) word = asked;
        const MatchedInRun head = hardest_head(experiment, word.slot, of, word.position);
        heads_ = matched_heads(experiment, word.slot, of, head.block, head.head);
        if (claim) claims_ = hold_against(*claim, experiment, heads_);
    }

    std::string csv() const {
        std::vector<std::string> names{"run"};
        for (const Knob& knob : experiment_.plan.knobs) names.push_back(knob.name);
        for (const char* name : {"state", "step", "loss", "held_out_loss", "metric", "metric_step", "seconds", "block",
                                 "head", "distance"})
            names.emplace_back(name);
        if (claimed_) names.insert(names.end(), {"said", "holds"});
        std::string table = csv_row(names);
        for (std::size_t i = 0; i < experiment_.runs.size(); ++i) table += csv_row(cells(i));
        return table;
    }

    void print() const {
        int known = 0, held = 0;
        for (std::size_t i = 0; i < experiment_.runs.size(); ++i) {
            const ExperimentInfo::Run& run = experiment_.runs[i];
            std::string line =
                tr_run_name(run.name) + ": " + (run.now.failure.empty() ? "" : tr_sentence(run.now.failure) + "; ");
            line += metric(run);
            if (const MatchedInRun head = head_of(i); head.block >= 0)
                line +=
                    filled(tr("; block {1}, head {2}, distance {3}"),
                           {std::to_string(head.block), std::to_string(head.head), with_decimals(head.distance, 2)});
            if (const std::optional<bool> holds = claim_of(i).holds) {
                line += filled(*holds ? tr("; holds: {1}") : tr("; does not hold: {1}"), {claim_of(i).said});
                ++known;
                held += *holds ? 1 : 0;
            } else if (claimed_) {
                line += tr("; claim not decided");
            }
            std::printf("%s\n", line.c_str());
        }
        if (claimed_)
            std::printf("%s\n", filled(tr("the claim holds in {1} of {2} run", "the claim holds in {1} of {2} runs",
                                          static_cast<std::int64_t>(experiment_.runs.size())),
                                       {std::to_string(held), std::to_string(experiment_.runs.size())})
                                    .c_str());
    }

    int failed() const {
        return static_cast<int>(std::ranges::count_if(
            experiment_.runs, [](const auto& run) { return run.now.state == SideRun::State::failed; }));
    }

private:
    std::string metric(const ExperimentInfo::Run& run) const {
        if (!run.now.found) return filled(tr("step {1}"), {std::to_string(run.now.step)});
        const double value = run.now.found->value;
        const ModelInfo& model = *experiment_.model;
        const std::string figure = tr_sentence(model.metric_name) + " " +
                                   (!std::isfinite(value)   ? "–"
                                    : model.metric_is_share ? with_decimals(100.0 * value, 1) + " %"
                                                            : significant(value, 4));
        return filled(tr("{1}, at step {2}"), {figure, std::to_string(run.now.measured_step)});
    }

    std::vector<std::string> cells(std::size_t i) const {
        static constexpr std::array<const char*, 5> states{"waiting", "training", "done", "stopped", "failed"};
        const ExperimentInfo::Run& run = experiment_.runs[i];
        std::vector<std::string> all{run.name};
        const std::vector<Knob>& knobs = experiment_.plan.knobs;
        const std::size_t inner = knobs.size() == 2 ? knobs[1].values.size() : 1;
        all.push_back(knobs[0].values[i / inner]);
        if (knobs.size() == 2) all.push_back(knobs[1].values[i % inner]);
        all.emplace_back(states[static_cast<std::size_t>(run.now.state)]);
        all.push_back(std::to_string(run.now.step));
        const bool logged = run.now.log && !run.now.log->empty();
        all.push_back(logged ? number(static_cast<double>(run.now.log->back().loss)) : "");
        all.push_back(logged && run.now.log->back().held_out_loss >= 0.0f
                          ? number(static_cast<double>(run.now.log->back().held_out_loss))
                          : "");
        all.push_back(run.now.found ? number(run.now.found->value) : "");
        all.push_back(run.now.found ? std::to_string(run.now.measured_step) : "");
        all.push_back(with_decimals(run.now.seconds, 3));
        const MatchedInRun head = head_of(i);
        all.push_back(head.block < 0 ? "" : std::to_string(head.block));
        all.push_back(head.block < 0 ? "" : std::to_string(head.head));
        all.push_back(head.block < 0 ? "" : with_decimals(head.distance, 4));
        if (claimed_) {
            const ClaimInRun claim = claim_of(i);
            all.push_back(claim.said);
            all.emplace_back(!claim.holds ? "" : *claim.holds ? "yes" : "no");
        }
        return all;
    }

    MatchedInRun head_of(std::size_t run) const { return run < heads_.size() ? heads_[run] : MatchedInRun{}; }
    ClaimInRun claim_of(std::size_t run) const { return run < claims_.size() ? claims_[run] : ClaimInRun{}; }

    const ExperimentInfo& experiment_;
    bool claimed_;
    std::vector<MatchedInRun> heads_;
    std::vector<ClaimInRun> claims_;
};

void show_progress(const SideBySide& trainings, Clock::time_point& shown) {
    const bool terminal = platform::standard_error_is_terminal();
    if (seconds_since(shown) < (terminal ? 0.2 : 2.0)) return;
    shown = Clock::now();
    const std::vector<SideRun> runs = trainings.runs();
    std::int64_t made = 0, all = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) made += runs[i].step, all += trainings.plan(i).options.schedule.total;
    if (terminal) std::fputc('\r', stderr);
    std::fprintf(stderr,
                 tr("%d of %d run   step %lld of %lld", "%d of %d runs   step %lld of %lld",
                    static_cast<std::int64_t>(runs.size())),
                 static_cast<int>(std::ranges::count_if(runs, &SideRun::ended)), static_cast<int>(runs.size()),
                 static_cast<long long>(made), static_cast<long long>(all));
    if (trainings.seconds_left() >= 0.0) std::fprintf(stderr, tr("   %.0f s left"), trainings.seconds_left());
    std::fputs(terminal ? "\x1b[K" : "\n", stderr);
}

/// Keeps each run in its folder, and reports those that cannot be kept. Returns how many these are.
int keep_runs(ExperimentAtWork& experiment, const ExperimentInfo& info, const fs::path& out) {
    int lost = 0;
    for (std::size_t i = 0; i < info.runs.size(); ++i) {
        if (!info.runs[i].now.parameters) continue;
        try {
            experiment.open(i, static_cast<int>(i))->keep_in(out / run_folder_name(info.runs[i].name));
        } catch (const Error& e) {
            tell(tr_run_name(info.runs[i].name) + ": " + tr(e));
            ++lost;
        }
    }
    return lost;
}

}  // namespace

int run_sweep(const SweepArgs& args) {
    const fs::path worlds = assets_folder() / "worlds";
    ExperimentPlan plan = plan_of(args, worlds);
    std::optional<Condition> claim;
    if (!args.claim.empty()) try {
            claim = parse_condition(args.claim, 1);
        } catch (const Error& e) {
            throw UsageError("--claim: {1}", e.what());
        }
    if (args.csv != "-" && !args.csv.empty()) require_output(args.csv, FileKind::sweep_csv);
    CpuBackend backend(1);
    ExperimentAtWork experiment(backend, std::move(plan), worlds, args.at_once, {});
    if (args.text) look_at("--text", *args.text, experiment);
    if (args.compare) look_at("--compare", *args.compare, experiment);
    make_place(args.out);
    std::array<std::string, 2> texts;
    for (std::size_t slot = 0; slot < 2; ++slot)
        if (slot < experiment.model()->samples.size()) texts[slot] = experiment.model()->samples[slot].text;
    if (args.text) texts[0] = *args.text;
    if (args.compare) texts[1] = *args.compare;
    platform::catch_stop_signals();
    Clock::time_point shown = Clock::now();
    while (experiment.trainings().under_way()) {
        let_tasks_go_on(0.02);
        show_progress(experiment.trainings(), shown);
        if (platform::stop_signal()) experiment.trainings().stop();
    }
    if (platform::standard_error_is_terminal()) std::fputc('\n', stderr);
    const std::shared_ptr<const ExperimentInfo> info = experiment.info(texts);
    const Results results(*info, claim);
    const std::string table = results.csv();
    if (args.csv == "-")
        std::fwrite(table.data(), 1, table.size(), stdout);
    else
        results.print();
    // The disk may be full: neither the table nor a run is lost because another cannot be written.
    int lost = 0;
    if (args.csv != "-" && !args.csv.empty()) try {
            write_file_atomically(args.csv, table);
        } catch (const Error& e) {
            tell(e.what());
            ++lost;
        }
    if (!args.out.empty()) lost += keep_runs(experiment, *info, args.out);
    if (platform::stop_signal()) return 128 + platform::stop_signal();
    return results.failed() == 0 && lost == 0 ? 0 : 1;
}

}  // namespace glassformer::app
