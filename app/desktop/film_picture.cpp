#include "app/desktop/film_picture.h"

#include <epoxy/gl.h>

#include <algorithm>

#include "app/panels/timeline/timeline_state.h"
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

}  // namespace

void take_film_picture(App& app, ImGuiHost& host, Surface& surface) {
    if (!app.film().wants_picture()) return;
    app.state().own<TimelineState>().recording.unseen = true;
    host.begin_frame([] { script_mouse({-1e6f, -1e6f}, false, false); });
    app.draw(host);
    host.end_frame_and_draw();
    app.state().own<TimelineState>().recording.unseen = false;
    app.film().take(read_target(surface));
}

}  // namespace glassformer::app
