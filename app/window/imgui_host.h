#pragma once

#include <functional>
#include <memory>

#include "app/ui/ui.h"
#include "app/window/frame_painter.h"
#include "app/window/surface.h"

namespace glassformer::app {

/// How the window looks at first.
struct HostOptions {
    float scale = 1;  ///< the person's size, in text_scale; the surface's content scale is multiplied in
    ThemeKind theme = ThemeKind::light;
};

/// Owns ImGui's context, fonts, style and OpenGL backend on a surface. The surface must outlive it. Where there are
/// several, the first one's context is current but for the frames of the others.
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

    /// Starts a frame. `script` runs after the platform's input and before ImGui sees it; the items of the last frame
    /// are still there, so it can point at them. Opens a full-size window without decoration: draw on it at once.
    void begin_frame(const std::function<void()>& script = {});
    /// Draws the frame into the surface; call surface.present() after it.
    void end_frame_and_draw();

    /// Between frames: takes effect at the next begin_frame(). Clamped to text_scale.
    void set_scale(float scale);
    float scale() const { return scale_; }
    /// For a picture that is looked at from a distance, in real pixels: it counts instead of the person's size and the
    /// screen's; 0: it does not.
    void set_stage_scale(float scale) { stage_scale_ = scale; }
    void set_theme(ThemeKind kind);
    ThemeKind theme() const { return theme_; }

    Ui& ui() { return ui_; }
    const Fonts& fonts() const { return fonts_; }
    const Items& items() const { return items_; }
    /// Draw another frame: text of the last one waits for its font or its glyphs, or a large picture is not made yet.
    bool waits() const;
    /// As a window is drawn from now on: large pictures are made over several frames, and, where that is wanted, the
    /// last frame stays and only what changes is drawn into it. A picture in memory (Surface::offscreen) is exact and
    /// whole in every frame.
    void draw_as_window(bool changes_only);
    const FramePainter& painter() const { return *painter_; }

private:
    void rebuild_fonts();

    Surface& surface_;
    ImGuiContext* const former_;  // current before this host; null for the first one
    ImGuiContext* const context_;
    float scale_ = 1, stage_scale_ = 0;
    ThemeKind theme_ = ThemeKind::light;
    bool style_dirty_ = true;
    float built_scale_ = 0;
    Fonts fonts_;
    Items items_;
    Focus focus_;
    std::unique_ptr<FramePainter> painter_;  // these three end while OpenGL is there
    std::unique_ptr<HeatTextures> heat_;
    std::unique_ptr<GlyphText> glyphs_;
    Ui ui_;
};

}  // namespace glassformer::app
