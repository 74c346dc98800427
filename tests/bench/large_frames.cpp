#include <algorithm>

#include "app/views/registry.h"
#include "app/window/offscreen.h"
#include "core/base/error.h"
#include "core/platform/process.h"
#include "tests/bench/drawing.h"
#include "tests/bench/random_model.h"

namespace glassformer::app::bench {

namespace {

constexpr int large_frames_a_view = 60, head_changes = 12, few_tokens = 32;

/// GPT-2's full vocabulary with a single block, for the map of the vocabulary.
TransformerConfig wordy_model() {
    TransformerConfig c = gpt2_small();
    c.n_layers = 1;
    return c;
}

/// Wall-clock times: from the choice of a head to the picture that shows it, and of an unchanged frame, which shows how
/// much of that is drawing (on the CPU if OpenGL is software).
struct HeadChange {
    Times changed, unchanged;
};

/// Visits every block once.
HeadChange head_change_times(App& app, ImGuiHost& host, Surface& surface) {
    app.state().view = attention_view();
    HeadChange times;
    for (int i = -1; i < head_changes; ++i) {
        for (int rest = 0; rest < 3; ++rest) frame(app, host, surface);
        const Clock::time_point before = Clock::now();
        frame(app, host, surface);
        const double unchanged = elapsed_ms(before);
        const Clock::time_point start = Clock::now();
        choose_head(app.state(), app.shown(), std::max(0, i), (std::max(0, i) * 5 + 1) % 12);
        frame(app, host, surface);
        if (i < 0) continue;  // the first warms up
        times.changed.ms.push_back(elapsed_ms(start));
        times.unchanged.ms.push_back(unchanged);
    }
    return times;
}

nlohmann::json measure_large(int tokens, int threads) {
    const std::unique_ptr<Offscreen> surface = open_offscreen({1600, 1000});
    const std::unique_ptr<Session> session = open_random(large_model(), tokens, threads);
    nlohmann::json result;
    result["tokens"] = tokens;
    ImGuiHost host(*surface, {});
    App app(*session);
    app.state().reduce_motion = true;
    const Clock::time_point start = Clock::now();
    frame(app, host, *surface);
    result["first_frame_ms"] = elapsed_ms(start);
    result["views"] = view_frames(app, host, *surface, large_frames_a_view);
    const HeadChange change = head_change_times(app, host, *surface);
    result["head_change"] = {{"median_ms", change.changed.median()},
                             {"worst_ms", change.changed.quantile(1)},
                             {"unchanged_frame_ms", change.unchanged.median()}};
    result["resident_mb"] = platform::resident_memory_mb();
    return result;
}

/// The map of GPT-2's 50,257 tokens: how long the background thread computes it, the slowest frame to build meanwhile,
/// and the frames that show it.
nlohmann::json measure_words(int threads) {
    const std::unique_ptr<Offscreen> surface = open_offscreen({1600, 1000});
    const std::unique_ptr<Session> session = open_random(wordy_model(), few_tokens, threads);
    ImGuiHost host(*surface, {});
    App app(*session);
    app.state().reduce_motion = true;
    constexpr std::string_view name = "Embedding";
    const auto views = all_views();
    app.state().view = static_cast<int>(std::ranges::find(views, name, &View::name) - views.begin());
    const auto made = [&] {
        const auto& words = app.shown().embeddings[0];
        return words && words->map;
    };
    Times meanwhile;
    const Clock::time_point start = Clock::now();
    while (!made()) meanwhile.ms.push_back(frame(app, host, *surface));
    return {{"words", wordy_model().d_vocab},
            {"map_ms", elapsed_ms(start)},
            {"meanwhile_worst_ms", meanwhile.quantile(1)},
            {"views", view_frames(app, host, *surface, large_frames_a_view, name)},
            {"resident_mb", platform::resident_memory_mb()}};
}

}  // namespace

nlohmann::json large_frames(int threads) {
    try {
        nlohmann::json all = nlohmann::json::array();
        for (const int tokens : {512, 1024}) all.push_back(measure_large(tokens, threads));
        all.push_back(measure_words(threads));
        return all;
    } catch (const Error& e) {
        return {{"note", e.what()}};
    }
}

}  // namespace glassformer::app::bench
