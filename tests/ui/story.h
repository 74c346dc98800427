#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "app/desktop/app.h"
#include "app/script/runner.h"
#include "app/window/offscreen.h"
#include "core/backend/cpu/cpu_backend.h"
#include "core/io/checkpoint.h"
#include "core/tasks/sense_probe.h"
#include "core/trace/tracer.h"

/// What the stories share: the whole interface on an offscreen screen, played by scripts and read through its items,
/// and beside it the same model computed by core alone, so that what is on screen can be compared with the truth.
namespace glassformer::app {

struct View;

/// The shipped world and model without the app: its traces are made here, not read from a snapshot.
class Reference {
public:
    Reference();

    std::shared_ptr<const Trace> trace(const std::string& sentence) { return trace(sentence, shipped_.parameters); }
    std::shared_ptr<const Trace> trace(const std::string& sentence, const Parameters& parameters);
    std::shared_ptr<const Trace> trace(const std::vector<int>& ids, const Parameters& parameters);
    /// What a training that starts untrained has for parameters after `steps` steps.
    Parameters trained(std::uint64_t seed, std::int64_t steps, std::int64_t planned);

    CpuBackend backend{1};
    const WorldTraining& world() const { return training_; }
    const Checkpoint& shipped() const { return shipped_; }

private:
    WorldTraining training_;
    Checkpoint shipped_;
    Tracer tracer_;
};

/// One for all stories.
Reference& reference();

struct StoryOptions {
    PixelSize size{1600, 1000};
    float scale = 1;
    bool trained = true;
    std::string world = {};  // a fresh model of this world instead
    std::string model = {};  // another shipped model instead
    std::filesystem::path lessons = GLASSFORMER_SOURCE_DIR "/assets/lessons";
    const ComputeOptions* compute = nullptr;  // null: the processor
    std::string recovery = {};                // folder of runs that were lost; empty: none
};

/// A fresh start of the program: the shipped model (or an untrained one) and the two sentences of the lecture notes.
class Story {
public:
    explicit Story(const StoryOptions& options = {});

    /// Plays a script; "" or the message of what failed.
    std::string play(const std::string& script);
    void frame(const std::function<void()>& input = {});
    void frames(int count);
    /// Draws until it is done, for at most a minute: what other threads and the clock do takes no fixed number of
    /// frames. Returns whether it is done.
    bool until(const std::function<bool()>& done);
    /// One more frame, rendered: what a person sees.
    Image picture();
    /// Draws until everything that was sent to the worker is on screen.
    void settle();
    /// Asks the worker, and draws until what came of it is on screen.
    void send(Command command);
    /// Trains `count` steps and waits until they are on screen.
    void make_steps(std::int64_t count);

    const Item* find(const std::string& label) const { return host.items().find(label); }
    bool shows(const std::string& label) const { return find(label) != nullptr; }
    /// Whether the model on screen has what the view shows: as a tab, or in the list that stands for too many tabs.
    bool offers(const View& view);
    /// NaN where there is no such item, or it has no value.
    double value(const std::string& label) const;
    /// "" where there is no such item.
    std::string text(const std::string& label) const;

    ViewState& state() { return app.state(); }
    const Snapshot& snapshot() const { return app.shown(); }
    const Trace& shown_trace(int slot) const { return *snapshot().sentences[slot].trace; }

    std::unique_ptr<Offscreen> surface;
    Session session;
    ImGuiHost host;
    App app;
};

/// Collects what differs, so that a loop over thousands of cells is one check with a readable message.
class Differences {
public:
    void expect(const Story& story, const std::string& label, double truth);
    void add(const std::string& what);
    /// "" or the first few; also remembers how many values were compared.
    std::string report() const { return report_; }
    int compared() const { return compared_; }

private:
    std::string report_;
    int compared_ = 0, wrong_ = 0;
};

/// The colour of a pixel, 0xRRGGBB.
std::uint32_t pixel(const Image& image, float x, float y);
inline const char* slot_letter(int slot) { return slot == 0 ? "A" : "B"; }
std::string block(int layer, const std::string& name);
/// One row of a pattern [1, head, query, key].
std::span<const float> pattern_row(const Trace& trace, int layer, int head, int query);
/// The d_head numbers of a node [1, pos, head, d_head].
std::span<const float> head_vector(const Trace& trace, const std::string& node, int position, int head);
/// The key with the largest weight.
int largest(std::span<const float> row);

}  // namespace glassformer::app
