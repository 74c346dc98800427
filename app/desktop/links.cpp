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

// Links that hold what is on screen: copied, and opened.
namespace glassformer::app {

namespace {

constexpr const char* of_link = "link";  // in messages, in place of a file

/// The name of the shipped model on screen, whose place on another machine is another one.
std::string name_of_model(const Snapshot& snapshot) {
    if (snapshot.catalog)
        for (const ModelCatalog::Model& model : snapshot.catalog->models)
            if (model.folder == snapshot.model->folder) return model.name;
    throw Error(
        "A link can only name a model that comes with the program. Use \"Save for students…\": its file has the "
        "model in it.");
}

}  // namespace

std::string App::link() const {
    nlohmann::json scene = scene_to_json(moment_of(state_, *snapshot_), *snapshot_);
    for (const char* left_out : {"compare", "second_layer_norm"})  // that a scene has where nothing is said
        if (scene[left_out] == (std::string_view(left_out) == "compare")) scene.erase(left_out);
    if (scene["beside"]["what"] == "sentences")
        scene.erase("beside"), scene.erase("other_block"), scene.erase("other_head");
    scene["model"] = name_of_model(*snapshot_);
    if (const LessonRunner::Progress progress = lessons_.progress(); !progress.lesson.empty())
        scene["lesson"] = {{"name", progress.lesson}, {"step", progress.at + 1}};
    const std::string& address = state_.own<Links>().address;
    return link_with(address.empty() ? "glassformer.html" : address, scene);
}

void App::open_link(const std::string& text) {
    state_.window.notice = {};
    try {
        nlohmann::json scene = scene_of_link(text);
        const auto model = field<std::string>(scene, "model", of_link);
        const std::string folder = LessonStage::folder_of(*snapshot_, model);
        if (folder.empty()) throw Error("there is no model \"{1}\" in this program", model);
        linked_ = {std::move(scene), folder};
        if (snapshot_->model->folder != folder) leave_for(state_, *snapshot_, send_, command::OpenModel{folder});
    } catch (const std::exception& e) {  // of ours, or of the JSON library
        state_.window.notice = {filled(tr("The link could not be opened: {1}"), {tr(e)})};
    }
}

/// The link's model is there: its scene, and its lesson before that.
void App::show_linked() {
    if (linked_.folder.empty() || snapshot_->model->folder != linked_.folder) return;
    const nlohmann::json scene = std::exchange(linked_, {}).scene;
    try {
        to_show_ = scene_from_json(scene, *snapshot_, of_link);
        if (!has_field(scene, "lesson")) return;
        const nlohmann::json& lesson = scene["lesson"];
        if (!lesson.is_object()) fail_in_field(of_link, "lesson", "must be an object");
        start_lesson(field<std::string>(lesson, "name", of_link), field_or<int>(lesson, "step", 1, of_link));
    } catch (const std::exception& e) {
        to_show_.reset();
        state_.window.notice = {filled(tr("The link could not be opened: {1}"), {tr(e)})};
    }
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
