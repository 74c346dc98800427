#include "app/cli/bench_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "app/cli/checks.h"

namespace glassformer::app {

namespace {

constexpr std::array on_processor = {"frames",  "large_frames", "canvas", "beside", "scrubbing", "induction",
                                     "tracing", "scaling",      "gpt2",   "large",  "published", "memory"};
constexpr std::array with_open_gl = {"dispatch", "products", "attention", "heat"};

}  // namespace

void add_bench(CLI::App& app, BenchArgs& a) {
    CLI::App* bench = app.add_subcommand("bench", "Measure this machine");
    std::vector<std::string> parts(on_processor.begin(), on_processor.end());
    parts.insert(parts.end(), with_open_gl.begin(), with_open_gl.end());
    parts.emplace_back("training");
    bench->add_flag("--json", a.json, "one JSON object instead of a table");
    bench
        ->add_option("--only", a.only,
                     "parts to measure, e.g. training,gpt2; with OpenGL: dispatch, products, training, attention, heat")
        ->default_str("all")
        ->delimiter(',')
        ->check(CLI::IsMember(parts));
    bench->add_flag("--full", a.full,
                    "with OpenGL: the large sizes on a software renderer too, once each; takes minutes");
    bench->add_option("--minutes", a.minutes, "how long the part \"memory\" trains")->check(CLI::Range(1, 1440));
    bench->add_option("--threads", a.threads, "0: one per core")->check(CLI::Range(0, 256));
    bench
        ->add_option("--model", a.model,
                     "of the parts \"frames\" and \"scrubbing\": the folder of a checkpoint or a run, or a model that "
                     "comes with the program (homonyms)")
        ->check(a_name);
    add_backend(*bench, a.backend);
}

void check_bench(const CLI::App& bench, const BenchArgs& a) {
    const auto wants = [&](const auto& part) { return std::ranges::find(a.only, part) != a.only.end(); };
    const auto wrong = [](const char* option, const std::string& why) { throw CLI::ValidationError(option, why); };
    for (const char* part : with_open_gl)
        if (a.backend == "cpu" && wants(part))
            wrong("--only", std::string(part) + " is measured with OpenGL: add --backend gl");
    for (const char* part : on_processor)
        if (a.backend == "gl" && wants(part))
            wrong("--only", std::string(part) + " is measured on the processor: leave --backend gl out");
    if (!a.model.empty() && (a.backend == "gl" || (!a.only.empty() && !wants("frames") && !wants("scrubbing"))))
        wrong("--model", "only the parts frames and scrubbing open a model, and neither is to be measured");
    if (bench.count("--minutes") > 0 && !wants("memory"))
        wrong("--minutes", "it is for the part memory: add --only memory");
    if (a.full && a.backend == "cpu") wrong("--full", "it is for OpenGL: add --backend gl");
}

}  // namespace glassformer::app
