#include "app/film/film_recorder.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "app/common/film_speed.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/panels/runs/run_panel.h"
#include "app/panels/timeline/timeline_drawing.h"
#include "app/panels/timeline/timeline_state.h"
#include "app/views/registry.h"
#include "app/views/whole_model/canvas.h"
#include "core/base/background.h"
#include "core/base/error.h"

namespace glassformer::app {

namespace {

/// ImGui lays out some things from the previous frame.
constexpr int settle_frames = 3;

std::string pictures(int count) { return filled(tr("{1} picture", "{1} pictures", count), {std::to_string(count)}); }

/// Opens the whole model, with its story at the start.
void open_forward(const Frame& frame) {
    frame.state.view = view_index("Whole model");
    views::whole_model::CanvasState& canvas = frame.own<views::whole_model::CanvasState>();
    canvas.camera.go(views::whole_model::CanvasLevel::model, 0, true);
    const int speed = canvas.story.speed;
    canvas.story = {};
    canvas.story.open = canvas.story.filmed = true;
    canvas.story.speed = speed;
}

bool shows_forward(const Frame& frame) {
    return chosen_view(frame.state).name == "Whole model" && frame.own<views::whole_model::CanvasState>().story.filmed;
}

}  // namespace

void FilmRecorder::update(const Frame& frame, bool settled) {
    FilmRecording& recording = frame.state.own<TimelineState>().recording;
    wanted_ = false;
    try {
        if (folder_)
            go_on(frame, settled);
        else if (!recording.folder.empty())
            begin(frame);
    } catch (const Error& e) {
        end(frame, tr(e), false);
    }
    recording.asked_to_stop = false;
}

void FilmRecorder::begin(const Frame& frame) {
    const Snapshot& snapshot = frame.snapshot;
    FilmRecording& recording = frame.state.own<TimelineState>().recording;
    steps_ = recording.forward ? std::vector<std::int64_t>() : film_steps(snapshot.kept_steps, 1);
    if (!recording.forward && steps_.size() < 2) throw Error("there is no film yet: train the model first");
    if (recording.forward && !frame.trace(frame.state.slot))
        throw Error("there is no sentence whose forward pass could be shown");
    const std::filesystem::path asked = recording.folder;
    coding_ = false;
    file_.clear();
    if (is_film_file(asked)) {
        require_film_place(asked);
        file_ = asked;
        scratch_.emplace();
    }
    folder_.emplace(file_.empty() ? asked : scratch_->path() / "pictures");
    panel_ = recording.panel;
    caption_ = recording.caption;
    size_ = {};
    spare_ = caption_ ? static_cast<int>(frame.ui.line(FontRole::small) * 1.25f) : 0;
    const TimelineState& chosen = frame.state.own<TimelineState>();
    pictures_a_second_ = static_cast<double>(steps_.size()) / film_seconds[chosen.film.speed];
    stop_film(frame.state);
    at_ = 0;
    run_ = snapshot.run;
    before_ = snapshot.live ? std::nullopt : std::optional(snapshot.step);
    recording.total = recording.forward ? 1 : static_cast<int>(steps_.size());
    if (recording.forward)
        open_forward(frame);
    else
        next(frame);
}

/// Goes to the next moment.
void FilmRecorder::next(const Frame& frame) {
    FilmRecording& recording = frame.state.own<TimelineState>().recording;
    recording.done = static_cast<int>(at_);
    recording.step = at_ < steps_.size() ? steps_[at_] : -1;
    still_ = 0;
    taken_ = false;
    if (recording.done == recording.total) return;
    if (!recording.forward) return frame.send(command::LookAt{steps_[at_]});
    views::whole_model::ForwardStory& story = frame.own<views::whole_model::CanvasState>().story;
    story.at = static_cast<float>(story.stage_count * (recording.done + 1)) / static_cast<float>(recording.total);
}

void FilmRecorder::go_on(const Frame& frame, bool settled) {
    const Snapshot& snapshot = frame.snapshot;
    FilmRecording& recording = frame.state.own<TimelineState>().recording;
    const std::string where = (file_.empty() ? folder_->path() : file_).string();
    if (snapshot.run != run_)
        return end(frame, filled(tr("The film in {1} ends here: another run was opened."), {where}), false);
    if (recording.forward && !shows_forward(frame))
        return end(frame, filled(tr("The film in {1} ends here: the whole model is no longer on the screen."), {where}),
                   false);
    if (recording.asked_to_stop && !coding_) {
        finish_writing();
        if (!file_.empty()) return end(frame, filled(tr("The film was stopped; {1} was not written"), {where}), true);
        return end(frame, filled(tr("The film was stopped: {1} in {2}"), {pictures(folder_->written()), where}), true);
    }
    if (recording.forward && recording.total == 1) {  // the number is known once the story has been drawn
        const views::whole_model::ForwardStory& story = frame.own<views::whole_model::CanvasState>().story;
        const int stages = story.stage_count;
        if (stages == 0) return;
        pictures_a_second_ = views::whole_model::story_pictures_a_second *
                             static_cast<double>(views::whole_model::story_speeds[std::clamp(story.speed, 0, 2)]);
        recording.total = views::whole_model::story_pictures(stages);
        return next(frame);
    }
    if (taken_) {
        ++at_;
        next(frame);
        // The story's next moment is laid out like this one, so it needs no frame to settle.
        if (recording.done < recording.total && !recording.forward) return;
    }
    if (recording.done == recording.total) return finish(frame, where);
    if (!settled) return;
    if (!recording.forward && snapshot.step != steps_[at_]) {
        // A long training drops kept steps as it goes on.
        if (nearest_kept(snapshot, steps_[at_]) == steps_[at_])
            return end(frame, filled(tr("The film in {1} ends here: you went to another step."), {where}), false);
        ++at_;
        return next(frame);
    }
    const bool laid_out = recording.forward && at_ > 0;
    if ((++still_ < settle_frames && !laid_out) || writing()) return;
    finish_writing();
    wanted_ = true;
}

/// All pictures are taken: waits for the last to be written, then encodes them as one file if that was requested.
void FilmRecorder::finish(const Frame& frame, const std::string& where) {
    if (writing()) return;
    finish_writing();
    if (!file_.empty() && !std::exchange(coding_, true)) {
        written_ = compute_beside(
            "film", [folder = &*folder_, file = file_, rate = pictures_a_second_] { write_film(*folder, file, rate); });
        return;
    }
    const bool forward = frame.state.own<TimelineState>().recording.forward;
    const char* one_file =
        forward ? tr("The film of the forward pass was saved as {1}") : tr("The film of the training was saved as {1}");
    if (!file_.empty()) return end(frame, filled(one_file, {where}), true);
    const char* many = forward ? tr("Forward pass: {1} saved in {2}") : tr("Training: {1} saved in {2}");
    end(frame, filled(many, {pictures(folder_->written()), where}), true);
}

void FilmRecorder::take(Image picture) {
    wanted_ = false;
    if (!folder_) return;
    taken_ = true;
    if (caption_) {
        if (size_.width == 0) size_ = {picture.width, picture.height + spare_};
        picture = on_page(picture, size_);
    }
    written_ = compute_beside("film", [folder = &*folder_, image = std::move(picture)] { folder->write(image); });
}

bool FilmRecorder::writing() const {
    return written_.valid() && written_.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
}

void FilmRecorder::finish_writing() {
    if (written_.valid()) written_.get();
}

void FilmRecorder::end(const Frame& frame, const std::string& text, bool good) {
    if (written_.valid()) written_.wait();
    written_ = {};
    frame.state.window.notice = {text, good};
    const bool forward = frame.state.own<TimelineState>().recording.forward;
    if (forward) frame.own<views::whole_model::CanvasState>().story.filmed = false;
    if (folder_ && !forward && frame.snapshot.run == run_) {
        if (before_)
            frame.send(command::LookAt{*before_});
        else
            frame.send(command::FollowLive{});
    }
    folder_.reset();
    scratch_.reset();
    frame.state.own<TimelineState>().recording = {};
}

}  // namespace glassformer::app
