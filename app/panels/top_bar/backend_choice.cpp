#include <array>

#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/panels/top_bar/top_bar_layout.h"

namespace glassformer::app {

namespace {

/// In the order of BackendPreference.
constexpr std::array<std::string_view, 3> choices{N_("Automatic: the faster one"), N_("CPU"),
                                                  N_("GPU: OpenGL compute shaders")};

const std::string& description(const Frame& frame) {
    const std::string& computing = frame.snapshot.computing.description;
    return computing.empty() ? frame.snapshot.model->backend : computing;
}

}  // namespace

// Returns the first two parts of "CPU · AVX2 · 2 threads", without what drivers append to a card's name in brackets and
// after slashes.
std::string backend_name(const Frame& frame) {
    if (frame.snapshot.computing.testing) return tr("testing the GPU…");
    const std::string& full = description(frame);
    const std::string dot = " · ";
    const std::size_t first = full.find(dot), second = first == std::string::npos ? first : full.find(dot, first + 1);
    std::string name = full.substr(0, second);
    name = name.substr(0, name.find_first_of("(/:", dot.size()));
    while (name.ends_with(' ')) name.pop_back();
    return name;
}

void draw_backend_choice(const Frame& frame, const Box& box, std::string_view shown) {
    const Computing& computing = frame.snapshot.computing;
    const int chosen = dropdown(frame.ui, "backend", box, shown, choices, static_cast<int>(computing.preference));
    if (chosen >= 0) return frame.send(command::ChooseBackend{static_cast<BackendPreference>(chosen)});
    if (!draw::hovered(box)) return;
    std::string tip = filled(tr("What computes the training\n{1}"), {tr_sentence(description(frame))});
    if (computing.testing) tip += tr("\nComparing OpenGL with the CPU: are the numbers the same, and which is faster?");
    if (computing.open_gl)
        tip +=
            filled(tr("\nThe sentences on screen are computed on {1}"), {tr_sentence(frame.snapshot.model->backend)});
    draw::tip(frame.ui, box, filled(tr("{1}\nClick to choose. A training continues from its step."), {tip}));
}

}  // namespace glassformer::app
