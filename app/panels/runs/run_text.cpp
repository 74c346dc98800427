#include <cfloat>
#include <cmath>

#include "app/language/tr.h"
#include "app/panels/runs/run_panel.h"

namespace glassformer::app {

float wrapped_height(const Ui& ui, float width, std::string_view text, FontRole role) {
    const ImFont* font = (*ui.fonts)[role];
    const float lines = font->CalcTextSizeA(font->FontSize, FLT_MAX, width, text.data(), text.data() + text.size()).y;
    return std::round(lines / font->FontSize) * std::round(font->FontSize * 1.22f);  // as draw::text_wrapped
}

std::string_view nothing_happened(const Frame& frame) {
    return frame.snapshot.live_step == 0
               ? tr("Nothing yet. Events appear while the model trains.")
               : tr("Nothing yet. An event is for example a head that forms, or a jump of the loss.");
}

std::string run_name(const Snapshot& snapshot, int id) {
    for (const auto& info : snapshot.runs)
        if (info->id == id) return info->name;
    return tr("a deleted run");
}

}  // namespace glassformer::app
