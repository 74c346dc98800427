#include "app/app.h"

#include <chrono>
#include <utility>

#include "app/keyboard.h"
#include "app/layout.h"
#include "core/base/error.h"

namespace glassformer::app {

App::App(Session& session, const std::filesystem::path& lessons)
    : session_(session),
      snapshot_(session.snapshot()),
      lessons_(lessons),
      send_([&session](Command c) { session.send(std::move(c)); }) {
    for (std::size_t slot = 0; slot < 2; ++slot)
        state_.token[slot] = std::max(0, snapshot_->sentences[slot].homonym_pos);
    choose_strongest_head(state_, *snapshot_);
}

void App::take_snapshot() {
    snapshot_ = session_.snapshot();
    // The map shows the homonym of the sentence that is being worked on.
    const WatchedSentence& sentence = snapshot_->sentences[static_cast<std::size_t>(state_.slot)];
    if (sentence.homonym_pos < 0) return;
    const std::string& word = sentence.tokens[static_cast<std::size_t>(sentence.homonym_pos)].text;
    if (word == meaning_shown_) return;
    meaning_shown_ = word;
    if (!snapshot_->meaning || snapshot_->meaning->homonym != word) send_(command::ShowMeaning{word});
}

// Larger, but not so large that a window which showed everything falls back to one panel at a time.
float App::presenter_scale() const {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const float wanted = std::min(text_scale::most, state_.scale * 1.25f), fits = largest_wide_scale(size);
    return state_.scale <= fits ? std::min(wanted, fits) : wanted;
}

void App::draw(ImGuiHost& host) {
    take_snapshot();
    poll_lessons();
    state_.hovered = std::exchange(state_.hovering, {});
    settle(state_, *snapshot_);
    host.set_theme(state_.theme);
    host.set_scale(state_.presenter ? presenter_scale() : state_.scale);
    const Frame frame{host.ui(), *snapshot_, state_, send_};
    lessons_.handle_keys(frame);
    handle_keys(frame);
    lessons_.update(frame);
    settle(state_, *snapshot_);
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    host.ui().reveal = lessons_.reveal();
    draw_layout(frame, {{0, 0}, size}, lessons_);
}

bool App::poll_lessons() {
    using Clock = std::chrono::steady_clock;
    return lessons_.poll(std::chrono::duration<double>(Clock::now().time_since_epoch()).count());
}

void App::start_lesson(const std::string& name, int step) {
    const int which = lessons_.folder().find(name);
    if (which < 0) throw Error("there is no lesson \"" + name + "\"");
    const int count = static_cast<int>(lessons_.folder().lessons()[static_cast<std::size_t>(which)]->steps.size());
    if (step < 1 || step > count) throw Error("the lesson \"" + name + "\" has steps 1 to " + std::to_string(count));
    state_.lessons.ask = LessonMenu::Ask::start;
    state_.lessons.which = which;
    state_.lessons.step = step - 1;
}

bool App::moving() const { return snapshot_->state == RunState::training; }

}  // namespace glassformer::app
