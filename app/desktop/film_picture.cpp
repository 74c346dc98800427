#include "app/desktop/film_picture.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "app/desktop/export_picture.h"
#include "app/export/picture_files.h"
#include "app/film/film_folder.h"
#include "app/panels/timeline/timeline_state.h"
#include "app/ui/cards.h"
#include "app/ui/controls_hidden.h"
#include "app/ui/input.h"

namespace glassformer::app {

namespace {

/// What was drawn into the surface's target, before it is shown.
Image read_target(Surface& surface) {
    surface.bind_target();
    const PixelSize size = surface.size();
    const auto row = static_cast<std::size_t>(size.width) * 4;
    std::vector<std::uint8_t> pixels(row * static_cast<std::size_t>(size.height));
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, size.width, size.height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    Image image{size.width, size.height, std::vector<std::uint8_t>(pixels.size())};
    for (std::size_t y = 0; y < static_cast<std::size_t>(size.height); ++y)  // OpenGL's rows start at the bottom
        std::copy_n(pixels.end() - static_cast<std::ptrdiff_t>(row * (y + 1)), row,
                    image.rgba.begin() + static_cast<std::ptrdiff_t>(row * y));
    for (std::size_t i = 3; i < image.rgba.size(); i += 4) image.rgba[i] = 255;  // a window may keep another alpha
    return image;
}

/// The card that the story fills: the largest of the frame that was drawn last.
Box largest_card() {
    Box largest{};
    for (const Box& card : draw::cards_of_frame())
        if (card.width() * card.height() > largest.width() * largest.height()) largest = card;
    return largest;
}

/// The window as it is, without the pointer; of a panel, or of the forward pass, that alone, without what can be
/// pressed.
Image picture_of(App& app, ImGuiHost& host, Surface& surface) {
    const bool forward = app.state().own<TimelineState>().recording.forward;
    const Box panel = app.film().panel();
    const bool chosen = panel.width() > 0;
    if (app.film().has_caption())
        return to_image(
            export_panel(
                app, host, surface, [&](const Items&) { return std::optional(panel); }, app.export_caption(host))
                .drawing,
            1);
    forget_pointer(app.state());
    std::optional<ControlsHidden> hidden;
    if (forward || chosen) hidden.emplace();
    host.begin_frame([] { script_mouse({-1e6f, -1e6f}, false, false); });
    app.draw(host);
    host.end_frame_and_draw();
    const Image window = read_target(surface);
    if (chosen) return cut_out(window, panel);
    return forward ? cut_out(window, largest_card()) : window;  // of this frame: no bar tells of the film on it
}

}  // namespace

void take_film_picture(App& app, ImGuiHost& host, Surface& surface) {
    if (!app.film().wants_picture()) return;
    app.state().own<TimelineState>().recording.unseen = true;
    Image picture = picture_of(app, host, surface);
    app.state().own<TimelineState>().recording.unseen = false;
    app.film().take(std::move(picture));
}

}  // namespace glassformer::app
