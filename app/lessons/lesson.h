#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/lessons/live_numbers.h"
#include "app/session/experiment_plan.h"
#include "app/session/setup_switches.h"
#include "core/analysis/what_if.h"

/// What a lesson consists of, as its file says it. Plain data: lesson_file.h reads it, lesson_runner.h plays it.
namespace glassformer::app {

/// How a scene finds its head, where it does not name it.
enum class FindHead { no, strongest, previous, induction };

/// What a head is looked for in: the sentences and the training step of the step of the lesson that asks for it. The
/// steps after that one keep the head, whatever they show.
struct HeadSearch {
    FindHead how = FindHead::no;
    std::array<std::string, 2> sentences = {};
    std::optional<std::int64_t> step = {};
    bool operator==(const HeadSearch&) const = default;
};

/// A change to the model that a scene asks for.
struct SceneChange {
    WhatIf change;
    bool this_head = false;  ///< of the block and head that the scene has found
    std::string word = {};   ///< where a part of a head is patched; empty: at every word
};

/// What card B shows in place of a sentence of its own.
struct Beside {
    Comparing::What what = Comparing::What::sentences;
    std::string model;                    ///< shipped, where models are compared
    std::int64_t step = 0;                ///< where steps are
    std::optional<HeadChoice> head = {};  ///< B's, where heads are; else the next one after A's
};

/// A weight that a scene paints into a pattern by hand; the others of its row share the rest.
struct Paint {
    Expression cell;
    float weight = 0;
};

/// What the text asks the student to do, and what then holds; `lesson check` does it.
struct LessonTry {
    int line = 0;
    std::vector<std::string> actions;  ///< commands of a script (app/script/script.h)
    Condition then;
};

/// What is on screen during a step. Complete: what a step did not say was taken over from the step before it.
struct Scene {
    std::string model;                     ///< by its world or its folder's name; empty: any
    bool fresh = false;                    ///< untrained when the lesson begins; `step` trains it
    bool shipped = false;                  ///< the program's own, not one that the student trained
    std::vector<SetupSwitch> switches;     ///< of a fresh one: where it is not as its world proposes
    std::array<std::string, 2> sentences;  ///< A and B; empty: whatever is there
    std::optional<int> layer, head;
    HeadSearch search;                 ///< where `head` is not given
    std::array<std::string, 2> words;  ///< chosen in A and B; empty: the word with two meanings
    int slot = 0;                      ///< the sentence that is worked on
    std::string view;                  ///< name of the sentences' picture; empty: the first
    int page = 0;                      ///< of that picture, where it has several
    bool compare = true;
    Beside beside;
    Panel panel = Panel::sentence_a;   ///< that a window too small for all of them turns to
    int meaning_layer = -1;            ///< of the map: 0 the embedding, l + 1 after block l; −1 follows the block
    std::optional<std::int64_t> step;  ///< of the training; none: the newest
    std::optional<bool> to_source;     ///< of a translation: whether "attention" means that to the source sentence
    float temperature = 1.0f;
    WordColour colour = WordColour::attention;
    std::vector<Knob> experiment;  ///< runs that the page of experiments trains and shows; empty: no such page
    int experiment_cards = 0;      ///< what their cards show: attention, prediction, meanings
    std::string experiment_claim;  ///< held against each of them; empty: nothing
    // Of this step alone.
    std::vector<SceneChange> what_if;
    std::vector<Paint> paints;
    int generate = 0;               ///< words that the model goes on with in A, each the likeliest
    std::optional<Condition> wait;  ///< of a fresh model: it is trained until this holds
    std::optional<Expression> explain;
    std::vector<LiveText> hides;    ///< items to cover
    std::vector<Expression> keeps;  ///< values to cover, wherever they stand
    std::vector<LiveText> lights;   ///< items to point at; " + " joins several into one frame
    std::vector<Condition> claims;  ///< what the text says; for `lesson check`
    std::vector<LessonTry> tries;
};

/// A paragraph, which may depend on what the model on screen does.
struct Paragraph {
    std::optional<Condition> when;  ///< shown when it holds
    bool otherwise = false;         ///< shown when none of those before it was that had one
    LiveText text;
};
using LessonText = std::vector<Paragraph>;

/// One of the answers to choose from.
struct Choice {
    LiveText text;
    std::optional<Condition> when;  ///< it is right when this holds
    LiveText because = {};          ///< why it is wrong, for whoever has taken it; may be empty
};

/// What is asked in a step; what follows is shown once a choice was made.
struct Question {
    int line = 0;
    std::vector<Choice> choices;
    std::optional<Expression> of;  ///< or: its value and others of its kind, `count` together
    int count = 0;
    LiveText because;       ///< with `of`: why another than its value is wrong
    LiveText answer;        ///< where not empty, the choice with this text is right
    bool in_sight = false;  ///< the answer may stand on screen: it is to be read there
    LessonText after;
    Scene scene;  ///< from then on
};

/// What a student is to bring about on the screen, by hand or by training.
struct LessonTask {
    int line = 0;
    Condition done;               ///< it is done when this holds
    bool typing = false;          ///< other sentences than the step's count too
    std::vector<LiveText> hints;  ///< one after another, when they are asked for
};

struct LessonStep {
    int line = 0;
    std::string title;
    Scene scene;
    LessonText text;
    std::optional<Question> question;
    std::optional<LessonTask> task;
    LessonText notes;  ///< for the lecturer alone
};

/// A PNG beside the lesson's file that a text shows.
struct LessonPicture {
    std::string file;  ///< its path inside the lesson's folder
    int line = 0;      ///< that shows it first
    int width = 0, height = 0;
    std::string png = {};      ///< the file's bytes; empty where it cannot be shown
    std::string problem = {};  ///< then: why, and what to do
};

struct Lesson {
    std::string name;      ///< of its file, without folder and ending
    std::string language;  ///< that its file names: "de"; empty: none
    std::string title, about;
    std::string next;                                ///< the lesson that follows, by its file's name; empty: none
    int minutes = 0;                                 ///< that it takes; 0: not said
    std::vector<std::string> goes_wrong, exercises;  ///< for the teacher's sheet
    std::vector<LessonStep> steps;
    std::vector<std::shared_ptr<const LessonPicture>> pictures;  ///< each file once
    /// That it begins with; empty: any.
    const std::string& model() const { return steps.front().scene.model; }
};

}  // namespace glassformer::app
