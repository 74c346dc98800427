#include "app/film/film_recorder.h"

#include <chrono>
#include <utility>

#include "app/common/notice.h"
#include "app/film/film_file.h"
#include "app/language/tr.h"
#include "app/panels/runs/run_panel.h"
#include "app/panels/timeline/timeline_drawing.h"
#include "app/panels/timeline/timeline_state.h"
#include "core/base/error.h"

namespace glassformer::app {

namespace {

/// ImGui lays some things out from the frame before.
constexpr int settle_frames = 3;
constexpr double pictures_a_second = 10;  // of a film that is one file

std::string pictures(int count) { return filled(tr("{1} picture", "{1} pictures", count), {std::to_string(count)}); }

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
        end(frame, e.what(), false);
    }
    recording.asked_to_stop = false;
}

void FilmRecorder::begin(const Frame& frame) {
    const Snapshot& snapshot = frame.snapshot;
    steps_ = film_steps(snapshot.kept_steps, 1);
    if (steps_.size() < 2) throw Error(tr("there is no film yet: train the model first"));
    const std::filesystem::path asked = frame.state.own<TimelineState>().recording.folder;
    coding_ = false;
    file_.clear();
    if (is_film_file(asked)) {
        require_film_file(asked);
        file_ = asked;
        scratch_.emplace();
    }
    folder_.emplace(file_.empty() ? asked : scratch_->path() / "pictures");
    stop_film(frame.state);
    at_ = 0;
    run_ = snapshot.run;
    before_ = snapshot.live ? std::nullopt : std::optional(snapshot.step);
    frame.state.own<TimelineState>().recording.total = static_cast<int>(steps_.size());
    next(frame);
}

/// Travels to the step that is next.
void FilmRecorder::next(const Frame& frame) {
    frame.state.own<TimelineState>().recording.done = static_cast<int>(at_);
    frame.state.own<TimelineState>().recording.step = at_ < steps_.size() ? steps_[at_] : -1;
    still_ = 0;
    taken_ = false;
    if (at_ < steps_.size()) frame.send(command::LookAt{steps_[at_]});
}

void FilmRecorder::go_on(const Frame& frame, bool settled) {
    const Snapshot& snapshot = frame.snapshot;
    const std::string where = (file_.empty() ? folder_->path() : file_).string();
    if (snapshot.run != run_)
        return end(frame, filled(tr("The film in {1} ends here: another run is open."), {where}), false);
    if (frame.state.own<TimelineState>().recording.asked_to_stop && !coding_) {
        finish_writing();
        if (!file_.empty()) return end(frame, filled(tr("The film was stopped; {1} was not made"), {where}), true);
        return end(frame, filled(tr("The film was stopped: {1} in {2}"), {pictures(folder_->written()), where}), true);
    }
    if (taken_) {
        ++at_;
        next(frame);
        if (at_ < steps_.size()) return;
    }
    if (at_ == steps_.size()) {
        if (writing()) return;
        finish_writing();
        if (!file_.empty() && !std::exchange(coding_, true)) {
            written_ = std::async(std::launch::async,
                                  [folder = &*folder_, file = file_] { write_film(*folder, file, pictures_a_second); });
            return;
        }
        if (!file_.empty()) return end(frame, filled(tr("The film of the training is in {1}"), {where}), true);
        return end(frame, filled(tr("{1} of the training are in {2}"), {pictures(folder_->written()), where}), true);
    }
    if (!settled) return;
    if (snapshot.step != steps_[at_]) {
        // A long training gives steps up under way.
        if (nearest_kept(snapshot, steps_[at_]) == steps_[at_])
            return end(frame, filled(tr("The film in {1} ends here, because you travelled to another step."), {where}),
                       false);
        ++at_;
        return next(frame);
    }
    if (++still_ < settle_frames || writing()) return;
    finish_writing();
    wanted_ = true;
}

void FilmRecorder::take(Image picture) {
    wanted_ = false;
    if (!folder_) return;
    taken_ = true;
    written_ =
        std::async(std::launch::async, [folder = &*folder_, image = std::move(picture)] { folder->write(image); });
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
    frame.state.own<Notice>() = {text, good};
    if (folder_ && frame.snapshot.run == run_) {
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
