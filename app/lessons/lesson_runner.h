#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/common/frame.h"
#include "app/language/tr.h"
#include "app/lessons/homework.h"
#include "app/lessons/lesson_file.h"
#include "app/lessons/lesson_stage.h"
#include "app/lessons/lesson_values.h"

namespace glassformer::app {

/// The lessons of a folder, in the order of their file names, followed by those from elsewhere: the user's own folder,
/// single files, and lessons that came with a model. A file is read again when it or one of its pictures changes; if
/// that fails, its old content stays and the error is reported once.
class LessonFolder {
public:
    /// Empty if the path is empty or there is no such folder.
    explicit LessonFolder(const std::filesystem::path& folder);
    /// Also looks in another folder, or at one file, from now on.
    void look_also(const std::filesystem::path& place);
    /// Adds a lesson that is in no file here, and returns its name. If a lesson with the same text exists, that one is
    /// used; if another text has the same name, the new lesson is renamed.
    std::string take(Lesson lesson);

    /// Checks the files once a second (`now` in seconds, of any clock); returns true if something was read.
    bool poll(double now);
    /// Checks the files immediately.
    bool refresh();

    const std::vector<std::shared_ptr<const Lesson>>& lessons() const { return lessons_; }
    /// Returns the index of the lesson with this file name (without extension) or title; −1 if there is none.
    int find(std::string_view name) const;

    /// Returns the name of the lesson in a file of a folder or file added before; empty if it could not be read. A
    /// second lesson with the same file name is called "name-2".
    std::string name_of(const std::filesystem::path& file) const;

    /// Returns the lesson's file; empty if it has none.
    std::filesystem::path file_of(std::string_view name) const;

    /// What could not be read by the last check that found a change: "file:line: field: why"; empty if all is well.
    const std::string& error() const { return error_; }

private:
    struct File {
        std::filesystem::path path;
        std::vector<FileStamp> read;  // with its pictures, in the state last read
        std::shared_ptr<const Lesson> lesson;
        bool changed() const;
    };
    std::vector<std::filesystem::path> look() const;
    void read(File& file);
    void list();
    std::string free_name(const std::string& name) const;

    std::vector<std::filesystem::path> places_;
    std::vector<std::shared_ptr<const Lesson>> taken_;  // without a file
    std::vector<File> files_;
    std::vector<std::shared_ptr<const Lesson>> lessons_;
    std::string error_;
    double looked_ = -1e9;
    int language_ = language_changes();  // language for which the files were chosen
};

/// What is remembered about the lessons between starts of the program.
struct LessonMemory {
    bool offer = false;             ///< the first lesson still offers itself
    std::map<std::string, int> at;  ///< step (from 0) at which each lesson was left
    bool operator==(const LessonMemory&) const = default;
};

/// Plays one lesson at a time: puts each step's scene on screen, evaluates its numbers, keeps the guesses, opens the
/// models it needs, and restores the previous screen when the lesson is left. Receives requests through
/// ViewState::window.lessons; drawn by lesson_view.h.
class LessonRunner {
public:
    /// `folder` holds the lesson files; may be empty.
    explicit LessonRunner(const std::filesystem::path& folder);

    /// Rereads changed files, once a second; returns true if the screen should be redrawn.
    bool poll(double now);
    /// Handles requests, and whatever had to wait for the worker. Call this every frame before anything is drawn.
    void update(const Frame& frame);
    /// Handles N or Enter, P, and 1 to 6.
    void handle_keys(const Frame& frame);
    /// Reports highlighted items that are missing (if `all_panels` are drawn) and unknown numbers. Call this every
    /// frame after everything is drawn.
    void check(const Frame& frame, bool all_panels);
    /// Returns an item to scroll to, in the first frames of a scene; otherwise empty.
    std::string_view reveal() const;

    const LessonFolder& folder() const { return folder_; }
    /// Adds lessons from another place: see LessonFolder::look_also().
    void look_also(const std::filesystem::path& place);
    /// Adds a lesson that came with a model: see LessonFolder::take().
    std::string take(Lesson lesson);

    /// How far the open lesson was played; saved in a .glass file.
    struct Progress {
        std::string lesson;
        int at = 0;
        std::vector<int> guesses;  ///< by step
    };
    /// Empty if no lesson is open.
    Progress progress() const { return lesson_ ? Progress{lesson_->name, at_, guesses_} : Progress{}; }
    /// Restores these guesses the next time this lesson begins, except those that the lesson cannot have.
    void remember(Progress progress) { resumed_ = std::move(progress); }
    LessonMemory& memory() { return memory_; }
    const LessonMemory& memory() const { return memory_; }
    /// Nothing is open, the offer was not dismissed, and the first lesson's model is on screen.
    bool offering_first() const { return memory_.offer && !put_off_ && !lesson_ && !wanted() && offer_fits_; }
    void put_off_offer() { put_off_ = true; }
    void dismiss_offer() { memory_.offer = false; }

    /// Returns the lesson that was asked for and waits for its model to be opened; null if none does.
    const Lesson* wanted() const;
    /// The model that it waits for, and whether that is an untrained one.
    std::string wanted_model() const;
    bool wants_fresh() const;
    /// Returns the model that is on screen after the waiting lesson has ended.
    const ModelInfo& comes_back(const Snapshot& snapshot) const;
    /// Returns the number of parameters of that model if it is a fresh one that takes gigabytes; otherwise 0.
    std::int64_t wanted_size(const Snapshot& snapshot) const;
    /// That model is being made.
    bool making(const Snapshot& snapshot) const { return wanted_ && making_ == snapshot.error_number; }
    /// Cancels the waiting lesson. If its model is being made, the worker must confirm this first; if the model is
    /// ready by then, the lesson begins.
    void give_up_wanted(const Frame& frame);

    /// Leaving the lesson now would drop a training of the user's own, so that stays on screen, with a way back.
    bool training_stays(const Snapshot& snapshot) const;
    /// Returns the model from before the lesson, if that training stayed in its place; otherwise null.
    const ModelInfo* way_back() const { return left_ && !lesson_ && !wanted() ? left_->model.get() : nullptr; }
    /// Returns to that model; first asks what should happen to the training.
    void go_back(const Frame& frame);
    void stay_here(const Frame& frame);

    /// Ends the lesson, unless it has asked for the model that came: the user has opened a file with a screen of its
    /// own.
    void give_way(const Frame& frame);
    /// Forgets the lesson that waits for its model: the user has opened something else to look at.
    void drop_wanted();

    /// Declares that this model was made for the lesson and is not the user's work.
    void take_as_own(std::shared_ptr<const ModelInfo> made) {
        fresh_ = std::move(made);
        fresh_as_.clear();
    }

    /// The answers to the tasks.
    Homework& homework() { return homework_; }
    const Homework& homework() const { return homework_; }
    /// Saves the work in lessons with tasks in this folder from now on.
    void keep_homework_in(std::filesystem::path folder) { kept_.keep_in(std::move(folder)); }
    /// Saves the work. Call this every frame after everything is drawn.
    void keep_work(const Frame& frame);

    bool open() const { return lesson_ != nullptr; }
    const std::shared_ptr<const Lesson>& lesson() const { return lesson_; }
    int at() const { return at_; }
    const LessonStep& step() const { return lesson_->steps[at_]; }
    /// Returns the lesson after this one, or null.
    const Lesson* next() const;
    /// Returns the step's scene, or the scene after its guess.
    const Scene& scene() const;
    /// The step is training its model, or the runs of an experiment, and has not reached what it describes or waits
    /// for.
    bool waits(const Snapshot& snapshot) const;
    /// The scene is on screen: the worker has traced its sentences.
    bool on_screen() const { return lesson_ && has_model() && !stage_.waiting(); }
    /// Why the step's model could not be opened or made; empty: it was, or is being opened. The step then has no scene,
    /// and the user may go on to others or try again.
    const std::string& refusal() const { return refusal_; }
    /// Returns the context in which the step's expressions are evaluated.
    LivePlace place(const Snapshot& snapshot) const {
        LivePlace place = stage_.place(snapshot);
        place.held = held_;
        return place;
    }
    /// No lesson is starting: there is none, or its scene is on screen.
    bool rests() const { return on_screen() || (!lesson_ && !wanted_ && !before_ && !resumed_); }
    /// The user has left the scene; again() brings it back.
    bool led_elsewhere(const Frame& frame) const { return on_screen() && stage_.led_elsewhere(frame); }
    void again(const Frame& frame) { enter(frame); }

    static constexpr int no_guess = -1, only_shown = -2;
    int guess() const { return guesses_[at_]; }
    /// Whether the step asks a question and waits for the guess.
    bool asks() const { return step().question && guess() == no_guess; }
    /// Records a choice, or only_shown for seeing the answer without a guess.
    void take_guess(const Frame& frame, int choice);
    /// The question as it is asked: its choices and, after the guess, which of them are right.
    const AskedQuestion& asked() const { return asked_[at_]; }

    /// The step's text and the text after the guess, with their numbers.
    const ShownText& text() const { return asked().text; }
    const ShownText& after() const { return values_.after; }
    /// Why the guess is wrong; empty if it is right or the lesson does not say.
    const ShownText& because() const { return values_.because; }
    const std::vector<std::string>& lights() const { return values_.lights; }
    /// Items to cover because they would reveal the answer.
    const std::vector<std::string>& hides() const { return values_.hides; }

    /// True from the first scene until the previous screen is restored.
    bool playing() const { return before_.has_value(); }
    /// Number of scenes put on screen so far; undo starts anew at each.
    int scenes() const { return scenes_; }

    /// Returns the choices that apply outside the lesson (settings are made from these).
    const ViewState& outside(const ViewState& now) const { return before_ ? before_->state : now; }

    /// The height of the longest step's text, cached by lesson_view.cpp while none of these fields changes.
    struct Measured {
        const Lesson* lesson = nullptr;
        int step = -1;  // the one step measured; −1: all of them
        float width = 0, window_height = 0, scale = 0, height = 0;
    };
    Measured& measured() const { return measured_; }

    /// Problems in a lesson file, one per line; empty if there are none or they were dismissed.
    const std::string& error() const { return error_; }
    void dismiss_error() { error_.clear(); }

private:
    /// What was on screen before a lesson.
    struct Before {
        ViewState state;
        LessonStage::Wish shown;
        std::shared_ptr<const ModelInfo> model;
        std::string run;  // folder in which its training is kept; empty: none
        std::optional<TrainingSetup> setup;
    };
    struct Values {
        std::uint64_t snapshot = 0;
        ShownText after, because;
        std::vector<std::string> lights, hides;
    };
    /// A lesson and its step, while it waits for its model.
    struct Wanted {
        std::string name;
        int step = -1;  ///< −1: where it was left
    };

    static Before screen_of(const Frame& frame);
    void note_kept_run(const Snapshot& snapshot);
    bool fits(const Snapshot& snapshot, const Lesson& lesson, const Scene& scene) const;
    bool fits_shipped(const Snapshot& snapshot, const Lesson& lesson, const Scene& scene,
                      const std::string& shipped) const;
    bool is_of_program(const Snapshot& snapshot, const Lesson& lesson) const;
    const std::optional<TransformerConfig>& proposed(const Snapshot& snapshot, const std::string& world) const;
    const Scene& first_scene(const Lesson& lesson, int step) const;
    int step_to_begin(const Lesson& lesson, int step) const;
    void follow_model(const Frame& frame);
    void follow_left(const Frame& frame);
    void forget(const Frame& frame);
    /// Opens the model that is waited for; the current screen comes back when the lesson ends.
    void open_wanted(const Frame& frame);
    std::int64_t large_size(const Snapshot& snapshot, const Scene& scene) const;
    void obey(const Frame& frame);
    void start(const Frame& frame, int which, int step);
    bool can_open_wanted(const Snapshot& snapshot) const;
    void take_guesses_back();
    void ask_again(const Frame& frame);
    void take_work_back(const Frame& frame, const Lesson& lesson);
    void start_over(const Frame& frame);
    void leave(const Frame& frame);
    void enter(const Frame& frame);
    void open_model(const Frame& frame, const Scene& scene);
    void note_fresh(const Snapshot& snapshot, const Scene& scene);
    void note_task_training(const Snapshot& snapshot);
    bool has_model() const { return !opening_ && refusal_.empty(); }
    void note_refusal(const Snapshot& snapshot);
    bool is_for_lesson(const Snapshot& snapshot) const;
    bool is_own_training(const Snapshot& snapshot) const;
    Command opening(const Frame& frame, const Scene& scene);
    static Command opening_of(const Before& before, const Snapshot& snapshot);
    bool can_set_aside(const Snapshot& snapshot) const;
    void take_answer(const Frame& frame);
    void turn_to_panel(ViewState& state) const;
    void return_to_former(const Frame& frame);
    void put_back(const Frame& frame);
    void train_for_wait(const Frame& frame);
    void show_experiment(const Frame& frame);
    void set_experiment_aside(const Frame& frame);
    void give_experiment_back(const Frame& frame);
    void follow_experiment(const Frame& frame);
    bool experiment_runs(const Snapshot& snapshot) const;
    void look_up(const Snapshot& snapshot);
    void say_again(const Frame& frame);
    void close_numbers();
    void set_secrets(const Frame& frame) const;
    void take_reloaded(const Frame& frame);
    void check_items(const Frame& frame, const LiveText& source, std::string_view labels, const char* field);
    void report(int line, const std::string& field, const std::string& why);
    LessonStage::Report reporter() {
        return [this](int line, const std::string& field, const std::string& why) { report(line, field, why); };
    }

    LessonFolder folder_;
    LessonMemory memory_;
    Homework homework_;
    KeptHomework kept_;
    bool put_off_ = false, reloaded_ = true, offer_fits_ = false;
    std::optional<Wanted> wanted_;
    std::optional<Progress> resumed_;
    std::optional<Before> former_;               // on screen when the model now waited for was requested
    std::optional<Before> left_;                 // from before a lesson whose training stayed on screen
    std::shared_ptr<const ModelInfo> model_;     // on screen in the previous frame
    std::shared_ptr<const ModelInfo> fresh_;     // untrained model with which the lesson began
    std::vector<SetupSwitch> fresh_as_;          // switches it was built with
    std::shared_ptr<const ModelInfo> for_task_;  // fresh_, while trained for an unfinished task
    bool asked_fresh_ = false;                   // a fresh model was requested
    std::optional<std::uint64_t> making_;        // being made while Snapshot::error_number has this value
    std::optional<std::uint64_t> giving_up_;     // until Snapshot::given_up reaches this value
    mutable std::map<std::string, std::optional<TransformerConfig>> proposed_;  // by world
    struct Sized {
        std::string world;
        std::vector<SetupSwitch> switches;
        std::int64_t cells = 0;
    };
    mutable Sized sized_;  // the fresh model last asked about

    std::shared_ptr<const Lesson> lesson_;
    int at_ = 0;
    std::vector<int> guesses_;          // by step
    std::vector<AskedQuestion> asked_;  // by step
    Values values_;
    std::optional<Snapshot> spoken_of_;  // to which the text's numbers belong
    LessonStage stage_;
    std::string refusal_;
    bool opening_ = false;             // the step's model is being opened
    std::uint64_t errors_before_ = 0;  // Snapshot::error_number when that was asked for
    bool waited_ = false;              // the step has begun to train
    bool opened_page_ = false;         // the experiment page, for a step
    bool experiment_ended_ = false;    // the step's experiment has ended at least once
    std::optional<int> held_;          // runs in which the claim on its page holds
    struct OwnExperiment;
    std::shared_ptr<const OwnExperiment> own_experiment_;  // on that page before the lesson's

    std::optional<Before> before_;  // while a lesson is open, and until everything is restored
    int frames_shown_ = 0;          // of this scene
    int scenes_ = 0;
    bool checked_ = false;
    std::string error_;
    mutable Measured measured_;
};

}  // namespace glassformer::app
