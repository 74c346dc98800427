#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/lessons/live_numbers.h"
#include "app/session/experiment_plan.h"
#include "app/session/setup_switches.h"
#include "core/analysis/what_if.h"

/// The content of a lesson, as its file gives it. Plain data: lesson_file.h reads it, lesson_runner.h plays it.
namespace glassformer::app {

/// How a scene finds its head if it does not name one.
enum class FindHead { no, strongest, previous, induction };

/// Where to look for a head: in the sentences and at the training step of the lesson step that asks for it. Later steps
/// keep the head, whatever they show.
struct HeadSearch {
    FindHead how = FindHead::no;
    std::array<std::string, 2> sentences = {};
    std::optional<std::int64_t> step = {};
    bool operator==(const HeadSearch&) const = default;
};

/// A change to the model that a scene asks for.
struct SceneChange {
    WhatIf change;
    bool this_head = false;  ///< in the block and head that the scene has found
    std::string word = {};   ///< where part of a head is patched; empty: at every word
};

/// What card B shows instead of a sentence of its own.
struct Beside {
    Comparing::What what = Comparing::What::sentences;
    std::string model;                    ///< for `models`: a shipped model
    std::int64_t step = 0;                ///< for `steps`
    std::optional<HeadChoice> head = {};  ///< for `heads`: B's head; if none, the one after A's
};

/// An attention weight that a scene sets by hand; the rest of its row is rescaled.
struct Paint {
    Expression cell;
    float weight = 0;
};

/// What the text asks the student to do, and what holds afterwards; `lesson check` does it.
struct LessonTry {
    int line = 0;
    std::vector<std::string> actions;  ///< commands of a script (app/script/script.h)
    Condition then;
};

/// What is on screen during a step. Complete: fields that a step does not set are inherited from the previous step.
struct Scene {
    std::string model;                     ///< by its world or its folder's name; empty: any
    bool fresh = false;                    ///< untrained when the lesson begins; `step` trains it
    bool shipped = false;                  ///< the program's own, not one that the student trained
    std::vector<SetupSwitch> switches;     ///< for a fresh model: how it differs from its world's proposal
    std::array<std::string, 2> sentences;  ///< A and B; empty: those already there
    std::optional<int> layer, head;
    HeadSearch search;                 ///< if `head` is not given
    std::array<std::string, 2> words;  ///< selected in A and B; empty: the word with two meanings
    int slot = 0;                      ///< the sentence being worked on
    std::string view;                  ///< name of the view of the sentences; empty: the first
    int page = 0;                      ///< of that view, if it has several
    bool compare = true;
    Beside beside;
    Panel panel = Panel::sentence_a;   ///< to which a window too small for all panels switches
    int meaning_layer = -1;            ///< of the map: 0 the embedding, l + 1 after block l; −1 follows the block
    std::optional<std::int64_t> step;  ///< of the training; none: the newest
    std::optional<bool> to_source;     ///< for a translation: whether "attention" means attention to the source
    float temperature = 1.0f;
    WordColour colour = WordColour::attention;
    std::vector<Knob> experiment;  ///< runs that the experiment page trains and shows; empty: no page
    int experiment_cards = 0;      ///< what their cards show: attention, prediction, meanings
    std::string experiment_claim;  ///< evaluated in each run; empty: none
    // The fields below apply to this step only.
    std::vector<SceneChange> what_if;
    std::vector<Paint> paints;
    int generate = 0;               ///< words for the model to generate in A, each the most likely
    std::optional<Condition> wait;  ///< for a fresh model: train until this holds
    std::optional<Expression> explain;
    std::vector<LiveText> hides;    ///< items to cover
    std::vector<Expression> keeps;  ///< values to cover wherever they appear
    std::vector<LiveText> lights;   ///< items to highlight; " + " joins several into one frame
    std::vector<Condition> claims;  ///< what the text says; for `lesson check`
    std::vector<LessonTry> tries;
};

/// A paragraph, which may depend on what the model on screen does.
struct Paragraph {
    std::optional<Condition> when;  ///< shown if this holds
    bool otherwise = false;         ///< shown if no earlier conditional paragraph of its group was
    LiveText text;
};
using LessonText = std::vector<Paragraph>;

/// One of the answers to choose from.
struct Choice {
    LiveText text;
    std::optional<Condition> when;  ///< right if this holds
    LiveText because = {};          ///< why it is wrong, shown to whoever chose it; may be empty
};

/// A step's question. What follows it is shown once a choice has been made.
struct Question {
    int line = 0;
    std::vector<Choice> choices;
    std::optional<Expression> of;  ///< alternatively: its value and others of its kind, `count` in all
    int count = 0;
    LiveText because;       ///< with `of`: why any other value is wrong
    LiveText answer;        ///< if not empty, the choice with this text is right
    bool in_sight = false;  ///< the answer may be visible: it is to be read off the screen
    LessonText after;
    Scene scene;  ///< from then on
};

/// What the student should bring about on screen, by hand or by training.
struct LessonTask {
    int line = 0;
    Condition done;               ///< done when this holds
    bool typing = false;          ///< sentences other than the step's count too
    std::vector<LiveText> hints;  ///< shown one after another, on request
};

struct LessonStep {
    int line = 0;
    std::string title;
    Scene scene;
    LessonText text;
    std::optional<Question> question;
    std::optional<LessonTask> task;
    LessonText notes;  ///< for the lecturer only
};

/// A PNG beside the lesson's file, shown in a text.
struct LessonPicture {
    std::string file;  ///< path inside the lesson's folder
    int line = 0;      ///< where it is first shown
    int width = 0, height = 0;
    std::string png = {};      ///< the file's bytes; empty if it cannot be shown
    std::string problem = {};  ///< in that case: why, and what to do
};

struct Lesson {
    std::string name;      ///< of its file, without folder and extension
    std::string language;  ///< named in its file: "de"; empty: none
    std::string source;    ///< the text that it was parsed from
    std::string title, about;
    std::string next;                                ///< the following lesson, by its file name; empty: none
    int minutes = 0;                                 ///< how long it takes; 0: unknown
    std::vector<std::string> goes_wrong, exercises;  ///< for the teacher's sheet
    std::vector<LessonStep> steps;
    std::vector<std::shared_ptr<const LessonPicture>> pictures;  ///< each file once
    /// The model it begins with; empty: any.
    const std::string& model() const { return steps.front().scene.model; }
};

}  // namespace glassformer::app
