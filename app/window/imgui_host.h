#pragma once

#include <functional>
#include <memory>

#include "app/ui/ui.h"
#include "app/window/frame_painter.h"
#include "app/window/surface.h"

namespace glassformer::app {

/// Initial options.
struct HostOptions {
    float scale = 1;  ///< the user's text size, within text_scale; multiplied by the surface's content scale
    ThemeKind theme = ThemeKind::light;
};

/// Owns ImGui's context, fonts, style and OpenGL backend on a surface, which must outlive it. If there are several
/// hosts, the first one's context is current except during the frames of the others.
///
///     while (!surface.should_close()) {
///         if (!surface.wait_for_events(app.moving())) continue;
///         host.begin_frame();
///         app.draw(host.ui());
///         host.end_frame_and_draw();
///         surface.present();
///     }
class ImGuiHost {
public:
    explicit ImGuiHost(Surface& surface, const HostOptions& options = {});
    ~ImGuiHost();
    ImGuiHost(const ImGuiHost&) = delete;
    ImGuiHost& operator=(const ImGuiHost&) = delete;

    /// Starts a frame. `script` runs after the platform's input and before ImGui reads it; the items of the last frame
    /// still exist then, so it can refer to them. Opens an undecorated window of full size to draw on.
    void begin_frame(const std::function<void()>& script = {});
    /// Draws the frame into the surface; call surface.present() after it.
    void end_frame_and_draw();

    /// Takes effect at the next begin_frame(); call it between frames. Clamped to text_scale.
    void set_scale(float scale);
    float scale() const { return scale_; }
    /// A fixed scale in real pixels, for a screen seen from a distance. It replaces the user's size and the screen's
    /// scale; 0 turns it off.
    void set_stage_scale(float scale) { stage_scale_ = scale; }
    void set_theme(ThemeKind kind);
    ThemeKind theme() const { return theme_; }

    Ui& ui() { return ui_; }
    const Fonts& fonts() const { return fonts_; }
    const Items& items() const { return items_; }
    /// True if another frame is needed: text waits for its font or glyphs, or a large heat map is not made yet.
    bool waits() const;
    /// Switches to drawing as for a window: large heat maps are made over several frames and, with `changes_only`, only
    /// what changes is drawn over the last frame. Otherwise (Surface::offscreen) every frame is exact and complete.
    void draw_as_window(bool changes_only);
    const FramePainter& painter() const { return *painter_; }

private:
    void rebuild_fonts();

    Surface& surface_;
    ImGuiContext* const former_;  // the context that was current before this host; null for the first one
    ImGuiContext* const context_;
    float scale_ = 1, stage_scale_ = 0;
    ThemeKind theme_ = ThemeKind::light;
    bool style_dirty_ = true;
    float built_scale_ = 0;
    Fonts fonts_;
    Items items_;
    Focus focus_;
    std::unique_ptr<FramePainter> painter_;  // these three need OpenGL in their destructors
    std::unique_ptr<HeatTextures> heat_;
    std::unique_ptr<GlyphText> glyphs_;
    Ui ui_;
};

}  // namespace glassformer::app
