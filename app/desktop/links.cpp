#include "app/common/links.h"

#include <imgui.h>

#include <algorithm>

#include "app/desktop/app.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/lessons/lesson_stage.h"
#include "app/lessons/scene_format.h"
#include "app/panels/leaving/leaving_question.h"
#include "core/base/error.h"
#include "core/io/json_fields.h"

// Copies and opens links that hold what is on screen.
namespace glassformer::app {

namespace {

constexpr const char* of_link = "link";  // in messages, in place of a file

constexpr std::int64_t most_steps = 10'000'000;

/// The name of the shipped model on screen; its folder differs on other machines.
std::string name_of_model(const Snapshot& snapshot) {
    if (snapshot.catalog)
        for (const ModelCatalog::Model& model : snapshot.catalog->models)
            if (model.folder == snapshot.model->folder) return model.name;
    throw Error(
        "A link can only name a model that comes with the program. Use \"Save for students…\": its file has the "
        "model in it.");
}

/// Adds the world that an untrained model began with, and what differs from its proposal.
void add_world(nlohmann::json& scene, const Snapshot& snapshot, const TrainingSetup& setup) {
    const std::shared_ptr<const TrainingSetup>& proposed = snapshot.model->proposed;
    const bool of_program = proposed && !setup.source && !setup.unit && snapshot.catalog &&
                            std::ranges::count(snapshot.catalog->worlds, setup.world, &ListedWorld::name) > 0;
    if (!of_program)
        throw Error(
            "A link can only name a world that comes with the program. Use \"Save for students…\": its file has the "
            "model in it.");
    const std::optional<std::vector<SetupSwitch>> switches = switches_between(*proposed, setup);
    if (!switches)
        throw Error(
            "A link cannot hold how this model is set up. Use \"Save for students…\": its file has the model in it.");
    scene["world"] = setup.world;
    for (const SetupSwitch& s : *switches) scene["with"][s.name] = s.value;
}

/// Adds what is trained: a shipped model, or one that began untrained, and its step by now.
void add_training(nlohmann::json& scene, const Snapshot& snapshot) {
    const RunInfo* run = snapshot.current_run();
    const bool trained = run && run->step > run->opened_at.value_or(0);
    if (run && !run->opened_at)
        add_world(scene, snapshot, run->setup);
    else
        scene["model"] = name_of_model(snapshot);
    if (run && (run->origin.branched() || (trained && !run->origin.change.empty())))
        throw Error(
            "A link cannot hold a training that was changed while it ran. Use \"Save for students…\": its file has the "
            "model in it.");
    if (trained) scene["trained_to"] = run->step;
}

std::vector<SetupSwitch> switches_in(const nlohmann::json& scene) {
    std::vector<SetupSwitch> switches;
    if (!has_field(scene, "with")) return switches;
    const std::string where = of_link;  // GCC 14 warns about a reference if a temporary is passed
    const nlohmann::json& with = object_field(scene, "with", where);
    for (const auto& [name, value] : with.items())
        switches.push_back({name, field<std::string>(with, name.c_str(), where)});
    return switches;
}

}  // namespace

std::string App::link() const {
    nlohmann::json scene = scene_to_json(moment_of(state_, *snapshot_), *snapshot_);
    for (const char* left_out : {"compare", "second_layer_norm"})  // a scene's defaults
        if (scene[left_out] == (std::string_view(left_out) == "compare")) scene.erase(left_out);
    if (scene["beside"]["what"] == "sentences")
        scene.erase("beside"), scene.erase("other_block"), scene.erase("other_head");
    add_training(scene, *snapshot_);
    if (const LessonRunner::Progress progress = lessons_.progress(); !progress.lesson.empty())
        scene["lesson"] = {{"name", progress.lesson}, {"step", progress.at + 1}};
    const std::string& address = state_.own<Links>().address;
    return link_with(address.empty() ? "glassformer.html" : address, scene);
}

void App::open_link(const std::string& text) {
    state_.window.notice = {};
    try {
        nlohmann::json scene = scene_of_link(text);
        const auto trained_to = field_or<std::int64_t>(scene, "trained_to", 0, of_link);
        if (trained_to > most_steps) fail_in_field(of_link, "trained_to", "is out of range");
        std::string folder;
        std::shared_ptr<const ModelInfo> instead_of = snapshot_->model;
        if (has_field(scene, "world")) {
            const auto world = field<std::string>(scene, "world", of_link);
            if (!snapshot_->catalog || !std::ranges::count(snapshot_->catalog->worlds, world, &ListedWorld::name))
                throw Error("there is no world \"{1}\" in this program", world);
            leave_for(state_, *snapshot_, send_, command::OpenWorld{world, switches_in(scene)});
        } else {
            const auto model = field<std::string>(scene, "model", of_link);
            folder = LessonStage::folder_of(*snapshot_, model);
            if (folder.empty()) throw Error("there is no model \"{1}\" in this program", model);
            const RunInfo* run = snapshot_->current_run();
            const bool as_it_came = !run || run->step == run->opened_at;
            if (snapshot_->model->folder != folder || !as_it_came)
                leave_for(state_, *snapshot_, send_, command::OpenModel{folder});
            else
                instead_of.reset();
        }
        linked_ = {std::move(scene), std::move(folder), trained_to, std::move(instead_of)};
    } catch (const std::exception& e) {  // ours, or the JSON library's
        state_.window.notice = {filled(tr("The link could not be opened: {1}"), {tr(e)})};
    }
}

/// Once the link's model is open: starts its lesson, shows its scene, and continues its training.
void App::show_linked() {
    look_back();
    if (!linked_) return;
    const bool there = snapshot_->model != linked_->instead_of && snapshot_->model->folder == linked_->folder;
    if (!there) {
        // It could not be opened, or the user chose to stay.
        const Leaving& leaving = state_.own<Leaving>();
        const bool asked = leaving.asking || leaving.saving || leaving.ready;
        if (!asked && session_.settled() && snapshot_ == session_.snapshot()) linked_.reset();
        return;
    }
    const auto [scene, folder, trained_to, instead_of] = *std::exchange(linked_, std::nullopt);
    lessons_.drop_wanted();  // one that was open does not fit this model: it must not hold up the screen
    try {
        to_show_ = scene_from_json(scene, *snapshot_, of_link);
        if (has_field(scene, "lesson")) {
            const nlohmann::json& lesson = scene["lesson"];
            if (!lesson.is_object()) fail_in_field(of_link, "lesson", "must be an object");
            start_lesson(field<std::string>(lesson, "name", of_link), field_or<int>(lesson, "step", 1, of_link));
        }
        if (trained_to <= snapshot_->live_step) return;
        if (to_show_->step >= 0) look_back_ = LookBack{snapshot_->model, trained_to, to_show_->step};
        to_show_->step = -1;
        send_(command::TrainUntil{{.step = trained_to}});
    } catch (const std::exception& e) {
        to_show_.reset();
        state_.window.notice = {filled(tr("The link could not be opened: {1}"), {tr(e)})};
    }
}

void App::look_back() {
    if (!look_back_) return;
    const bool there = snapshot_->model == look_back_->model && snapshot_->live_step >= look_back_->trained_to;
    const bool shown = session_.settled() && snapshot_ == session_.snapshot();
    if (there)
        send_(command::LookAt{look_back_->step});
    else if (snapshot_->model == look_back_->model && !(shown && snapshot_->state == RunState::paused))
        return;  // still training; otherwise another model was opened or the user paused
    look_back_.reset();
}

void App::follow_links() {
    const Links asked = state_.own<Links>();
    state_.own<Links>() = {.address = asked.address};
    if (!asked.open.empty()) open_link(asked.open);
    if (!asked.copy) return;
    try {
        ImGui::SetClipboardText(link().c_str());
        state_.window.notice = {tr("The link is in the clipboard. Whoever opens it sees what is on this screen."),
                                true};
    } catch (const Error& e) {
        state_.window.notice = {tr(e)};
    }
}

}  // namespace glassformer::app
