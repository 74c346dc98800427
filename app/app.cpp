#include "app/app.h"

#include "app/keyboard.h"
#include "app/layout.h"

namespace glassformer::app {

App::App(Session& session) : session_(session), snapshot_(session.snapshot()), send_([&session](Command c) { session.send(std::move(c)); }) {
    for (std::size_t slot = 0; slot < 2; ++slot) state_.token[slot] = std::max(0, snapshot_->sentences[slot].homonym_pos);
    choose_first_view();
}

// Opens where there is most to see: the head of the first block in which the homonym of A looks hardest at one other word.
void App::choose_first_view() {
    float best = -1.0f;
    int best_head = 0;
    for (int head = 0; head < snapshot_->model->config.n_heads; ++head) {
        state_.head = head;
        const int key = strongest_key(state_, *snapshot_, 0, state_.token[0]);
        if (key < 0) continue;
        const Trace& trace = *snapshot_->sentences[0].trace;
        const float weight = trace.at(pattern_cell(state_, trace, state_.token[0], key));
        if (weight <= best) continue;
        best = weight;
        best_head = head;
    }
    state_.head = best_head;
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

void App::draw(ImGuiHost& host) {
    take_snapshot();
    settle(state_, *snapshot_);
    host.set_theme(state_.theme);
    host.set_scale(state_.presenter ? std::min(2.0f, state_.scale * 1.25f) : state_.scale);
    const Frame frame{host.ui(), *snapshot_, state_, send_};
    handle_keys(frame);
    settle(state_, *snapshot_);
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    draw_layout(frame, {{0, 0}, size});
}

bool App::moving() const { return snapshot_->state == RunState::training; }

}  // namespace glassformer::app
