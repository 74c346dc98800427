#include "app/common/copy_python.h"

#include <imgui.h>

#include <algorithm>

#include "app/common/explanation.h"
#include "app/common/hidden_by_quiz.h"
#include "app/common/lesson_secrets.h"
#include "app/common/notice.h"
#include "app/language/tr.h"
#include "core/base/error.h"
#include "core/io/saved_layout.h"
#include "core/trace/python.h"

namespace glassformer::app {

namespace {

/// Whether what a card shows is what its folder holds, as far as steps tell.
bool is_saved_step(const Frame& frame, int slot) {
    const Snapshot& s = frame.snapshot;
    if (&s.model_of(slot) != s.model.get()) return true;  // another model, compared as it was saved
    if (slot == 1 && s.comparing.what == Comparing::What::steps) return false;
    const RunInfo* run = s.current_run();
    return s.step == (run ? run->saved_step : s.live_step);
}

PythonModel model_of(const Frame& frame, int slot) {
    const ModelInfo& info = frame.model(slot);
    const Graph& graph = frame.trace(slot)->graph();
    const TensorLayout layout = saved_layout(info.config, info.words() != nullptr, graph);
    PythonModel model{"model.safetensors", {}, parameters_in_python(graph, layout)};
    const std::filesystem::path file =
        std::filesystem::absolute(std::filesystem::path(info.folder) / "model.safetensors").lexically_normal();
    if (!info.folder.empty() && is_saved_step(frame, slot) && holds_layout(file, layout))
        model.file = file.string();
    else
        model.comment = "of the model as it is on the screen: save it first, with \"Save the model…\"";
    return model;
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
    if (trace && (is_hidden_by_quiz(frame, at.slot, at.cell) ||
                  frame.own<LessonSecrets>().holds(static_cast<double>(trace->at(at.cell)))))
        return void(frame.own<Notice>() = {tr("This number is to be guessed first.")});
    try {
        const std::string program = python_of(frame, at, library);
        ImGui::SetClipboardText(program.c_str());
        frame.own<Notice>() = {
            filled(tr("The clipboard has {1} lines of Python that compute {2}."),
                   {std::to_string(std::ranges::count(program, '\n')), frame.cell_name(at.slot, at.cell)}),
            true};
    } catch (const Error& e) {
        frame.own<Notice>() = {filled(tr("There is no Python for this number: {1}."), {e.what()})};
    }
}

}  // namespace glassformer::app
