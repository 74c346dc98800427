#include "app/window/imgui_host.h"

#include <epoxy/gl.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "app/context/software_renderer.h"
#include "app/ui/glyphs/glyph_text.h"
#include "app/ui/heat_texture.h"
#include "app/ui/input.h"
#include "app/window/loaded_libraries.h"
#include "core/base/error.h"

namespace glassformer::app {

namespace {

/// Dear ImGui never checks what it gets, so running out of memory must not return null.
void* allocate(std::size_t bytes, void*) {
    if (void* memory = std::malloc(bytes)) return memory;
    throw std::bad_alloc();
}

void release(void* memory, void*) { std::free(memory); }

ImGuiContext* new_context() {
    ImGui::SetAllocatorFunctions(allocate, release);
    return ImGui::CreateContext();
}

}  // namespace

ImGuiHost::ImGuiHost(Surface& surface, const HostOptions& options)
    : surface_(surface),
      former_(ImGui::GetCurrentContext()),
      context_((surface.make_current(), IMGUI_CHECKVERSION(), new_context())),
      scale_(std::clamp(options.scale, text_scale::least, text_scale::most)),
      theme_(options.theme) {
    ImGui::SetCurrentContext(context_);
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;  // the app stores its own settings
    io.LogFilename = nullptr;
    surface_.attach_imgui();
    surface_.shows(items_);
    if (!ImGui_ImplOpenGL3_Init(epoxy_is_desktop_gl() ? "#version 330 core" : "#version 300 es")) {
        surface_.detach_imgui();
        ImGui::DestroyContext(context_);
        ImGui::SetCurrentContext(former_);
        throw Error("Dear ImGui could not start on this OpenGL; version 3.3 or newer is needed");
    }
    keep_libraries_loaded();
    painter_ = std::make_unique<FramePainter>();
    heat_ = std::make_unique<HeatTextures>();
    if (!surface_.offscreen()) draw_as_window(draws_in_software());
    ui_.heat = heat_.get(), ui_.items = &items_;
    glyphs_ = std::make_unique<GlyphText>(surface_.offscreen());
    rebuild_fonts();
    if (former_) ImGui::SetCurrentContext(former_);
}

ImGuiHost::~ImGuiHost() {
    surface_.make_current();
    ImGui::SetCurrentContext(context_);
    painter_.reset();
    heat_.reset();
    glyphs_.reset();
    ImGui_ImplOpenGL3_Shutdown();
    surface_.detach_imgui();
    ImGui::DestroyContext(context_);
    ImGui::SetCurrentContext(former_);
}

bool ImGuiHost::waits() const { return glyphs_->waiting() || heat_->waits(); }

void ImGuiHost::draw_as_window(bool changes_only) {
    painter_->draw_changes_only(changes_only);
    heat_->make_little_by_little(true);
}

void ImGuiHost::set_scale(float scale) { scale_ = std::clamp(scale, text_scale::least, text_scale::most); }

void ImGuiHost::set_theme(ThemeKind kind) {
    theme_ = kind;
    style_dirty_ = true;
}

void ImGuiHost::rebuild_fonts() {
    const float wanted = std::clamp(stage_scale_ > 0 ? stage_scale_ : scale_ * surface_.content_scale(),
                                    least_font_scale, most_font_scale);
    if (wanted == built_scale_) return;
#if IMGUI_VERSION_NUM < 19200
    if (built_scale_ > 0) ImGui_ImplOpenGL3_DestroyFontsTexture();
#endif
    ImGuiIO& io = ImGui::GetIO();
    fonts_ = build_fonts(*io.Fonts, wanted);
    io.FontDefault = fonts_[FontRole::body];
#if IMGUI_VERSION_NUM < 19200
    ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
    built_scale_ = wanted;
    style_dirty_ = true;
}

void ImGuiHost::begin_frame(const std::function<void()>& script) {
    surface_.make_current();
    ImGui::SetCurrentContext(context_);
    rebuild_fonts();
    if (style_dirty_) apply_style(app::theme(theme_), built_scale_);
    style_dirty_ = false;

    surface_.new_imgui_frame();
    if (script) script();
    begin_typing();
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();

    items_.begin_frame();
    focus_.begin_frame();
    if (focus_.typed().id) ImGui::GetIO().WantTextInput = true;  // from the start of the frame
    heat_->begin_frame();
    fonts_.glyphs = glyphs_.get();
    glyphs_->begin_frame(fonts_);
    ui_.theme = &app::theme(theme_);
    ui_.fonts = &fonts_;
    ui_.focus = &focus_;
    ui_.scale = built_scale_;

    const ImGuiIO& io = ImGui::GetIO();
    ImGui::SetNextWindowPos(ImVec2(0, 0));
    ImGui::SetNextWindowSize(io.DisplaySize);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::Begin("##glassformer", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBackground);
    ImGui::PopStyleVar();
}

void ImGuiHost::end_frame_and_draw() {
    ImGui::End();
    ImGui::Render();
    surface_.bind_target();
    // The only fill behind the panels: with software rendering, every fill counts.
    const ImVec4 back = ImGui::ColorConvertU32ToFloat4(ui_.theme->background);
    glDisable(GL_SCISSOR_TEST);
    glClearColor(back.x, back.y, back.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    painter_->paint(*ImGui::GetDrawData());
    if (former_) ImGui::SetCurrentContext(former_);
}

}  // namespace glassformer::app
