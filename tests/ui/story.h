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
#include "tests/contains.h"

/// What the stories share: the whole interface on an offscreen surface, driven by scripts and read through its items,
/// and the same model computed by core alone, so that the screen can be compared with the truth.
namespace glassformer::app {

struct View;

/// The shipped world and model without the app: computes its own traces instead of reading a snapshot.
class Reference {
public:
    Reference();

    std::shared_ptr<const Trace> trace(const std::string& sentence) { return trace(sentence, shipped_.parameters); }
    std::shared_ptr<const Trace> trace(const std::string& sentence, const Parameters& parameters);
    std::shared_ptr<const Trace> trace(const std::vector<int>& ids, const Parameters& parameters);
    /// The parameters after `steps` steps of a training that starts untrained.
    Parameters trained(std::uint64_t seed, std::int64_t steps, std::int64_t planned);

    CpuBackend backend{1};
    const WorldTraining& world() const { return training_; }
    const Checkpoint& shipped() const { return shipped_; }

private:
    WorldTraining training_;
    Checkpoint shipped_;
    Tracer tracer_;
};

/// Shared by all stories.
Reference& reference();

struct StoryOptions {
    PixelSize size{1600, 1000};
    float scale = 1;
    bool trained = true;
    std::string world = {};  // trains a new model of this world instead
    std::string model = {};  // opens another shipped model instead
    std::filesystem::path lessons = GLASSFORMER_SOURCE_DIR "/assets/lessons";
    const ComputeOptions* compute = nullptr;  // null: the CPU
    std::string recovery = {};                // folder of lost runs; empty: none
};

/// A fresh start of the program: the shipped model (or an untrained one) and the lecture notes' two sentences.
class Story {
public:
    explicit Story(const StoryOptions& options = {});

    /// Plays a script. Returns "", or the message of the step that failed.
    std::string play(const std::string& script);
    void frame(const std::function<void()>& input = {});
    void frames(int count);
    /// Draws frames with the mouse there.
    void frames_at(ImVec2 mouse, int count);
    /// Draws until `done` returns true, for at most a minute, since other threads and the clock take no fixed number of
    /// frames. Returns false on timeout.
    bool until(const std::function<bool()>& done);
    /// Renders one more frame: what a user sees.
    Image picture();
    /// Draws until everything that was sent to the worker is on screen, and then `more` frames.
    void settle(int more = 0);
    /// Sends a command and draws until its result is on screen.
    void send(Command command);
    /// Trains `count` steps and draws until they are on screen.
    void make_steps(std::int64_t count);

    const Item* find(const std::string& label) const { return host.items().find(label); }
    bool shows(const std::string& label) const { return find(label) != nullptr; }
    /// True if the view is available for the model on screen: as a tab, or in the list that replaces too many tabs.
    bool offers(const View& view);
    /// The item's value; NaN if there is no such item or it has none.
    double value(const std::string& label) const;
    /// The item's text; "" if there is no such item.
    std::string text(const std::string& label) const;

    ViewState& state() { return app.state(); }
    const Snapshot& snapshot() const { return app.shown(); }
    const Trace& shown_trace(int slot) const { return *snapshot().sentences[slot].trace; }

    std::unique_ptr<Offscreen> surface;
    Session session;
    ImGuiHost host;
    App app;
};

/// Collects differences, so that a loop over thousands of cells is one check with a readable message.
class Differences {
public:
    void expect(const Story& story, const std::string& label, double truth);
    void add(const std::string& what);
    /// "", or the first few differences.
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
/// The d_head values of one position and head in a node [1, pos, head, d_head].
std::span<const float> head_vector(const Trace& trace, const std::string& node, int position, int head);
/// The key with the largest weight.
int largest(std::span<const float> row);

}  // namespace glassformer::app
