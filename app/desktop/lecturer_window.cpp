#include "app/desktop/lecturer_window.h"

#include <utility>

#include "app/common/notice.h"
#include "app/common/presenter_console.h"
#include "core/base/error.h"

namespace glassformer::app {

namespace {

constexpr float rows_at_100 = 800;  // of the lecturer's screen: its text grows with it

}  // namespace

LecturerWindow::~LecturerWindow() { close(); }

void LecturerWindow::close() {
    host_.reset();
    stage_.make_current();
    picture_.reset();
    surface_.reset();
    stage_.make_current();
}

bool LecturerWindow::ticks() const {
    const ViewState& state = app_.state();
    return state.presenter && state.own<PresenterConsole>().on;
}

void LecturerWindow::follow() {
    ViewState& state = app_.state();
    PresenterConsole& console = state.own<PresenterConsole>();
    if (surface_ && surface_->should_close()) console.on = false;
    console.second_screen = !failed_ && stage_.second_screen();
    const bool wanted = state.presenter && console.on && console.second_screen;
    if (!wanted && surface_) close();
    if (!wanted || surface_) return;
    try {
        surface_ = stage_.open_beside();
        if (!surface_) return void(console.second_screen = false);
        host_ = std::make_unique<ImGuiHost>(*surface_, HostOptions{state.scale, state.theme});
        picture_ = std::make_unique<HeldPicture>();
    } catch (const Error& e) {
        close();
        failed_ = true;
        console.second_screen = false;
        state.own<Notice>() = {e.what()};
    }
    stage_.make_current();
}

void LecturerWindow::draw(const std::function<void()>& script) {
    if (!surface_) return;
    const ViewState& state = app_.state();
    if (std::exchange(app_.state().own<PresenterConsole>().swap_screens, false)) stage_.swap_screens();
    stage_.bind_target();
    picture_->take_now();
    const PixelSize seen = stage_.size();
    host_->set_theme(state.theme);
    host_->set_scale(state.scale);
    host_->set_least_scale(static_cast<float>(surface_->size().height) / rows_at_100);
    host_->ui().reduce_motion = state.reduce_motion;
    host_->begin_frame(script);
    picture_->await();
    app_.draw_console(*host_, {picture_->texture(), {static_cast<float>(seen.width), static_cast<float>(seen.height)}});
    host_->end_frame_and_draw();
    surface_->present();
    stage_.make_current();
}

}  // namespace glassformer::app
