// Measures this machine:
//   build/bench [--json] [--only PART,PART] [--full] [--minutes N] [--threads N] [--model M] [--backend auto|cpu|gl]
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/assets/open_model.h"
#include "app/cli/checks.h"
#include "app/cli/device.h"
#include "core/platform/process.h"
#include "tests/bench/bench.h"

namespace glassformer::app::bench {

namespace {

using nlohmann::json;

struct Options {
    bool json = false, full = false;
    std::vector<std::string> only;
    std::string backend = "cpu";
    Asked asked;

    bool names(const std::string& part) const { return std::ranges::find(only, part) != only.end(); }
};

constexpr std::array with_open_gl = {"dispatch", "products", "attention", "heat"};

std::vector<Part> processor_parts() {
    const auto with_backend = [](json (*measure)(CpuBackend&)) {
        return [measure](const Asked& a) {
            CpuBackend backend(a.threads);
            return measure(backend);
        };
    };
    const auto training = [](CpuBackend& backend) {
        const double peak = measured_peak(backend);
        return json{
            {"backend", backend.description()}, {"peak_gflops", peak}, {"steps", training_steps(backend, peak)}};
    };
    return {
        {"training", true, with_backend(training)},
        {"tracing", true, with_backend(tracing)},
        {"scaling", true, with_backend(scaling)},
        {"gpt2", true, with_backend(gpt2_shaped)},
        {"words", true, with_backend(word_parts)},
        {"published", false, with_backend(published)},
        {"gpt2_step", false, with_backend(gpt2_step)},
        {"side_by_side", false, [](const Asked&) { return side_by_side(); }},
    };
}

std::string shown(const json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (!value.is_number_float()) return value.dump();
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.4g", value.get<double>());
    return text.data();
}

void print_table(const json& rows, int indent) {
    const auto line = [&](const auto& cell) {
        std::printf("%*s", indent, "");
        for (const auto& [key, ignored] : rows[0].items())
            std::printf("  %*s", static_cast<int>(std::max<std::size_t>(key.size(), 12)), cell(key).c_str());
        std::printf("\n");
    };
    line([](const std::string& key) { return key; });
    for (const json& row : rows)
        line([&](const std::string& key) { return row.contains(key) ? shown(row[key]) : std::string(); });
}

/// Prints an object's numbers one per line, and a list of objects as a table with the keys as header.
void print(const std::string& name, const json& value, int indent) {
    const auto any_inside = [](const json& of) {
        return std::any_of(of.begin(), of.end(), [](const json& inner) { return inner.is_structured(); });
    };
    const auto is_row = [&](const json& row) { return row.is_object() && !row.empty() && !any_inside(row); };
    if (!value.is_structured())
        return void(std::printf("%*s%-28s %s\n", indent, "", name.c_str(), shown(value).c_str()));
    if (value.is_array() && any_inside(value) && !std::all_of(value.begin(), value.end(), is_row)) {
        for (const json& inner : value) print(name, inner, indent);
        return;
    }
    std::printf("%*s%s", indent, "", name.c_str());
    if (value.is_array() && !any_inside(value))
        for (const json& number : value) std::printf(" %s", shown(number).c_str());
    std::printf("\n");
    if (value.is_object())
        for (const auto& [key, inner] : value.items()) print(key, inner, indent + 2);
    else if (any_inside(value))
        print_table(value, indent);
}

void check(const CLI::App& app, const Options& o, const std::vector<Part>& parts) {
    const auto wrong = [](const char* option, const std::string& why) { throw CLI::ValidationError(option, why); };
    for (const char* part : with_open_gl)
        if (o.backend == "cpu" && o.names(part))
            wrong("--only", std::string(part) + " is measured with OpenGL: add --backend gl");
    for (const Part& part : parts)
        if (o.backend == "gl" && o.names(part.name) && part.name != std::string("training"))
            wrong("--only", std::string(part.name) + " is measured on the processor: leave --backend gl out");
    if (!o.asked.model.empty() &&
        (o.backend == "gl" || (!o.only.empty() && !o.names("frames") && !o.names("scrubbing") && !o.names("opened"))))
        wrong("--model", "only the parts frames, scrubbing and opened open a model, and none is to be measured");
    if (o.names("opened") && o.asked.model.empty()) wrong("--only", "opened is of a model: add --model");
    if (app.count("--minutes") > 0 && !o.names("memory"))
        wrong("--minutes", "it is for the part memory: add --only memory");
    if (o.full && o.backend == "cpu") wrong("--full", "it is for OpenGL: add --backend gl");
    if (!o.asked.model.empty()) open_model(o.asked.model);  // fails early, before anything is measured
}

json measured(const Options& o, const std::vector<Part>& parts) {
    json result;
    if (o.backend != "cpu") {
        CpuBackend cpu(o.asked.threads);
        Device device(o.backend, cpu);
        if (device.gl()) {
            result["backend"] = device.description();
            result["open_gl"] = open_gl(*device.gl(), o.only, o.full);
            if (o.only.empty() || o.names("heat")) result["open_gl"]["heat_maps"] = heat_maps(*device.gl());
            return result;
        }
    }
    for (const Part& part : parts)
        if (o.only.empty() ? part.by_default : o.names(part.name)) result[part.name] = part.measure(o.asked);
    return result;
}

int run(int argc, char** argv) {
    // The window comes first: its first frame must not profit from a warm machine.
    std::vector<Part> parts = window_parts();
    for (Part& part : processor_parts()) parts.push_back(std::move(part));
    std::vector<std::string> names(with_open_gl.begin(), with_open_gl.end());
    for (const Part& part : parts) names.emplace_back(part.name);

    CLI::App app("Measures this machine", "bench");
    Options o;
    app.add_flag("--json", o.json, "one JSON object instead of a table");
    app.add_option("--only", o.only, "parts to measure, e.g. training,gpt2")
        ->default_str("all")
        ->delimiter(',')
        ->check(CLI::IsMember(names));
    app.add_flag("--full", o.full, "with OpenGL: the large sizes on a software renderer too, once each; takes minutes");
    app.add_option("--minutes", o.asked.minutes, "how long the part memory trains")->check(CLI::Range(1, 1440));
    app.add_option("--threads", o.asked.threads, "0: one per core")->check(CLI::Range(0, 256));
    app.add_option("--model", o.asked.model, "of the parts frames, scrubbing (homonyms) and opened")->check(a_name);
    add_backend(app, o.backend);
    try {
        app.parse(argc, argv);
        check(app, o, parts);
    } catch (const CLI::ParseError& e) {
        return app.exit(e);
    }
    json result = measured(o, parts);
    result["peak_memory_mb"] = platform::peak_memory_mb();
    if (o.json)
        std::printf("%s\n", result.dump().c_str());
    else
        for (const auto& [name, value] : result.items()) print(name, value, 0);
    return 0;
}

}  // namespace

}  // namespace glassformer::app::bench

int main(int argc, char** argv) {
    try {
        return glassformer::app::bench::run(argc, argv);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "bench: %s\n", e.what());
        return 1;
    }
}
