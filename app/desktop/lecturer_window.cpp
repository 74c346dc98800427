#include "app/desktop/lecturer_window.h"

#include <algorithm>
#include <utility>

#include "app/language/sentences.h"
#include "app/ui/input.h"
#include "core/base/error.h"

namespace glassformer::app {

namespace {

constexpr float rows_at_100 = 800;  // height of the lecturer's screen: its text grows with it

}  // namespace

LecturerWindow::~LecturerWindow() { close(); }

void LecturerWindow::close() {
    host_.reset();
    stage_.make_current();
    picture_.reset();
    surface_.reset();
    pointer_.reset();
    stage_.make_current();
}

bool LecturerWindow::ticks() const {
    const ViewState& state = app_.state();
    return state.presenter && state.window.console.on;
}

void LecturerWindow::follow() {
    ViewState& state = app_.state();
    PresenterConsole& console = state.window.console;
    if (surface_ && surface_->should_close()) console.on = false;
    console.second_screen = !failed_ && stage_.second_screen();
    console.focused = surface_ && surface_->focused();
    const bool wanted = state.presenter && console.on && console.second_screen;
    if (!wanted && surface_) close();
    if (!wanted || surface_) return;
    try {
        surface_ = stage_.open_beside();
        if (!surface_) return void(console.second_screen = false);
        host_ = std::make_unique<ImGuiHost>(*surface_, HostOptions{state.scale, state.theme});
        picture_ = std::make_unique<HeldPicture>(HeldPicture::Shown::small);
    } catch (const Error& e) {
        close();
        failed_ = true;
        console.second_screen = false;
        state.window.notice = {tr(e)};
    }
    stage_.make_current();
}

/// Call in the console's frame. When the pointer leaves the picture, the stage is told once.
void LecturerWindow::follow_pointer(bool covered, ImVec2 stage) {
    const ImGuiIO& io = ImGui::GetIO();
    const Item* picture = covered && !host_->ui().focus->covered() ? host_->items().find("console/stage") : nullptr;
    const auto inside = [&](ImVec2 at) { return picture && picture->contains(at); };
    const bool down = io.MouseDown[0] && inside(io.MouseClickedPos[0]);  // a drag continues outside it
    if (!down && !inside(io.MousePos)) {
        if (pointer_ && pointer_->at.x >= 0)
            pointer_ = Pointer{{-1e6f, -1e6f}};
        else
            pointer_.reset();
        return;
    }
    const float times = stage.x / picture->width();
    pointer_ = Pointer{
        {(io.MousePos.x - picture->min.x) * times, (io.MousePos.y - picture->min.y) * times}, down, io.MouseWheel};
}

void LecturerWindow::point() {
    if (!pointer_) return;
    script_mouse(pointer_->at, pointer_->down, false);
    if (pointer_->wheel != 0) script_wheel(std::exchange(pointer_->wheel, 0.0f));
}

void LecturerWindow::draw(const std::function<void()>& script) {
    if (!surface_) return;
    const ViewState& state = app_.state();
    if (std::exchange(app_.state().window.console.swap_screens, false)) stage_.swap_screens();
    stage_.bind_target();
    HeldPicture* const behind = app_.behind_cover();
    if (!behind) picture_->take_now();
    HeldPicture& shown = behind ? *behind : *picture_;
    const ImVec2 seen{static_cast<float>(stage_.size().width), static_cast<float>(stage_.size().height)};
    host_->set_theme(state.theme);
    const float by_height = static_cast<float>(surface_->size().height) / rows_at_100;
    host_->set_stage_scale(std::max(by_height, state.scale * surface_->content_scale()));
    host_->ui().reduce_motion = state.reduce_motion;
    host_->begin_frame(script);
    shown.await();
    app_.draw_console(*host_, {shown.texture(), seen});
    follow_pointer(behind, seen);
    host_->end_frame_and_draw();
    // A clicker works whichever window has the keyboard; only what covers this window is typed into here.
    surface_->keep_keys(surface_->focused() && host_->ui().focus->covered());
    surface_->present();
    stage_.make_current();
}

}  // namespace glassformer::app
