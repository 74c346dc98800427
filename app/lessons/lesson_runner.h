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

/// The lessons of a folder, in the order of their files' names, and behind them those of other places: a person's own
/// folder, single files, and what came with a model. A file that changes is read again, and so is one with a
/// picture that does; one that cannot be read keeps what it said before, and its error is reported once.
class LessonFolder {
public:
    /// Nothing when the folder's path is empty or there is no such folder.
    explicit LessonFolder(const std::filesystem::path& folder);
    /// Looks there as well from now on: another folder, or one file.
    void look_also(const std::filesystem::path& place);
    /// A lesson that is in no file here. Where there is one of the same text already it is that one; of another text
    /// with the same name, this one gets a name of its own. Returns the name.
    std::string take(Lesson lesson, std::string source);

    /// Looks at the files once a second (`now` in seconds, of any clock); true when something was read.
    bool poll(double now);
    /// Looks at once.
    bool refresh();

    const std::vector<std::shared_ptr<const Lesson>>& lessons() const { return lessons_; }
    /// The lesson of this file name (without ending), or of this title; −1 when there is none.
    int find(std::string_view name) const;

    /// Its file; empty where it has none.
    std::filesystem::path file_of(std::string_view name) const;
    /// The text that a lesson was made of, as its file is now; empty where that cannot be read any more.
    std::string source_of(std::string_view name) const;

    /// What could not be read in the last look that found a change: "file:line: field: why"; empty when all is well.
    const std::string& error() const { return error_; }

private:
    struct File {
        std::filesystem::path path;
        std::vector<FileStamp> read;  // with its pictures, as they were
        std::shared_ptr<const Lesson> lesson;
        bool changed() const;
    };
    /// A lesson without a file, and its text.
    struct Taken {
        std::shared_ptr<const Lesson> lesson;
        std::string source;
    };
    std::vector<std::filesystem::path> look() const;
    void read(File& file);
    void list();

    std::vector<std::filesystem::path> places_;
    std::vector<Taken> taken_;
    std::vector<File> files_;
    std::vector<std::shared_ptr<const Lesson>> lessons_;
    std::string error_;
    double looked_ = -1e9;
    int language_ = language_changes();  // that the files were chosen in
};

/// What is remembered of the lessons from one start of the program to the next.
struct LessonMemory {
    bool offer = false;             ///< the first lesson still offers itself
    std::map<std::string, int> at;  ///< step (from 0) at which each lesson was left
    bool operator==(const LessonMemory&) const = default;
};

/// Plays one lesson at a time: puts each step's scene on screen, looks up its numbers, keeps the guesses, opens the
/// models that it needs, and puts back what was on screen before when the lesson is left. Asked through
/// ViewState::window.lessons; drawn by lesson_view.h.
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
    /// Lessons of another place as well: see LessonFolder::look_also().
    void look_also(const std::filesystem::path& place);
    /// A lesson that came with a model: see LessonFolder::take().
    std::string take(Lesson lesson, std::string source);

    /// How far the lesson that is open was played; it goes into a .glass file.
    struct Progress {
        std::string lesson;
        int at = 0;
        std::vector<int> guesses;  ///< by step
    };
    /// Of no lesson where none is open.
    Progress progress() const { return lesson_ ? Progress{lesson_->name, at_, guesses_} : Progress{}; }
    /// The next time that this lesson begins, these guesses have been made. Those that it cannot have are left out.
    void remember(Progress progress) { resumed_ = std::move(progress); }
    LessonMemory& memory() { return memory_; }
    const LessonMemory& memory() const { return memory_; }
    /// An offer is on screen: the way back, or else the first lesson.
    bool offering() const { return way_back() || offering_first(); }
    /// Nothing is open, it was not dismissed, and its model is the one on screen.
    bool offering_first() const { return memory_.offer && !put_off_ && !lesson_ && !wanted() && offer_fits_; }
    void put_off_offer() { put_off_ = true; }
    void dismiss_offer() { memory_.offer = false; }

    /// A lesson that was asked for, and that waits for its model to be opened; null where none does.
    const Lesson* wanted() const;
    /// The model that it waits for, and whether that is one that has not been trained.
    std::string wanted_model() const;
    bool wants_fresh() const;
    /// The model on screen when that lesson will have ended.
    const ModelInfo& comes_back(const Snapshot& snapshot) const;
    /// Its cells, where it is a fresh one that takes gigabytes; else 0.
    std::int64_t wanted_size(const Snapshot& snapshot) const;
    /// It is being made.
    bool making(const Snapshot& snapshot) const { return wanted_ && making_ == snapshot.error_number; }
    /// Not any more once the worker has said so: it may be there by then, and the lesson begins.
    void give_up_wanted(const Frame& frame);

    /// Leaving the lesson now would drop a training of the person's own: it stays, with the way back.
    bool training_stays(const Snapshot& snapshot) const;
    /// The model from before the lesson, where that training has stayed in its place; null where nothing has.
    const ModelInfo* way_back() const { return left_ && !lesson_ && !wanted() ? left_->model.get() : nullptr; }
    /// To it; asks what becomes of the training.
    void go_back(const Frame& frame);
    void stay_here(const Frame& frame);

    /// This model was made for the lesson, and is no work of a person's.
    void take_as_own(std::shared_ptr<const ModelInfo> made) {
        fresh_ = std::move(made);
        fresh_as_.clear();
    }

    /// What was done in the tasks.
    Homework& homework() { return homework_; }
    const Homework& homework() const { return homework_; }
    /// From now on what is done in lessons with tasks is kept in this folder.
    void keep_homework_in(std::filesystem::path folder) { kept_.keep_in(std::move(folder)); }
    /// Every frame, when all is drawn: writes what was done there.
    void keep_work(const Frame& frame);

    bool open() const { return lesson_ != nullptr; }
    const std::shared_ptr<const Lesson>& lesson() const { return lesson_; }
    int at() const { return at_; }
    const LessonStep& step() const { return lesson_->steps[at_]; }
    /// The lesson after this one, or null.
    const Lesson* next() const;
    /// A step's scene, or that after its guess.
    const Scene& scene() const;
    /// The step trains its model, or the runs of an experiment, and has not come to what it speaks of or waits for.
    bool waits(const Snapshot& snapshot) const;
    /// The scene is on screen: the worker has traced its sentences.
    bool on_screen() const { return lesson_ && !opening_ && !stage_.waiting(); }
    /// Where the step's expressions are looked up.
    LivePlace place(const Snapshot& snapshot) const {
        LivePlace place = stage_.place(snapshot);
        place.held = held_;
        return place;
    }
    /// No lesson is on its way: there is none, or its scene is on screen.
    bool rests() const { return on_screen() || (!lesson_ && !wanted_ && !before_ && !resumed_); }
    /// A person has left the scene; again() brings it back.
    bool led_elsewhere(const Frame& frame) const { return on_screen() && stage_.led_elsewhere(frame); }
    void again(const Frame& frame) { enter(frame); }

    static constexpr int no_guess = -1, only_shown = -2;
    int guess() const { return guesses_[at_]; }
    /// Whether the step asks something and waits for the guess.
    bool asks() const { return step().question && guess() == no_guess; }
    /// A choice, or only_shown: the answer without a guess.
    void take_guess(const Frame& frame, int choice);
    /// The question as it is asked: its choices, and after the guess which of them are right.
    const AskedQuestion& asked() const { return asked_[at_]; }

    /// The step's text and what follows the guess, with their numbers.
    const ShownText& text() const { return asked().text; }
    const ShownText& after() const { return values_.after; }
    /// Why the guess is wrong; empty where it is right, or nobody has said why.
    const ShownText& because() const { return values_.because; }
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
        int step = -1;  // that it is of alone; −1: of all of them
        float width = 0, window_height = 0, scale = 0, height = 0;
    };
    Measured& measured() const { return measured_; }

    /// What is wrong with a lesson file, a line each; empty when nothing is, or it was dismissed.
    const std::string& error() const { return error_; }
    void dismiss_error() { error_.clear(); }

private:
    /// What was on screen before a lesson.
    struct Before {
        ViewState state;
        LessonStage::Wish shown;
        std::shared_ptr<const ModelInfo> model;
        std::string run;  // the folder that its training is kept in; empty: none
        std::optional<TrainingSetup> setup;
    };
    struct Values {
        std::uint64_t snapshot = 0;
        ShownText after, because;
        std::vector<std::string> lights, hides;
    };
    /// A lesson and its step, until its model is there.
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
    /// Opens the model that is waited for; what is on screen now comes back when the lesson ends.
    void open_wanted(const Frame& frame);
    void drop_wanted();
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
    std::optional<Before> former_;               // on screen when the model that is waited for was asked for
    std::optional<Before> left_;                 // before a lesson whose training stayed on screen
    std::shared_ptr<const ModelInfo> model_;     // on screen in the frame before
    std::shared_ptr<const ModelInfo> fresh_;     // that the lesson began untrained
    std::vector<SetupSwitch> fresh_as_;          // what it was built with
    std::shared_ptr<const ModelInfo> for_task_;  // that model, trained for a task that is not done
    bool asked_fresh_ = false;                   // it is on its way
    std::optional<std::uint64_t> making_;        // it is being made since Snapshot::error_number was this
    std::optional<std::uint64_t> giving_up_;     // until Snapshot::given_up is this
    mutable std::map<std::string, std::optional<TransformerConfig>> proposed_;  // by world
    struct Sized {
        std::string world;
        std::vector<SetupSwitch> switches;
        std::int64_t cells = 0;
    };
    mutable Sized sized_;  // the fresh model that was asked about last

    std::shared_ptr<const Lesson> lesson_;
    int at_ = 0;
    std::vector<int> guesses_;          // by step
    std::vector<AskedQuestion> asked_;  // by step
    Values values_;
    std::optional<Snapshot> spoken_of_;  // what the text's numbers are of
    LessonStage stage_;
    bool opening_ = false;           // the step's model is on its way
    bool waited_ = false;            // the step has begun to train
    bool opened_page_ = false;       // of experiments, for a step
    bool experiment_ended_ = false;  // what the step wants of it has been there
    std::optional<int> held_;        // runs in which the claim on its page holds
    struct OwnExperiment;
    std::shared_ptr<const OwnExperiment> own_experiment_;  // on that page before the lesson's

    std::optional<Before> before_;  // while a lesson is open, and until all is put back
    int frames_shown_ = 0;          // of this scene
    int scenes_ = 0;
    bool checked_ = false;
    std::string error_;
    mutable Measured measured_;
};

}  // namespace glassformer::app
