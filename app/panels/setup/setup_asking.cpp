#include <utility>

#include "app/language/sentences.h"
#include "app/panels/messages/error_bar.h"
#include "app/panels/setup/setup_sections.h"
#include "app/panels/setup/setup_state.h"
#include "app/panels/setup/setup_view.h"
#include "core/tasks/world_kind.h"

namespace glassformer::app {

namespace {

constexpr double shortest_wait = 0.15;  // seconds between two previews

void accept_proposal(SetupState& s, const SetupPreview& preview) {
    s.proposing = s.previewing = false;
    s.failure.clear();
    s.proposal = preview.setup;
    s.setup = preview.setup;
    s.asked = preview.setup;
    s.unit = preview.setup.unit.value_or("characters");
    s.preset = 0;
    if (!s.then) return;
    s.setup = std::exchange(s.then, std::nullopt).value();
    s.preset = int_size(setup_presets());
}

/// Takes the answer to a proposal once it arrives.
void await_proposal(const Frame& frame) {
    SetupState& s = frame.state.own<SetupState>();
    const auto& preview = frame.snapshot.preview;
    if (preview && preview != s.before && preview->setup.world == s.wanted.world &&
        preview->setup.unit == s.wanted.unit)
        return accept_proposal(s, *preview);
    if (frame.snapshot.error_number == s.errors_before) return;
    s.proposing = false;
    s.then = std::nullopt;
    s.proposal = std::nullopt;
    s.failure = tr_sentence(frame.snapshot.error);
    s.failure_is_new = true;
    frame.state.own<ErrorBarState>().dismissed = frame.snapshot.error_number;  // the setup window shows it
}

}  // namespace

bool same_setup(const TrainingSetup& a, const TrainingSetup& b) {
    return a.world == b.world && a.unit == b.unit && a.config == b.config && a.options == b.options;
}

void propose_world(const Frame& frame, const std::string& world, const std::optional<std::string>& unit,
                   std::optional<TrainingSetup> then) {
    SetupState& s = frame.state.own<SetupState>();
    s.proposing = true;
    s.wanted = {world, unit, {}, {}};
    s.then = std::move(then);
    s.before = frame.snapshot.preview;
    s.errors_before = frame.snapshot.error_number;
    frame.state.own<FieldDraft>() = {};
    frame.send(command::Propose{world, unit});
}

void keep_asking(const Frame& frame) {
    SetupState& s = frame.state.own<SetupState>();
    if (s.proposing) await_proposal(frame);
    if (s.previewing && frame.snapshot.preview != s.before) s.previewing = false;
    if (s.proposing || s.previewing) frame.state.more_to_compute = true;
    if (s.proposing || !s.proposal || (s.asked && same_setup(*s.asked, s.setup))) return;
    frame.state.more_to_compute = true;
    const double now = ImGui::GetTime();
    if (s.previewing || now - s.asked_at < shortest_wait) return;
    s.previewing = true;
    s.asked_at = now;
    s.asked = s.setup;
    s.before = frame.snapshot.preview;
    frame.send(command::Preview{s.setup});
}

const SetupPreview* answer_for(const Frame& frame) {
    const SetupState& s = frame.state.own<SetupState>();
    const SetupPreview* preview = frame.snapshot.preview.get();
    const bool known = s.proposal && !s.proposing && !s.previewing && s.asked && same_setup(*s.asked, s.setup);
    return known ? preview : nullptr;
}

void open_setup(const Frame& frame) {
    const Snapshot& snapshot = frame.snapshot;
    const RunInfo* run = snapshot.current_run();
    std::string world = run ? run->setup.world : snapshot.model->world;
    if (world.empty() && snapshot.catalog && !snapshot.catalog->worlds.empty())
        world = snapshot.catalog->worlds.front().name;
    frame.own<SetupState>() = {};
    frame.own<SetupState>().open = true;
    // Shown until the worker has said how the world would be learned.
    frame.own<SetupState>().setup = run ? run->setup : TrainingSetup{world, {}, snapshot.model->config, {}};
    frame.state.window.help = false;
    if (world.empty()) world = world_kinds()[0]->name;  // needs no file
    propose_world(frame, world, run ? run->setup.unit : std::nullopt);
}

void open_setup_with(const Frame& frame, const std::filesystem::path& file) {
    SetupState& s = frame.state.own<SetupState>();
    if (!s.open) open_setup(frame);
    s.file = file.string();
    propose_world(frame, s.file, std::nullopt);
}

}  // namespace glassformer::app
