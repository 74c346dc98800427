#include "tests/ui/story.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>

#include "app/session/startup.h"
#include "app/views/registry.h"
#include "core/base/background.h"
#include "core/train/trainer.h"
#include "tests/ui/opening_sentences.h"

namespace glassformer::app {

namespace {

constexpr const char* world_file = GLASSFORMER_SOURCE_DIR "/assets/worlds/homonyms.grammar";
constexpr const char* model_folder = GLASSFORMER_SOURCE_DIR "/assets/models/homonyms";
constexpr int most_differences = 5;

Session::Options session_options(const StoryOptions& story, Offscreen& surface) {
    Session::Options options;
    if (story.compute) options.compute = *story.compute;
    if (!options.compute.context) options.compute.context = [&surface] { return surface.create_shared_context(); };
    options.recovery = story.recovery;
    options.assets = GLASSFORMER_SOURCE_DIR "/assets";
    if (!story.model.empty()) {
        options.checkpoint = options.assets / "models" / story.model;
        return options;
    }
    options.world = story.world.empty() ? world_file : story.world;
    if (!story.world.empty()) return options;
    if (story.trained) options.checkpoint = model_folder;
    options.sentences = {first_sentence, second_sentence};
    return options;
}

}  // namespace

Reference::Reference()
    : training_(World::load(world_file)), shipped_(load_checkpoint(model_folder)), tracer_(backend, training_.config) {}

std::shared_ptr<const Trace> Reference::trace(const std::vector<int>& ids, const Parameters& parameters) {
    return tracer_.trace(ids, parameters);
}

std::shared_ptr<const Trace> Reference::trace(const std::string& sentence, const Parameters& parameters) {
    std::vector<int> ids;
    for (const WordTokenizer::Token& token : shipped_.words()->encode(sentence)) ids.push_back(token.id);
    return trace(ids, parameters);
}

Parameters Reference::trained(std::uint64_t seed, std::int64_t steps, std::int64_t planned) {
    TrainOptions options;
    options.seed = seed;
    options.schedule.total = planned;
    CpuBackend all_cores;
    Trainer trainer(all_cores, training_.config, training_.masked_words(), options);
    while (trainer.steps() < steps) trainer.step();
    return std::make_shared<ParameterValues>(trainer.parameters().begin(), trainer.parameters().end());
}

Reference& reference() {
    static Reference one;
    return one;
}

Story::Story(const StoryOptions& options)
    : surface(open_offscreen(options.size)),
      session(session_options(options, *surface)),
      host(*surface, {options.scale, ThemeKind::light}),
      app(session, options.lessons) {
    host.ui().reduce_motion = true;
    app.state().reduce_motion = true;
    app.state().scale = options.scale;
    app.state().view = attention_view();  // most stories are about this view or start from it
    frames(2);
    settle();
}

bool Story::offers(const View& view) {
    const std::function<void(Command)> nothing = [](const Command&) {};
    return is_offered({host.ui(), snapshot(), state(), nothing}, view);
}

void Story::frame(const std::function<void()>& input) {
    host.begin_frame(input);
    app.draw(host);
    // Unseen frames are not rendered: with software rendering that takes ten times as long as everything else.
    ImGui::End();
    ImGui::Render();
}

Image Story::picture() {
    host.begin_frame([] { script_mouse({-1e6f, -1e6f}, false, false); });
    app.draw(host);
    host.end_frame_and_draw();
    surface->present();
    return surface->read();
}

void Story::frames(int count) { frames_at({-1e6f, -1e6f}, count); }

void Story::frames_at(ImVec2 mouse, int count) {
    for (int i = 0; i < count; ++i) frame([&] { script_mouse(mouse, false, false); });
}

bool Story::until(const std::function<bool()>& done) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!done() && std::chrono::steady_clock::now() < end) {
        frame();
        let_tasks_go_on(0.002);
    }
    return done();
}

std::string Story::play(const std::string& script) {
    ScriptRunner runner(parse_script(script, "story"));
    runner.on_lesson([&](const std::string& name, int step) { app.start_lesson(name, step); });
    while (!runner.finished()) {
        frame([&] { runner.step(host.items(), host.ui().scale); });
        runner.after_frame();
    }
    return runner.message();
}

void Story::settle(int more) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    do {
        while (!session.settled()) {
            REQUIRE_MESSAGE(std::chrono::steady_clock::now() < deadline, "the worker did not answer within a minute");
            let_tasks_go_on(0.001);
        }
        frames(2);
    } while (!session.settled() || session.snapshot()->number != app.shown().number);  // a frame may request more work
    frames(more);
}

void Story::send(Command command) {
    session.send(std::move(command));
    settle();
}

void Story::make_steps(std::int64_t count) {
    const std::int64_t wanted = snapshot().live_step + count;
    session.send(command::MakeSteps{count});
    REQUIRE(until([&] { return snapshot().live_step == wanted && snapshot().state == RunState::paused; }));
    settle();
    frames(2);
}

double Story::value(const std::string& label) const {
    const Item* item = find(label);
    return item && item->value ? *item->value : std::numeric_limits<double>::quiet_NaN();
}

std::string Story::text(const std::string& label) const {
    const Item* item = find(label);
    return item ? std::string(item->text) : std::string();
}

std::uint32_t pixel(const Image& image, float x, float y) {
    const auto at = static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x);
    REQUIRE(4 * at + 2 < image.rgba.size());
    return static_cast<std::uint32_t>(image.rgba[4 * at] << 16 | image.rgba[4 * at + 1] << 8 | image.rgba[4 * at + 2]);
}

void Differences::add(const std::string& what) {
    if (++wrong_ <= most_differences) report_ += what + "\n";
}

void Differences::expect(const Story& story, const std::string& label, double truth) {
    ++compared_;
    const Item* item = story.find(label);
    if (!item) return add(label + " is not on screen");
    if (!item->value) return add(label + " has no value");
    if (*item->value == truth) return;
    char numbers[80];
    std::snprintf(numbers, sizeof numbers, ": %.9g on screen, %.9g in the trace", *item->value, truth);
    add(label + numbers);
}

std::string block(int layer, const std::string& name) { return "blocks." + std::to_string(layer) + "." + name; }

std::span<const float> pattern_row(const Trace& trace, int layer, int head, int query) {
    const std::size_t n = trace.positions();
    return trace.values(block(layer, "attn.hook_pattern"))
        .subspan((static_cast<std::size_t>(head) * n + static_cast<std::size_t>(query)) * n, n);
}

std::span<const float> head_vector(const Trace& trace, const std::string& node, int position, int head) {
    const TransformerConfig& config = trace.model().config;
    const std::size_t width = config.d_head();
    return trace.values(node).subspan(static_cast<std::size_t>(position * config.n_heads + head) * width, width);
}

int largest(std::span<const float> row) { return static_cast<int>(std::ranges::max_element(row) - row.begin()); }

}  // namespace glassformer::app
