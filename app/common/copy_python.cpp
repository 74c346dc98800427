#include "app/common/copy_python.h"

#include <imgui.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "app/common/explanation.h"
#include "app/common/hidden_by_quiz.h"
#include "app/common/lesson_secrets.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "core/base/error.h"
#include "core/io/model_files.h"
#include "core/trace/python.h"

namespace glassformer::app {

namespace {

/// True if the step that a card shows is the one that its folder held when it was opened, and still holds.
bool is_saved_step(const Frame& frame, int slot) {
    const Snapshot& s = frame.snapshot;
    if (&s.model_of(slot) != s.model.get()) return true;  // another model, compared as it was saved
    if (slot == 1 && s.comparing.what == Comparing::What::steps) return false;
    const RunInfo* run = s.current_run();
    if (!run) return s.step == s.live_step;
    return !run->origin.branched() && run->opened_at == s.step && run->saved_step == s.step;
}

/// The files in the model's folder, whoever wrote them. Empty if they do not hold what the card shows.
std::optional<PythonModel> model_in_its_folder(const Frame& frame, int slot) {
    const std::string& folder = frame.model(slot).folder;
    if (folder.empty() || !is_saved_step(frame, slot)) return {};
    try {
        const Graph& graph = frame.trace(slot)->graph();
        const FolderLayout saved = layout_in(std::filesystem::absolute(folder).lexically_normal(), graph);
        return PythonModel{saved.files, {}, parameters_in_python(graph, saved.layout)};
    } catch (const Error&) {  // the folder is gone, or now holds another model
        return {};
    }
}

PythonModel model_of(const Frame& frame, int slot) {
    if (const auto in_folder = model_in_its_folder(frame, slot)) return *in_folder;
    const ModelInfo& info = frame.model(slot);
    const Graph& graph = frame.trace(slot)->graph();
    return {{"model.safetensors"},
            "of the model as it is on the screen: save it first, with \"Save the model…\"",
            parameters_in_python(graph, saved_layout(info.config, info.words() != nullptr, graph))};
}

}  // namespace

std::string python_of(const Frame& frame, const TracedCell& at, ops::PythonLibrary library) {
    if (!frame.trace(at.slot)) throw Error("its sentence cannot be read");
    const Trace& trace = *frame.trace(at.slot);
    const std::string about = frame.cell_name(at.slot, at.cell) + " = " + precise(trace, at.cell) + "\n" +
                              trace.address(at.cell) + " of: " + frame.sentence(at.slot).text;
    return python_for(trace, at.cell, model_of(frame, at.slot), about, library);
}

void copy_python(const Frame& frame, const TracedCell& at, ops::PythonLibrary library) {
    const Trace* trace = frame.trace(at.slot);
    if (trace && (is_hidden_by_quiz(frame, at.slot, at.cell) || frame.own<LessonSecrets>().holds(trace->at(at.cell))))
        return void(frame.state.window.notice = {tr("Guess this number first.")});
    try {
        const std::string program = python_of(frame, at, library);
        ImGui::SetClipboardText(program.c_str());
        frame.state.window.notice = {
            filled(tr("Copied {1} lines of Python that compute {2}."),
                   {std::to_string(std::ranges::count(program, '\n')), frame.cell_name(at.slot, at.cell)}),
            true};
    } catch (const Error& e) {
        frame.state.window.notice = {filled(tr("This number cannot be copied as Python: {1}."), {tr(e)})};
    }
}

}  // namespace glassformer::app
