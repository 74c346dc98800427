#include "app/bench/bench.h"

#include <algorithm>
#include <cstdio>

#include "app/assets/open_model.h"
#include "app/cli/cli.h"
#include "app/cli/device.h"
#include "core/platform/process.h"

namespace glassformer::app {

namespace {

void print_gpt2(const nlohmann::json& g) {
    std::printf(
        "\nGPT-2's size (%.0f M parameters, random): pass over %d tokens %.0f ms, keeping every value %.0f ms "
        "(%+.1f %%); one more word %.1f ms\n",
        g["parameters"].get<double>() / 1e6, g["tokens"].get<int>(), g["forward_ms"].get<double>(),
        g["forward_and_trace_ms"].get<double>(), 100.0 * g["trace_share"].get<double>(),
        g["next_word_ms"].get<double>());
}

void print_large(const nlohmann::json& lengths) {
    std::printf("\nGPT-2's size   %10s %12s %10s %12s %14s %10s\n", "trace ms", "head ms", "slowest", "word ms",
                "144 heads ms", "peak MB");
    for (const auto& l : lengths)
        std::printf("%5d tokens   %10.0f %12.1f %10.1f %12.1f %14.0f %10.0f\n", l["tokens"].get<int>(),
                    l["trace_ms"].get<double>(), l["head_change_ms"].get<double>(),
                    l["head_change_slowest_ms"].get<double>(), l["word_change_ms"].get<double>(),
                    l["summaries_ms"].get<double>(), l["peak_memory_mb"].get<double>());
}

void print_published(const nlohmann::json& models) {
    std::printf("\n%-16s %10s %10s %12s %12s %12s %10s\n", "random weights", "file MB", "opened s", "resident MB",
                "16 words ms", "words/s", "best");
    for (const auto& m : models)
        std::printf("%-16s %10.0f %10.2f %12.0f %12.0f %12.1f %10.1f\n", m["model"].get<std::string>().c_str(),
                    m["file_mb"].get<double>(), m["opening_s"].get<double>(), m["resident_mb"].get<double>(),
                    m["prompt_ms"].get<double>(), m["tokens_per_s"].get<double>(),
                    m["tokens_per_s_best"].get<double>());
}

void print_scaling(const nlohmann::json& s) {
    std::printf("\n%-12s %14s %14s\n", "tokens", "attention ms", "MLP ms");
    for (std::size_t i = 0; i < s["tokens"].size(); ++i)
        std::printf("%-12d %14.3f %14.3f\n", s["tokens"][i].get<int>(), s["attention_ms"][i].get<double>(),
                    s["mlp_ms"][i].get<double>());
    std::printf("%-12s %14.2f %14.2f\n", "slope", s["attention_slope"].get<double>(), s["mlp_slope"].get<double>());
}

void print_training(const nlohmann::json& r) {
    std::printf("matrix products at %.0f GFLOP/s\n\n", r["peak_gflops"].get<double>());
    std::printf("%-22s %10s %10s %10s\n", "training step", "ms", "GFLOP/s", "of peak");
    for (const auto& s : r["training_steps"])
        std::printf("%-22s %10.2f %10.1f %9.0f %%\n", s["size"].get<std::string>().c_str(), s["step_ms"].get<double>(),
                    s["gflops"].get<double>(), 100.0 * s["of_peak"].get<double>());
}

void print_tracing(const nlohmann::json& t) {
    std::printf("\nforward pass of %d tokens %.3f ms; keeping every value %.3f ms\n", t["tokens"].get<int>(),
                t["forward_ms"].get<double>(), t["forward_and_trace_ms"].get<double>());
}

void print_views(const nlohmann::json& views) {
    for (const auto& v : views)
        std::printf("  %-12s %8.2f ms (p99 %.2f)\n", v["name"].get<std::string>().c_str(), v["median_ms"].get<double>(),
                    v["p99_ms"].get<double>());
}

void print_large_frames(const nlohmann::json& all) {
    if (all.is_object()) {
        std::printf("\nlarge frames not measured: %s\n", all["note"].get<std::string>().c_str());
        return;
    }
    for (const auto& f : all) {
        if (f.contains("words")) {
            std::printf("\nthe map of %d words is made in %.0f ms; building a frame meanwhile at most %.1f ms\n",
                        f["words"].get<int>(), f["map_ms"].get<double>(), f["meanwhile_worst_ms"].get<double>());
            print_views(f["views"]);
            continue;
        }
        std::printf("\nbuilding a frame, 12 × 12 heads, %d tokens (the first in %.0f ms)\n", f["tokens"].get<int>(),
                    f["first_frame_ms"].get<double>());
        print_views(f["views"]);
        const auto& change = f["head_change"];
        std::printf(
            "a head's picture after its choice: %.0f ms (worst %.0f), of which a frame takes %.0f anyway; "
            "%.0f MB resident\n",
            change["median_ms"].get<double>(), change["worst_ms"].get<double>(),
            change["unchanged_frame_ms"].get<double>(), f["resident_mb"].get<double>());
    }
}

void print_canvas(const nlohmann::json& all) {
    if (all.is_object()) {
        std::printf("\nthe whole model not measured: %s\n", all["note"].get<std::string>().c_str());
        return;
    }
    for (const auto& of : all) {
        std::printf("\nthe whole model, %s, %d tokens: build ms (p99), with drawing ms (p99), frames a second\n",
                    of["model"].get<std::string>().c_str(), of["tokens"].get<int>());
        for (const auto& way : of["ways"])
            std::printf("  %-20s %8.2f (%.2f) %8.1f (%.1f) %6.0f/s; %d vertices\n",
                        way["name"].get<std::string>().c_str(), way["build"]["median_ms"].get<double>(),
                        way["build"]["p99_ms"].get<double>(), way["frame"]["median_ms"].get<double>(),
                        way["frame"]["p99_ms"].get<double>(), way["frames_a_second"].get<double>(),
                        way["vertices"].get<int>());
    }
}

void print_frames(const nlohmann::json& f) {
    if (f.contains("note")) {
        std::printf("\nframes not measured: %s\n", f["note"].get<std::string>().c_str());
        return;
    }
    std::printf("\nfirst frame after %.0f ms\n", f["first_frame_ms"].get<double>());
    std::printf("building a frame at 1600 × 1000: idle %.2f ms (p99 %.2f), while training %.2f ms (p99 %.2f)\n",
                f["build_idle"]["median_ms"].get<double>(), f["build_idle"]["p99_ms"].get<double>(),
                f["build_training"]["median_ms"].get<double>(), f["build_training"]["p99_ms"].get<double>());
    print_views(f["views"]);
    std::printf("training beside the drawing: %.0f steps/s, every panel %.1f times a second, %.0f MB resident\n",
                f["steps_per_second_while_drawing"].get<double>(), f["snapshots_per_second"].get<double>(),
                f["resident_mb"].get<double>());
}

void print_beside(const nlohmann::json& b) {
    if (b.contains("note")) {
        std::printf("\ntraining beside the window not measured: %s\n", b["note"].get<std::string>().c_str());
        return;
    }
    std::printf("\ntraining (%s): %.0f steps/s alone; beside the window's frames %.0f (%.0f %%)\n",
                b["world"].get<std::string>().c_str(), b["headless_steps_per_second"].get<double>(),
                b["built_steps_per_second"].get<double>(), 100.0 * b["built_share"].get<double>());
    std::printf("  with the frames drawn by %s %.0f (%.0f %%)\n", b["renderer"].get<std::string>().c_str(),
                b["drawn_steps_per_second"].get<double>(), 100.0 * b["drawn_share"].get<double>());
}

void print_scrubbing(const nlohmann::json& s) {
    if (s.contains("note")) {
        std::printf("\ntravelling to a kept step not measured: %s\n", s["note"].get<std::string>().c_str());
        return;
    }
    const auto line = [&](const char* key, const std::string& what) {
        std::printf("  %-40s %6.1f ms (p99 %.1f)\n", what.c_str(), s[key]["median_ms"].get<double>(),
                    s[key]["p99_ms"].get<double>());
    };
    std::printf("\na kept step, from its choice to every panel (%d kept)\n", s["kept_steps"].get<int>());
    line("built", "frame laid out");
    line("built_while_training", "the same while training goes on");
    line("drawn", "drawn by " + s["renderer"].get<std::string>());
}

void print_phase_change(const nlohmann::json& p) {
    std::printf("\nworld of induction in the window, from nothing\n");
    if (p.contains("note")) std::printf("  not measured: %s\n", p["note"].get<std::string>().c_str());
    for (const char* flag : {"head", "metric"})
        if (p.contains(flag))
            std::printf("  %5.1f s, step %lld: %s\n", p[flag]["seconds"].get<double>(),
                        p[flag]["step"].get<long long>(), p[flag]["text"].get<std::string>().c_str());
}

void print_memory(const nlohmann::json& m) {
    if (m.contains("note")) {
        std::printf("\nmemory not measured: %s\n", m["note"].get<std::string>().c_str());
        return;
    }
    std::printf(
        "\n%d minutes of training in the window, %lld steps: %.1f MB resident at the end, %.2f %% drift after %d\n",
        m["minutes"].get<int>(), m["steps"].get<long long>(), m["resident_mb"].back().get<double>(),
        100.0 * m["drift"].get<double>(), m["after_minutes"].get<int>());
}

/// What is there of one size: its figures, or why there are none.
void print_size(const std::string& name, const nlohmann::json& of, const char* time) {
    if (of.contains("note"))
        std::printf("%-22s %s\n", name.c_str(), of["note"].get<std::string>().c_str());
    else
        std::printf("%-22s %10.2f %10.1f\n", name.c_str(), of[time].get<double>(), of["gflops"].get<double>());
}

void print_long_attention(const nlohmann::json& lengths) {
    std::printf("\n%-22s %10s %10s %21s\n", "attention in one op", "ms", "MB", "in single steps");
    for (const auto& a : lengths)
        std::printf("%-22d %10.1f %10.1f %10.1f %10.1f\n", a["positions"].get<int>(), a["step_ms"].get<double>(),
                    a["bytes"].get<double>() / 1e6, a["step_ms_in_single_steps"].get<double>(),
                    a["bytes_in_single_steps"].get<double>() / 1e6);
}

void print_heat_maps(const nlohmann::json& h) {
    if (h.contains("note"))
        std::printf("\nheat maps: %s\n", h["note"].get<std::string>().c_str());
    else
        std::printf("\nheat maps of %d heads on %d tokens drawn in %.2f ms\n", h["heads"].get<int>(),
                    h["tokens"].get<int>(), h["draw_ms"].get<double>());
}

void print_open_gl(const nlohmann::json& g) {
    if (g.contains("dispatch_us")) std::printf("%.1f µs a dispatch\n", g["dispatch_us"].get<double>());
    if (g.contains("products")) {
        std::printf("\n%-22s %10s %10s\n", "matrix product", "ms", "GFLOP/s");
        for (const auto& p : g["products"]) print_size(std::to_string(p["side"].get<int>()), p, "ms");
    }
    if (g.contains("training_steps")) {
        std::printf("\n%-22s %10s %10s\n", "training step", "ms", "GFLOP/s");
        for (const auto& s : g["training_steps"]) print_size(s["size"].get<std::string>(), s, "step_ms");
    }
    if (g.contains("long_attention")) print_long_attention(g["long_attention"]);
    if (g.contains("heat_maps")) print_heat_maps(g["heat_maps"]);
}

void print_table(const nlohmann::json& r) {
    std::printf("%s\n", r["backend"].get<std::string>().c_str());
    if (r.contains("open_gl")) print_open_gl(r["open_gl"]);
    if (r.contains("training_steps")) print_training(r);
    if (r.contains("tracing")) print_tracing(r["tracing"]);
    if (r.contains("scaling")) print_scaling(r["scaling"]);
    if (r.contains("gpt2_shaped")) print_gpt2(r["gpt2_shaped"]);
    if (r.contains("large")) print_large(r["large"]);
    if (r.contains("published")) print_published(r["published"]);
    if (r.contains("frames")) print_frames(r["frames"]);
    if (r.contains("beside")) print_beside(r["beside"]);
    if (r.contains("scrubbing")) print_scrubbing(r["scrubbing"]);
    if (r.contains("induction")) print_phase_change(r["induction"]);
    if (r.contains("memory")) print_memory(r["memory"]);
    if (r.contains("large_frames")) print_large_frames(r["large_frames"]);
    if (r.contains("canvas")) print_canvas(r["canvas"]);
    std::printf("peak memory %.0f MB\n", r["peak_memory_mb"].get<double>());
}

}  // namespace

int run_bench(const BenchArgs& args) {
    if (!args.model.empty()) open_model(args.model);  // found out before the measuring
    const auto wanted = [&](const char* part) {
        return args.only.empty() || std::ranges::find(args.only, part) != args.only.end();
    };
    nlohmann::json result;
    const auto print = [&] {
        result["peak_memory_mb"] = platform::peak_memory_mb();
        if (args.json)
            std::printf("%s\n", result.dump().c_str());
        else
            print_table(result);
        return 0;
    };
    if (args.backend != "cpu") {
        CpuBackend cpu(args.threads);
        Device device(args.backend, cpu);
        result["backend"] = device.description();
        if (device.gl()) {
            result["open_gl"] = bench::open_gl(*device.gl(), args.only, args.full);
            if (wanted("heat")) result["open_gl"]["heat_maps"] = bench::heat_maps(*device.gl());
            return print();
        }
    }
    // The window first: its first frame should not profit from a warm machine.
    if (wanted("frames")) result["frames"] = bench::frames(args.model, args.threads);
    // Takes memory and seconds: only where it is asked for.
    if (!args.only.empty() && wanted("large_frames")) result["large_frames"] = bench::large_frames(args.threads);
    if (!args.only.empty() && wanted("canvas")) result["canvas"] = bench::canvas_frames(args.threads);
    if (wanted("beside")) result["beside"] = bench::training_beside_window(args.threads);
    if (wanted("scrubbing")) result["scrubbing"] = bench::scrubbing(args.model, args.threads);
    if (wanted("induction")) result["induction"] = bench::phase_change(args.threads);
    if (!args.only.empty() && wanted("memory")) result["memory"] = bench::flat_memory(args.threads, args.minutes);
    CpuBackend backend(args.threads);
    result["backend"] = backend.description();
    if (wanted("training")) {
        const double peak = bench::measured_peak(backend);
        result["peak_gflops"] = peak;
        result["training_steps"] = bench::training_steps(backend, peak);
    }
    if (wanted("tracing")) result["tracing"] = bench::tracing(backend);
    if (wanted("scaling")) result["scaling"] = bench::scaling(backend);
    if (wanted("gpt2")) result["gpt2_shaped"] = bench::gpt2_shaped(backend);
    if (wanted("large")) result["large"] = bench::large(backend);
    if (!args.only.empty() && wanted("published")) result["published"] = bench::published(backend);
    return print();
}

}  // namespace glassformer::app
