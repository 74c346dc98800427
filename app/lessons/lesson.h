#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/lessons/live_numbers.h"

/// What a lesson consists of, as its file says it. Plain data: lesson_file.h reads it, lesson_runner.h plays it.
namespace glassformer::app {

/// The panel that a window too small for all of them turns to.
enum class LessonPanel { map, sentence_a, sentence_b, number, meaning, words, training };

/// What is on screen during a step. Complete: what a step did not say was taken over from the step before it.
struct Scene {
    std::array<std::string, 2> sentences;  ///< A and B; empty: whatever is there
    std::optional<int> layer, head;
    bool strongest = false;            ///< the head in which both chosen words look hardest at one word
    std::array<std::string, 2> words;  ///< chosen in A and B; empty: the word with two meanings
    int slot = 0;                      ///< the sentence that is worked on
    std::string view;                  ///< name of the sentences' picture; empty: the first
    bool compare = true;
    LessonPanel panel = LessonPanel::sentence_a;
    int meaning_layer = -1;            ///< of the map: 0 the embedding, l + 1 after block l; −1 follows the block
    std::optional<std::int64_t> step;  ///< of the training; none: the newest
    std::optional<Expression> explain;
    std::vector<LiveText> hides;   ///< items to cover
    std::vector<LiveText> lights;  ///< items to point at; " + " joins several into one frame
};

/// One of the answers to choose from.
struct Choice {
    std::string text;
    std::optional<Condition> when;  ///< it is right when this holds
    int line = 0;
};

/// What is asked in a step; what follows is shown once a choice was made.
struct Question {
    std::vector<Choice> choices;
    LiveText answer;  ///< where not empty, the choice with this text is right
    LiveText after;
    Scene scene;  ///< from then on
};

struct LessonStep {
    int line = 0;
    std::string title;
    Scene scene;
    LiveText text;
    std::optional<Question> question;
};

struct Lesson {
    std::string name;  ///< of its file, without folder and ending
    std::string title, about;
    std::string model;  ///< the shipped model that it is about, by its world; empty: any
    std::vector<LessonStep> steps;
};

}  // namespace glassformer::app
