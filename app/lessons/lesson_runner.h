#pragma once

#include <map>
#include <memory>
#include <optional>

#include "app/common/frame.h"
#include "app/lessons/lesson_folder.h"

namespace glassformer::app {

/// What is remembered of the lessons from one start of the program to the next.
struct LessonMemory {
    bool offer = false;             ///< the first lesson still offers itself
    std::map<std::string, int> at;  ///< step (from 0) at which each lesson was left
};

/// Plays one lesson at a time: puts each step's scene on screen, looks up its numbers, keeps the guesses, and puts back
/// what was on screen before when the lesson is left. Asked through ViewState::lessons; drawn by lesson_view.h.
class LessonRunner {
public:
    /// `folder` of lesson files; may be empty.
    explicit LessonRunner(const std::filesystem::path& folder);

    /// Rereads changed files, once a second; true when the screen should be drawn again.
    bool poll(double now);
    /// Every frame, before anything is drawn: does what was asked, and what had to wait for the worker.
    void update(const Frame& frame);
    /// N or Enter, P, 1 to 6.
    void handle_keys(const Frame& frame);
    /// Every frame, when all is drawn: tells of a lit item that is not there (where `all_panels` are), and of numbers.
    void check(const Frame& frame, bool all_panels);
    /// An item to scroll to, in the first frames of a scene; else empty.
    std::string_view reveal() const;

    const LessonFolder& folder() const { return folder_; }
    LessonMemory& memory() { return memory_; }
    /// The offer is on screen: nothing is open, it was not dismissed, and its model is the one on screen.
    bool offering() const { return memory_.offer && !put_off_ && !lesson_ && !wanted() && offer_fits_; }
    void put_off_offer() { put_off_ = true; }
    void dismiss_offer() { memory_.offer = false; }

    /// A lesson that was asked for, and that waits for its model to be opened; null where none does.
    const Lesson* wanted() const;
    void give_up_wanted() { wanted_.reset(); }

    bool open() const { return lesson_ != nullptr; }
    const std::shared_ptr<const Lesson>& lesson() const { return lesson_; }
    int at() const { return at_; }
    const LessonStep& step() const { return lesson_->steps[static_cast<std::size_t>(at_)]; }
    /// A step's scene, or that after its guess.
    const Scene& scene() const;
    /// The scene is on screen: the worker has traced its sentences.
    bool on_screen() const { return lesson_ && !waiting_; }

    static constexpr int no_guess = -1, only_shown = -2;
    int guess() const { return guesses_[static_cast<std::size_t>(at_)]; }
    /// Whether the step asks something and waits for the guess.
    bool asks() const { return step().question && guess() == no_guess; }
    /// A choice, or only_shown: the answer without a guess.
    void take_guess(const Frame& frame, int choice);
    /// Which choices the model on screen makes right.
    const std::vector<bool>& right() const { return values_.right; }

    /// The expressions of the step's text and of what follows the guess, in order; and the items to point at.
    const std::vector<LiveValue>& text_values() const { return values_.text; }
    const std::vector<LiveValue>& after_values() const { return values_.after; }
    const std::vector<std::string>& lights() const { return values_.lights; }
    /// Items to cover, because they would tell the answer.
    const std::vector<std::string>& hides() const { return values_.hides; }

    /// From the first scene until what was on screen before is back.
    bool playing() const { return before_.has_value(); }
    /// How many scenes were put on screen: each is a new beginning for undo.
    int scenes() const { return scenes_; }

    /// The choices that hold outside of the lesson (settings are made of them).
    const ViewState& outside(const ViewState& now) const { return before_ ? before_->state : now; }

    /// How high the text of the longest step is, kept by lesson_view.cpp as long as nothing of this changes.
    struct Measured {
        const Lesson* lesson = nullptr;
        float width = 0, scale = 0, height = 0;
    };
    Measured& measured() const { return measured_; }

    /// What is wrong with a lesson file; empty when nothing is, or it was dismissed.
    const std::string& error() const { return error_; }
    void dismiss_error() { error_.clear(); }

private:
    struct Before {
        ViewState state;
        std::array<std::string, 2> texts;
        std::int64_t step = -1;  ///< −1: the newest
    };
    struct Values {
        std::uint64_t snapshot = 0;
        std::vector<LiveValue> text, after;
        std::vector<std::string> lights, hides;
        std::vector<bool> right;
    };

    /// A lesson and its step, until its model is there.
    struct Wanted {
        std::string name;
        int step = -1;  ///< −1: where it was left
    };

    void follow_model(const Frame& frame);
    void forget(const Frame& frame);
    void obey(const Frame& frame);
    void start(const Frame& frame, int which, int step);
    void leave(const Frame& frame);
    void enter(const Frame& frame);
    void ask_worker(const Frame& frame, const std::array<std::string, 2>& texts, std::optional<std::int64_t> step);
    const Comparing& compared() const;
    bool answered(const Snapshot& snapshot) const;
    void take_answer(const Frame& frame);
    void show(const Frame& frame);
    void choose_words(const Frame& frame);
    void find_strongest(const Frame& frame) const;
    void turn_to_panel(ViewState& state) const;
    void put_back(const Frame& frame);
    void look_up(const Frame& frame);
    void take_reloaded(const Frame& frame);
    void check_items(const Frame& frame, const LiveText& source, std::string_view labels, const char* field);
    void report(int line, const std::string& field, const std::string& why);

    LessonFolder folder_;
    LessonMemory memory_;
    bool put_off_ = false, reloaded_ = true, offer_fits_ = false;
    std::optional<Wanted> wanted_;
    std::shared_ptr<const ModelInfo> model_;  // on screen in the frame before

    std::shared_ptr<const Lesson> lesson_;
    int at_ = 0;
    std::vector<int> guesses_;  // by step
    Values values_;
    int layer_ = 0, head_ = 0;  // of the scene, as they were found

    // What the worker was asked for, until it is on screen.
    bool waiting_ = false;
    std::array<std::string, 2> texts_;
    std::optional<std::int64_t> step_asked_;
    std::uint64_t asked_at_ = 0;

    std::optional<Before> before_;  // while a lesson is open, and until all is put back
    int frames_shown_ = 0;          // of this scene
    int scenes_ = 0;
    bool checked_ = false;
    std::string error_;
    mutable Measured measured_;
};

}  // namespace glassformer::app
